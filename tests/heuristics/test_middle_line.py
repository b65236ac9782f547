"""The middle of a plateau along a line."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ter.heuristics.middle_line import MOST, MiddleLine

LOW, HIGH = -100.0, 100.0


def searched(fun, at, step=1.0, low=LOW, high=HIGH):
    line = MiddleLine(low, high, at, fun(at), step)
    trials = []
    while (v := line.next()) is not None:
        trials.append(v)
        line.note(v, fun(v))
    return line, trials


@given(
    optimum=st.floats(-60, 60),
    half=st.floats(0.1, 20),
    part=st.floats(-1, 1),
    step=st.floats(1e-3, 50),
    power=st.sampled_from([1.0, 2.0]),
)
def test_the_middle_is_close_where_both_sides_rise_alike(optimum, half, part, step, power):
    def fun(v):
        return max(half, abs(v - optimum)) ** power

    line, trials = searched(fun, at=optimum + part * half, step=step)
    furthest = max(abs(v - optimum) for v in trials)
    assert abs(line.middle - optimum) <= 0.5 * (furthest - half) + 1e-9  # both ends are outside of the plateau
    assert line.y == half**power


@given(at=st.floats(LOW, HIGH), step=st.floats(1e-6, 500), seed=st.integers(0, 10**6))
@example(at=LOW, step=1.0, seed=1)
@example(at=HIGH, step=1e-6, seed=2)
def test_whatever_the_values_it_ends_inside_the_bounds_and_never_looks_twice(at, step, seed):
    def fun(v):  # a few values, NaN among them, in an order that makes no sense
        return (0.0, 1.0, 1.0, 2.0, math.nan)[hash((v, seed)) % 5]

    line, trials = searched(lambda v: fun(v) if v != at else 1.0, at, step)
    assert len(trials) == len(set(trials)) == line.made <= MOST and at not in trials
    assert all(LOW <= v <= HIGH for v in (*trials, line.middle))
    assert line.y == min([1.0, *(fun(v) for v in trials if not math.isnan(fun(v)))])


@pytest.mark.parametrize("at", [23.0, 29.0, 37.5])
@pytest.mark.parametrize("step", [3.0, 20.0, 60.0])
def test_straight_sides_are_known_from_two_points(at, step):
    line, trials = searched(lambda v: max(8.0, abs(v - 30.0)), at, step)
    assert line.middle == pytest.approx(30.0, abs=1e-9) and len(trials) <= 9


def test_on_a_slope_it_goes_down_first():
    line, _ = searched(lambda v: max(2.0, abs(v - 30.0)), at=-50.0, step=4.0)
    assert line.y == 2.0 and line.middle == pytest.approx(30.0)


def test_where_one_side_is_level_up_to_the_bound_that_is_its_end():
    line, trials = searched(lambda v: max(50.0, v + 90.0), at=-95.0, step=10.0)  # level from -100 to -40
    assert line.higher[0] is None and line.middle == pytest.approx(-70.0, abs=10.0)
    assert line.width == pytest.approx(30.0, abs=10.0) and LOW in trials


def test_a_line_that_is_level_everywhere_has_its_middle_in_the_middle():
    line, trials = searched(lambda v: 7.0, at=33.0)
    assert line.middle == 0.0 and line.width is None and {LOW, HIGH} <= set(trials)


def test_walls_of_failures_are_as_good_as_values():
    line, _ = searched(lambda v: math.nan if abs(v - 20.0) > 8.0 else 1.0, at=15.0, step=3.0)
    assert line.middle == pytest.approx(20.0, abs=6.0) and line.y == 1.0
