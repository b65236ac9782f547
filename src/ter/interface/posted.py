"""The batch that the loop waits for: which of its rows are out, came back, or were told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.failure import Failure
from ter.core.ledger import Integers
from ter.engines.calls import Outcome
from ter.engines.engine import GoOn, Matrix
from ter.interface.telling import Told

__all__ = ["Posted"]

FRESH, OUT, BACK, TOLD = range(4)  # never handed out, under way, given back, told


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
        ``points(rows)`` returns fresh copies of these rows.
    go_on : callable or None
        Asked before rows are handed out.
    handed : int
        Rows from here on were never handed out.
    ended : bool
        Whether nothing more is handed out.

    Examples
    --------
    >>> posted = Posted(10, 3, lambda rows: np.zeros((len(rows), 2)), None)
    >>> posted.take(2), posted.give_back(0), posted.take(None)
    (array([0, 1]), True, array([0, 2]))
    >>> posted.note([Told(11, 0.5, 2.0)])
    >>> posted.outstanding, posted.complete
    (array([0, 2]), False)
    """

    first: int
    size: int
    points: Callable[[Integers], Matrix]
    go_on: GoOn | None
    handed: int = 0
    ended: bool = False
    values: Vector = field(init=False)
    costs: Vector = field(init=False)  # NaN where no cost was told
    failures: dict[int, Failure] = field(init=False)  # by row: exceptions that were told
    _state: NDArray[np.int8] = field(init=False)
    _back: list[int] = field(init=False)  # a heap of rows given back; those told since are among them
    _n_out: int = field(init=False, default=0)
    _n_back: int = field(init=False, default=0)
    _n_told: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._state, self._back, self.failures = np.zeros(self.size, dtype=np.int8), [], {}
        self.values, self.costs = np.full(self.size, np.nan), np.full(self.size, np.nan)

    @property
    def available(self) -> int:
        """Rows that can be handed out now."""
        return 0 if self.ended else self._n_back + self.size - self.handed

    @property
    def complete(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self._n_out == 0 if self.ended else self._n_told >= self.size

    @property
    def whole(self) -> bool:
        """Whether every row wanted was told, so that no value is that of a point which was lost."""
        return self._n_told >= self.size

    @property
    def outstanding(self) -> Integers:
        """Rows that are under way."""
        return np.flatnonzero(self._state == OUT)

    @property
    def told(self) -> NDArray[np.bool_]:
        """Which rows were told."""
        told: NDArray[np.bool_] = self._state == TOLD
        return told

    @property
    def cost(self) -> float:
        """What was told so far has cost."""
        return float(np.nansum(self.costs))

    def is_told(self, row: int) -> bool:
        """Tell whether the value of a row is known."""
        return bool(self._state[row] == TOLD)

    def take(self, most: int | None) -> Integers:
        """Hand out rows: first those given back, then those that were never handed out."""
        most = self.available if most is None else min(most, self.available)
        rows: list[int] = []
        while self._back and len(rows) < most:
            row = heappop(self._back)
            if self._state[row] == BACK:
                rows.append(row)
        self._n_back -= len(rows)
        fresh = np.arange(self.handed, self.handed + most - len(rows))
        self.handed += fresh.size
        taken = np.concatenate([np.array(rows, dtype=np.int64), fresh])
        self._state[taken] = OUT
        self._n_out += taken.size
        return taken

    def give_back(self, row: int) -> bool:
        """Take a row back that is under way; return False if it is not."""
        if self._state[row] != OUT:
            return False
        self._n_out -= 1
        self._put_back(row)
        return True

    def _put_back(self, row: int) -> None:
        self._state[row] = BACK
        self._n_back += 1
        heappush(self._back, row)

    def note(self, told: Sequence[Told]) -> None:
        """Write values down."""
        for id_, y, cost, failure in told:
            row = id_ - self.first
            if row >= self.handed:  # told before it was handed out here: a run was resumed, and the others are lost
                for before in range(self.handed, row):
                    self._put_back(before)
                self.handed = row + 1
            self._n_out -= bool(self._state[row] == OUT)
            self._n_back -= bool(self._state[row] == BACK)
            self._n_told += 1
            self._state[row], self.values[row], self.costs[row] = TOLD, y, cost
            if failure is not None:
                self.failures[row] = replace(failure, evaluation=row)

    def cut(self) -> None:
        """Hand out nothing more, and want no more than what was handed out."""
        self.ended = True
        self.size = self.handed

    def outcome(self) -> Outcome:
        """Return the values of the rows wanted; one that was handed out and not told failed."""
        while self.size and self._state[self.size - 1] == BACK:  # nobody evaluates it: it does not count
            self.size -= 1
        values, costs = self.values[: self.size], self.costs[: self.size]
        failures = [self.failures[row] for row in sorted(self.failures)]
        return Outcome(values, None if np.isnan(costs).all() else np.nan_to_num(costs), failures)
