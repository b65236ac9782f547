"""Summaries of samples."""

from __future__ import annotations

import math
import statistics as plain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.analysis import summary
from ter.core.errors import InvalidArgument

ERRORS = st.floats(0, 1e300)


@given(st.lists(ERRORS, min_size=2, max_size=30))
def test_a_summary_is_that_of_the_standard_library(runs):
    made = summary(runs)
    assert made.mean == pytest.approx(math.fsum(run / len(runs) for run in runs), rel=1e-12)
    assert made.median == pytest.approx(plain.median(runs), rel=1e-15, abs=1e-323)
    assert (made.best, made.worst, made.n, made.missing) == (min(runs), max(runs), len(runs), 0)
    scale = max(runs) or 1.0
    assert made.std / scale == pytest.approx(plain.stdev([run / scale for run in runs]), rel=1e-9, abs=1e-12)


def test_the_standard_deviation_has_n_minus_1_in_the_denominator():
    assert summary([2, 4, 4, 4, 5, 5, 7, 9]).std == pytest.approx(math.sqrt(32 / 7), rel=1e-15)


@given(ERRORS, st.integers(2, 30))
def test_equal_runs_have_no_spread(value, n):
    made = summary([value] * n)
    assert (made.mean, made.median, made.std) == (value, value, 0.0)


def test_squares_neither_overflow_nor_vanish():
    assert summary([1e307, 3e307]).std == pytest.approx(math.sqrt(2) * 1e307)
    assert summary([1.7e308, 1.7e308, 1.6e308]).mean == pytest.approx(1.6667e308, rel=1e-4)
    assert summary([1e-200, 3e-200]).std == pytest.approx(math.sqrt(2) * 1e-200)


def test_a_run_without_a_result_is_the_worst_and_not_left_out():
    made = summary([3.0, math.nan, 1.0, math.inf, 2.0])
    assert (made.mean, made.median, made.best, made.worst) == (math.inf, 3.0, 1.0, math.inf)
    assert (made.n, made.missing) == (5, 2) and math.isnan(made.std)
    assert summary([1.0, math.nan]).median == math.inf
    assert summary([math.nan]).best == math.inf


def test_one_run_has_no_spread_to_speak_of():
    made = summary([4.0])
    assert made.mean == made.median == 4.0 and math.isnan(made.std)


@pytest.mark.parametrize("wrong", [[], [[1.0, 2.0]], 3.0, [1.0, -math.inf]])
def test_what_is_no_sample_is_refused(wrong):
    with pytest.raises(InvalidArgument, match="values must"):
        summary(wrong)


def test_the_argument_is_not_changed():
    runs = np.array([3.0, np.nan, 1.0])
    summary(runs)
    assert np.array_equal(runs, [3.0, np.nan, 1.0], equal_nan=True)
