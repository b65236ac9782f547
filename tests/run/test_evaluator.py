"""The evaluator and the allowances it lends."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from ter.core.errors import AllowanceSpent
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator
from ter.run.settings import Settings
from tests.spies import COMPILED, COMPILED_MOVING, MovingSpy, RowsSpy, Spy, spy_on

BOX = ter.box(-5, 5, dimension=3)


def evaluator_of(fun, budget=100, box=BOX, vectorized=False, observer=None, **options) -> Evaluator:
    engine = choose_engine(ter.Problem(fun, box, vectorized=vectorized), stop_at_failure=True)
    settings = Settings(**options)
    return Evaluator(box, engine, ter.Budget.read(budget), settings, observer=observer, observe_every=0.0)


def test_rows_are_counted_before_the_call():
    seen = []

    def fun(x):
        seen.append(evaluator.count)
        return 1.0

    evaluator = evaluator_of(fun)
    evaluator.lend(10).evaluate(np.zeros((4, 3)))
    evaluator.lend(10).evaluate_point(np.zeros(3))
    assert all(count >= number for number, count in enumerate(seen, start=1))
    assert evaluator.count == len(seen) == 5


def test_rows_beyond_the_allowance_read_infinite_and_are_not_evaluated():
    spy = Spy(BOX)
    allowance = evaluator_of(spy).lend(3)
    values = allowance.evaluate(np.ones((5, 3)))
    assert np.isfinite(values[:3]).all() and np.isinf(values[3:]).all() and spy.calls == 3
    assert allowance.remaining == 0


def test_a_call_with_nothing_left_ends_the_action():
    allowance = evaluator_of(Spy(BOX)).lend(1)
    allowance.evaluate_point(np.ones(3))
    for call in (
        lambda: allowance.evaluate(np.ones((1, 3))),
        lambda: allowance.evaluate_point(np.ones(3)),
        lambda: allowance.evaluate_moves([0], [[1.0]]),
    ):
        with pytest.raises(AllowanceSpent):
            call()


def test_an_allowance_is_cut_to_what_the_budget_has_left():
    evaluator = evaluator_of(Spy(BOX), budget=5)
    assert evaluator.lend(3).remaining == 3
    evaluator.lend(3).evaluate(np.ones((3, 3)))
    assert evaluator.lend(3).remaining == 2
    evaluator.lend(3).evaluate(np.ones((2, 3)))
    assert evaluator.lend(3).remaining == 0 and evaluator.stopped == ter.StopReason.BUDGET


def test_no_rows_cost_nothing():
    for fun, vectorized in ((Spy(BOX), False), (RowsSpy(BOX), True), (MovingSpy(BOX), False), (COMPILED, False)):
        evaluator = evaluator_of(fun, vectorized=vectorized)
        assert evaluator.lend(3).evaluate(np.empty((0, 3))).shape == (0,)
        assert evaluator.count == 0


def test_the_incumbent_follows_the_best_value_and_is_a_copy():
    allowance = evaluator_of(lambda x: float(x[0])).lend(50)
    assert allowance.y == math.inf
    allowance.evaluate([[3, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert allowance.y == 1 and allowance.x.tolist() == [1, 0, 0]
    allowance.x[:] = 99
    assert allowance.x.tolist() == [1, 0, 0]
    allowance.evaluate_moves([2, 0], [[4, 0.5], [5, 0.25]])
    assert allowance.y == 0.25 and allowance.x.tolist() == [0.25, 0, 5]
    allowance.evaluate_point([4, 4, 4])
    assert allowance.y == 0.25
    assert allowance.box is BOX and allowance.dimension == 3


def test_the_first_of_equal_values_stays_the_incumbent():
    allowance = evaluator_of(lambda x: 1.0).lend(50)
    allowance.evaluate([[1, 0, 0], [2, 0, 0]])
    allowance.evaluate([[3, 0, 0]])
    assert allowance.x.tolist() == [1, 0, 0]


def test_objectives_may_change_the_point_they_get():
    def fun(x):
        value = float((x * x).sum())
        x[:] = 77
        return value

    evaluator = evaluator_of(fun)
    X = np.ones((2, 3))
    evaluator.lend(50).evaluate(X)
    evaluator.lend(50).evaluate_moves([0], [[0.5]])
    assert (X == 1).all() and evaluator.x.tolist() == [0.5, 1, 1]


@pytest.mark.parametrize("engine", ["python", "vectorized", "moving", "compiled", "compiled moving"])
def test_the_arrays_of_a_heuristic_are_left_alone_and_may_be_read_only(engine):
    spy = spy_on(engine, BOX)
    evaluator = evaluator_of(getattr(spy, "objective", spy), vectorized=engine == "vectorized")
    X, V = np.full((2, 3), 9.0), np.full((2, 1), -9.0)
    where = np.array([1])
    for array in (X, V, where):
        array.flags.writeable = False
    assert np.isfinite(evaluator.lend(50).evaluate(X)).all()
    assert np.isfinite(evaluator.lend(50).evaluate_moves(where, V)).all()
    assert np.isfinite(evaluator.lend(50).evaluate(BOX.lower[None, :])).all()
    inside = np.zeros((2, 1))
    inside.flags.writeable = False
    assert np.isfinite(evaluator.lend(50).evaluate_moves(where, inside)).all()
    assert (X == 9).all() and (V == -9).all()


@pytest.mark.parametrize("X", [np.zeros(3), np.zeros((2, 4)), np.zeros((1, 2, 3))])
def test_rows_of_the_wrong_shape_are_refused(X):
    evaluator = evaluator_of(Spy(BOX))
    with pytest.raises(ter.InvalidArgument, match=r"points must have shape \(n, 3\), got"):
        evaluator.lend(5).evaluate(X)
    assert evaluator.count == 0


def test_moves_of_the_wrong_shape_are_refused():
    with pytest.raises(ter.InvalidArgument, match=r"moves must have shape \(n, 2\), got \(1, 3\)"):
        evaluator_of(Spy(BOX)).lend(5).evaluate_moves([0, 1], np.zeros((1, 3)))


def test_the_first_reason_to_stop_stands():
    evaluator = evaluator_of(Spy(BOX))
    evaluator.stop(ter.StopReason.CALLBACK)
    evaluator.interrupt()
    assert evaluator.stopped == ter.StopReason.CALLBACK
    assert evaluator.lend(5).remaining == 0


def test_the_observer_is_called_within_a_batch_and_can_stop_it():
    looks = []

    def observer():
        looks.append(evaluator.count)
        return len(looks) == 4

    spy = Spy(BOX)
    evaluator = evaluator_of(spy, observer=observer)
    evaluator.lend(50).evaluate(np.zeros((50, 3)))
    assert len(looks) == 4 and evaluator.stopped == ter.StopReason.CALLBACK
    assert evaluator.count == spy.calls < 50


@pytest.mark.parametrize("moving", [False, True])
def test_a_moved_incumbent_keeps_the_memory_of_a_compiled_objective_right(moving):
    spy_on("compiled", BOX), spy_on("compiled moving", BOX)
    objective = COMPILED_MOVING if moving else COMPILED
    allowance = evaluator_of(objective, budget=1000).lend(1000)
    rng = np.random.default_rng(1)
    allowance.evaluate([[4.0, 4.0, 4.0]])
    for _ in range(60):
        where = rng.permutation(3)[: rng.integers(1, 4)]
        V = rng.uniform(-5, 5, (3, where.size))
        base = allowance.x
        values = allowance.evaluate_moves(where, V)
        for row, value in zip(V, values, strict=True):
            point = base.copy()
            point[where] = row
            assert objective(point) == value
        if rng.random() < 0.2:
            allowance.evaluate(allowance.x[None, :] * 0.9)
