"""Moves that are tried together, and where they lead on a trajectory of a heuristic's own."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics.catalogue import HEURISTICS
from ter.heuristics.unions import bring_along, try_unions
from ter.testing.rehearsal import Rehearsal
from tests.spies import minimize_on, same_run

BOX = ter.box(-5, 4, dimension=24)


def bowls(x: np.ndarray) -> float:
    """Pairs of variables that interact."""
    return float((10 * (x[::2] - x[1::2]) ** 2 + (x[::2] - 0.3) ** 2).sum())


@pytest.mark.parametrize("name", ["lines", "groups", "volleys"])
def test_a_trajectory_of_ones_own_goes_to_the_best_point_and_the_points_are_those_of_the_incumbent(name):
    asked = []
    for own in (False, True):
        rehearsal = Rehearsal(HEURISTICS[name](), bowls, BOX)
        evaluator, state = rehearsal.evaluator, rehearsal.state
        allowance = evaluator.lend(1)
        trajectory = allowance.branch(allowance.x, allowance.y) if own else None
        for turn in range(12):
            allowance = evaluator.lend(100)
            state = rehearsal.heuristic.act(state, trajectory or allowance, np.random.default_rng(turn))
            if trajectory is not None:
                assert trajectory.y == bowls(trajectory.x)
        asked.append(rehearsal.points)
        assert trajectory is None or trajectory.y == pytest.approx(evaluator.y, rel=0.2)
    if name != "groups":  # whose incumbent may be a point that the decomposition has looked at
        assert np.array_equal(*asked)


def test_a_union_that_keeps_its_promise_is_one_evaluation():
    rehearsal = Rehearsal(HEURISTICS["ls1"](), lambda x: float(x @ x), BOX)
    allowance = rehearsal.evaluator.lend(10)
    base = allowance.branch(allowance.x, allowance.y, follow=False)
    who, where, ends = np.array([3, 5, 7]), np.zeros(3), np.array([1, 3])
    promised = float((base.x[who] ** 2).sum())
    known: list[float] = []
    assert try_unions(base, who, where, ends, [2], known, promised)
    assert known == [pytest.approx(base.y - promised)] and rehearsal.points[-1][who].tolist() == [0.0, 0.0, 0.0]


def test_smaller_unions_follow_one_that_does_not_as_far_as_the_allowance_goes():
    rehearsal = Rehearsal(HEURISTICS["ls1"](), lambda x: float(abs(x.sum() - 3.0)), BOX)
    allowance = rehearsal.evaluator.lend(2)
    base = allowance.branch(allowance.x, allowance.y, follow=False)
    who = np.arange(8)
    arguments = base, who, base.x[who] - 4.0, np.arange(1, 9), [8, 4, 2]
    known: list[float] = []
    assert not try_unions(*arguments, known, promised=100.0) and len(known) == 2
    rehearsal.evaluator.lend(5)
    assert try_unions(*arguments, known, promised=100.0) and len(known) == 3
    moved = [int((x[:8] != base.x[:8]).sum()) for x in rehearsal.points[-3:]]
    assert moved == [8, 4, 2]


def test_the_incumbent_needs_nobody_to_bring_it_along():
    rehearsal = Rehearsal(HEURISTICS["ls1"](), lambda x: float(x @ x), BOX)
    allowance = rehearsal.evaluator.lend(2)
    branch = allowance.branch(allowance.x, allowance.y, follow=False)
    y = branch.evaluate_point(np.zeros(24))
    bring_along(allowance, np.zeros(24), y)
    assert allowance.y == y and allowance.x.tolist() == [0.0] * 24


@pytest.mark.parametrize("engine", ["vectorized", "moving", "compiled", "compiled moving"])
def test_a_long_run_of_the_default_is_the_same_on_every_engine(engine):
    box = ter.box(-5, 5, dimension=40)
    assert same_run(minimize_on(engine, box, budget=4_000, rng=3), minimize_on("python", box, budget=4_000, rng=3))


@pytest.mark.parametrize("workers", [2, map])
def test_a_long_run_of_the_default_is_the_same_with_workers(workers):
    box = ter.box(-5, 5, dimension=40)
    alone, together = (minimize_on("python", box, budget=4_000, rng=3, workers=who) for who in (1, workers))
    assert same_run(together, alone)
