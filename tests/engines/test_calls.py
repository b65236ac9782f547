from __future__ import annotations

import math

import numpy as np

import ter
from ter.engines.calls import call_block, call_points


def third_breaks(x):
    if x[0] == 2:
        raise KeyError("third")
    return float(x[0])


POINTS = [np.array([float(i)]) for i in range(5)]


def test_calls_stop_at_a_failure_or_go_on():
    stopped = call_points(third_breaks, POINTS, 5, stop_at_failure=True)
    assert stopped.values.tolist() == [0, 1, np.inf] and [f.evaluation for f in stopped.failures] == [2]
    on = call_points(third_breaks, POINTS, 5, stop_at_failure=False)
    assert on.values.tolist() == [0, 1, np.inf, 3, 4] and isinstance(on.failures[0].error, KeyError)
    assert "third_breaks" in on.failures[0].traceback


def test_calls_end_when_told():
    told = []

    def go_on(spent: float) -> bool:
        told.append(spent)
        return spent < 3

    outcome = call_points(lambda x: ter.Value(1.0, cost=x[0]), POINTS, 5, stop_at_failure=True, go_on=go_on)
    assert outcome.values.tolist() == [1, 1, 1]
    assert told == [0, 0, 1, 3]  # the cost of the calls so far


def test_costs_are_kept_by_position():
    outcome = call_points(lambda x: ter.Value(1.0, cost=x[0]) if x[0] > 1 else 1.0, POINTS, 5, stop_at_failure=True)
    assert outcome.costs.tolist() == [0, 0, 2, 3, 4]
    assert call_points(lambda x: 1.0, POINTS, 5, stop_at_failure=True).costs is None


def test_a_mistake_is_not_a_failed_evaluation():
    fun = lambda x: 1.0 if x[0] < 2 else None  # noqa: E731
    outcome = call_points(fun, POINTS, 5, stop_at_failure=False, go_on=lambda spent: True)
    assert isinstance(outcome.mistake, ter.ObjectiveError) and not outcome.failures
    assert outcome.values.tolist() == [1, 1, math.inf]  # three calls were made


def test_the_block_of_a_worker_goes_on_after_a_mistake_so_that_every_row_has_its_place():
    outcome = call_points(lambda x: None if x[0] == 2 else float(x[0]), POINTS, 5, stop_at_failure=False)
    assert isinstance(outcome.mistake, ter.ObjectiveError) and not outcome.failures
    assert outcome.values.tolist() == [0, 1, math.inf, 3, 4]


def test_a_block_is_evaluated_by_rows_or_at_once():
    X = np.arange(4.0)[:, None]
    assert call_block(lambda x: float(x[0]), X, False, False).values.tolist() == [0, 1, 2, 3]
    assert call_block(lambda X: X[:, 0], X, True, False).values.tolist() == [0, 1, 2, 3]
    shared = call_block(lambda X: ter.Value(X[:, 0], cost=8.0), X, True, False)
    assert shared.costs.tolist() == [2, 2, 2, 2]
    each = call_block(lambda X: ter.Value(X[:, 0], cost=X[:, 0]), X, True, False)
    assert each.costs.tolist() == [0, 1, 2, 3]


def test_a_failed_block_fails_in_all_its_rows():
    def fun(X):
        raise OSError("disk")

    outcome = call_block(fun, np.zeros((3, 1)), True, False)
    assert np.isinf(outcome.values).all() and [f.evaluation for f in outcome.failures] == [0, 1, 2]
