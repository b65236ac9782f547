"""Gradients by differences: inside the box, of the right length, cut anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.gradients import Slopes, difference_points, fitted_lengths, second_points
from ter.testing.rehearsal import Rehearsal


def test_differences_go_up_or_down_inside_the_box_or_to_the_farther_bound():
    box = ter.box([-5, -5, -5, 0, 1e10, 2], [5, 5, 5, 1e-9, 1e10 + 1, 2])
    x = np.array([3.0, 5.0, 0.25, 1e-9, 1e10, 2.0])
    moved = difference_points(x, box, 1e-8)
    assert moved.tolist() == [3.0 + 3e-8, 5.0 - 5e-8, 0.25 + 1e-8, 1e-9 - 1e-17, 1e10 + 1, 2.0]
    assert box.contains(moved)


@pytest.mark.parametrize("x", [0.0, 2.0, 2.99, 3.0])
@pytest.mark.parametrize(("low", "high"), [(0.0, 3.0), (-1e9, 3.0), (0.0, 1e9), (2.9999, 3.0001), (0.0, 3.0 + 1e-12)])
def test_two_moves_are_inside_the_box_and_different(x, low, high):
    x = min(high, max(low, x))
    box = ter.box([low, 1.0], [high, 1.0])
    first, second = second_points(np.array([x, 1.0]), box, 1e-4)
    assert len({x, float(first[0]), float(second[0])}) == 3 and low <= min(first[0], second[0])
    assert max(first[0], second[0]) <= high and first[1] == second[1] == 1.0


class Differencing:
    """A heuristic that takes one gradient where it begins."""

    name = "differencing"

    def __init__(self, *, fitted: bool) -> None:
        self.fitted, self.gradient = fitted, None

    def cost(self, dimension):
        return 100

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        branch, state = state or (
            allowance.branch(allowance.x, allowance.y, follow=False),
            Slopes.of(allowance.dimension),
        )
        branch = allowance.branch(branch)
        self.gradient = state.go_on(branch, 1.5e-8, fitted=self.fitted)
        return branch, state


def gradient_of(fun, box, *, fitted, cuts=()):
    heuristic = Differencing(fitted=fitted)
    rehearsal = Rehearsal(heuristic, fun, box)
    x = rehearsal.evaluator.x
    used = 0
    for evaluations in (*cuts, 100):
        if heuristic.gradient is None:
            used += rehearsal.act(evaluations)
    return x, heuristic.gradient, rehearsal.state[1], used


@pytest.mark.parametrize("fitted", [False, True])
@given(cuts=st.lists(st.integers(1, 7), max_size=3))
def test_the_gradient_is_that_of_the_function_wherever_it_is_cut(fitted, cuts):
    weights = 10.0 ** np.arange(-2, 4)
    box = ter.box(-3, 4, dimension=6)
    x, gradient, slopes, used = gradient_of(lambda x: float(weights @ (x - 1) ** 2), box, fitted=fitted, cuts=cuts)
    assert used == 6 * (1 + fitted)
    assert gradient == pytest.approx(2 * weights * (x - 1), rel=1e-4, abs=1e-4)
    assert slopes.curvature.size == 6 * fitted
    if fitted:
        assert slopes.curvature[-1] == pytest.approx(2 * weights[-1], rel=1e-3)
    again = gradient_of(lambda x: float(weights @ (x - 1) ** 2), box, fitted=fitted)[1]
    assert gradient.tolist() == again.tolist()


def test_where_a_variable_is_fixed_there_is_no_slope():
    box = ter.box([0, 2, 0], [1, 2, 1])
    _, gradient, _, used = gradient_of(lambda x: float(x.sum()), box, fitted=False)
    assert gradient == pytest.approx([1, 0, 1], rel=1e-6) and used == 2


def test_the_steeper_a_valley_and_the_smaller_the_value_the_shorter_are_differences():
    lengths = fitted_lengths(np.array([1.0, 100.0]), 1.0)
    assert lengths[0] == pytest.approx(10 * lengths[1])
    assert fitted_lengths(np.array([1.0]), 1e-4) == pytest.approx(1e-2 * lengths[:1])
    assert not fitted_lengths(np.zeros(3), 1.0).size
