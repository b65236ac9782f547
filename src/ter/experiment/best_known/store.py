"""The file of a search: every sequence that was planned, every run that ended.

It is a SQLite file of its own, not a table in the store of an experiment: its runs belong to hundreds of sequences,
which tables and reports of an experiment would take for as many algorithms, and they need neither curves nor actions.
A generation is committed as a whole before its first run, a run when it ends. So whatever is killed, the search goes on
as if nothing had happened.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from ter.core.errors import InvalidArgument
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.board import Board
from ter.experiment.best_known.proposals import Candidate, alone
from ter.experiment.best_known.search import Search, Task
from ter.experiment.best_known.space import Decisions
from ter.experiment.lock import FileLock
from ter.experiment.record import Record
from ter.experiment.store import StoreError, StoreLocked

__all__ = ["BestStore"]

APPLICATION = 0x74657262  # "terb", written into the file's header
VERSION = 1
TIMEOUT = 60.0  # seconds to wait for somebody who reads or writes
TASK = ", ".join(field.name for field in fields(Task))
TABLES = (
    """CREATE TABLE searches (
        id INTEGER PRIMARY KEY,
        problem TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        algorithm TEXT NOT NULL,
        parameters TEXT NOT NULL,
        budget TEXT NOT NULL,
        code TEXT NOT NULL,
        heuristics TEXT NOT NULL,
        settings TEXT NOT NULL,
        begun TEXT NOT NULL,
        UNIQUE (problem, dimension, algorithm, parameters, budget, code))""",
    """CREATE TABLE candidates (
        search INTEGER NOT NULL REFERENCES searches,
        number INTEGER NOT NULL,
        generation INTEGER NOT NULL,
        origin TEXT NOT NULL,
        sequence TEXT NOT NULL,
        PRIMARY KEY (search, number),
        UNIQUE (search, sequence))""",
    # The value is a text with all digits: SQLite does not keep the sign of zero.
    """CREATE TABLE runs (
        search INTEGER NOT NULL,
        number INTEGER NOT NULL,
        fresh INTEGER NOT NULL,
        run INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        fun TEXT NOT NULL,
        decisions INTEGER NOT NULL,
        wall REAL NOT NULL,
        ended TEXT NOT NULL,
        PRIMARY KEY (search, number, fresh, run),
        FOREIGN KEY (search, number) REFERENCES candidates)""",
)


class BestStore:
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
        If the file is something else, or was made by a newer version.
    StoreLocked
        If another process writes to it.

    Examples
    --------
    >>> import tempfile
    >>> with BestStore(tempfile.mkdtemp() + "/best.sqlite", write=True) as store:
    ...     store.known()
    []
    """

    def __init__(self, path: str | PathLike[str], *, write: bool = False) -> None:
        self.path = Path(path)
        self.writing = write
        self._lock = FileLock(self.path)
        if write:
            self._take_lock()
        elif not self.path.is_file():
            raise StoreError(f"a file of best known sequences must be there to be read, got {str(self.path)!r}")
        try:
            with self._guarded():
                self._connection = self._connect()
            self._check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> BestStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write."""
        if hasattr(self, "_connection"):
            self._connection.close()
        self._lock.release()

    def writer(self) -> str | None:
        """Say who writes to the file now; None if nobody does."""
        return self._lock.holder()

    def begin(self, search: Search) -> int:
        """Return the number of a search in this file; it is added if its task is new.

        Raises
        ------
        InvalidArgument
            If the task is there with other settings.
        """
        with self._guarded(), self._transaction():
            ask = self._connection.execute
            where = " AND ".join(f"{field.name} = ?" for field in fields(Task))
            found = ask(f"SELECT id, settings FROM searches WHERE {where}", astuple(search.task)).fetchone()
            if found is None:
                row = (*astuple(search.task), json.dumps(search.space.names), json.dumps(search.settings), _now())
                places = ", ".join("?" * len(row))
                names = f"{TASK}, heuristics, settings, begun"
                return int(ask(f"INSERT INTO searches ({names}) VALUES ({places})", row).lastrowid or 0)
            _require_same(search, json.loads(found[1]), self.path)
            return int(found[0])

    def plan(self, search: int, candidates: Iterable[Candidate]) -> None:
        """Keep the candidates of a generation, all or none."""
        rows = [(search, c.number, c.generation, c.origin, json.dumps(c.sequence)) for c in candidates]
        with self._guarded(), self._transaction():
            self._connection.executemany("INSERT INTO candidates VALUES (?, ?, ?, ?, ?)", rows)

    def add(self, search: int, number: int, record: Record, *, fresh: bool = False) -> None:
        """Keep a run of a candidate for good before returning."""
        seed, fun = record.key.seed, repr(record.fun)
        row = (search, number, fresh, record.run, seed, fun, len(record.actions), record.wall, _now())
        with self._guarded(), self._transaction():
            self._connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def board(self, search: int) -> Board:
        """Return where a search stands."""
        with self._guarded():
            ask = self._connection.execute
            settings = json.loads(ask("SELECT settings FROM searches WHERE id = ?", (search,)).fetchone()[0])
            planned = ask(
                "SELECT number, generation, origin, sequence FROM candidates WHERE search = ? ORDER BY number", (search,)
            ).fetchall()
            runs = ask("SELECT number, run, fun FROM runs WHERE search = ? AND NOT fresh", (search,)).fetchall()
        candidates = [Candidate(*facts, tuple(json.loads(sequence))) for *facts, sequence in planned]
        board = Board(settings["runs"], settings["statistic"], candidates)
        for number, run, fun in runs:
            board.note(number, run, float(fun))
        return board

    def seconds(self, search: int) -> float | None:
        """Return the mean time of a run; None if there is none."""
        with self._guarded():
            found = self._connection.execute("SELECT avg(wall) FROM runs WHERE search = ?", (search,)).fetchone()[0]
        return None if found is None else float(found)

    def fresh(self, search: int, number: int) -> dict[int, tuple[int, float]]:
        """Return seed and value of the runs of a candidate that had no part in the choice, by their number."""
        with self._guarded():
            found = self._connection.execute(
                "SELECT run, seed, fun FROM runs WHERE search = ? AND number = ? AND fresh ORDER BY run", (search, number)
            ).fetchall()
        return {run: (seed, float(fun)) for run, seed, fun in found}

    def earlier(self, search: Search) -> list[Decisions]:
        """Return the best sequences that other code has found for the same task, the newest code first."""
        task = search.task
        with self._guarded():
            found = self._connection.execute(
                "SELECT id FROM searches WHERE problem = ? AND dimension = ? AND algorithm = ? AND parameters = ? AND "
                "budget = ? AND code <> ? ORDER BY id DESC",
                astuple(task),
            ).fetchall()
        ranked = [self.board(other).ranked()[: search.keep] for (other,) in found]
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
        given = {name: value for name, value in asked.items() if value is not None}
        clauses = ["true", *(f"{name} = :{name}" for name in given)]
        with self._guarded():
            rows = self._connection.execute(
                f"SELECT id, heuristics, settings, {TASK} FROM searches WHERE {' AND '.join(clauses)} ORDER BY id", given
            ).fetchall()
        found: dict[tuple[Any, ...], BestKnown] = {}
        for search, heuristics, settings, *task in rows:
            best = self._best(search, Task(*task), tuple(json.loads(heuristics)), json.loads(settings))
            if best is not None:
                found[tuple(task[:-1])] = best
        return list(found.values())

    def _best(
        self, search: int, task: Task, heuristics: tuple[str, ...], settings: dict[str, Any]
    ) -> BestKnown | None:
        board = self.board(search)
        ranked = board.ranked()
        if not ranked:
            return None
        first = ranked[0]
        with self._guarded():
            seeds = self._connection.execute(
                "SELECT seed FROM runs WHERE search = ? AND number = ? AND NOT fresh ORDER BY run", (search, first.number)
            ).fetchall()
        fresh = self.fresh(search, first.number).values()
        values = {candidate.origin: board.value(candidate.number) for candidate in ranked}
        return BestKnown(
            problem=task.problem,
            dimension=task.dimension,
            budget=task.budget,
            algorithm=task.algorithm,
            parameters=task.parameters,
            heuristics=heuristics,
            sequence=first.sequence,
            value=board.value(first.number) or 0.0,
            statistic=settings["statistic"],
            seeds=tuple(seed for (seed,) in seeds),
            values=board.values(first.number),
            number=first.number,
            origin=first.origin,
            tried=len(ranked),
            seed=settings["seed"],
            code=task.code,
            alone={name: value for name in heuristics if (value := values.get(alone(name))) is not None},
            fresh_seeds=tuple(seed for seed, _ in fresh),
            fresh_values=tuple(fun for _, fun in fresh),
        )

    def _take_lock(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            taken = self._lock.acquire()
        except OSError as error:
            raise StoreError(f"best known sequences need a folder that can be written to, got {error}") from error
        if not taken:
            raise StoreLocked(
                f"a file of best known sequences is written by one process at a time, got {str(self.path)!r}, which "
                f"{self._lock.holder()} writes to; wait for it, stop it, or name another file"
            )

    def _connect(self) -> sqlite3.Connection:
        # Not "ro" for readers: after a crash the first one to open the file must be able to roll back the journal.
        mode = "rwc" if self.writing else "rw"
        address = f"file:{quote(str(self.path.resolve()))}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=TIMEOUT)
        connection.isolation_level = None  # transactions are begun and ended by name
        return connection

    def _check(self) -> None:
        """Refuse files that are not ours, and prepare new ones."""
        with self._guarded():
            ask = self._connection.execute
            ask("PRAGMA synchronous = EXTRA")
            ask("PRAGMA foreign_keys = ON")
            application = ask("PRAGMA application_id").fetchone()[0]
            version = ask("PRAGMA user_version").fetchone()[0]
            tables = ask("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if application == 0 and tables == 0 and self.writing:
                with self._transaction():
                    for table in TABLES:
                        ask(table)
                    ask(f"PRAGMA application_id = {APPLICATION}")
                    ask(f"PRAGMA user_version = {VERSION}")
                return
            if application != APPLICATION:
                raise StoreError(f"{_rule(self.path)}, another SQLite database; name another file")
            if version != VERSION:
                raise StoreError(
                    f"the file {str(self.path)!r} has format {version}, this version of ter reads {VERSION}; "
                    "use the version of ter that made it"
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if not self.writing:
            raise StoreError(f"the file {str(self.path)!r} is open for reading; open it as BestStore(path, write=True)")
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
            text = str(error)
            if "not a database" in text:
                raise StoreError(f"{_rule(self.path)}, which is something else") from error
            raise StoreError(
                f"the file {str(self.path)!r} could not be read or written: {text}; what was stored before is not lost"
            ) from error


def _rule(path: Path) -> str:
    return f"best known sequences must be in a file that `ter best` made, got {str(path)!r}"


def _require_same(search: Search, stored: dict[str, Any], path: Path) -> None:
    for name, value in search.settings.items():
        if stored[name] != value:
            raise InvalidArgument(
                f"a search must go on with the settings it was begun with, got {name} = {value!r} for "
                f"{search.task.problem}, begun with {stored[name]!r} in {str(path)!r}; name another file to begin anew"
            )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
