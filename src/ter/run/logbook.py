"""The record of a run: what it writes into its journal, and what it repeats from there instead of doing it again."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.checkpoint.codec import Forms
from ter.checkpoint.folder import Folder
from ter.checkpoint.frames import CheckpointError
from ter.checkpoint.journal import ACTION, CUT, END, ENDED, FAILED, Journal, Known
from ter.core.action import Action
from ter.core.box import Vector
from ter.core.failure import Failure, SavedError
from ter.engines.calls import Outcome

__all__ = ["Logbook"]

Marks = NDArray[np.uint32]
TEXT = 4_000  # characters of a traceback that are kept
SHARE = 100  # a snapshot is taken when the run went on for so many times as long as the last one took
SOONEST = 1.0  # seconds between two snapshots


class Logbook:
    """Writes values, actions and what the clock did; while there is something known, repeats it.

    Parameters
    ----------
    folder : Folder
        Open for writing.
    journal : Journal
        Its journal.
    known : Known
        What the journal says, from the snapshot on that the run goes on from.
    state : bytes or None
        The snapshot.
    extended : bool
        Whether the budget is larger than it was: then the last action may do other things than it did.
    """

    def __init__(self, folder: Folder, journal: Journal, known: Known, state: bytes | None, *, extended: bool) -> None:
        self.folder, self.state = folder, state
        self._journal, self._known, self._extended = journal, known, extended
        self._timed = bool(known.ends)  # whether the clock has ended actions that are to be repeated
        self.cursor = known.first  # values that were repeated
        self.elapsed = 0.0
        self._next_snapshot = time.monotonic() + SOONEST
        self._savable = True
        self._batch: tuple[int, Marks] = (0, np.empty(0, np.uint32))

    # Repeating

    @property
    def replaying(self) -> bool:
        """Whether there is anything left to repeat."""
        return self.cursor < self._known.count or bool(self._known.ends) or bool(self._known.actions)

    def answer(self, marks: Marks) -> Outcome | None:
        """Return the known values of points with these marks, as far as there are any; None if there are none.

        Values without a mark are not used: they were those of a compiled objective.
        """
        known, at = self._known, self.cursor - self._known.first
        there = known.marks[at : at + len(marks)]
        wrong = np.flatnonzero((there != marks[: len(there)]) & (there != 0))
        if wrong.size:
            self._diverged(int(wrong[0]), "asks for another point than before")
            there = there[: wrong[0]]
        there = there[: int(np.argmin(there != 0))] if (there == 0).any() else there
        if not there.size:
            return None
        costs = known.costs[at : at + there.size].copy()
        values = known.values[at : at + there.size].copy()
        failures = [
            Failure(n - self.cursor - 1, SavedError(known.failures[n][0]), known.failures[n][1])
            for n in range(self.cursor + 1, self.cursor + there.size + 1)
            if n in known.failures and not math.isfinite(values[n - self.cursor - 1])
        ]
        self._pass(there.size)
        return Outcome(values, None if np.isnan(costs).all() else np.nan_to_num(costs), failures)

    def early(self, marks: Marks) -> dict[int, tuple[float, float, Failure | None]]:
        """Return what was told already of a batch that begins now, by row: value, cost, and exception if it was one."""
        self._batch = (self.cursor, marks)
        known = self._known.told
        told = {i - self.cursor: known.pop(i) for i in list(known) if i < self.cursor + len(marks)}
        return {
            row: (y, cost, self._failure_of(row, y))
            for row, (y, cost, mark) in told.items()
            if row >= 0 and mark == marks[row]
        }

    def _failure_of(self, row: int, y: float) -> Failure | None:
        found = self._known.failures.get(self.cursor + row + 1)
        return None if found is None or math.isfinite(y) else Failure(row, SavedError(found[0]), found[1])

    def repeat_end(self, count: int, asked: bool) -> bool:
        """Tell whether the clock ended the action here when the run came by before."""
        ends = self._known.ends
        if ends and ends[0] == (count, asked):
            ends.popleft()
            return True
        if ends and ends[0][0] < count:
            self._diverged(0, "was not where the clock had ended an action")
        return False

    @property
    def next_end(self) -> int | None:
        """Where the clock ended an action next, or the known values end; None if nothing is to be repeated."""
        known = self._known
        return None if not self.replaying else known.ends[0][0] if known.ends else known.count

    # Writing

    def write(self, values: Vector, costs: Vector | None, marks: Marks | None, elapsed: float) -> None:
        """Take values; those that are known must be the same."""
        at = self.cursor - self._known.first
        there = self._known.values[at : at + len(values)]
        if there.size:
            new = values[: there.size]
            wrong = np.flatnonzero((new != there) & (np.isfinite(new) | np.isfinite(there)))
            if wrong.size:
                n = int(wrong[0])
                self._diverged(n, f"got {float(new[n])!r} from the objective, which was {float(there[n])!r} before")
                there = there[:n]
            self._pass(there.size)
        rest = slice(there.size, None)
        if len(values) > there.size:
            self._journal.write(
                values[rest].copy(),
                None if costs is None else costs[rest],
                None if marks is None else marks[rest],
                elapsed,
            )
            self.cursor += len(values) - there.size
            self._known.first = self.cursor  # nothing is known from here on

    def write_one(self, y: float, cost: float | None, mark: int, elapsed: float) -> None:
        """Take the value of one evaluation."""
        if self.cursor < self._known.count:
            self.write(np.array([y]), None if cost is None else np.array([cost]), np.array([mark], np.uint32), elapsed)
            return
        self.cursor += 1
        self._journal.write_one(y, cost, mark, elapsed)

    def failed(self, failures: Sequence[Failure], first: int) -> None:
        """Take exceptions of the objective, by their row in a batch after so many evaluations."""
        for failure in failures:
            number = first + failure.evaluation + 1
            self._journal.note(FAILED, [number, failure.reason[:TEXT], failure.traceback[-TEXT:]])

    def told(self, told: Sequence[tuple[int, float, float, Failure | None]]) -> None:
        """Take what was told of the batch under way: id, value, cost, and the exception if it was one."""
        first, marks = self._batch
        for i, _, _, failure in told:  # first of all: a value that is there has its exception
            if failure is not None:
                self.failed([replace(failure, evaluation=i - first)], first)
        ids, values, costs, _ = (list(each) for each in zip(*told, strict=True))
        self._journal.told(ids, values, costs, [int(marks[i - first]) for i in ids])

    def ended(self, count: int, asked: bool) -> None:
        """Note that the clock ends the action."""
        self._journal.note(ENDED, [count, asked])

    def repeated(self, action: Action) -> Action:
        """Return an action as it is known; what it cost in seconds is: a clock never tells the same twice."""
        known = self._known.actions
        if not known:
            return action
        before = known[0]
        same = ("index", "heuristic", "nfev", "before", "after")
        if any(getattr(action, name) != getattr(before, name) for name in same):
            raise self._other_way(f"did {action.heuristic} where it was {before.heuristic}, or with another outcome")
        return replace(action, cost=before.cost, seconds=before.seconds)

    def acted(self, action: Action, *, whole: bool) -> None:
        """Take an action that ended, unless it is known; `whole` means that the run goes on after it."""
        if self._known.actions:
            self._known.actions.pop(0)
            self.elapsed = max(self.elapsed, action.seconds)
        elif whole and not self.replaying:
            self._journal.note(ACTION, asdict(action))

    @property
    def due(self) -> bool:
        """Whether a snapshot is to be taken."""
        return self._savable and not self.replaying and time.monotonic() >= self._next_snapshot

    def keep(self, count: int, actions: int, state: dict[str, Any], forms: Forms, best: Vector) -> None:
        """Take a snapshot; the next one is due when the run went on for long, measured by what this one took."""
        began = time.monotonic()
        self._savable = self.folder.snapshot(count, actions, state, forms, best)
        now = time.monotonic()
        self._next_snapshot = now + max(SOONEST, SHARE * (now - began))

    def close(self, ending: str) -> None:
        """Write how the run ended, and let go of the folder."""
        try:
            if not self.replaying:
                self._journal.note(END, ending)
        finally:
            self.folder.close()

    def abandon(self) -> None:
        """Let go of the folder without writing anything: nobody knows what was under way."""
        self._journal.abandoned = True
        self.folder.close()

    def _pass(self, n: int) -> None:
        self.cursor += n
        times = self._known.times
        while times and times[0][0] <= self.cursor:
            self.elapsed = times.popleft()[1]
        if self.cursor >= self._known.count:  # all are repeated
            self._known.drop_values(self.cursor)

    def _diverged(self, ahead: int, what: str) -> None:
        """Drop what is known from here on if the budget allows that the run goes another way; else end it."""
        known, at = self._known, self.cursor + ahead
        if not self._extended or known.actions:
            raise self._other_way(what, ahead)
        self._journal.note(CUT, at)
        self._journal.count = at
        known.cut(at)
        if self.cursor >= known.count:
            known.drop_values(self.cursor)

    def _other_way(self, what: str, ahead: int = 0) -> CheckpointError:
        # Batches of workers end elsewhere than single evaluations do.
        timed = ", and with workers if and only if it began with some, since its budget is in seconds"
        return CheckpointError(
            f"a resumed run must do what it did before, got one that {what}, at evaluation {self.cursor + ahead + 1} "
            f"of {self._known.count}; resume with the same code, libraries and machine{timed if self._timed else ''}, "
            "or begin anew in another folder"
        )
