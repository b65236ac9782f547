"""The least value along a line: a parabola in two evaluations, anything else in few, and never a worse point."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.heuristics.line_minimum import SHORTENED, TRIALS, LineMinimum


def searched(fun, slope):
    line = LineMinimum(fun(0.0), slope)
    while (length := line.next()) is not None:
        assert 0.0 < length < math.inf and length not in line.lengths
        line.note(length, fun(length))
    return line


@given(least=st.floats(0.06, 3.9), bend=st.floats(1e-6, 1e6), offset=st.floats(-1e3, 1e3))
def test_a_parabola_takes_two_evaluations(least, bend, offset):
    line = searched(lambda t: bend * ((t - least) ** 2 + offset), -2 * bend * least)
    if abs(least - 1) <= 0.04 * least or line.lengths == [1.0]:
        assert line.lengths == [1.0] and abs(least - 1) < 0.15
    else:
        assert len(line.lengths) == 2 and line.best[0] == pytest.approx(least, rel=1e-4)


@given(least=st.floats(1e-5, 900.0), power=st.sampled_from([1.5, 2.0, 4.0]), scale=st.floats(1e-8, 1e8))
def test_valleys_of_any_shape_and_place_are_found_in_few_evaluations(least, power, scale):
    def fun(t):
        return scale * abs(t - least) ** power

    line = searched(fun, -scale * power * least ** (power - 1))
    assert line.best is not None and len(line.lengths) <= TRIALS + SHORTENED
    if 0.05 < least < 20:
        assert line.best[1] < 0.1 * fun(0.0)


@given(
    values=st.lists(st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.just(0.5)), min_size=20, max_size=20),
    slope=st.floats(-1e9, -1e-9),
)
def test_whatever_the_values_are_it_ends_and_keeps_the_best(values, slope):
    given_values = iter(values)
    line = LineMinimum(0.0, slope)
    noted = []
    while (length := line.next()) is not None:
        value = next(given_values)
        noted.append((math.inf if math.isnan(value) else value, length))
        line.note(length, value)
    assert line.lengths == sorted(line.lengths)
    better = min((value for value, _ in noted if value < 0.0), default=None)
    assert (line.best is None) == (better is None)
    if better is not None:
        assert line.best[1] == better


def test_where_nothing_is_better_it_gives_up():
    line = searched(lambda t: t, -1.0)  # the slope was wrong
    assert line.best is None and len(line.lengths) == SHORTENED
    assert line.lengths[0] < 1e-3


def test_scale_and_offset_do_not_matter():
    def fun(t):
        return (t - 0.3) ** 4 + math.sin(5 * t)

    plain, moved = searched(fun, -1.0), searched(lambda t: 1024 * fun(t), -1024.0)
    assert plain.lengths == moved.lengths


def test_a_region_that_fails_is_too_far():
    line = searched(lambda t: math.nan if t > 0.2 else (t - 0.1) ** 2, -0.2)
    assert line.best is not None and line.best[1] < 0.2 * line.y


def test_it_goes_as_far_as_it_must():
    line = searched(lambda t: (t - 200.0) ** 2, -400.0)
    assert line.lengths[:2] == [1.0, 4.0]
    assert line.best[0] > 150
