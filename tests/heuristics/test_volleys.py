"""Volleys: against their plain twin, and what they are for."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.engines.python import PythonEngine
from ter.heuristics.volleys import Volleys
from ter.run.evaluator import Evaluator
from tests.naive.volleys import NaiveVolleys
from tests.spies import minimize_on, same_run

FUNCTIONS = {
    "separable": lambda x: sum((i + 1) * (v - 0.3) ** 2 for i, v in enumerate(x)),
    "coupled": lambda x: sum((a * 3 - b) ** 2 + (b - 1) ** 2 for a, b in pairwise(x)) + x[0] ** 2,
    "flat": lambda x: math.floor(sum(abs(v) for v in x)),
    "undefined": lambda x: math.inf if x[0] > 0.5 else sum(abs(v) for v in x),
}


@given(
    name=st.sampled_from(sorted(FUNCTIONS)),
    dimension=st.integers(1, 12),
    batch=st.integers(1, 8),
    volleys=st.integers(1, 40),
    seed=st.integers(0, 100),
)
def test_the_points_are_those_of_the_plain_twin(name, dimension, batch, volleys, seed):
    rng = np.random.default_rng(seed)
    box = ter.Box(np.full(dimension, -1.0), rng.choice([0.8, 2.0], dimension))
    x0 = np.where(rng.random(dimension) < 0.3, box.lower, rng.uniform(-1, 0.8, dimension))
    fun, seen = FUNCTIONS[name], []

    def noted(x):
        seen.append(x.tolist())
        return fun(x.tolist())

    evaluator = Evaluator(box, PythonEngine(noted, stop_at_failure=True), ter.Budget(evaluations=10**6))
    evaluator.lend(1).evaluate(x0[None, :])
    heuristic = Volleys(batch=batch)
    state = heuristic.start(box, np.random.default_rng(1))
    most = min(batch, max(1, dimension // 2))
    bounds = list(zip(box.lower, box.upper, strict=True))
    twin = NaiveVolleys(fun, bounds, state.steps.tolist(), state.order.tolist(), most)
    x, y, expected = x0.tolist(), fun(x0.tolist()), []
    for _ in range(volleys):
        points, x, y = twin.volley(x, y)
        expected += points
    if expected:
        heuristic.act(state, evaluator.lend(len(expected)), np.random.default_rng(2))
    assert seen[1:] == expected
    assert state.steps.tolist() == twin.steps and state.pending.tolist() == [i for i, _, _ in twin.pending]


@pytest.mark.parametrize("workers", [2, map])
def test_one_batch_and_probes_one_by_one_are_the_same_run(workers):
    box = ter.box(-5, 5, dimension=30)
    runs = [
        minimize_on(engine, box, budget=900, rng=3, heuristics=["volleys"])
        for engine in ("python", "vectorized", "moving", "compiled", "compiled moving")
    ]
    runs.append(minimize_on("python", box, budget=900, rng=3, heuristics=["volleys"], workers=workers))
    assert all(same_run(run, runs[0]) for run in runs[1:])


def test_where_moves_are_compatible_volleys_grow():
    """What workers are for: none of 64 evaluations waits for another one."""
    sizes = []

    def fun(X):
        sizes.append(len(X))
        return (X * X).sum(axis=1)

    x0 = np.full((1, 200), 0.7)
    ter.minimize(fun, ter.box(-1, 1, dimension=200), budget=900, x0=x0, rng=1, vectorized=True, heuristics=[Volleys()])
    assert max(sizes) == 64 and sizes.count(64) >= 8


def test_where_they_are_not_volleys_stay_small():
    sizes = []

    def fun(X):
        sizes.append(len(X))
        return abs(X.sum(axis=1) - 1.0)

    x0 = np.zeros((1, 200))
    ter.minimize(fun, ter.box(-1, 1, dimension=200), budget=900, x0=x0, rng=1, vectorized=True, heuristics=["volleys"])
    assert max(sizes) <= 8


def test_where_variables_do_not_interact_nearly_nothing_is_lost_against_ls1():
    def fun(x):
        return float(np.log10(1e-300 + (x * x).sum()))

    options = {"budget": 6_000, "x0": np.full((1, 100), 0.7), "rng": 1}
    box = ter.box(-1, 1, dimension=100)
    alone, together = (ter.minimize(fun, box, heuristics=[name], **options).fun for name in ("ls1", "volleys"))
    assert together < 0.9 * alone < -5  # of the digits


def test_moves_that_spoil_each_other_are_not_made_together():
    """Each of the variables improves alone; together they are worse than nothing."""

    def fun(x):
        return float(abs(x.sum() - 1.0))

    result = ter.minimize(
        fun, ter.box(-1, 1, dimension=64), budget=2_000, x0=np.zeros((1, 64)), rng=1, heuristics=["volleys"]
    )
    assert result.fun < 1e-3


@pytest.mark.parametrize(
    ("fun", "falls"),
    [
        (lambda x: float(abs(x**3).sum() ** 4), True),
        (lambda x: float((x * x).sum()), False),
        (lambda x: float(abs(x).max()), False),
        (lambda x: float((x[:6] > 80.0).sum()), False),  # all is gained early
    ],
)
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("factor", "offset"), [(1.0, 0.0), (8.0, -(2.0**20))])
def test_they_invest_while_values_fall_by_orders_of_magnitude(fun, falls, factor, offset, told):
    seen = ter.minimize(
        lambda x: factor * fun(x) + offset,
        ter.box(-100, 100, dimension=60),
        budget=300,
        rng=1,
        heuristics=[Volleys(evaluations=5.0, invests_while_falling=told)],
        x0=np.full((1, 60), 90.0),
    )
    assert [action.investing for action in seen.actions] == [told and falls]


def test_while_values_fall_they_do_not_look_whether_others_fit_better():
    def level(x):
        return float(np.square(np.cumsum(x)).sum())

    def steep(x):
        return level(x) ** 6

    volleys = Volleys(evaluations=5.0, looks_later=True, invests_while_falling=True)
    run = {"budget": 601, "heuristics": [volleys], "x0": np.full((1, 60), 90.0)}
    first, second = ter.minimize(steep, ter.box(-100, 100, dimension=60), rng=1, **run).actions
    assert first.investing and second.nfev == 300 and not second.remark
    first, second, *_ = ter.minimize(level, ter.box(-100, 100, dimension=60), rng=1, **run).actions
    assert not first.investing and second.nfev < 300 and second.remark  # the look says that variables interact


def test_an_empty_volley_is_refused():
    with pytest.raises(ter.InvalidArgument, match=r"batch must lie in \[1, inf\], got 0"):
        Volleys(batch=0)
