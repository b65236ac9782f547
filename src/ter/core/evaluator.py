"""The evaluator: the only caller of the objective.

It counts rows before the call, keeps the incumbent, charges the budget, and lends allowances. Heuristics see the
objective only through it, so they can neither overspend nor leave the box.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter._jit import Kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.budget import Budget, Spent
from ter.core.clock import Clock
from ter.core.errors import AllowanceSpent, InvalidArgument, ObjectiveError
from ter.core.failures import FailureLog, OnError, raised_again
from ter.core.ledger import (
    BEST,
    COUNT,
    CURVE_SIZE,
    LIMIT,
    NONFINITE,
    PAUSE,
    RAISED,
    RUNNING,
    STOP,
    Books,
    Integers,
    Walk,
    charge,
    halt,
    improve,
    settle_rows,
)
from ter.core.points import into_box, writable
from ter.core.problem import read_costed
from ter.core.sink import Sink
from ter.core.stop import StopReason
from ter.engines.batches import Batch, Batches, Matrix
from ter.engines.calls import Failure, Outcome
from ter.engines.engine import Engine
from ter.engines.loops import Pace, Sequential

__all__ = ["Evaluator"]

FIRST_CHUNK = 1_000  # evaluations of a compiled kernel before the clock is read for the first time
TAPE = 1 << 16  # values a compiled kernel may write before the sink reads them


class Evaluator:
    """Counts, charges, keeps the best.

    Parameters
    ----------
    box : Box
        Every point handed to the objective lies in it.
    engine : Engine
        How values come about.
    budget : Budget
        What may be spent.
    target : float, optional
        The run ends when a value reaches it.
    stagnation : int, optional
        The run ends after so many evaluations without improvement.
    on_error : {"raise", "worst"}
        What an exception in the objective means.
    max_failures : int
        With ``"worst"``: how many exceptions in a row end the run.
    sink : Sink, optional
        Gets every value.
    observer : callable, optional
        Called now and then with this evaluator (see `observe_every`); returns True to stop.
    observe_every : float
        Seconds between these calls.
    """

    def __init__(
        self,
        box: Box,
        engine: Engine,
        budget: Budget,
        *,
        target: float | None = None,
        stagnation: int | None = None,
        on_error: OnError = "raise",
        max_failures: int = 100,
        sink: Sink | None = None,
        observer: Callable[[Evaluator], bool] | None = None,
        observe_every: float = 0.2,
    ) -> None:
        self.box = box
        self.budget = budget
        self.engine = engine
        self.failures = FailureLog(on_error, max_failures)
        self.cost = 0.0
        self._sink = sink
        self._observer = observer
        self._pace = Pace(FIRST_CHUNK, None if sink is None else TAPE // 2)
        self._books = Books.open(target=target, patience=stagnation, raising=self.failures.lets_out)
        self._walk = self._books.lend(box.lower, engine.compiled, TAPE if sink is not None else 0)
        self._sequential = Sequential(engine.compiled.kit) if engine.compiled else None
        # Whoever wants every value or a cost per value gets batches step by step, and so do other engines.
        self._batches = Batches.of(engine, self._walk, box) if sink is None and budget.cost is None else None
        self._clock = Clock(budget.seconds, observe_every if observer else None)
        self._action_start, self._action_cost = 0, math.inf  # where the allowance under way began and ends
        self._has_point = False

    # What is known

    @property
    def x(self) -> Vector:
        """A copy of the incumbent."""
        return self._walk.x.copy()

    @property
    def y(self) -> float:
        """The incumbent's value; +inf until a finite value was seen."""
        return float(self._books.marks[BEST])

    @property
    def count(self) -> int:
        """Evaluations so far."""
        return int(self._books.ledger[COUNT])

    @property
    def nonfinite(self) -> int:
        """Values so far that were NaN or infinite."""
        return int(self._books.ledger[NONFINITE])

    @property
    def spent(self) -> Spent:
        """What was used of each resource."""
        return Spent(self.count, self._clock.elapsed, self.cost)

    @property
    def curve(self) -> NDArray[np.float64]:
        """Rows (evaluations, best value), thinned; exact at counts of at most three digits and zeros."""
        return self._books.curve[: self._books.ledger[CURVE_SIZE]].copy()

    @property
    def stopped(self) -> StopReason | None:
        """Why the run must end, or None."""
        code = int(self._books.ledger[STOP])
        return None if code == RUNNING else StopReason(code)

    @property
    def remaining(self) -> int:
        """Evaluations left in the allowance under way."""
        return max(0, int(self._books.ledger[LIMIT]) - self.count)

    def used(self) -> float:
        """What was used of the resource that rewards are measured in."""
        return float(getattr(self.spent, self.budget.unit))

    # Lending

    def lend(self, limit: int, share: float = 1.0) -> Allowance:
        """Lend at most `limit` evaluations and this share of the seconds and of the cost in the budget.

        No allowance is larger than what the budget has left.
        """
        total, seconds, cost = self.budget.evaluations, self.budget.seconds, self.budget.cost
        self._action_start = self.count
        self._clock.begin_action(None if seconds is None else share * seconds)
        self._action_cost = math.inf if cost is None else self.cost + share * cost
        end = self.count + limit if total is None else min(self.count + limit, total)
        if total is not None and self.count >= total and self.stopped is None:
            self.stop(StopReason.BUDGET)
        self._books.ledger[LIMIT] = self.count if self.stopped is not None else end
        return Allowance(self)

    def stop(self, reason: StopReason) -> None:
        """End the run before the next evaluation; the first reason given stands."""
        halt(self._books.ledger, int(reason))

    def interrupt(self) -> None:
        """End the run as soon as the evaluation under way is done; safe inside a signal handler."""
        self.stop(StopReason.INTERRUPTED)

    # Evaluating

    def evaluate(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points; rows beyond the allowance are not evaluated and read +inf.

        Raises
        ------
        AllowanceSpent
            If nothing is left.
        """
        rows = writable(X, np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.box.dimension:
            raise InvalidArgument(f"points must have shape (n, {self.box.dimension}), got {rows.shape}")
        if self._batches is not None and self._has_point:
            return self._booked(self._batches.rows, rows, lambda point: point)
        n = self._grant(len(rows))
        points = into_box(rows[:n], self.box.lower, self.box.upper, self._walk.x)
        first, self._books.ledger[COUNT] = self.count, self.count + n
        outcome = self.engine.rows(points, self._walk, self._go_on)
        if outcome.values.size and not self._has_point:
            self.engine.replace(self._walk, points[0])  # so that there is a point to return, whatever its value
            self._has_point = True
        values, best = self._settle(outcome, first, n, len(rows))
        if best >= 0:
            self.engine.replace(self._walk, points[best])
        self._after(outcome, first, lambda row: points[row])
        return values

    def evaluate_moves(self, coordinates: ArrayLike, V: ArrayLike) -> Vector:
        """Evaluate the incumbent with ``x[coordinates]`` replaced by each row of `V`; otherwise like `evaluate`."""
        where, rows = writable(coordinates, np.int64), writable(V, np.float64)
        if rows.ndim != 2 or rows.shape[1] != where.size:
            raise InvalidArgument(f"moves must have shape (n, {where.size}), got {rows.shape}")
        if self._batches is not None:
            return self._booked(partial(self._batches.moves, where), rows, partial(self._moved, where))
        n = self._grant(len(rows))
        moves = into_box(rows[:n], self.box.lower[where], self.box.upper[where], self._walk.x[where])
        first, self._books.ledger[COUNT] = self.count, self.count + n
        outcome = self.engine.moves(where, moves, self._walk, self._go_on)
        values, best = self._settle(outcome, first, n, len(rows))
        if best >= 0:
            self.engine.commit(self._walk, where, moves[best])
        self._after(outcome, first, lambda row: self._moved(where, moves[row]))
        return values

    def run(self, kernel: Kernel[..., Any], *args: Any) -> Any:
        """Run a sequential kernel once around the incumbent: compiled, or as Python around a Python objective.

        The kernel is called as ``kernel(probe, accept, walk, *args)``. It must stop when ``ledger[COUNT]`` reaches
        ``ledger[LIMIT]``, return at a natural break once it reaches ``ledger[PAUSE]``, and accept only moves that
        are better than ``marks[BEST]``.
        """
        self._grant(1)
        ledger = self._books.ledger
        if self._sequential is None:
            ledger[PAUSE] = ledger[LIMIT]
            return kernel.py_func(self._probe, self._accept, self._walk, *args)
        self.engine.refresh(self._walk)  # type: ignore[attr-defined]  # engines of compiled objectives have it
        before, limit = self.count, int(ledger[LIMIT])
        run = self._sequential.compiled(kernel, args)
        ledger[PAUSE] = before + self._pace.chunk
        started = time.perf_counter()
        result = run(self._walk)
        done = self.count - before
        self._pace.learn(done, time.perf_counter() - started)
        if self._sink is not None and done:
            self._sink.write(self._walk.tape[np.arange(before, before + done) % TAPE], None)
        if ledger[RAISED]:
            self._look_into_probes(before, limit)
        elif done:
            self.failures.in_a_row = 0
        self._go_on()
        return result

    # Inside

    def _booked(self, batch: Batch, rows: Matrix, point: Callable[[Vector], Vector]) -> Vector:
        """Evaluate and book a batch in one compiled call; `point` makes a point of one of its rows."""
        self._go_on()
        first, values = self.count, np.empty(len(rows))
        done, rows = batch(rows, values)
        if not done:
            raise AllowanceSpent
        if self._books.ledger[RAISED] or self.failures.in_a_row:
            self._after(Outcome(values[:done]), first, lambda row: point(rows[row]))
        return values

    def _look_into_probes(self, before: int, limit: int) -> None:
        """Note the exceptions of a compiled kernel's probes, which end with the last one it met."""
        n, last, where, value = self._books.take_raised()
        if self.stopped is None:
            self._books.ledger[LIMIT] = limit
        raised = range(last - n + 1, last + 1)
        failures = raised_again(self.engine.compiled, raised, lambda _: self._moved(where, value))
        self._fail(failures, range(before + 1, self.count + 1))

    def _grant(self, wanted: int) -> int:
        left = self.remaining if self._go_on() else 0
        if left <= 0:
            raise AllowanceSpent
        return min(wanted, left)

    def _go_on(self, pending: float = 0.0) -> bool:
        """Look at the clock, and tell whether the run goes on; `pending` is the cost of the batch under way."""
        now = time.perf_counter()
        if now >= self._clock.alarm:
            if self._clock.over(now):
                self.stop(StopReason.BUDGET)
            if self._clock.action_over(now) and self.count > self._action_start:  # one evaluation at least
                self._end_action()
            if self._observer is not None and self._clock.look_due(now) and self.stopped is None:
                if self._observer(self):
                    self.stop(StopReason.CALLBACK)
                self._clock.looked()
            self._clock.reset()
        affordable = self.budget.cost is None or self.cost + pending < self.budget.cost
        return affordable and bool(self._books.ledger[STOP] == RUNNING)

    def _end_action(self) -> None:
        """Leave nothing of the allowance under way."""
        self._books.ledger[LIMIT] = min(self._books.ledger[LIMIT], self._books.ledger[COUNT])

    def _settle(self, outcome: Outcome, first: int, n: int, wanted: int) -> tuple[Vector, int]:
        """Book a batch; return the values, padded with +inf, and the row of the new incumbent or -1."""
        done = len(outcome.values)
        ledger = self._books.ledger
        ledger[COUNT] = first + done
        self._charge_cost(outcome.costs, done - len(outcome.failures))
        if self._sink is not None and done:
            self._sink.write(outcome.values.copy(), outcome.costs)
        best = settle_rows(ledger, self._books.marks, self._books.curve, outcome.values, first)
        if self.stopped is not None:
            ledger[LIMIT] = ledger[COUNT]
        if done == wanted:
            return outcome.values, best
        values = np.full(wanted, np.inf)
        values[:done] = outcome.values
        return values, best

    def _after(self, outcome: Outcome, first: int, point: Callable[[int], Vector]) -> None:
        """Deal with the failures of a batch, after its good values were booked."""
        if outcome.mistake is not None:
            self.stop(StopReason.ERROR)
            raise outcome.mistake
        ledger = self._books.ledger
        if ledger[RAISED]:  # a compiled objective raised: see from Python what it was
            ledger[RAISED] = 0
            rows = np.flatnonzero(~np.isfinite(outcome.values)).tolist()
            outcome.failures = raised_again(self.engine.compiled, rows, point)
        failures = [Failure(first + f.evaluation + 1, f.error, f.traceback) for f in outcome.failures]
        if failures or self.failures.in_a_row:
            self._fail(failures, range(first + 1, first + len(outcome.values) + 1))

    def _fail(self, failures: list[Failure], evaluations: range) -> None:
        too_many = self.failures.note(failures, evaluations)
        if failures and self.failures.lets_out:
            self.stop(StopReason.ERROR)
            raise failures[0].error
        if too_many:
            self.stop(StopReason.FAILURES)

    def _charge_cost(self, costs: Vector | None, done: int) -> None:
        if costs is not None:
            self.cost += float(costs.sum())
        elif self.budget.cost is not None and done:
            raise ObjectiveError(
                "a budget in cost needs an objective that names its cost, got a plain number; "
                "return ter.Value(y, cost=...)"
            )
        if self.budget.cost is not None and self.cost >= self.budget.cost:
            self.stop(StopReason.BUDGET)
        elif self.cost >= self._action_cost:
            self._end_action()

    def _moved(self, coordinates: Integers, values: Vector) -> Vector:
        point = self._walk.x.copy()
        point[coordinates] = values
        return point

    # The Python side of sequential kernels

    def _probe(self, walk: Walk, i: int, v: float) -> float:
        ledger = walk.ledger
        if ledger[COUNT] >= ledger[LIMIT]:  # a kernel that does not look itself
            raise AllowanceSpent
        ledger[COUNT] += 1
        try:
            raw = self.engine.probe(walk, i, v)
        except ObjectiveError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the user's function raises is a failed evaluation
            y = charge(ledger, walk.marks, math.inf)
            self._write(math.nan, None)
            self._fail([Failure(self.count, error, traceback.format_exc())], range(self.count, self.count + 1))
            return y
        self.failures.in_a_row = 0
        y, costs = read_costed(raw)
        if costs is not None or self.budget.cost is not None:
            self._charge_cost(costs, 1)
        self._write(y, costs)
        if time.perf_counter() >= self._clock.alarm:
            self._go_on()
        return charge(ledger, walk.marks, y)

    def _accept(self, walk: Walk, i: int, v: float, y: float) -> None:
        self.engine.commit(walk, np.array([i]), np.array([v]))
        improve(walk.ledger, walk.marks, walk.curve, walk.ledger[COUNT], y)

    def _write(self, y: float, costs: Vector | None) -> None:
        if self._sink is not None:
            self._sink.write(np.array([y]), costs)
