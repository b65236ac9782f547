"""The file of a search: every sequence that was planned, every run that ended.

A generation is committed as a whole before its first run, a run when it ends. So whatever is killed, the search goes on
as if nothing had happened.

It is a file of its own, not a table in the store of an experiment: its runs belong to hundreds of sequences, which
tables and reports of an experiment would take for as many algorithms, and they need neither curves nor actions.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ter.core.errors import InvalidArgument
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.kept import Kept, best_of, read_row, task_of, trials_of, values_of
from ter.experiment.best_known.proposals import Candidate
from ter.experiment.best_known.schema import CANDIDATES, FORM, RUNS, SEARCHES
from ter.experiment.best_known.search import Search, SearchTask
from ter.experiment.best_known.space import Decisions
from ter.experiment.best_known.trials import Trials
from ter.experiment.database import Database
from ter.experiment.names import require_own
from ter.experiment.record import Record
from ter.experiment.seals import DamagedRow
from ter.experiment.sheets import Sheet

__all__ = ["BestStore"]


class BestStore(Database):
    """Searches in a file, one per task.

    Parameters
    ----------
    path : path
        The file.
    write : bool
        Open it for writing, alone, and make it if it is not there. By default it is read only, and may be read while
        another process writes.

    Raises
    ------
    StoreError
        If the file is something else, was made by a newer version, or is damaged and to be written to.
    StoreLocked
        If another process writes to it.

    Warns
    -----
    DamageWarning
        If parts are damaged; they are named, and the others are read.

    Examples
    --------
    >>> import tempfile
    >>> with BestStore(tempfile.mkdtemp() + "/best.sqlite", write=True) as store:
    ...     store.known()
    []
    """

    form = FORM

    def find(self, search: Search) -> int | None:
        """Return the number of a search in this file; None if its task is not there.

        Raises
        ------
        InvalidArgument
            If the task is there with other settings.
        """
        for found in self._read(SEARCHES):
            if task_of(found) == search.task:
                _require_same(search, found["settings"], self.path)
                return int(found["id"])
        return None

    def begin(self, search: Search) -> int:
        """Return the number of a search in this file; it is added if its task is new."""
        found = self.find(search)
        if found is not None:
            return found
        row = (*astuple(search.task), json.dumps(search.space.names), json.dumps(search.settings), _now())
        with self.transaction():
            return self._insert(SEARCHES, (None, *row))

    def search_of(self, best: BestKnown, folder: str = ".", *, own: Collection[str] = ()) -> Search:
        """Return the search that found a sequence, so that it can go on; its code is the present one.

        Parameters
        ----------
        best : BestKnown
            Of this file.
        folder : str
            Where modules of yours are looked for.
        own : collection of str
            Names of your own code, ``"module:attribute"``, that may be imported; what only the file names is not.
        """
        require_own((best.problem, best.algorithm), own)
        names = best.problem, best.dimension, best.budget, best.algorithm, best.parameters
        return Search(*names, folder=folder, **self._kept_search(best)["settings"])

    def ranked(self, best: BestKnown) -> list[Candidate]:
        """Return what the search that found a sequence has tried, the best first; the code may be another one now."""
        return self.trials(self._kept_search(best)["id"]).ranked()

    def plan(self, search: int, candidates: Iterable[Candidate]) -> None:
        """Keep the candidates of a generation, all or none."""
        with self.transaction():
            for c in candidates:
                self._insert(CANDIDATES, (search, c.number, c.generation, c.origin, json.dumps(c.sequence)))

    def add(self, search: int, number: int, record: Record, *, fresh: bool = False) -> None:
        """Keep a run of a candidate for good before returning; of a run that is there already, the first one stays."""
        seed, fun = record.key.seed, repr(record.fun)
        row = (search, number, int(fresh), record.run, seed, fun, len(record.actions), record.wall, _now())
        with self.transaction():
            self._insert(RUNS, row)

    def trials(self, search: int) -> Trials:
        """Return what a search has tried."""
        found = next(found for found in self._read(SEARCHES) if found["id"] == search)
        return trials_of(found, self._of(CANDIDATES, search), self._of(RUNS, search))

    def walls(self, search: int | None = None) -> list[float]:
        """Return the seconds that each run of a search took; of all searches by default."""
        return [run["wall"] for run in self._read(RUNS) if search in (None, run["search"])]

    def fresh(self, search: int, number: int) -> dict[int, tuple[int, float]]:
        """Return seed and value of the runs of a candidate that had no part in the choice, by their number."""
        return values_of(self._of(RUNS, search), number, fresh=True)

    def earlier(self, search: Search) -> list[Decisions]:
        """Return the best sequences that other code has found for the same task, the newest code first."""
        task = search.task
        others = [found for found in self._read(SEARCHES) if replace(task_of(found), code=task.code) == task]
        older = [found["id"] for found in reversed(others) if found["code"] != task.code]
        ranked = [self.trials(other).ranked()[: search.keep] for other in older]
        return [candidate.sequence for best in ranked for candidate in best]

    def known(
        self,
        problem: str | None = None,
        *,
        dimension: int | None = None,
        budget: str | None = None,
        algorithm: str | None = None,
    ) -> list[BestKnown]:
        """Return the best known sequences: of all tasks, or of those that agree with what is given.

        If several versions of the code have searched for the same task, the last one that has a result counts.
        """
        asked = {"problem": problem, "dimension": dimension, "budget": budget, "algorithm": algorithm}
        candidates, runs = self._by_search(CANDIDATES), self._by_search(RUNS)
        found: dict[SearchTask, BestKnown] = {}
        for search in self._read(SEARCHES):
            if all(wanted in (None, search[name]) for name, wanted in asked.items()):
                best = best_of(search, candidates[search["id"]], runs[search["id"]])
                if best is not None:
                    found[replace(task_of(search), code="")] = best
        return list(found.values())

    def require_readable(self, sheet: Sheet, values: Sequence[Any]) -> None:
        """Raise `DamagedRow` if values are none of a search."""
        read_row(sheet, values)

    def _kept_search(self, best: BestKnown) -> Kept:
        task = SearchTask(best.problem, best.dimension, best.algorithm, best.parameters, best.budget, best.code)
        for found in self._read(SEARCHES):
            if task_of(found) == task:
                return found
        raise InvalidArgument(f"a sequence must be of this file, got one for {best.problem} that is not in {self.path}")

    def _insert(self, sheet: Sheet, row: Sequence[Any]) -> int:
        """Add a row; a run that is there stays."""
        verb = "INSERT OR IGNORE" if sheet is RUNS else "INSERT"
        done = self.connection.execute(f"{verb} INTO {sheet.name} VALUES ({', '.join('?' * len(row))})", row)
        number = int(done.lastrowid or 0)
        if done.rowcount > 0:
            self.seal(sheet, number)
        return number

    def _read(self, sheet: Sheet) -> Iterator[Kept]:
        """Yield the rows of a table by the names of the columns."""
        for _, values in self.rows(sheet):
            try:
                yield read_row(sheet, values)
            except DamagedRow as damaged:
                self.warn([damaged])

    def _of(self, sheet: Sheet, search: int) -> list[Kept]:
        return self._by_search(sheet)[search]

    def _by_search(self, sheet: Sheet) -> defaultdict[int, list[Kept]]:
        found: defaultdict[int, list[Kept]] = defaultdict(list)
        for row in self._read(sheet):
            found[row["search"]].append(row)
        return found


def _require_same(search: Search, stored: dict[str, Any], path: Path) -> None:
    for name, value in search.settings.items():
        if stored[name] != value:
            raise InvalidArgument(
                f"a search must go on with the settings it was begun with, got {name} = {value!r} for "
                f"{search.task.problem}, begun with {stored[name]!r} in {str(path)!r}; name another file to begin anew"
            )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
