"""The store: all runs of an experiment in one SQLite file.

Every record is committed when its run ends, with a rollback journal that is flushed to the disk: whatever is killed, a
record is there or it is not. There is no write-ahead log, since it does not work on network file systems. One process
writes; others may read meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType

from ter.core.errors import TerError
from ter.experiment.lock import FileLock
from ter.experiment.packing import COLUMNS, KEY, record_of, row_of
from ter.experiment.record import Record, RunKey

__all__ = ["Line", "Merged", "Store", "StoreError", "StoreLocked"]

APPLICATION = 0x74657231  # "ter1", written into the file's header
VERSION = 1
TIMEOUT = 60.0  # seconds to wait for somebody who reads or writes
CHUNK = 50  # records read at once
NAMES = ", ".join(COLUMNS)
UPSERT = f"""ON CONFLICT ({", ".join(KEY)}) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in KEY)}
    WHERE runs.traceback IS NOT NULL"""

NEWEST = f"""SELECT id FROM (SELECT id, row_number() OVER (
    PARTITION BY {", ".join(name for name in KEY if name != "code")}
    ORDER BY traceback IS NULL DESC, started DESC, id DESC) AS place FROM runs) WHERE place = 1"""


class StoreError(TerError):
    """A file that is not a store, or that cannot be read or written."""


class StoreLocked(StoreError):
    """Another process is writing to the store."""


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


class Store:
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
    Tally(total=1, finished=1, failed=0, new=1)
    >>> with Store(path) as store:
    ...     [(record.label, record.nfev) for record in store.records()]
    [('ls', 1000)]
    """

    def __init__(self, path: str | PathLike[str], *, write: bool = False) -> None:
        self.path = Path(path)
        self.writing = write
        self._lock = FileLock(self.path)
        if write:
            self._take_lock()
        elif not self.path.is_file():
            raise StoreError(f"a store must be there to be read, got {str(self.path)!r}")
        try:
            with self._guarded():
                self._connection = self._connect()
        except BaseException:
            self._lock.release()
            raise
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write."""
        self._connection.close()
        self._lock.release()

    def add(self, record: Record) -> bool:
        """Keep a record for good before returning; tell whether it was kept.

        A finished run is never replaced: a second result of the same key is not kept. A failed one is replaced by
        any later attempt.
        """
        self._require_writing()
        places = ", ".join("?" * len(COLUMNS))
        with self._guarded(), self._transaction():
            done = self._connection.execute(f"INSERT INTO runs ({NAMES}) VALUES ({places}) {UPSERT}", row_of(record))
            return done.rowcount > 0

    def __len__(self) -> int:
        with self._guarded():
            return int(self._connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    def keys(self, *, failed: bool | None = None) -> set[RunKey]:
        """Return the keys of the runs: all, or the failed or the finished ones."""
        return {line.key for line in self.lines() if failed in (None, line.failed)}

    def lines(self) -> list[Line]:
        """Return a line about each run, in the order they were stored; this is fast."""
        names = ", ".join(KEY)
        with self._guarded():
            rows = self._connection.execute(
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
        with self._guarded():
            found = self._connection.execute(f"SELECT id FROM runs WHERE {' AND '.join(clauses)} ORDER BY id", given)
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
        self._require_writing()
        changed = 0
        with self._guarded(), self._transaction():
            for (algorithm, parameters), label in labels.items():
                changed += self._connection.execute(
                    "UPDATE runs SET label = ?1 WHERE algorithm = ?2 AND parameters = ?3 AND label <> ?1",
                    (label, algorithm, parameters),
                ).rowcount
        return changed

    def merge(self, other: str | PathLike[str]) -> Merged:
        """Take over the runs of another store, all or none; algorithms that are here keep their labels."""
        self._require_writing()
        labels = {meaning: label for label, meanings in self.labels().items() for meaning in meanings}
        Store(other).close()  # checks it
        same = " AND ".join(f"mine.{name} = theirs.{name}" for name in KEY)
        pairs = f"FROM runs AS mine JOIN other.runs AS theirs ON {same}"
        both = "mine.traceback IS NULL AND theirs.traceback IS NULL"
        with self._guarded():
            self._connection.execute("ATTACH ? AS other", (f"{_address(Path(other))}?mode=ro",))
            try:
                with self._transaction():
                    ask = self._connection.execute
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
                self._connection.execute("DETACH other")
        self.relabel(labels)
        replaced = written - added
        return Merged(added, replaced, common - replaced, differing)

    def labels(self) -> dict[str, set[tuple[str, str]]]:
        """Return what each label stands for: algorithm and parameters, once unless plans disagreed."""
        found: dict[str, set[tuple[str, str]]] = {}
        with self._guarded():
            rows = self._connection.execute("SELECT DISTINCT label, algorithm, parameters FROM runs").fetchall()
        for label, algorithm, parameters in rows:
            found.setdefault(label, set()).add((algorithm, parameters))
        return found

    def writer(self) -> str | None:
        """Say who writes to the store now; None if nobody does."""
        return self._lock.holder()

    def _take_lock(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            taken = self._lock.acquire()
        except OSError as error:
            raise StoreError(f"a store must be in a folder that can be written to, got {error}") from error
        if not taken:
            raise StoreLocked(
                f"a store is written by one process at a time, got {str(self.path)!r}, which {self._lock.holder()} "
                "writes to; wait for it, stop it, or take another store and merge the two later"
            )

    def _connect(self) -> sqlite3.Connection:
        # Not "ro" for readers: after a crash the first one to open the file must be able to roll back the journal.
        mode = "rwc" if self.writing else "rw"
        connection = sqlite3.connect(f"{_address(self.path)}?mode={mode}", uri=True, timeout=TIMEOUT)
        connection.isolation_level = None  # transactions are begun and ended by name
        return connection

    def _check(self) -> None:
        """Refuse files that are not ours, and prepare new ones."""
        with self._guarded():
            ask = self._connection.execute
            application = ask("PRAGMA application_id").fetchone()[0]
            version = ask("PRAGMA user_version").fetchone()[0]
            tables = ask("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if application == 0 and tables == 0 and self.writing:
                self._create()
                return
            if application != APPLICATION:
                raise StoreError(
                    f"a store must be a file that `ter experiment run` made, got {str(self.path)!r}, "
                    "another SQLite database; name another file"
                )
            if version != VERSION:
                raise StoreError(
                    f"the store {str(self.path)!r} has format {version}, this version of ter reads {VERSION}; "
                    "use the version of ter that made it"
                )
            ask("PRAGMA synchronous = EXTRA")
            if not self.writing:
                ask("PRAGMA query_only = ON")

    def _create(self) -> None:
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        ask = self._connection.execute
        ask("PRAGMA synchronous = EXTRA")
        with self._transaction():
            ask(f"CREATE TABLE runs (id INTEGER PRIMARY KEY, {columns}, UNIQUE ({', '.join(KEY)}))")
            ask(f"PRAGMA application_id = {APPLICATION}")
            ask(f"PRAGMA user_version = {VERSION}")

    def _read(self, ids: list[int]) -> list[Record]:
        places = ", ".join("?" * len(ids))
        with self._guarded():
            rows = self._connection.execute(f"SELECT {NAMES} FROM runs WHERE id IN ({places}) ORDER BY id", ids)
            return [record_of(row) for row in rows.fetchall()]

    def _require_writing(self) -> None:
        if not self.writing:
            raise StoreError(f"the store {str(self.path)!r} is open for reading; open it as Store(path, write=True)")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn the database's errors into ours."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(_explained(str(self.path), error)) from error


def _address(path: Path) -> str:
    return path.resolve().as_uri()


def _explained(path: str, error: Exception) -> str:
    text = str(error)
    if "not a database" in text:
        return f"a store must be a file that `ter experiment run` made, got {path!r}, which is something else"
    if "malformed" in text or "corrupt" in text:
        return f"the store {path!r} is damaged ({text}); take a copy of it from before"
    if "locked" in text:
        return f"the store {path!r} is in use by another program ({text}); close that and start again"
    return f"the store {path!r} could not be read or written: {text}; what was stored before is not lost"
