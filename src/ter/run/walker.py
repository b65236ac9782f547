"""Walkers: evaluate points, and moves of a point, for whoever holds the allowance."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ter._jit import Kernel
from ter.core.allowance import Branch, Chain, KeptBranch
from ter.core.box import Box, Vector
from ter.core.errors import AllowanceSpent, InvalidArgument
from ter.core.ledger import (
    AT_MOVE,
    AT_POINT,
    BATCHED,
    BEST,
    FOLLOWS,
    IMPROVED_AT,
    LEADS,
    LIMIT,
    NOTES,
    PAUSE,
    RAISED,
    WRITTEN,
    Integers,
    Walk,
)
from ter.core.points import are_coordinates, into_box, writable
from ter.engines.calls import Outcome
from ter.engines.compiled import CompiledEngine
from ter.engines.engine import Matrix, Position
from ter.engines.loops import Overspent
from ter.run.probes import Probes

if TYPE_CHECKING:
    from ter.run.evaluator import Evaluator

__all__ = ["IncumbentWalker", "Walker"]

NO_COORDINATES = np.empty(0, dtype=np.int64)


class Walker:
    """A walk around a point: the :class:`ter.core.allowance.Branch` of a heuristic.

    Parameters
    ----------
    evaluator : Evaluator
        Has the books, the engine and the run's best point.
    walk : Walk
        The point, its value, and what kernels need.
    follow : bool
        Whether it moves to any point that it evaluates as better than its own.
    """

    def __init__(self, evaluator: Evaluator, walk: Walk, *, follow: bool) -> None:
        self.walk = walk
        self._evaluator = evaluator
        self.position = Position(walk)
        self._follow = follow

    @property
    def follows(self) -> bool:
        """Whether it moves to any point that it evaluates as better than its own."""
        return self._follow

    @property
    def remaining(self) -> int:
        """Evaluations left; 0 as soon as the run must end for any reason."""
        return self._evaluator.remaining

    @property
    def count(self) -> int:
        """Evaluations of the run so far."""
        return self._evaluator.count

    @property
    def box(self) -> Box:
        """The box of the problem."""
        return self._evaluator.box

    @property
    def dimension(self) -> int:
        """Number of variables."""
        return self._evaluator.box.dimension

    @property
    def batched(self) -> bool:
        """Whether a batch takes less time than its points one by one."""
        return self._evaluator.engine.batched

    @property
    def x(self) -> Vector:
        """A copy of the point."""
        return self.walk.x.copy()

    @property
    def y(self) -> float:
        """Its value; +inf if that is not known to be finite."""
        return float(self.walk.y[0])

    def part(self, evaluations: int) -> AbstractContextManager[None]:
        """Spend at most so many of the evaluations left inside a ``with`` block."""
        return self._evaluator.part_of_allowance(evaluations)

    def branch(self, x: ArrayLike | Branch | KeptBranch, y: float | None = None, *, follow: bool = True) -> Walker:
        """Begin a walk around another point, which is evaluated if its value is not given, or go on with one."""
        if isinstance(x, Walker):
            if x._evaluator is self._evaluator:
                return x
            return self.branch(x.x, x.y, follow=x._follow)
        if isinstance(x, KeptBranch):
            return self.branch(x.x, x.y, follow=x.follow)
        point = self._inside(_vector(x, self.dimension))
        branch = self._evaluator.branch(point, math.inf if y is None else float(y), follow=follow)
        if y is None:
            branch.walk.y[0] = branch.evaluate_point(point)
        return branch

    def __reduce__(self) -> tuple[type[KeptBranch], tuple[Vector, float, bool]]:
        """Leave the run behind: a copy, or what was saved and read again, is no more than a point."""
        return KeptBranch, (self.x, self.y, self._follow)

    # Evaluating

    def evaluate(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points; rows beyond the allowance are not evaluated and read +inf."""
        rows = writable(X, np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.dimension:
            raise InvalidArgument(f"points must have shape (n, {self.dimension}), got {rows.shape}")
        self._arrive()
        evaluator = self._evaluator
        if evaluator.has_point and (booking := self._booking(len(rows))) is not None:
            return self._book(booking, NO_COORDINATES, rows)
        n = evaluator.grant(len(rows))
        points = into_box(rows[:n], self.walk.lower, self.walk.upper, self.walk.x)
        first = evaluator.count_rows(n)
        outcome = evaluator.engine.rows(self.position, points, evaluator.go_on)
        if outcome.values.size and not evaluator.has_point:  # there is a point to return, whatever its value
            evaluator.begin_at(points[0])
        values, best = evaluator.settle(outcome, first, len(rows))
        self._go(NO_COORDINATES, points, values, best)
        evaluator.look_into(outcome, first)
        return values

    def evaluate_point(self, x: ArrayLike) -> float:
        """Evaluate one point, shape (D,)."""
        return float(self.evaluate(np.asarray(x, dtype=np.float64)[None, :])[0])

    def evaluate_moves(self, coordinates: ArrayLike, V: ArrayLike) -> Vector:
        """Evaluate the point with ``x[coordinates]`` replaced by each row of `V`; otherwise like `evaluate`."""
        where, rows = self._coordinates(coordinates), writable(V, np.float64)
        if rows.ndim != 2 or rows.shape[1] != where.size:
            raise InvalidArgument(f"moves must have shape (n, {where.size}), got {rows.shape}")
        return self._evaluate_moves(where, rows)

    def _evaluate_moves(self, where: Integers, rows: Matrix) -> Vector:
        """Do so when coordinates and shapes have been checked."""
        self._arrive()
        evaluator, walk = self._evaluator, self.walk
        if where.size and (booking := self._booking(len(rows))) is not None:
            return self._book(booking, where, rows)
        n = evaluator.grant(len(rows))
        moves = into_box(rows[:n], walk.lower[where], walk.upper[where], walk.x[where])
        first = evaluator.count_rows(n)
        outcome = evaluator.engine.moves(self.position, where, moves, evaluator.go_on)
        values, best = evaluator.settle(outcome, first, len(rows))
        self._go(where, moves, values, best)
        evaluator.look_into(outcome, first)
        return values

    def look_ahead(self, chains: Sequence[Chain]) -> None:
        """Say what will be evaluated after the next batch; see :class:`ter.core.allowance.Allowance`."""
        self._evaluator.look_ahead(self.position, chains)

    def run(self, kernel: Kernel[..., Any], *args: Any) -> Any:
        """Run a sequential kernel once; see :class:`ter.core.allowance.Allowance`."""
        self._arrive()
        evaluator, ledger = self._evaluator, self.walk.ledger
        evaluator.grant(1)
        compiled = evaluator.engine.compiled
        if compiled is None:
            ledger[PAUSE] = ledger[LIMIT]
            probes = Probes(evaluator, self.position)
            try:
                return kernel.py_func(probes.probe, probes.accept, self.walk, *args)
            finally:
                probes.write_unaccepted()
        before, limit, improved_at = evaluator.count, int(ledger[LIMIT]), int(ledger[IMPROVED_AT])
        run = compiled.sequential(kernel, args)
        compiled.prepare(self.position)
        self._enter(before, compiled.pace.chunk)
        started = time.perf_counter()
        try:
            result = run(self.walk)
        except Overspent:  # a kernel that did not look at its limit: what it did is booked, then its action ends
            result = Overspent
        done = evaluator.count - before
        compiled.pace.learn(done, time.perf_counter() - started)
        self._return(improved_at)
        evaluator.note_tape(before, done)
        if ledger[RAISED]:
            evaluator.look_into_probes(before, limit)
        elif done:
            evaluator.failures.in_a_row = 0
        evaluator.go_on()
        if result is Overspent:
            raise AllowanceSpent
        return result

    def run_batches(
        self, kernel: Kernel[..., int], coordinates: Integers, rows: Matrix, values: Vector, *args: Any
    ) -> None:
        """Run a kernel that evaluates batch after batch; see :class:`ter.core.allowance.Allowance`."""
        self._arrive()
        evaluator, ledger = self._evaluator, self.walk.ledger
        evaluator.grant(1)
        coordinates = self._coordinates(coordinates)
        booking = self._booking(len(rows))
        if booking is None or not evaluator.has_point:
            ledger[PAUSE] = ledger[LIMIT]
            kernel.py_func(self._batch, self.walk, coordinates, rows, values, *args)
            return
        before, improved_at = evaluator.count, int(ledger[IMPROVED_AT])
        run = booking.batches(kernel, coordinates, rows, values, args)
        self._enter(before, booking.pace.chunk)
        started = time.perf_counter()
        run(self.position)
        booking.pace.learn(evaluator.count - before, time.perf_counter() - started)
        self._return(improved_at)
        evaluator.note_tape(before, evaluator.count - before)
        first = evaluator.count - int(ledger[BATCHED])
        if first > before:
            evaluator.failures.in_a_row = 0
        self._look_into_batch(values[: ledger[BATCHED]], first)
        evaluator.go_on()

    # Moving

    def accept(self, coordinates: ArrayLike, values: ArrayLike, y: float) -> None:
        """Move to ``x[coordinates] = values``, whose value is `y`, better or worse."""
        where, row = self._coordinates(coordinates).ravel(), writable(values, np.float64).ravel()
        if row.size != where.size:
            raise InvalidArgument(f"a move must have one value per coordinate, got {row.size} for {where.size}")
        self._evaluator.require_own_thread()
        walk = self.walk
        row = into_box(row[None, :], walk.lower[where], walk.upper[where], walk.x[where])[0]
        self._evaluator.leave(self.walk)
        self._evaluator.engine.commit(self.position, where, row)
        walk.y[0] = y

    def jump(self, x: ArrayLike, y: float) -> None:
        """Move to another point, whose value is `y`."""
        self._evaluator.require_own_thread()
        point = self._inside(_vector(x, self.dimension))
        self._evaluator.leave(self.walk)
        self._evaluator.engine.replace(self.position, point)
        self.walk.y[0] = y

    # Inside

    def _arrive(self) -> None:
        """Be where moves start from, which a branch always is, in the run's own thread."""
        self._evaluator.require_own_thread()

    def _inside(self, x: Vector) -> Vector:
        inside: Vector = into_box(x[None, :], self.walk.lower, self.walk.upper, self.walk.x)[0]
        return inside

    def _coordinates(self, coordinates: ArrayLike) -> Integers:
        """Check coordinates, and count them from the front: compiled objectives use them without a look."""
        where: Integers = writable(coordinates, np.int64)
        if are_coordinates(where, self.dimension):
            return where
        if not ((-self.dimension <= where) & (where < self.dimension)).all():
            raise InvalidArgument(f"coordinates must lie in [0, {self.dimension - 1}], got {where.tolist()}")
        return where % self.dimension

    def _moved(self, coordinates: Integers, row: Vector) -> Vector:
        """Return the point of a batch's row: a move, or the row itself if no coordinates are named."""
        if not coordinates.size:
            return row
        point = self.walk.x.copy()
        point[coordinates] = row
        return point

    def _go(self, coordinates: Integers, rows: Matrix, values: Vector, best: int) -> None:
        """Go to a batch's best row if it is better than here; `best` is the row of the run's new best or -1."""
        evaluator, walk = self._evaluator, self.walk
        row = best
        if best < 0 and self._follow and walk.y[0] > walk.marks[BEST] and values.size:
            row = int(values.argmin())
        if self._follow and row >= 0 and values[row] < walk.y[0]:
            if row != best:
                self._evaluator.leave(self.walk)
            if coordinates.size:
                evaluator.engine.commit(self.position, coordinates, rows[row])
            else:
                evaluator.engine.replace(self.position, rows[row])
            walk.y[0] = values[row]
            if row == best:
                evaluator.leader = walk
        elif best >= 0:
            evaluator.best[:] = self._moved(coordinates, rows[best])
            evaluator.leader = None

    def _enter(self, before: int, chunk: int) -> None:
        """Tell a compiled kernel what it must know of this walk, and when to return."""
        ledger, tape = self.walk.ledger, self.walk.tape
        pause = before + (min(chunk, tape.size // 2) if tape.size else chunk)
        record = self._evaluator.record
        end = None if record is None else record.next_end  # where the clock ended an action, and must do so again
        ledger[PAUSE] = pause if end is None else max(before + 1, min(pause, end))
        ledger[FOLLOWS] = self._follow
        ledger[LEADS] = AT_POINT if self._evaluator.leader is self.walk else WRITTEN

    def _return(self, improved_at: int) -> None:
        """Learn from a compiled kernel where the run's best point is."""
        evaluator, walk = self._evaluator, self.walk
        leads = walk.ledger[LEADS]
        if leads == AT_POINT:
            evaluator.leader = walk
            return
        if leads == AT_MOVE:
            evaluator.best[:] = self._moved(walk.coordinate, walk.value)
        if evaluator.leader is walk or walk.ledger[IMPROVED_AT] > improved_at:
            evaluator.leader = None

    def _booking(self, n: int) -> CompiledEngine | None:
        """Return the engine that evaluates and books so many rows in one call, unless that took too long."""
        engine, tape = self._evaluator.booking, self.walk.tape
        fits = not tape.size or n <= tape.size // 4
        return engine if engine is not None and n <= min(engine.pace.chunk, NOTES) and fits else None

    def _book(self, engine: CompiledEngine, coordinates: Integers, rows: Matrix) -> Vector:
        """Evaluate and book a batch in one compiled call."""
        evaluator, ledger = self._evaluator, self.walk.ledger
        evaluator.go_on(asked=True)
        first, improved_at, values = evaluator.count, int(ledger[IMPROVED_AT]), np.empty(len(rows))
        self._enter(first, engine.pace.chunk)
        done, rows = engine.book(self.position, coordinates, rows, values)
        self._return(improved_at)
        if not done:
            raise AllowanceSpent
        evaluator.note_values(values[:done])
        if evaluator.clock.frozen:
            evaluator.go_on()
        self._look_into_batch(values[:done], first)
        return values

    def _look_into_batch(self, values: Vector, first: int) -> None:
        evaluator = self._evaluator
        if self.walk.ledger[RAISED] or evaluator.failures.in_a_row:
            evaluator.look_into(Outcome(values), first)

    def _batch(self, walk: Walk, coordinates: Integers, rows: Matrix, values: Vector) -> int:
        """Evaluate a batch of a kernel that runs as Python."""
        values[:] = self._evaluate_moves(coordinates, rows) if coordinates.size else self.evaluate(rows)
        return len(rows)


class IncumbentWalker(Walker):
    """The walk around the incumbent: the :class:`ter.core.allowance.Allowance` of a heuristic."""

    @property
    def x(self) -> Vector:
        """A copy of the incumbent."""
        return self._evaluator.x

    @property
    def y(self) -> float:
        """The incumbent's value; +inf until a finite value was seen."""
        return self._evaluator.y

    def _arrive(self) -> None:
        """Go to the incumbent, if it was found elsewhere."""
        super()._arrive()
        if self.walk.marks[BEST] != self.walk.y[0]:
            self.begin_at(self._evaluator.x, self._evaluator.y)

    def begin_at(self, x: Vector, y: float) -> None:
        """Take a point for the incumbent."""
        self._evaluator.engine.replace(self.position, x)
        self.walk.y[0] = y


def _vector(x: Any, dimension: int) -> Vector:
    point = writable(x, np.float64)
    if point.shape != (dimension,):
        raise InvalidArgument(f"a point must have shape ({dimension},), got {point.shape}")
    return point
