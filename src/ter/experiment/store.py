"""The store: all runs of an experiment in one SQLite file, each committed when it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ter.experiment.database import Database, Form, StoreError, StoreLocked, uri_of
from ter.experiment.record import Record, RunKey
from ter.experiment.rows import COLUMNS, KEY, record_of, row_of

__all__ = ["Line", "Merged", "Store", "StoreError", "StoreLocked"]

APPLICATION = 0x74657231  # "ter1", written into the file's header
VERSION = 1
CHUNK = 50  # records read at once
NAMES = ", ".join(COLUMNS)
TABLE = f"""CREATE TABLE runs (id INTEGER PRIMARY KEY, {", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())},
    UNIQUE ({", ".join(KEY)}))"""
UPSERT = f"""ON CONFLICT ({", ".join(KEY)}) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in KEY)}
    WHERE runs.traceback IS NOT NULL"""

NEWEST = f"""SELECT id FROM (SELECT id, row_number() OVER (
    PARTITION BY {", ".join(name for name in KEY if name != "code")}
    ORDER BY traceback IS NULL DESC, started DESC, id DESC) AS place FROM runs) WHERE place = 1"""


@dataclass(frozen=True)
class Line:
    """What a list of runs shows of one; see :class:`Record` for the meanings."""

    key: RunKey
    label: str
    run: int
    wall: float
    started: str
    failed: bool


@dataclass(frozen=True)
class Merged:
    """What came of a merge.

    Attributes
    ----------
    added, replaced, kept : int
        Runs that are new here, that replaced a failed one, and that were here already.
    differing : int
        Those among the ones kept that have another result there; equal keys should give equal results.
    """

    added: int
    replaced: int
    kept: int
    differing: int


class Store(Database):
    """Runs in a file.

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
        If the file is not a store, or was made by a newer version.
    StoreLocked
        If another process writes to it.

    Examples
    --------
    >>> import tempfile
    >>> from ter.experiment import Plan, run_plan
    >>> path = tempfile.mkdtemp() + "/results.sqlite"
    >>> plan = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ls"], budget=1_000)
    >>> run_plan(plan, path, workers=1)
    PlanProgress(total=1, finished=1, failed=0, new=1)
    >>> with Store(path) as store:
    ...     [(record.label, record.nfev) for record in store.records()]
    [('ls', 1000)]
    """

    form = Form("a store", "ter experiment run", APPLICATION, VERSION, (TABLE,))

    def add(self, record: Record) -> bool:
        """Keep a record for good before returning; tell whether it was kept.

        A finished run is never replaced: a second result of the same key is not kept. A failed one is replaced by
        any later attempt.
        """
        places = ", ".join("?" * len(COLUMNS))
        with self.transaction():
            done = self.connection.execute(f"INSERT INTO runs ({NAMES}) VALUES ({places}) {UPSERT}", row_of(record))
            return done.rowcount > 0

    def __len__(self) -> int:
        with self.guarded():
            return int(self.connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    def keys(self, *, failed: bool | None = None) -> set[RunKey]:
        """Return the keys of the runs: all, or the failed or the finished ones."""
        return {line.key for line in self.lines() if failed in (None, line.failed)}

    def lines(self) -> list[Line]:
        """Return a line about each run, in the order they were stored; this is fast."""
        names = ", ".join(KEY)
        with self.guarded():
            rows = self.connection.execute(
                f"SELECT label, run, wall, started, traceback IS NOT NULL, {names} FROM runs ORDER BY id"
            ).fetchall()
        return [
            Line(RunKey(*key), label, run, wall, started, bool(failed))
            for label, run, wall, started, failed, *key in rows
        ]

    def records(
        self,
        *,
        problem: str | None = None,
        label: str | None = None,
        code: str | None = None,
        failed: bool | None = None,
        newest: bool = False,
    ) -> Iterator[Record]:
        """Yield records in the order they were stored; all, or those that agree with what is given.

        Parameters
        ----------
        problem, label, code : str, optional
            Only runs of this problem, of this algorithm, of this version of the code.
        failed : bool, optional
            Only failed runs, or only finished ones.
        newest : bool
            If several versions of the code have done a run, only what the newest one did, but rather a finished run
            than a failed one.
        """
        asked = {"problem": problem, "label": label, "code": code}
        given = {name: value for name, value in asked.items() if value is not None}
        clauses = ["true", *(f"{name} = :{name}" for name in given)]
        if failed is not None:
            clauses.append(f"traceback IS {'NOT ' if failed else ''}NULL")
        if newest:
            clauses.append(f"id IN ({NEWEST})")
        with self.guarded():
            found = self.connection.execute(f"SELECT id FROM runs WHERE {' AND '.join(clauses)} ORDER BY id", given)
            ids = [row[0] for row in found.fetchall()]
        for first in range(0, len(ids), CHUNK):  # no lock is held while the caller is at work
            yield from self._read(ids[first : first + CHUNK])

    def relabel(self, labels: Mapping[tuple[str, str], str]) -> int:
        """Give algorithms other labels; return how many runs changed.

        Parameters
        ----------
        labels : mapping
            From algorithm and parameters to the label.
        """
        changed = 0
        with self.transaction():
            for (algorithm, parameters), label in labels.items():
                changed += self.connection.execute(
                    "UPDATE runs SET label = ? WHERE algorithm = ? AND parameters = ? AND label <> ?",
                    (label, algorithm, parameters, label),
                ).rowcount
        return changed

    def merge(self, other: str | PathLike[str]) -> Merged:
        """Take over the runs of another store, all or none; algorithms that are here keep their labels."""
        labels = {meaning: label for label, meanings in self.labels().items() for meaning in meanings}
        Store(other).close()  # checks it
        same = " AND ".join(f"mine.{name} = theirs.{name}" for name in KEY)
        pairs = f"FROM runs AS mine JOIN other.runs AS theirs ON {same}"
        both = "mine.traceback IS NULL AND theirs.traceback IS NULL"
        with self.guarded():
            self.connection.execute("ATTACH ? AS other", (f"{uri_of(Path(other))}?mode=ro",))
            try:
                with self.transaction():
                    ask = self.connection.execute
                    common = ask(f"SELECT count(*) {pairs}").fetchone()[0]
                    differing = ask(
                        f"SELECT count(*) {pairs} WHERE {both} AND (mine.curve <> theirs.curve OR mine.fun IS NOT "
                        "theirs.fun OR mine.nfev <> theirs.nfev)"
                    ).fetchone()[0]
                    before = len(self)
                    written = ask(
                        f"INSERT INTO main.runs ({NAMES}) SELECT {NAMES} FROM other.runs WHERE true ORDER BY id "
                        f"{UPSERT} AND excluded.traceback IS NULL"
                    ).rowcount
                    added = len(self) - before
            finally:
                self.connection.execute("DETACH other")
        self.relabel(labels)
        replaced = written - added
        return Merged(added, replaced, common - replaced, differing)

    def labels(self) -> dict[str, set[tuple[str, str]]]:
        """Return what each label stands for: algorithm and parameters, once unless plans disagreed."""
        found: dict[str, set[tuple[str, str]]] = {}
        with self.guarded():
            rows = self.connection.execute("SELECT DISTINCT label, algorithm, parameters FROM runs").fetchall()
        for label, algorithm, parameters in rows:
            found.setdefault(label, set()).add((algorithm, parameters))
        return found

    def _read(self, ids: list[int]) -> list[Record]:
        places = ", ".join("?" * len(ids))
        with self.guarded():
            rows = self.connection.execute(f"SELECT {NAMES} FROM runs WHERE id IN ({places}) ORDER BY id", ids)
            return [record_of(row) for row in rows.fetchall()]
