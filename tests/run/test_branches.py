"""Branches: walks around points of a heuristic's own."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter._jit import kernel
from ter.core.allowance import KeptBranch
from ter.core.errors import AllowanceSpent, InvalidArgument
from ter.core.ledger import COUNT, LIMIT, PAUSE
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator
from ter.run.settings import Settings
from tests.spies import ENGINES, bowl, spy_on

DIMENSION = 5
BOX = ter.box(-3, 4, dimension=DIMENSION)
NEVER, BETTER, ALWAYS = 0, 1, 2
KINDS = (*ENGINES, "suite")


@kernel
def wander(probe, accept, walk, order, values, rule, told):
    """Probe moves one after the other, and accept none of them, the better ones, or all."""
    for k in range(order.shape[0]):
        if walk.ledger[COUNT] >= walk.ledger[LIMIT] or walk.ledger[COUNT] >= walk.ledger[PAUSE]:
            return k
        y = probe(walk, order[k], values[k])
        told[k] = y
        if rule == 2 or (rule == 1 and y < walk.y[0]):
            accept(walk, order[k], values[k], y)
    return order.shape[0]


def problem_of(kind: str) -> ter.Problem:
    if kind == "suite":
        return ter.problem("lso08/f4", dimension=DIMENSION)
    if kind == "numba":
        return ter.Problem(bowl, BOX)
    spy = spy_on(kind, BOX)
    return ter.Problem(getattr(spy, "objective", spy), BOX, vectorized=kind == "vectorized")


def evaluator_of(problem: ter.Problem, budget=10**6, **options) -> Evaluator:
    engine = choose_engine(problem, stop_at_failure=True)
    return Evaluator(problem.box, engine, ter.Budget(evaluations=budget), Settings(**options))


class Naive:
    """What must come out, by evaluating whole points."""

    def __init__(self, problem: ter.Problem) -> None:
        self.problem = problem
        self.best, self.count = math.inf, 0
        self.x: list[np.ndarray] = []
        self.y: list[float] = []
        self.follow: list[bool] = []

    def value(self, x: np.ndarray) -> float:
        self.count += 1
        y = float(self.problem(x))
        self.best = min(self.best, y)
        return y

    def batch(self, i: int, points: np.ndarray) -> list[float]:
        values = [self.value(x) for x in points]
        row = int(np.argmin(values))
        if self.follow[i] and values[row] < self.y[i]:
            self.x[i], self.y[i] = points[row], values[row]
        return values

    def wander(self, i: int, order, moved, rule) -> list[float]:
        told = []
        for c, v in zip(order, moved, strict=True):
            point = self.x[i].copy()
            point[c] = v
            y = self.value(point)
            told.append(y)
            if rule == ALWAYS or (rule == BETTER and y < self.y[i]):
                self.x[i], self.y[i] = point, y
        return told


def moved(x: np.ndarray, where: np.ndarray, rows: np.ndarray) -> np.ndarray:
    points = np.repeat(x[None, :], len(rows), axis=0)
    points[:, where] = rows
    return points


def step(rng, allowance, branches, naive) -> None:
    """One random thing that a heuristic may do, done by both."""
    lower, upper = naive.problem.lower, naive.problem.upper
    i, action = int(rng.integers(len(branches))), int(rng.integers(6))
    branch = branches[i]
    where = rng.permutation(DIMENSION)[: rng.integers(1, DIMENSION + 1)]
    if action == 0:
        rows = rng.uniform(lower, upper, (int(rng.integers(1, 5)), DIMENSION))
        assert branch.evaluate(rows).tolist() == naive.batch(i, rows)
    elif action == 1:
        rows = rng.uniform(lower[where], upper[where], (int(rng.integers(1, 5)), len(where)))
        assert branch.evaluate_moves(where, rows).tolist() == naive.batch(i, moved(naive.x[i], where, rows))
    elif action == 2:
        n, rule = int(rng.integers(1, 8)), int(rng.integers(3))
        order = rng.integers(DIMENSION, size=n)
        values, told = rng.uniform(lower[order], upper[order]), np.empty(n)
        done = 0
        while done < n:  # a kernel is called again after a look at the clock
            done += branch.run(wander, order[done:], values[done:], rule, told[done:])
        assert told.tolist() == naive.wander(i, order, values, rule)
    elif action == 3:
        row = rng.uniform(lower[where], upper[where])
        point = moved(naive.x[i], where, row[None, :])[0]
        y = allowance.evaluate_point(point)
        assert y == naive.value(point)
        branch.accept(where, row, y)
        naive.x[i], naive.y[i] = point, y
    elif action == 4:
        point = rng.uniform(lower, upper)
        y = naive.value(point)
        assert allowance.evaluate_point(point) == y
        branch.jump(point, y)
        naive.x[i], naive.y[i] = point, y
    else:
        rows = rng.uniform(lower[where], upper[where], (2, len(where)))
        naive_values = [naive.value(x) for x in moved(allowance.x, where, rows)]
        assert allowance.evaluate_moves(where, rows).tolist() == naive_values


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 30))
def test_branches_give_the_bits_of_whole_points_and_the_run_keeps_its_best(kind, seed, steps):
    rng, problem = np.random.default_rng(seed), problem_of(kind)
    evaluator, naive = evaluator_of(problem), Naive(problem)
    allowance = evaluator.lend(10**5)
    first = rng.uniform(problem.lower, problem.upper)
    assert allowance.evaluate_point(first) == naive.value(first)
    branches = []
    for follow in (True, False, True):
        x = rng.uniform(problem.lower, problem.upper)
        branches.append(allowance.branch(x, follow=follow))
        naive.x.append(x)
        naive.y.append(naive.value(x))
        naive.follow.append(follow)
    for _ in range(steps):
        step(rng, allowance, branches, naive)
        assert (evaluator.count, evaluator.y) == (naive.count, naive.best)
        assert problem(evaluator.x) == naive.best == allowance.y
        for branch, x, y in zip(branches, naive.x, naive.y, strict=True):
            assert branch.x.tobytes() == x.tobytes() and branch.y == y


@pytest.mark.parametrize("kind", KINDS)
def test_a_branch_around_the_incumbent_does_what_the_incumbent_does(kind):
    ends = []
    for own in (False, True):
        rehearsal = evaluator_of(problem_of(kind))
        allowance = rehearsal.lend(400)
        start = np.full(DIMENSION, 1.7)
        allowance.evaluate_point(start)
        walker = allowance.branch(start, allowance.y) if own else allowance
        heuristic = ter.heuristics.LS1()
        state = heuristic.start(allowance.box, np.random.default_rng(1))
        heuristic.act(state, walker, np.random.default_rng(2))
        ends.append((rehearsal.count, rehearsal.y, rehearsal.x.tobytes(), rehearsal.curve.tobytes()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("kind", ["python", "compiled moving"])
def test_evolution_works_around_a_branch(kind):
    evaluator = evaluator_of(problem_of(kind))
    allowance = evaluator.lend(3_000)
    allowance.evaluate_point(np.full(DIMENSION, 0.5))
    branch = allowance.branch(np.full(DIMENSION, 3.0))
    before = branch.y
    heuristic = ter.heuristics.CC(group=2, evaluations=100)
    state = heuristic.start(allowance.box, np.random.default_rng(1))
    heuristic.act(state, branch, np.random.default_rng(2))
    assert branch.y < before and branch.y == problem_of(kind)(branch.x)
    assert evaluator.y <= branch.y


def test_a_branch_is_counted_and_ends_with_the_allowance():
    evaluator = evaluator_of(problem_of("python"), budget=5)
    allowance = evaluator.lend(4)
    allowance.evaluate_point(np.zeros(DIMENSION))
    branch = allowance.branch(np.ones(DIMENSION))
    assert evaluator.count == 2 and branch.remaining == 2
    branch.evaluate(np.zeros((5, DIMENSION)))
    with pytest.raises(AllowanceSpent):
        branch.evaluate_point(np.zeros(DIMENSION))
    evaluator.lend(4)
    assert branch.remaining == 1  # it may be kept, and lives on the allowance that is under way


def test_a_branch_whose_value_is_known_costs_nothing():
    evaluator = evaluator_of(problem_of("compiled moving"))
    allowance = evaluator.lend(10)
    y = allowance.evaluate_point(np.ones(DIMENSION))
    branch = allowance.branch(np.ones(DIMENSION), y)
    assert evaluator.count == 1 and branch.y == y
    assert branch.walk.floats is allowance.walk.floats and branch.walk.lower is allowance.walk.lower


def test_a_value_on_trust_never_becomes_the_best_of_the_run():
    evaluator = evaluator_of(problem_of("python"))
    allowance = evaluator.lend(10)
    allowance.evaluate_point(np.ones(DIMENSION))
    best = evaluator.y
    branch = allowance.branch(np.zeros(DIMENSION), -100.0)
    branch.accept([0], [1.0], -200.0)
    branch.jump(np.zeros(DIMENSION), -300.0)
    assert evaluator.y == best and branch.y == -300.0


@pytest.mark.parametrize("kind", ["python", "compiled", "compiled moving"])
def test_a_kernel_that_lies_about_values_does_not_spoil_the_best(kind):
    @kernel
    def lie(probe, accept, walk, target):
        y = probe(walk, 0, 3.5)
        accept(walk, 0, 3.5, y - target)

    problem = problem_of(kind)
    evaluator = evaluator_of(problem)
    allowance = evaluator.lend(10)
    allowance.evaluate_point(np.ones(DIMENSION))
    allowance.run(lie, 1e6)
    assert evaluator.y == problem(np.ones(DIMENSION)) == problem(evaluator.x)
    assert allowance.evaluate_moves([1], [[1.0]])[0] == evaluator.y  # moves start from the best point again


@pytest.mark.parametrize("kind", ["python", "compiled", "compiled moving"])
def test_a_branch_that_lies_about_its_point_does_not_lose_the_best(kind):
    @kernel
    def slander(probe, accept, walk, value):
        y = probe(walk, 0, value)
        accept(walk, 0, value, y + 1e6)

    problem = problem_of(kind)
    evaluator = evaluator_of(problem)
    allowance = evaluator.lend(20)
    allowance.evaluate_point(np.full(DIMENSION, 3.0))
    branch = allowance.branch(np.ones(DIMENSION))
    branch.run(slander, 0.125)  # the best point so far, and the branch thinks that it is a bad one
    best = evaluator.y
    branch.evaluate(np.full((2, DIMENSION), 2.0))  # so it moves on
    assert branch.x.tolist() == [2.0] * DIMENSION
    assert evaluator.y == best == problem(evaluator.x)


@pytest.mark.parametrize("exchange", [copy.deepcopy, lambda branch: pickle.loads(pickle.dumps(branch))])
def test_a_kept_branch_goes_on_where_it_was(exchange):
    evaluator = evaluator_of(problem_of("compiled moving"))
    allowance = evaluator.lend(50)
    allowance.evaluate_point(np.ones(DIMENSION))
    branch = allowance.branch(np.full(DIMENSION, 2.0), follow=False)
    assert allowance.branch(branch) is branch
    kept = exchange(branch)
    assert isinstance(kept, KeptBranch)
    count = evaluator.count
    again = allowance.branch(kept)
    assert evaluator.count == count and again.x.tolist() == branch.x.tolist() and again.y == branch.y
    again.evaluate_moves([0], [[0.1]])
    assert again.x.tolist() == branch.x.tolist()  # it does not follow, as before


def test_a_branch_of_another_run_goes_on_in_this_one():
    one, other = (evaluator_of(problem_of("python")) for _ in range(2))
    for evaluator in (one, other):
        evaluator.lend(50).evaluate_point(np.ones(DIMENSION))
    branch = one.lend(5).branch(np.zeros(DIMENSION))
    moved_over = other.lend(5).branch(branch)
    moved_over.evaluate_moves([0], [[0.2]])
    assert (one.count, other.count) == (2, 2)


def test_points_are_moved_into_the_box_and_wrong_shapes_refused():
    allowance = evaluator_of(problem_of("python")).lend(50)
    allowance.evaluate_point(np.zeros(DIMENSION))
    branch = allowance.branch(np.full(DIMENSION, 99.0))
    assert branch.x.tolist() == BOX.upper.tolist()
    branch.accept([1], [-99.0], 1.0)
    assert branch.x[1] == BOX.lower[1]
    with pytest.raises(InvalidArgument, match=r"a point must have shape \(5,\), got \(3,\)"):
        allowance.branch(np.zeros(3))
    with pytest.raises(InvalidArgument, match=r"one value per coordinate, got 1 for 2"):
        branch.accept([0, 1], [1.0], 1.0)
