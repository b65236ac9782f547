"""How a run begins: where it looks first, and on which scale it searches."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.core.errors import InvalidArgument
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator
from ter.run.start import look_around, vertex_of

DIMENSION = 40
BOX = ter.box(-5, 5, dimension=DIMENSION)
CENTER = np.random.default_rng(3).uniform(-3, 3, DIMENSION)
WEIGHTS = 10 ** np.linspace(0, 3, DIMENSION)


def bowl(x):
    return float((WEIGHTS * (x - CENTER) ** 2).sum())


def chain(x):
    """Rosenbrock's function, whose parabolas say little about its valley."""
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def waves(x):
    return float((x * x - 10 * np.cos(2 * np.pi * x) + 10).sum())


def scale_at(fun, x0, budget=10_000, box=BOX):
    """The scale as a share of the range, the evaluations it took, and the evaluator."""
    evaluator = Evaluator(box, choose_engine(ter.Problem(fun, box), stop_at_failure=True), ter.Budget(budget))
    evaluator.lend(1).evaluate_point(x0)
    found = look_around(evaluator, evaluator.budget, np.random.default_rng(1))
    movable = box.width > 0
    return float((found.scale[movable] / box.width[movable]).max()), evaluator.count - 1, evaluator


@pytest.mark.parametrize(("fun", "optimum"), [(bowl, CENTER), (chain, np.ones(DIMENSION))])
@pytest.mark.parametrize("noise", [1e-2, 1e-4, 1e-6])
def test_a_start_close_to_a_minimum_is_recognised(fun, optimum, noise):
    x0 = optimum + noise * np.random.default_rng(5).standard_normal(DIMENSION)
    share, spent, _ = scale_at(fun, x0)
    assert noise / 10 < share * 10 < 40 * noise  # the range is 10
    assert spent <= 200


@pytest.mark.parametrize("fun", [bowl, chain, waves])
def test_a_start_far_from_any_minimum_costs_little_and_changes_nothing(fun):
    share, spent, _ = scale_at(fun, np.random.default_rng(7).uniform(-5, 5, DIMENSION))
    assert share == 1.0 and spent <= 120


def test_looking_never_spends_more_than_its_share_of_the_budget():
    x0 = np.ones(DIMENSION) + 1e-4
    for budget in (100, 799, 800, 1_500, 10**6):
        _, spent, evaluator = scale_at(chain, x0, budget)
        assert spent <= 0.02 * budget and evaluator.count <= budget


def test_what_looking_finds_is_kept():
    _, _, evaluator = scale_at(bowl, CENTER + 1e-3)
    assert evaluator.y <= bowl(CENTER + 1e-3) and bowl(evaluator.x) == evaluator.y


@pytest.mark.parametrize("fun", [lambda x: float("nan"), lambda x: 1.0, lambda x: float(-(x * x).sum())])
def test_looking_survives_functions_without_a_minimum(fun):
    share, _, _ = scale_at(fun, np.zeros(DIMENSION))
    assert share == 1.0


def test_fixed_variables_are_not_looked_at():
    box = ter.box([0.0, -1.0, 2.0], [0.0, 1.0, 2.0])
    share, _, _ = scale_at(lambda x: float((x[1] - 0.5) ** 2), np.array([0.0, 0.501, 2.0]), box=box)
    assert share < 0.1


def test_the_vertex_of_a_parabola():
    t = np.array([-2.0, 0.0, 1.0])
    assert vertex_of(t, (t - 0.25) ** 2) == pytest.approx(0.25)
    assert vertex_of(t, -(t**2)) is None and vertex_of(t, t) is None
    assert vertex_of(t, np.array([1.0, np.inf, 1.0])) is None
    assert vertex_of(np.array([0.0, 0.0, 1.0]), np.array([1.0, 1.0, 2.0])) is None  # at the bound


# step


@pytest.mark.parametrize("name", ["ls1", "cc", "gs"])
@pytest.mark.parametrize("algorithm", ["default", "paper"])
def test_the_first_points_are_as_far_away_as_the_step_says(name, algorithm):
    points = []

    def fun(x):
        points.append(x.copy())
        return float(len(points))  # nothing is ever better

    x0, step = np.zeros(DIMENSION), np.where(np.arange(DIMENSION) % 2, 0.01, 0.1)
    if algorithm == "paper":
        member = {h.name: h for h in ter.algorithms.profiles.paper().heuristics}[name]
        ter.minimize(fun, BOX, budget=60, rng=1, x0=x0, step=0.1, heuristics=[member])
        assert 0 < np.abs(points[1:]).max() < 0.8  # five standard deviations of a normal law at most
    else:
        ter.minimize(fun, BOX, budget=60, rng=1, x0=x0, step=step, heuristics=[name])
        farthest = np.abs(points[1:]).max(axis=0)
        assert (farthest <= 1.01 * step).all() and farthest.max() > 0.02


def test_a_good_start_is_not_wasted():
    x0 = np.ones(DIMENSION) + 1e-3 * np.random.default_rng(1).standard_normal(DIMENSION)
    for options in ({}, {"step": 3e-3}):
        result = ter.minimize(chain, BOX, budget=40 * DIMENSION, rng=1, x0=x0, **options)
        assert result.fun < 0.3 * chain(x0)


@pytest.mark.parametrize("cost", [1.0, 3.0, 4.0])
def test_a_budget_may_be_used_up_by_the_points_to_start_from(cost):
    budget = ter.Budget(cost=cost, unit="cost")
    result = ter.minimize(lambda x: ter.Value(bowl(x), cost=1.0), BOX, budget=budget, rng=1, x0=np.ones((3, DIMENSION)))
    assert (result.nfev, result.status) == (cost, ter.StopReason.BUDGET)


def test_the_step_is_the_same_for_ask_and_tell_and_algorithms():
    x0 = CENTER + 1e-3
    expected = ter.minimize(bowl, BOX, budget=900, rng=1, x0=x0, step=0.01)
    optimizer = ter.Optimizer(BOX, budget=900, rng=1, x0=x0, step=0.01)
    while batch := optimizer.ask():
        optimizer.tell(batch.ids, [bowl(x) for x in batch.X])
    assert optimizer.result.fun == expected.fun
    problem = ter.Problem(bowl, BOX)
    assert ter.algorithm("default").minimize(problem, budget=900, rng=1, x0=x0, step=0.01).fun == expected.fun


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0.1}, r"step says how far from x0 the answer may be, got step=0.1 without x0"),
        ({"step": 0.0, "x0": CENTER}, r"step must be finite and > 0, got 0.0; it says how far"),
        ({"step": [1.0, 2.0], "x0": CENTER}, r"step must be a number or have shape \(40,\), got shape \(2,\)"),
        ({"step": np.where(np.arange(DIMENSION) == 7, np.nan, 1.0), "x0": CENTER}, r"> 0, got nan"),
        ({"step": "small", "x0": CENTER}, r"step must hold numbers, got 'small'"),
    ],
)
def test_wrong_steps_are_refused_before_anything_is_evaluated(options, message):
    calls = []
    with pytest.raises(InvalidArgument, match=message):
        ter.minimize(lambda x: calls.append(1) or 1.0, BOX, budget=100, **options)
    assert not calls
