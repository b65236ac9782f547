"""The evaluator: the only caller of the objective.

It counts rows before the call, keeps the incumbent, charges the budget, and lends allowances. Heuristics see the
objective only through it, so they can neither overspend nor leave the box.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ter._jit import Kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.budget import Budget
from ter.core.errors import AllowanceSpent, InvalidArgument, ObjectiveError
from ter.core.failure import Failure
from ter.core.ledger import BATCHED, COUNT, LIMIT, PAUSE, RAISED, Integers, Walk, charge, improve
from ter.core.points import into_box, writable
from ter.core.problem import read_costed
from ter.core.sink import Sink
from ter.core.stop import StopReason
from ter.engines.batches import Batches, Matrix
from ter.engines.calls import Outcome
from ter.engines.engine import Engine
from ter.engines.loops import Pace, kit_of, sequential
from ter.objectives.compiled import data_of
from ter.run.accounts import Accounts
from ter.run.failures import OnError, raised_again

__all__ = ["Evaluator"]

FIRST_CHUNK = 1_000  # evaluations of a compiled kernel before the clock is read for the first time
NO_COORDINATES = np.empty(0, dtype=np.int64)
TAPE = 1 << 16  # values a compiled kernel may write before the sink reads them


class Evaluator(Accounts):
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
        observer: Callable[[Accounts], bool] | None = None,
        observe_every: float = 0.2,
    ) -> None:
        super().__init__(
            box,
            budget,
            target=target,
            stagnation=stagnation,
            on_error=on_error,
            max_failures=max_failures,
            sink=sink,
            observer=observer,
            observe_every=observe_every,
        )
        self.engine = engine
        self._pace = Pace(FIRST_CHUNK, None if sink is None else TAPE // 2)
        self._walk = self._books.lend(self._x, box, data_of(engine.compiled), TAPE if sink is not None else 0)
        self._sequential = sequential(kit_of(engine.compiled)) if engine.compiled else None
        # Whoever wants every value or a cost per value gets batches step by step, and so do other engines.
        self._batches = Batches.of(engine, self._walk) if sink is None and budget.cost is None else None
        self._has_point = False

    def lend(self, limit: int, share: float = 1.0) -> Allowance:
        """Lend at most `limit` evaluations and this share of the seconds and of the cost in the budget.

        No allowance is larger than what the budget has left.
        """
        self._open_allowance(limit, share)
        return Allowance(self)

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
            return self._booked(self._batches, NO_COORDINATES, rows)
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
        if self._batches is not None and where.size:
            return self._booked(self._batches, where, rows)
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

    def run_batches(
        self, kernel: Kernel[..., int], coordinates: Integers, rows: Matrix, values: Vector, *args: Any
    ) -> None:
        """Run a kernel that evaluates batch after batch: compiled, or as Python around a Python objective.

        The kernel is called as ``kernel(batch, walk, coordinates, rows, values, *args)`` and keeps in its own arrays
        how far it is, since it is called again to go on. It evaluates ``done = batch(walk, coordinates, rows[:n],
        values[:n])``: points, or moves of the incumbent's `coordinates` unless there are none. It returns `done` at
        once if that is not positive, if ``ledger[RAISED]`` is set, or at the end of a step once ``ledger[COUNT]``
        has reached ``ledger[PAUSE]``.
        """
        self._grant(1)
        ledger = self._books.ledger
        if self._batches is None or not self._has_point:
            ledger[PAUSE] = ledger[LIMIT]
            kernel.py_func(self._batch, self._walk, coordinates, rows, values, *args)
            return
        before = self.count
        ledger[PAUSE] = before + self._pace.chunk
        started = time.perf_counter()
        self._batches.run(kernel, coordinates, rows, values, args)
        self._pace.learn(self.count - before, time.perf_counter() - started)
        first = self.count - int(ledger[BATCHED])
        if first > before:
            self.failures.in_a_row = 0
        if ledger[RAISED] or self.failures.in_a_row:
            self._after(Outcome(values[: ledger[BATCHED]]), first, lambda row: self._point(coordinates, rows[row]))
        self._go_on()

    # Inside

    def _batch(self, walk: Walk, coordinates: Integers, rows: Matrix, values: Vector) -> int:
        """Evaluate a batch of a kernel that runs as Python."""
        values[:] = self.evaluate_moves(coordinates, rows) if coordinates.size else self.evaluate(rows)
        return len(rows)

    def _booked(self, batches: Batches, coordinates: Integers, rows: Matrix) -> Vector:
        """Evaluate and book a batch in one compiled call."""
        self._go_on()
        first, values = self.count, np.empty(len(rows))
        done, rows = batches.evaluate(coordinates, rows, values)
        if not done:
            raise AllowanceSpent
        if self._books.ledger[RAISED] or self.failures.in_a_row:
            self._after(Outcome(values[:done]), first, lambda row: self._point(coordinates, rows[row]))
        return values

    def _look_into_probes(self, before: int, limit: int) -> None:
        """Note the exceptions of a compiled kernel's probes, which end with the last one it met."""
        n, last, where, value = self._books.take_raised()
        if self.stopped is None:
            self._books.ledger[LIMIT] = limit
        raised = range(last - n + 1, last + 1)
        failures = raised_again(self.engine.compiled, raised, lambda _: self._moved(where, value))
        self._fail(failures, range(before + 1, self.count + 1))

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

    def _moved(self, coordinates: Integers, values: Vector) -> Vector:
        point = self._walk.x.copy()
        point[coordinates] = values
        return point

    def _point(self, coordinates: Integers, row: Vector) -> Vector:
        """Return the point of a batch's row: the row itself, or a move if coordinates are named."""
        return self._moved(coordinates, row) if coordinates.size else row

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
