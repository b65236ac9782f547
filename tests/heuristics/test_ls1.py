"""LS1: facts about the sweep, and the whole search against its plain twin."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.engines.python import PythonEngine
from ter.heuristics.ls1 import LS1
from ter.run.evaluator import Evaluator
from tests.naive.ls1 import NaiveLS1
from tests.spies import minimize_on, same_run

Fun = Callable[[np.ndarray], float]


def search(heuristic: LS1, fun: Fun, box: ter.Box, x0: list[float], allowances: list[int]) -> tuple[list, list]:
    """Run initiations with the given allowances from x0; return the points after it and the state."""
    seen: list[list[float]] = []

    def noted(x: np.ndarray) -> float:
        seen.append(x.tolist())
        return fun(x)

    engine = PythonEngine(noted, stop_at_failure=True)
    evaluator = Evaluator(box, engine, ter.Budget(evaluations=10**6))
    evaluator.lend(1).evaluate(np.array([x0], dtype=float))
    state = heuristic.start(box, np.random.default_rng(11))
    states = [state]
    rng = np.random.default_rng(12)
    for evaluations in allowances:
        states.append(heuristic.act(states[-1], evaluator.lend(evaluations), rng))
    return seen[1:], states


def steps_of(heuristic: LS1, box: ter.Box) -> np.ndarray:
    """The first steps that `search` draws."""
    return heuristic.start(box, np.random.default_rng(11)).steps.copy()


def moved(points: list[list[float]], x0: list[float]) -> list[int]:
    """Which coordinate differs from x0 in each point, when nothing improves."""
    return [next(i for i, v in enumerate(point) if v != x0[i]) for point in points]


BOX = ter.box([-5, -50, -1, 0], [5, 10, 1, 8])
CENTER = [0.5, -3.0, 0.25, 4.0]


def valley(x: np.ndarray) -> float:
    return sum(abs(v - c) for v, c in zip(x.tolist(), CENTER, strict=True))


@pytest.mark.parametrize("scalar", [False, True])
def test_a_coordinate_is_tried_one_step_down_then_half_a_step_up_from_the_original_point(scalar):
    heuristic = LS1(scalar=scalar, step=(0.01, 0.02))
    points, _ = search(heuristic, valley, BOX, CENTER, [8])
    steps = steps_of(heuristic, BOX)
    assert moved(points, CENTER) == [0, 0, 1, 1, 2, 2, 3, 3]
    for i in range(4):
        assert points[2 * i][i] == CENTER[i] - steps[i]
        assert points[2 * i + 1][i] == CENTER[i] + 0.5 * steps[i]


def test_each_coordinate_has_a_step_of_its_own_or_all_have_the_same():
    box = ter.box([0, 0], [1, 1000])
    own, one = (steps_of(LS1(step=(0.3, 0.4), scalar=scalar), box) for scalar in (False, True))
    assert 0.3 <= own[0] <= 0.4 and 300 <= own[1] <= 400
    assert one[0] == one[1] and 0.3 * 500.5 <= one[0] <= 0.4 * 500.5


def test_a_step_down_that_improves_is_kept_and_no_step_up_is_tried():
    points, _ = search(LS1(step=(0.01, 0.02)), lambda x: float(x.sum()), BOX, CENTER, [4])
    steps = steps_of(LS1(step=(0.01, 0.02)), BOX)
    expected = list(CENTER)
    for i in range(4):
        expected[i] -= steps[i]
        assert points[i] == expected  # each from the last, since each improves


def test_a_void_move_at_the_bound_is_not_evaluated():
    points, _ = search(LS1(step=(0.01, 0.02)), lambda x: float(x.sum()), BOX, BOX.lower.tolist(), [4])
    assert moved(points, BOX.lower.tolist()) == [0, 1, 2, 3]
    assert all(point[i] > BOX.lower[i] for i, point in enumerate(points))
    points, _ = search(LS1(step=(0.01, 0.02)), lambda x: -float(x.sum()), BOX, BOX.upper.tolist(), [4])
    assert all(point[i] < BOX.upper[i] for i, point in enumerate(points)) and len(points) == 4
    assert moved(points, BOX.upper.tolist()) == [0, 1, 2, 3]


def test_a_step_beyond_the_bound_ends_on_it():
    box = ter.box(-1, 1, dimension=1)
    points, _ = search(LS1(step=(1, 1)), lambda x: abs(float(x[0]) - 0.5), box, [0.5], [2])
    assert points == [[-1.0], [1.0]]


def test_fixed_variables_are_never_moved():
    box = ter.box([0, 2, 0], [1, 2, 1])
    points, _ = search(LS1(), lambda x: float(x[0] + x[2]), box, [0.5, 2, 0.5], [40])
    assert all(point[1] == 2 for point in points) and len(points) == 40


def test_an_equal_value_gets_no_second_try():
    points, states = search(LS1(step=(0.01, 0.02)), lambda x: 1.0, BOX, CENTER, [8])
    steps = steps_of(LS1(step=(0.01, 0.02)), BOX)
    assert moved(points, CENTER) == [0, 1, 2, 3] * 2
    assert all(points[i][i] == CENTER[i] - steps[i] for i in range(4))
    assert states[-1].steps.tolist() == (steps / 4).tolist()


def test_from_an_infinite_value_both_sides_are_tried():
    points, _ = search(LS1(step=(0.01, 0.02)), lambda x: math.inf, BOX, CENTER, [8])
    assert moved(points, CENTER) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_one_step_for_all_is_halved_once_after_a_fruitless_sweep():
    heuristic = LS1(scalar=True, step=(0.01, 0.02))
    step = steps_of(heuristic, BOX)[0]
    points, _ = search(heuristic, valley, BOX, CENTER, [24])
    for sweep in range(3):
        for i in range(4):
            down, up = points[8 * sweep + 2 * i], points[8 * sweep + 2 * i + 1]
            assert down[i] == CENTER[i] - step / 2**sweep
            assert up[i] == CENTER[i] + 0.5 * step / 2**sweep


def test_one_step_for_all_is_kept_after_a_sweep_that_improved_anything():
    heuristic = LS1(scalar=True, step=(0.001, 0.002))
    step = steps_of(heuristic, BOX)[0]
    box_only_last = lambda x: valley(x) if x[3] == CENTER[3] else valley(x) - 100 * (CENTER[3] - x[3])  # noqa: E731
    _, states = search(heuristic, box_only_last, BOX, CENTER, [7 + 7])
    assert (states[-1].steps == step).all()


def test_own_steps_are_halved_only_where_the_coordinate_failed():
    heuristic = LS1(step=(0.001, 0.002))
    steps = steps_of(heuristic, BOX)
    _, states = search(heuristic, lambda x: valley(x) - 100 * x[0], BOX, CENTER, [8])
    assert states[-1].steps.tolist() == (steps * [1, 0.5, 0.5, 0.5]).tolist()


@pytest.mark.parametrize("scalar", [False, True])
def test_a_step_below_the_smallest_is_drawn_anew(scalar):
    box = ter.box(-1, 1, dimension=2)
    heuristic = LS1(scalar=scalar, step=(0.1, 0.2), smallest=0.02)
    points, _ = search(heuristic, lambda x: abs(float(x[0])) + abs(float(x[1])), box, [0, 0], [200])
    lengths = [-point[0] for point in points if point[0] < 0]
    smallest = 0.02 if scalar else 0.02 * 2
    assert min(lengths) >= smallest
    drawn_anew = [b for a, b in itertools.pairwise(lengths) if b != a / 2]
    assert len(drawn_anew) > 5 and all(0.2 <= length <= 0.4 for length in drawn_anew)
    assert len(set(drawn_anew)) == len(drawn_anew)


def test_the_next_sweep_starts_with_the_coordinate_that_gained_most():
    # Every step down by s gains weight * s; all gain, so the order of the second sweep is by gain.
    weights = np.array([1.0, 5.0, 0.5, 3.0])
    box = ter.box(-10, 10, dimension=4)
    heuristic = LS1(step=(0.01, 0.01))
    points, _ = search(heuristic, lambda x: float(weights @ x), box, [5, 5, 5, 5], [8])
    order = [int(np.argmax(np.abs(np.subtract(b, a)))) for a, b in zip([[5.0] * 4, *points], points, strict=False)]
    assert order == [0, 1, 2, 3, 1, 3, 0, 2]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_a_sweep_continues_over_initiations(allowances):
    box = ter.box(-1, 1, dimension=6)
    points, _ = search(LS1(), lambda x: float(np.abs(x).sum()), box, [0] * 6, allowances)
    visits = [i for k, i in enumerate(moved(points, [0] * 6)) if k == 0 or i != moved(points, [0] * 6)[k - 1]]
    assert visits == [k % 6 for k in range(len(visits))]
    assert len(points) == sum(allowances)


def staircase(x: np.ndarray) -> float:
    """Plateaus, so that equal values occur, with coupled coordinates."""
    total = 0.0
    for i, v in enumerate(x.tolist()):
        total += math.floor(3 * abs(v - 0.3 * i)) + (0.5 * abs(v) if i % 2 else 0.0)
    return total + abs(float(x[0]) - float(x[-1]))


@given(
    st.booleans(),
    st.integers(1, 7),
    st.integers(1, 400),
    st.sampled_from([1e-15, 1e-2]),
    st.sampled_from(["smooth", "staircase"]),
    st.sampled_from([-1.0, 0.2, 1.5]),
)
def test_the_whole_search_agrees_with_its_plain_twin(scalar, dimension, evaluations, smallest, kind, start):
    box = ter.box(np.full(dimension, -1.0), np.linspace(1.5, 3, dimension))
    fun = staircase if kind == "staircase" else lambda x: float(sum((v - 0.1) ** 2 for v in x.tolist()))
    heuristic = LS1(step=(0.3, 0.4), scalar=scalar, smallest=smallest)
    x0 = [start] * dimension
    points, _ = search(heuristic, fun, box, x0, [evaluations])

    first, later = np.random.default_rng(11), np.random.default_rng(12)
    sources = iter([first])

    def draw() -> np.ndarray:
        rng = next(sources, later)
        if scalar:
            return np.full(dimension, (0.3 + (0.4 - 0.3) * rng.random()) * float(np.mean(box.width)))
        return (0.3 + (0.4 - 0.3) * rng.random(dimension)) * box.width

    limit = np.full(dimension, smallest) if scalar else smallest * box.width
    x = np.array(x0)
    twin = NaiveLS1(fun, box.lower, box.upper, draw, limit, scalar, x, fun(x))
    twin.search(evaluations)
    assert points == twin.evaluated


@pytest.mark.parametrize("scalar", [False, True])
def test_compiled_and_plain_sweeps_are_the_same(scalar):
    box = ter.box(-5, [5, 1, 9, 2, 3], dimension=5)
    options = {"budget": 3000, "rng": 4, "heuristics": [LS1(scalar=scalar, smallest=1e-6)]}
    assert same_run(minimize_on("python", box, **options), minimize_on("compiled", box, **options))


def test_one_initiation_costs_so_many_evaluations_per_variable():
    assert LS1().cost(1000) == 25_000 and LS1(evaluations=0.5).cost(1) == 1 and LS1(evaluations=0.5).cost(9) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": (0.0, 0.4)}, r"step must lie in \(0, 1\], got 0.0"),
        ({"step": (0.3, 1.5)}, r"step must lie in \(0, 1\], got 1.5"),
        ({"step": (0.4, 0.3)}, r"step\[1\] must lie in \[0.4, 1\], got 0.3"),
        ({"step": (math.nan, 0.4)}, "step must lie in"),
        ({"smallest": 0.0}, r"smallest must lie in \(0, 1\]"),
        ({"evaluations": 0}, "evaluations must lie in"),
        ({"evaluations": math.nan}, "evaluations must lie in"),
        ({"evaluations": math.inf}, "evaluations must"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        LS1(**options)
