"""Batches booked in one compiled call do what the steps in Python do."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter.core.errors import AllowanceSpent
from ter.core.evaluator import Evaluator
from ter.engines.choose import choose_engine

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
    return Evaluator(BOX, engine, ter.Budget(evaluations=60), sink=sink, stagnation=stagnation, target=target)


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
