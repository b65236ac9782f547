"""Batches booked in one compiled call do what the steps in Python do."""

from __future__ import annotations

from contextlib import suppress

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter.core.errors import AllowanceSpent
from ter.engines.choose import choose_engine
from ter.heuristics import CC, SHADE
from ter.run.evaluator import Evaluator
from ter.run.settings import Settings

BOX = ter.box(-2, 3, dimension=6)


@numba.njit
def holed(x):
    """A sphere that is not a number on one side."""
    return np.nan if x[0] > 2.5 else (x**2).sum()


class Deaf:
    """A sink that keeps nothing: with one, the evaluator takes its steps in Python."""

    def write(self, values, costs):
        pass


def evaluator_of(objective, sink, stagnation=None, target=None) -> Evaluator:
    engine = choose_engine(ter.Problem(objective, BOX), stop_at_failure=True)
    return Evaluator(BOX, engine, ter.Budget(evaluations=60), Settings(sink=sink, stagnation=stagnation, target=target))


def state(evaluator: Evaluator) -> tuple[object, ...]:
    return (
        evaluator.count,
        evaluator.y,
        evaluator.x.tobytes(),
        evaluator.curve.tobytes(),
        evaluator.nonfinite,
        evaluator.stopped,
        evaluator.remaining,
    )


@pytest.mark.parametrize("name", ["plain", "moving"])
@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32),
    steps=st.lists(st.tuples(st.booleans(), st.integers(1, 12)), max_size=12),
    stagnation=st.sampled_from([None, 15]),
    target=st.sampled_from([None, 4.0]),
)
def test_one_call_leaves_the_same_books_as_single_steps(name, seed, steps, stagnation, target):
    objective = holed if name == "plain" else ter.problem("lso08/f4", dimension=6).fun
    fast, slow = (evaluator_of(objective, sink, stagnation, target) for sink in (None, Deaf()))
    rng = np.random.default_rng(seed)
    for by_moves, n in [(False, 3), *steps]:
        coordinates = rng.permutation(6)[: rng.integers(1, 7)]
        rows = rng.uniform(-4, 5, (n, len(coordinates) if by_moves else 6))  # some lie outside the box
        found = []
        for evaluator in (fast, slow):
            allowance = evaluator.lend(20)
            try:
                values = allowance.evaluate_moves(coordinates, rows) if by_moves else allowance.evaluate(rows)
                found.append(values.tobytes())
            except AllowanceSpent:
                found.append(None)
        assert found[0] == found[1]
        assert state(fast) == state(slow)


@numba.njit
def fragile(x):
    """A sphere that fails in a corner."""
    if x[0] > 1.0 and x[1] > 1.0:
        raise ValueError("a corner")
    return (x**2).sum()


@pytest.mark.parametrize("name", ["holed", "moving", "fragile"])
@pytest.mark.parametrize("heuristic", [CC(group=3, population=(7, 4), depth=20.0), SHADE(population=6)])
@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    limits=st.lists(st.integers(1, 120), min_size=1, max_size=4),
    stagnation=st.sampled_from([None, 40]),
    target=st.sampled_from([None, 1.0]),
)
def test_generations_in_one_call_leave_the_same_books_as_single_steps(
    heuristic, name, seed, limits, stagnation, target
):
    objective = {"holed": holed, "fragile": fragile}.get(name) or ter.problem("lso08/f4", dimension=6).fun
    seen = []
    for sink in (None, Deaf()):
        engine = choose_engine(ter.Problem(objective, BOX), stop_at_failure=False)
        budget = ter.Budget(evaluations=300)
        options = {"sink": sink, "stagnation": stagnation, "target": target, "on_error": "worst", "max_failures": 4}
        evaluator = Evaluator(BOX, engine, budget, Settings(**options))
        evaluator.lend(1).evaluate(np.full((1, 6), 0.9))
        kept = heuristic.start(BOX, np.random.default_rng(seed))
        states = []
        for turn, limit in enumerate(limits):
            with suppress(AllowanceSpent):
                kept = heuristic.act(kept, evaluator.lend(limit), np.random.default_rng(seed + turn))
            failures = [(failure.evaluation, str(failure.error)) for failure in evaluator.failures.kept]
            states.append((state(evaluator), failures, evaluator.failures.count, evaluator.failures.in_a_row))
        seen.append(states)
    assert seen[0] == seen[1]


def test_an_exception_between_generations_comes_out_with_the_best_so_far():
    with pytest.raises(ValueError, match="a corner") as caught:
        ter.minimize(fragile, BOX, budget=5_000, rng=1, heuristics=[CC(group=3)], x0=np.full(6, 0.9))
    assert np.isfinite(caught.value.ter_result.fun) and caught.value.ter_result.nfev < 5_000


@pytest.mark.parametrize("name", ["plain", "moving"])
def test_a_batch_of_a_compiled_objective_can_be_cut_after_each_point(name):
    objective = holed if name == "plain" else ter.problem("lso08/f4", dimension=6).fun
    engine = choose_engine(ter.Problem(objective, BOX), stop_at_failure=True)
    evaluator = Evaluator(BOX, engine, ter.Budget(evaluations=60))
    evaluator.lend(1).evaluate(np.full((1, 6), 0.9))
    looks = iter([True, True, False])
    engine.pace.learn = lambda done, seconds: None  # each point takes as long as there is between two looks
    engine.pace.chunk = 1
    evaluator.go_on = lambda pending=0.0, asked=False: next(looks)
    values = evaluator.lend(10).evaluate_moves([0, 3], np.zeros((10, 2)))
    assert np.isfinite(values[:2]).all() and np.isinf(values[2:]).all()
    assert evaluator.count == 3
