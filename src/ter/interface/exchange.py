"""The engine of ask and tell: the loop posts batches, and waits until their values are told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.errors import AllowanceSpent, InvalidArgument
from ter.core.ledger import COUNT, Integers
from ter.display.result import Result
from ter.engines.calls import Outcome, moved_rows
from ter.engines.engine import GoOn, Matrix, Position
from ter.engines.python import single_value
from ter.interface.batch import Batch
from ter.interface.telling import Told

__all__ = ["Exchange", "Posted"]


@dataclass
class Posted:
    """The batch that was posted.

    Attributes
    ----------
    first : int
        Id of its first row.
    size : int
        Rows wanted; it shrinks to those handed out when the run must end.
    points : callable
        ``points(a, b)`` returns fresh copies of the rows from a to b.
    go_on : callable or None
        Asked before rows are handed out.
    handed : int
        Rows handed out, in order.
    """

    first: int
    size: int
    points: Callable[[int, int], Matrix]
    go_on: GoOn | None
    handed: int = 0
    n_told: int = 0
    told: NDArray[np.bool_] = field(init=False)
    values: Vector = field(init=False)
    costs: Vector = field(init=False)  # NaN where no cost was told

    def __post_init__(self) -> None:
        self.told = np.zeros(self.size, dtype=np.bool_)
        self.values, self.costs = np.full(self.size, np.nan), np.full(self.size, np.nan)

    @property
    def complete(self) -> bool:
        """Whether every row wanted was told."""
        return self.n_told >= self.size

    def cut(self) -> None:
        """Want no more than what was handed out."""
        self.size = self.handed

    def note(self, told: Told) -> None:
        """Write a value down."""
        row = told.id - self.first
        self.told[row], self.values[row], self.costs[row] = True, told.y, told.cost
        self.n_told += 1

    def outcome(self) -> Outcome:
        """Return the values of the rows wanted; one that was not told failed."""
        costs = self.costs[: self.size]
        return Outcome(self.values[: self.size], None if np.isnan(costs).all() else np.nan_to_num(costs))


class Exchange:
    """Where the loop's thread and the user's meet. Whoever changes something holds `changed`.

    Parameters
    ----------
    dimension : int
        Number of variables.
    needs_costs : bool
        Whether every value must come with its cost.
    """

    compiled: None = None
    moving = False
    batched = True

    def __init__(self, dimension: int, *, needs_costs: bool) -> None:
        self.changed = threading.Condition()
        self._posted: Posted | None = None
        self._ending: Result | BaseException | None = None
        self._closing = False
        self._dimension = dimension
        self._needs_costs = needs_costs
        self._next_id = 0
        self._early: dict[int, tuple[float, float]] = {}
        self._on_told: Callable[[Sequence[int], Sequence[float], Sequence[float]], None] | None = None

    # The loop's side

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Post rows and wait for their values."""
        return self._post(len(X), lambda a, b: X[a:b].copy(), go_on)

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Post moved points; they are written out when they are asked for."""
        x = position.walk.x
        return self._post(len(V), lambda a, b: moved_rows(x, coordinates, V[a:b]), go_on)

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Post one moved point."""
        walk = position.walk
        point = moved_rows(walk.x, np.array([i]), np.array([[v]]))
        outcome = self._post(1, lambda a, b: point[a:b].copy(), None)
        if outcome.values.size == 0:  # closed before it was handed out: take the count back and end the action
            walk.ledger[COUNT] -= 1
            raise AllowanceSpent
        return single_value(outcome)

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Write the move into the walk's point."""
        position.walk.x[coordinates] = values

    def replace(self, position: Position, x: Vector) -> None:
        """Write the walk's point."""
        position.walk.x[:] = x

    def begin(
        self,
        first: int,
        early: dict[int, tuple[float, float]],
        told: Callable[[Sequence[int], Sequence[float], Sequence[float]], None],
    ) -> None:
        """Prepare for a batch: the id of its first row, what was told of it before, and whom to tell what is told."""
        self._next_id, self._early, self._on_told = first, early, told

    def _post(self, n: int, points: Callable[[int, int], Matrix], go_on: GoOn | None) -> Outcome:
        with self.changed:
            posted = self._posted = Posted(self._next_id, n, points, go_on)
            for row, (y, cost) in self._early.items():
                posted.note(Told(posted.first + row, y, cost))
            self._early = {}
            self.changed.notify_all()
            self.changed.wait_for(lambda: posted.complete or self._closing)
            if not posted.complete:
                posted.cut()
            self._next_id += posted.handed
            self._posted = None
            return posted.outcome()

    def finish(self, ending: Result | BaseException) -> None:
        """Note how the loop ended."""
        with self.changed:
            self._ending = ending
            self.changed.notify_all()

    # The user's side

    def wait(self) -> Posted | None:
        """Wait until the loop sleeps and return the batch that was posted; None when the run is over."""
        with self.changed:
            self.changed.wait_for(
                lambda: self._ending is not None or (self._posted is not None and not self._posted.complete)
            )
            return None if self._ending is not None else self._posted

    def ending(self) -> Result:
        """Return the result of the run that is over, or raise what ended it."""
        if isinstance(self._ending, Result):
            return self._ending
        raise self._ending or RuntimeError("the run is not over")

    def close(self) -> None:
        """Wake the loop, which is to end."""
        with self.changed:
            self._closing = True
            self.changed.notify_all()

    def hand_out(self, max_size: int | None) -> Batch:
        """Hand out rows of the batch that was posted."""
        with self.changed:
            while (posted := self.wait()) is not None:
                first, left = posted.handed, posted.size - posted.handed
                if (
                    left and posted.go_on is not None and not posted.go_on(float(np.nansum(posted.costs)))
                ):  # the time is up
                    posted.cut()
                    self.changed.notify_all()
                    continue
                posted.handed += left if max_size is None else min(left, max_size)
                new = ~posted.told[first : posted.handed]  # some may have been told before the run was resumed
                ids = np.arange(posted.first + first, posted.first + posted.handed)[new]
                if left and not ids.size:
                    continue
                return Batch(ids, posted.points(first, posted.handed)[new])
            self.ending()
            return Batch(np.empty(0, dtype=np.int64), np.empty((0, self._dimension)), over=True)

    def take(self, told: Sequence[Told]) -> None:
        """Note values; the loop goes on when the batch is complete."""
        with self.changed:
            if self._ending is not None:
                self.ending()
            self._check(told)
            posted = self._posted
            if posted is None:  # nothing was told: the check lets no id through
                return
            for each in told:
                posted.note(each)
            if posted.complete:
                self.changed.notify_all()
            elif self._on_told is not None and told:
                self._on_told(*zip(*told, strict=True))

    def _check(self, told: Sequence[Told]) -> None:
        posted = self._posted
        first, handed = (self._next_id, 0) if posted is None else (posted.first, posted.handed)
        seen: set[int] = set()
        for i, _, cost in told:
            if not 0 <= i < first + handed:
                raise InvalidArgument(f"ids must be of points handed out by ask, got {i}; pass those of batch.ids")
            if i < first and self._closing:
                raise InvalidArgument(f"values must be told before the optimizer is closed, got one for id {i} after")
            if i in seen or i < first or (posted is not None and posted.told[i - first]):
                raise InvalidArgument(f"each id must be told once, got {i} again; drop the second value")
            if self._needs_costs and np.isnan(cost):
                raise InvalidArgument(
                    f"a budget in cost needs the cost of every evaluation, got none for id {i}; "
                    "pass costs, or ter.Value(y, cost=...)"
                )
            seen.add(i)
