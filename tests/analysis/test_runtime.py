"""Running times."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.analysis import expected_running_time, fraction_solved, hitting_times, targets_between
from ter.core.errors import InvalidArgument

CURVES = st.lists(st.tuples(st.integers(1, 100), st.integers(0, 20)), min_size=0, max_size=12).map(sorted)


@given(CURVES, st.lists(st.integers(-1, 21).map(float), min_size=1, max_size=6))
def test_a_target_is_hit_by_the_first_row_at_or_below_it(curve, targets):
    expected = [next((float(n) for n, error in curve if error <= target), math.inf) for target in targets]
    assert hitting_times(curve, targets).tolist() == expected


def test_rows_without_a_value_hit_nothing():
    assert hitting_times([(1, math.nan), (5, math.inf), (9, 2.0)], [1e9, 2.0, 1.0]).tolist() == [9, 9, math.inf]
    assert hitting_times([], [1.0]).tolist() == [math.inf]


@given(st.lists(st.one_of(st.integers(1, 50), st.just(math.inf)), min_size=1, max_size=20))
def test_the_fraction_counts_pairs_and_never_falls(times):
    at = np.arange(0, 60)
    fractions = fraction_solved(times, at)
    assert fractions.tolist() == [sum(time <= n for time in times) / len(times) for n in at]
    assert fractions[0] == 0.0 and np.all(np.diff(fractions) >= 0)


def test_times_of_any_shape_are_taken_together():
    assert fraction_solved([[1, 5], [9, math.inf]], 9).tolist() == [0.75]


def test_the_expected_running_time_charges_failures_to_the_successes():
    assert expected_running_time([100, math.inf, 300], [1000, 500, 1000]) == (100 + 500 + 300) / 2
    assert expected_running_time([math.inf], [1000]) == math.inf
    assert expected_running_time([7, 9], [1000, 1000]) == 8


def test_targets_are_even_on_a_logarithmic_scale():
    targets = targets_between(1e11, 1e-8, 20)
    assert targets[0] == 1e11 and targets[-1] == 1e-8
    assert targets[:-1] / targets[1:] == pytest.approx([10.0] * 19)


@pytest.mark.parametrize(
    "call",
    [
        lambda: hitting_times([(5, 1.0), (3, 0.5)], [1.0]),
        lambda: hitting_times([1.0, 2.0, 3.0], [1.0]),
        lambda: hitting_times([(1, 2.0)], [math.nan]),
        lambda: fraction_solved([], [1.0]),
        lambda: fraction_solved([math.nan], [1.0]),
        lambda: expected_running_time([1.0], [1.0, 2.0]),
        lambda: targets_between(1.0, 0.0),
        lambda: targets_between(1.0, 2.0),
        lambda: targets_between(math.inf, 1.0),
    ],
)
def test_wrong_arguments_are_refused(call):
    with pytest.raises(InvalidArgument, match=r"must|need"):
        call()
