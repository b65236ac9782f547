"""The orders in which LS1 visits coordinates, and its other settings of the literature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.ls1 import LS1
from ter.heuristics.orders import chosen
from tests.heuristics.test_ls1 import BOX, CENTER, moved, search, staircase, steps_of, valley
from tests.naive.ls1 import NaiveGreedy
from tests.spies import minimize_on, same_run

MTS = {"scalar": True, "step": (0.5, 0.5), "reset": (0.4, 0.4)}


def shifted(points: list[list[float]], x0: list[float]) -> list[int]:
    """Which coordinate differs from the point before, when every move is accepted."""
    return [int(np.flatnonzero(np.subtract(b, a))[0]) for a, b in zip([x0, *points], points, strict=False)]


WEIGHTS = np.array([1.0, 5.0, 0.5, 3.0])


def slope(x: np.ndarray) -> float:
    return float(WEIGHTS @ x)


def test_the_order_of_mts_is_that_of_the_indices_whatever_gained_most():
    points, _ = search(LS1(order="index", step=(0.001, 0.001)), slope, BOX, CENTER, [8])
    assert shifted(points, CENTER) == [0, 1, 2, 3] * 2


@pytest.mark.parametrize("order", ["gains", "index", "greedy", "reduced"])
def test_a_coordinate_at_its_lower_bound_gets_its_other_move(order):
    heuristic = LS1(order=order, step=(0.01, 0.01))
    points, _ = search(heuristic, lambda x: -slope(x), BOX, BOX.lower.tolist(), [4])
    steps = steps_of(heuristic, BOX)
    for i in shifted(points, BOX.lower.tolist()):
        assert points[-1][i] == BOX.lower[i] + 0.5 * steps[i]
    assert sorted(shifted(points, BOX.lower.tolist())) == [0, 1, 2, 3]


def test_a_step_that_became_too_small_is_drawn_from_the_interval_of_the_reset():
    box = ter.box(-1, 1, dimension=1)
    points, _ = search(LS1(**MTS, smallest=0.3, order="index"), lambda x: abs(float(x[0])), box, [0.0], [8])
    # Steps of half the range, halved twice, and of four tenths of it then.
    assert [point[0] for point in points] == pytest.approx([-1.0, 0.5, -0.5, 0.25, -0.8, 0.4, -0.4, 0.2])


def test_moves_go_as_many_steps_as_they_are_told():
    heuristic = LS1(step=(0.01, 0.01), moves=(0.25, 2.0))
    points, _ = search(heuristic, valley, BOX, CENTER, [2])
    step = steps_of(heuristic, BOX)[0]
    assert [point[0] for point in points] == [CENTER[0] - 0.25 * step, CENTER[0] + 2.0 * step]


# Sweeps


def test_an_initiation_of_two_sweeps_visits_each_coordinate_twice():
    heuristic = LS1(order="index", step=(0.01, 0.01), sweeps=2)
    assert heuristic.cost(4) == 16
    points, _ = search(heuristic, slope, BOX, CENTER, [16, 16])
    assert len(points) == 16  # all moves down are accepted: one evaluation each
    points, _ = search(heuristic, valley, BOX, CENTER, [16])
    assert moved(points, CENTER) == [0, 0, 1, 1, 2, 2, 3, 3] * 2


def test_a_sweep_that_was_cut_is_the_first_of_the_next_initiation():
    points, _ = search(LS1(order="index", step=(0.001, 0.001), sweeps=1), slope, BOX, CENTER, [3, 99, 99])
    assert shifted(points, CENTER) == [0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("allowance", [3, 400])
def test_a_fixed_box_ends_an_initiation_of_many_sweeps(allowance):
    points, _ = search(LS1(sweeps=10_000), lambda x: 1.0, ter.box([1.0], [1.0]), [1.0], [allowance])
    assert points == []


# Grades


def test_each_accepted_move_around_the_incumbent_is_graded_eleven():
    _, states = search(LS1(step=(0.001, 0.001), sweeps=1), slope, BOX, CENTER, [8])
    assert states[-1].grade == 4 * 11
    _, states = search(LS1(step=(0.01, 0.01), sweeps=1), valley, BOX, CENTER, [8, 8])
    assert states[-1].grade == 0


@pytest.mark.parametrize("engine", ["python", "compiled moving"])
def test_a_move_on_a_branch_that_is_no_new_best_is_graded_one(engine):
    graded = []

    class Branching(LS1):
        def act(self, state, allowance, rng):
            branch = allowance.branch(np.full(2, 4.0))
            super().act(state, branch, rng)
            graded.append((state.grade, branch.y))
            return state

    minimize_on(engine, ter.box(-5, 5, dimension=2), budget=20, rng=1, x0=[0.125, 0.375],
                heuristics=[Branching(step=(0.01, 0.01), sweeps=1)])  # fmt: skip
    assert graded[0][0] == 2 and graded[0][1] > 20  # two moves down, far from the best


# Reduced


def test_the_reduced_order_takes_all_coordinates_first_and_then_those_that_gained_nine_tenths():
    box = ter.box(-10, 10, dimension=10)
    weights = np.array([1.0, 50.0, 1.0, 1.0, 40.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    x0 = [5.0] * 10
    points, _ = search(LS1(order="reduced", step=(0.01, 0.01)), lambda x: float(weights @ x), box, x0, [13])
    visits = shifted(points, x0)
    assert visits[:10] == list(range(10))
    # 1 and 4 have 90 of 98 gains; a twentieth of ten coordinates, rounded to even, is none.
    assert visits[10:] == [1, 4, 1]


def test_one_in_twenty_of_the_other_coordinates_is_chosen_at_random():
    averages = np.zeros(60)
    averages[[3, 50]] = 10.0
    draws = [set(chosen(averages, np.random.default_rng(seed)).tolist()) for seed in range(40)]
    assert all(len(draw) == 5 and {3, 50} < draw for draw in draws)
    assert len(set().union(*draws)) > 40
    assert chosen(np.zeros(60), np.random.default_rng(1)).tolist() == list(range(60))


@pytest.mark.parametrize(("others", "visited"), [(0.0, 2), (0.025, 3), (0.5, 22), (1.0, 40)])
def test_the_share_of_other_coordinates_is_a_setting(others, visited):
    box, x0 = ter.box(-10, 10, dimension=40), [5.0] * 40
    weights = np.ones(40)
    weights[[7, 30]] = 400.0
    slide = LS1(order="reduced", step=(0.01, 0.01), others=others, sweeps=1)
    points, _ = search(slide, lambda x: float(weights @ x), box, x0, [90, 90])
    second = shifted(points, x0)[40:]
    assert len(second) == visited and {7, 30} <= set(second) and second == sorted(second)


def test_gains_are_averaged_over_visits():
    box = ter.box(-10, 10, dimension=2)
    _, states = search(LS1(order="reduced", step=(0.01, 0.01)), lambda x: float(x[0]) if x[0] > 4.7 else 4.7, box,
                       [5.0, 5.0], [60])  # fmt: skip
    # The first coordinate gains 0.2 and then 0.1 to the edge; the second nothing.
    assert states[-1].averages[1] == 0 and 0 < states[-1].averages[0] < 0.2


def test_the_first_finite_value_is_no_gain_for_the_averages():
    _, states = search(LS1(order="reduced", step=(0.2, 0.2)), lambda x: math.inf if x[0] > 2 else valley(x), BOX,
                       [3.0, -3, 0.25, 4], [60])  # fmt: skip
    assert np.isfinite(states[-1].averages).all()


# Greedy


def test_the_greedy_order_stays_where_it_improves_until_the_next_one_gained_more():
    box = ter.box(-10, 10, dimension=3)
    x0 = [5.0] * 3

    def bend(x: np.ndarray) -> float:  # the second coordinate gains 10 per unit down to 4.7 and 1 below it
        return 3 * x[0] + (10 * x[1] if x[1] > 4.7 else 47 + (x[1] - 4.7)) + 0.5 * x[2]

    points, _ = search(LS1(order="greedy", step=(0.01, 0.01)), bend, box, x0, [7])
    visits = shifted(points, x0)
    assert sorted(visits[:3]) == [0, 1, 2]
    # One gains 2.0 at first, then 1.1 on the bend, which is still the most; then 0.2, and coordinate 0 is better.
    assert visits[3:] == [1, 1, 0, 0]


def test_each_initiation_of_the_greedy_order_shuffles_anew_unless_its_first_sweep_was_cut():
    box = ter.box(-10, 10, dimension=6)
    x0 = [5.0] * 6
    points, _ = search(LS1(order="greedy", step=(0.001, 0.001)), lambda x: float(x.sum()), box, x0, [4, 10, 6])
    visits = shifted(points, x0)
    assert sorted(visits[:6]) == list(range(6))  # cut after four, and gone on with
    assert sorted(visits[14:]) == list(range(6))


@given(st.integers(1, 7), st.integers(1, 40), st.sampled_from(["smooth", "stairs"]), st.sampled_from([-1.0, 0.2, 1.5]))
def test_the_greedy_search_agrees_with_its_plain_twin(dimension, per_variable, kind, start):
    evaluations = per_variable * dimension  # so few that no step gets too small
    box = ter.box(np.full(dimension, -1.0), np.linspace(1.5, 3, dimension))
    fun = staircase if kind == "stairs" else lambda x: float(sum((v - 0.1) ** 2 for v in x.tolist()))
    points, _ = search(LS1(order="greedy", step=(0.3, 0.3)), fun, box, [start] * dimension, [evaluations])
    x = np.full(dimension, start)
    shuffled = np.random.default_rng(12).permutation(dimension).tolist()
    twin = NaiveGreedy(
        fun, box.lower, box.upper, lambda: 0.3 * box.width, np.zeros(dimension), False, x, fun(x), shuffled=shuffled
    )
    twin.search(evaluations)
    assert points == twin.evaluated


# Both engines


@pytest.mark.parametrize("order", ["index", "greedy", "reduced"])
@pytest.mark.parametrize("scalar", [False, True])
def test_compiled_and_plain_sweeps_are_the_same(order, scalar):
    box = ter.box(-5, [5, 1, 9, 2, 3], dimension=5)
    options = {"budget": 3000, "rng": 4, "heuristics": [LS1(scalar=scalar, smallest=1e-6, order=order)]}
    assert same_run(minimize_on("python", box, **options), minimize_on("compiled", box, **options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "random"}, "unknown order 'random'; Valid names: gains, greedy, index, reduced"),
        ({"reset": (0.0, 0.4)}, r"reset must lie in \(0, 1\], got 0.0"),
        ({"reset": (0.4, 0.3)}, r"reset\[1\] must lie in \[0.4, 1\], got 0.3"),
        ({"moves": (1.0, 0.0)}, r"moves must lie in \(0, inf\], got 0.0"),
        ({"sweeps": 0}, r"sweeps must lie in \[1, inf\], got 0"),
        ({"sweeps": 1.5}, "sweeps must be a whole number"),
    ],
)
def test_settings_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        LS1(**options)
