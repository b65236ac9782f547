"""The file of a search: opening, locking, transactions.

It is a SQLite file of its own, not a table in the store of an experiment: its runs belong to hundreds of sequences,
which tables and reports of an experiment would take for as many algorithms, and they need neither curves nor actions.
As there, a rollback journal is flushed to the disk with every transaction; one process writes, others may read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from ter.experiment.lock import FileLock
from ter.experiment.store import StoreError, StoreLocked

__all__ = ["SearchFile"]

APPLICATION = 0x74657262  # "terb", written into the file's header
VERSION = 1
TIMEOUT = 60.0  # seconds to wait for somebody who reads or writes
DURABILITY = "EXTRA"  # not even a loss of power undoes a transaction
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


class SearchFile:
    """A SQLite file with the tables of searches.

    Parameters
    ----------
    path : path
        The file.
    write : bool
        Open it for writing, alone, and make it if it is not there.
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

    def __enter__(self) -> Self:
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
            ask(f"PRAGMA synchronous = {DURABILITY}")
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
            if not self.writing:
                ask("PRAGMA query_only = ON")

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
