"""The engine of ask and tell: the loop posts batches, and waits until their values are told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ter.core.box import Vector
from ter.core.errors import AllowanceSpent, InvalidArgument
from ter.core.failure import Failure
from ter.core.ledger import COUNT, Integers
from ter.display.result import Result
from ter.engines.calls import Outcome, moved_rows
from ter.engines.engine import GoOn, Matrix, Position
from ter.engines.python import single_value
from ter.interface.batch import Batch
from ter.interface.posted import Posted
from ter.interface.telling import Told

__all__ = ["Exchange"]


class Exchange:
    """Where the loop's thread and those of the user meet. Whoever changes something holds `changed`.

    Parameters
    ----------
    dimension : int
        Number of variables.
    needs_costs : bool
        Whether every value must come with its cost.
    reopened : bool
        Whether the run was handing out the same points in another process before, and some may be told still.

    Attributes
    ----------
    whole : bool
        Whether every row of the last batch was told.
    """

    compiled: None = None
    moving = False
    batched = True

    def __init__(self, dimension: int, *, needs_costs: bool, reopened: bool = False) -> None:
        self.changed = threading.Condition()
        self.whole = True
        self._posted: Posted | None = None
        self._ending: Result | BaseException | None = None
        self._broken: BaseException | None = None  # what could not be written down
        self._closing = False
        self._dimension = dimension
        self._needs_costs = needs_costs
        self._reopened = reopened
        self._next_id = 0
        self._again: set[int] = set()  # ids that were given back: more than one value may come for them
        self._again_below = 0  # so it is with all ids before this one: they were handed out before the run was resumed
        self._early: list[Told] = []
        self._on_told: Callable[[Sequence[Told]], None] | None = None

    # The loop's side

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Post rows and wait for their values."""
        return self._post(len(X), lambda rows: X[rows], go_on)

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Post moved points; they are written out when they are asked for."""
        x = position.walk.x
        return self._post(len(V), lambda rows: moved_rows(x, coordinates, V[rows]), go_on)

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Post one moved point."""
        walk = position.walk
        point = moved_rows(walk.x, np.array([i]), np.array([[v]]))
        outcome = self._post(1, lambda rows: point[rows], None)
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
        early: dict[int, tuple[float, float, Failure | None]],
        told: Callable[[Sequence[Told]], None],
    ) -> None:
        """Prepare for a batch: the id of its first row, what was told of it before, and who writes down what is."""
        with self.changed:
            self._next_id, self._on_told = first, told
            self._early = [Told(first + row, *early[row]) for row in sorted(early)]

    def _post(self, n: int, points: Callable[[Integers], Matrix], go_on: GoOn | None) -> Outcome:
        with self.changed:
            posted = self._posted = Posted(self._next_id, n, points, go_on)
            posted.note(self._early)
            self._early = []
            if self._reopened and not posted.complete:
                self._again_below = posted.first + n
            self.changed.notify_all()
            self.changed.wait_for(lambda: posted.complete or self._leaving)
            self._posted = None
            if self._broken is not None:
                raise self._broken
            if not posted.complete:
                posted.cut()
            outcome = posted.outcome()
            self.whole = posted.whole
            self._next_id += posted.handed
            self._reopened = self._reopened and not self._again_below  # the first batch that had to wait is over
            return outcome

    @property
    def _leaving(self) -> bool:
        return self._closing or self._broken is not None

    def finish(self, ending: Result | BaseException) -> None:
        """Note how the loop ended."""
        with self.changed:
            if self._reopened and isinstance(ending, Result):  # all was told before the run was resumed
                self._next_id = self._again_below = ending.nfev
            self._ending = ending
            self.changed.notify_all()

    # The user's side

    def wait(self) -> Posted | None:
        """Wait until the loop sleeps and return the batch that was posted; None when the run is over."""
        with self.changed:
            self.changed.wait_for(lambda: self._ending is not None or self._sleeping)
            return None if self._ending is not None else self._posted

    @property
    def _sleeping(self) -> bool:
        return self._posted is not None and not self._posted.complete and not self._leaving

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

    @property
    def ended(self) -> bool:
        """Whether nothing more is handed out, since the budget is used up."""
        return self._posted is not None and self._posted.ended

    def outstanding(self) -> Integers:
        """Return the ids that are under way."""
        with self.changed:
            posted = self._posted
            return np.empty(0, dtype=np.int64) if posted is None else posted.first + posted.outstanding

    def hand_out(self, max_size: int | None, patience: float) -> Batch:
        """Hand out rows of the batch that was posted; wait for so many seconds until there are any."""
        end = time.monotonic() + patience
        with self.changed:
            while (posted := self.wait()) is not None:
                if posted.available and posted.go_on is not None and not posted.go_on(posted.cost):
                    posted.cut()  # time or cost are used up
                    self.changed.notify_all()
                    continue
                rows = posted.take(max_size)
                if rows.size:
                    return Batch(posted.first + rows, posted.points(rows))
                left = end - time.monotonic()
                if left <= 0:
                    return self._nothing(waiting_for=posted.first + posted.outstanding)
                self.changed.wait(min(left, threading.TIMEOUT_MAX))
            self.ending()
            return self._nothing(over=True)

    def _nothing(self, *, over: bool = False, waiting_for: Integers | None = None) -> Batch:
        none = np.empty(0, dtype=np.int64)
        return Batch(none, np.empty((0, self._dimension)), over, none if waiting_for is None else waiting_for)

    def take(self, told: Sequence[Told]) -> None:
        """Note values; the loop goes on when the batch is complete."""
        with self.changed:
            self._arrive()
            if self._ending is not None:
                self.ending()
            new, posted = list(self._new(told)), self._posted
            if posted is None or not new:
                return
            self._write(new)
            posted.note(new)
            if posted.complete:
                self.changed.notify_all()

    def take_back(self, ids: Sequence[int]) -> None:
        """Take points back that will not be told; they are handed out again."""
        with self.changed:
            self._arrive()
            if self._ending is not None:
                return
            for i in ids:
                self._require_handed(i)
            posted = self._posted
            if posted is None:
                return
            for i in ids:
                if i >= posted.first and posted.give_back(i - posted.first):
                    self._again.add(i)
            self.changed.notify_all()

    def _arrive(self) -> None:
        """Wait until a resumed run is where it was, and knows again which points are under way."""
        if self._reopened:
            self.wait()

    def _write(self, told: Sequence[Told]) -> None:
        """Write values down before they count; a run whose journal cannot be written ends."""
        if self._on_told is None:
            return
        try:
            self._on_told(told)
        except BaseException as error:
            self._broken = error
            self.changed.notify_all()
            raise

    def _new(self, told: Sequence[Told]) -> Iterator[Told]:
        """Check what was told; leave out what came for a point that somebody else has told in the meantime."""
        posted = self._posted
        first = self._next_id if posted is None else posted.first
        seen: set[int] = set()
        for each in told:
            i = each.id
            self._require_handed(i)
            known = i < first or (posted is not None and posted.is_told(i - first))
            if i not in seen and known and (i in self._again or i < self._again_below):
                continue
            if i < first and self._closing:
                raise InvalidArgument(f"values must be told before the optimizer is closed, got one for id {i} after")
            if i in seen or known:
                raise InvalidArgument(f"each id must be told once, got {i} again; drop the second value")
            if self._needs_costs and np.isnan(each.cost) and each.failure is None:
                raise InvalidArgument(
                    f"a budget in cost needs the cost of every evaluation, got none for id {i}; "
                    "pass costs, or ter.Value(y, cost=...)"
                )
            seen.add(i)
            yield each

    def _require_handed(self, i: int) -> None:
        posted = self._posted
        end = self._next_id if posted is None else posted.first + (posted.size if self._reopened else posted.handed)
        if not 0 <= i < end:
            raise InvalidArgument(f"ids must be of points handed out by ask, got {i}; pass those of batch.ids")
