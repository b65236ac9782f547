"""Calling a user's Python function point by point, here or in a worker, without losing anything it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.errors import Aborted, ObjectiveError
from ter.core.failure import Failure
from ter.core.sending import traceback_of
from ter.core.values import Value, read_costed_rows, read_value

__all__ = ["Mistake", "Outcome", "call_block", "call_points", "cost_of", "joined", "moved_rows"]


@dataclass
class Outcome:
    """What came back for the first points of a batch.

    `values` is as long as the number of calls that were made; `costs` is None if no call named a cost.
    """

    values: Vector
    costs: Vector | None = None
    failures: list[Failure] = field(default_factory=list)
    busy: float = 0.0  # seconds spent inside the objective
    mistake: ObjectiveError | None = None  # what the objective returned last is no number: the run must end


class Mistake(Exception):
    """What an objective returned for one point is no number; `error` says so, and ends the run.

    It is a class of its own, since an objective may raise any exception itself, which is one failed evaluation.
    """

    def __init__(self, error: ObjectiveError) -> None:
        super().__init__(error)
        self.error = error


def call_points(
    fun: Callable[[Vector], Any],
    points: Iterable[Vector],
    n: int,
    *,
    stop_at_failure: bool,
    go_on: Callable[[float], bool] | None = None,
) -> Outcome:
    """Call `fun` on at most `n` points, one at a time.

    Parameters
    ----------
    fun : callable
        The objective.
    points : iterable of arrays
        Each is handed over as it is, so it must be a fresh array.
    n : int
        Number of points.
    stop_at_failure : bool
        Make no further call after an exception.
    go_on : callable, optional
        Asked before each call, and told the cost of the calls so far; False ends the batch there.

    A return value that is not a number is a mistake, not a failed evaluation: the batch ends there. The block of a
    worker goes on after failures and mistakes, as it has nobody to ask: its neighbours are under way anyway.
    """
    values = np.full(n, np.inf)
    costs: Vector | None = None
    failures: list[Failure] = []
    mistake: ObjectiveError | None = None
    done = 0
    spent = 0.0
    started = time.perf_counter()
    for x in points:
        if done >= n or (go_on is not None and not go_on(spent)):
            break
        done += 1
        try:
            raw = fun(x)
            del x  # so that its memory may be used again
        except Aborted:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the user's function raises is a failed evaluation
            failures.append(Failure(done - 1, error, traceback_of(error)))
            if stop_at_failure or (failures[-1].fatal and go_on is not None):
                break
            continue
        if type(raw) is float:
            values[done - 1] = raw
            continue
        try:
            value = read_value(raw)
        except ObjectiveError as error:
            mistake = mistake or error
            if go_on is not None or stop_at_failure:
                break
            continue
        values[done - 1] = value.y
        if isinstance(raw, Value):
            if costs is None:
                costs = np.zeros(n)
            costs[done - 1] = value.cost
            spent += value.cost
    busy = time.perf_counter() - started
    return Outcome(values[:done], None if costs is None else costs[:done], failures, busy, mistake)


def call_block(fun: Callable[..., Any], block: Vector, vectorized: bool, stop_at_failure: bool) -> Outcome:
    """Evaluate the rows of `block`; this is what a worker runs."""
    if not vectorized:
        return call_points(fun, (row.copy() for row in block), len(block), stop_at_failure=stop_at_failure)
    n, started = len(block), time.perf_counter()  # now: the objective may change the block's shape
    try:
        raw = fun(block)
    except Aborted:
        raise
    except BaseException as error:  # noqa: BLE001
        text = traceback_of(error)
        failures = [Failure(row, error, text) for row in range(n)]
        return Outcome(np.full(n, np.inf), None, failures, time.perf_counter() - started)
    busy = time.perf_counter() - started
    try:
        values, costs = read_costed_rows(raw, n)
    except ObjectiveError as error:
        return Outcome(np.full(n, np.inf), None, [], busy, error)
    return Outcome(values, costs, [], busy)


def cost_of(outcome: Outcome) -> float:
    """Return what a batch cost."""
    return 0.0 if outcome.costs is None else float(outcome.costs.sum())


def joined(outcomes: list[Outcome]) -> Outcome:
    """Put the outcomes of consecutive blocks together; failures keep their row in the whole batch."""
    if len(outcomes) == 1:
        return outcomes[0]
    failures = []
    first = 0
    for outcome in outcomes:
        failures += [Failure(first + f.evaluation, f.error, f.traceback) for f in outcome.failures]
        first += len(outcome.values)
    costs = None
    if any(outcome.costs is not None for outcome in outcomes):
        costs = np.concatenate([np.zeros(len(o.values)) if o.costs is None else o.costs for o in outcomes])
    values = np.concatenate([outcome.values for outcome in outcomes]) if outcomes else np.empty(0)
    mistake = next((outcome.mistake for outcome in outcomes if outcome.mistake is not None), None)
    return Outcome(values, costs, failures, sum(outcome.busy for outcome in outcomes), mistake)


def moved_rows(x: Vector, coordinates: NDArray[np.int64], V: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return copies of `x` with the coordinates replaced by each row of `V`.

    Examples
    --------
    >>> moved_rows(np.zeros(3), np.array([1]), np.array([[5.0], [6.0]]))
    array([[0., 5., 0.],
           [0., 6., 0.]])
    """
    points = np.repeat(x[None, :], len(V), axis=0)
    points[:, coordinates] = V
    return points
