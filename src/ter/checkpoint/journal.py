"""The journal: every value in the order of evaluation, with what else a run must know to be repeated.

Values are buffered, and handed to the operating system with the first that comes after a tenth of a second; see
``FSYNC`` for when the disk must have them.
"""

from __future__ import annotations

import json
import math
import os
import struct
import time
from array import array
from collections import deque
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.checkpoint.frames import CheckpointError, Frame, frame, unwritten
from ter.core.action import Action, read_action
from ter.core.box import Vector
from ter.core.budget import Budget

__all__ = ["ACTION", "BUDGET", "CUT", "END", "ENDED", "FAILED", "TOLD", "VALUES", "Journal", "Known", "budget_of"]

VALUES, ACTION, ENDED, FAILED, TOLD, CUT, BUDGET, END = range(1, 9)

PATIENCE = 0.1  # seconds that values may wait in memory
MOST = 1 << 14  # values that may
FSYNC = 5.0  # seconds between two times that the disk is asked to keep what it was given
VALUES_HEAD = struct.Struct("<QdIB")  # values before, seconds since the run began, how many, whether costs follow
TOLD_ONE = struct.Struct("<QddI")  # id, value, cost, mark

Marks = NDArray[np.uint32]


class Journal:
    """Writes frames to the end of an open file.

    Parameters
    ----------
    descriptor : int
        Of the file, positioned at its end.
    run : int
        The run's name, in every frame.
    number : int
        Of the next frame.
    count : int
        Values that are in the file.

    Attributes
    ----------
    abandoned : bool
        Whether nothing is written any more, since it is not known what was written last.
    """

    def __init__(self, descriptor: int, run: int, number: int, count: int) -> None:
        self._descriptor, self._run, self._number = descriptor, run, number
        self.count = count
        self._values, self._costs, self._marks = array("d"), array("d"), array("I")  # what waits
        self._costed = False
        self.abandoned = False  # whether nothing is written any more
        self._elapsed = 0.0
        self._written = self._synced = time.monotonic()

    def write(self, values: Vector, costs: Vector | None, marks: Marks | None, elapsed: float) -> None:
        """Take the values of the next evaluations."""
        n = len(values)
        self._values.frombytes(np.ascontiguousarray(values, np.float64).tobytes())
        self._marks.frombytes((np.zeros(n, np.uint32) if marks is None else np.ascontiguousarray(marks)).tobytes())
        self._costs.frombytes((np.full(n, np.nan) if costs is None else np.ascontiguousarray(costs)).tobytes())
        self._took(elapsed, costed=costs is not None)

    def write_one(self, y: float, cost: float | None, mark: int, elapsed: float) -> None:
        """Take the value of the next evaluation."""
        self._values.append(y)
        self._marks.append(mark)
        self._costs.append(math.nan if cost is None else cost)
        self._took(elapsed, costed=cost is not None)

    def _took(self, elapsed: float, *, costed: bool) -> None:
        self._elapsed, self._costed = elapsed, self._costed or costed
        if len(self._values) >= MOST or time.monotonic() - self._written >= PATIENCE:
            self.flush()

    def note(self, kind: int, content: Any) -> None:
        """Write a record of another kind, as JSON."""
        self.flush()
        self._append(kind, json.dumps(content).encode())

    def told(self, ids: list[int], ys: list[float], costs: list[float], marks: list[int]) -> None:
        """Write what was told of the batch under way; it comes again among the values when that is complete."""
        self._append(TOLD, b"".join(map(TOLD_ONE.pack, ids, ys, costs, marks)))
        self._sync()

    def flush(self, *, sync: bool = False) -> None:
        """Hand what waits to the operating system, and to the disk if that is due."""
        if self._values:
            waiting = [(self._values, "<f8"), (self._marks, "<u4")] + [(self._costs, "<f8")] * self._costed
            head = VALUES_HEAD.pack(self.count, self._elapsed, len(self._values), self._costed)
            content = b"".join([head, *(np.asarray(each).astype(kind).tobytes() for each, kind in waiting)])
            self.count += len(self._values)
            self._values, self._costs, self._marks = array("d"), array("d"), array("I")
            self._costed = False
            self._append(VALUES, content)
            self._written = time.monotonic()
        self._sync(now=sync)

    def _sync(self, *, now: bool = False) -> None:
        if not self.abandoned and (now or time.monotonic() - self._synced >= FSYNC):
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                raise unwritten(error) from error
            self._synced = time.monotonic()

    @property
    def number(self) -> int:
        """How many frames there are."""
        return self._number

    def _append(self, kind: int, content: bytes) -> None:
        if self.abandoned:
            return
        data = frame(kind, self._number, self._run, content)
        self.abandoned = True  # unless all goes well: nothing may follow after a torn frame
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            raise unwritten(error) from error
        self._number += 1
        self.abandoned = False


@dataclass
class Known:
    """What a journal says about a run.

    Attributes
    ----------
    first : int
        Values before these; those of a run that goes on from a snapshot are not needed.
    values, marks, costs : array
        One per evaluation. A mark of 0 is none; a cost that is NaN was not named.
    times : deque of (int, float)
        Values so far, and the seconds when they were written.
    actions : list of Action
        Those that came to their end while the run went on.
    ends : deque of (int, bool)
        Where the clock ended an action: the count, and whether somebody was about to ask for more.
    failures : dict
        By evaluation from 1: reason and traceback.
    told : dict
        By id: value, cost and mark of what was told of the batch under way.
    budget : Budget or None
        The last one, if it was changed.
    ending : str
        How the run ended, if it did.
    """

    first: int = 0
    values: Vector = field(default_factory=lambda: np.empty(0))
    marks: Marks = field(default_factory=lambda: np.empty(0, np.uint32))
    costs: Vector = field(default_factory=lambda: np.empty(0))
    times: deque[tuple[int, float]] = field(default_factory=deque)
    actions: list[Action] = field(default_factory=list)
    ends: deque[tuple[int, bool]] = field(default_factory=deque)
    failures: dict[int, tuple[str, str]] = field(default_factory=dict)
    told: dict[int, tuple[float, float, int]] = field(default_factory=dict)
    budget: Budget | None = None
    ending: str = ""
    acted: int = 0  # values when the last action ended

    @property
    def count(self) -> int:
        """How many values are known, those before the first one included."""
        return self.first + len(self.values)

    @classmethod
    def read(cls, frames: list[Frame]) -> Known:
        """Read the frames of a journal.

        Raises
        ------
        CheckpointError
            If a frame that is whole does not say what it should.
        """
        known, parts = cls(), list[tuple[Vector, Marks, Vector]]()
        try:
            for each in frames:
                known._take(each, parts)
        except (ValueError, TypeError, KeyError, IndexError, struct.error) as error:
            raise CheckpointError(
                f"a journal must hold what was written, got {type(error).__name__}: {error}"
            ) from error
        known._join(parts)
        return known

    def since(self, count: int, actions: int) -> Known:
        """Leave out what was before a snapshot."""
        skip = count - self.first
        return Known(
            count,
            self.values[skip:],
            self.marks[skip:],
            self.costs[skip:],
            deque(each for each in self.times if each[0] > count),
            self.actions[actions:],
            deque(end for end in self.ends if end[0] > count),
            {n: failure for n, failure in self.failures.items() if n > count},
            {n: told for n, told in self.told.items() if n >= count},
            self.budget,
            self.ending,
        )

    def _take(self, each: Frame, parts: list[tuple[Vector, Marks, Vector]]) -> None:
        if each.kind == VALUES:
            before, elapsed, n, costed = VALUES_HEAD.unpack_from(each.content)
            if before != self.first:  # how many were read so far
                raise ValueError("values are missing")
            parts.append(_values_of(each.content, n, bool(costed)))
            self.first = before + n
            self.times.append((before + n, elapsed))
            self.told = {i: told for i, told in self.told.items() if i >= self.first}  # the others are among the values
        elif each.kind == TOLD:
            for at in range(0, len(each.content), TOLD_ONE.size):
                i, y, cost, mark = TOLD_ONE.unpack_from(each.content, at)
                self.told[i] = (y, cost, mark)
        elif each.kind == CUT:
            self._join(parts)
            self.cut(int(json.loads(each.content)))
            parts[:], self.first = [(self.values, self.marks, self.costs)], len(self.values)
        else:
            self._note(each.kind, json.loads(each.content))

    def _note(self, kind: int, content: Any) -> None:
        if kind == ACTION:
            self.actions.append(read_action(content))
            self.acted = self.first
        elif kind == ENDED:
            self.ends.append((int(content[0]), bool(content[1])))
        elif kind == FAILED:
            self.failures[int(content[0])] = (str(content[1]), str(content[2]))
        elif kind == BUDGET:
            self.budget = budget_of(content)
        elif kind == END:
            self.ending = str(content)
        else:
            raise ValueError(f"no record is of kind {kind}")
        if kind != END:
            self.ending = ""

    def _join(self, parts: list[tuple[Vector, Marks, Vector]]) -> None:
        self.first = 0
        if parts:
            self.values, self.marks, self.costs = (np.concatenate(each) for each in zip(*parts, strict=True))

    def cut(self, count: int) -> None:
        """Drop what follows after so many values."""
        keep = count - self.first
        if not 0 <= keep <= len(self.values):
            raise ValueError("a cut must lie in the journal")
        self.values, self.marks, self.costs = self.values[:keep], self.marks[:keep], self.costs[:keep]
        self.times = deque(
            [each for each in self.times if each[0] <= count] + [(count, self.times[-1][1])][: bool(keep)]
        )
        self.ends = deque(end for end in self.ends if end[0] <= count)
        self.failures = {n: failure for n, failure in self.failures.items() if n <= count}
        self.told = {}

    def drop_values(self, count: int) -> None:
        """Forget values that are not needed any more."""
        self.first = count
        self.values, self.marks, self.costs = np.empty(0), np.empty(0, np.uint32), np.empty(0)
        self.times = deque()


def _values_of(content: bytes, n: int, costed: bool) -> tuple[Vector, Marks, Vector]:
    at = VALUES_HEAD.size
    if len(content) != at + (20 if costed else 12) * n:
        raise ValueError("values must be as many as they say")
    values = np.frombuffer(content, "<f8", n, at)
    marks = np.frombuffer(content, "<u4", n, at + 8 * n)
    costs = np.frombuffer(content, "<f8", n, at + 12 * n) if costed else np.full(n, np.nan)
    return values, marks, costs


def budget_of(content: dict[str, Any]) -> Budget:
    """Read a budget that was kept in a file."""
    return Budget(**{each.name: content[each.name] for each in fields(Budget)})
