"""A SQLite file of ours: opened, locked, checked, written in transactions that survive anything.

Every transaction is flushed to the disk with a rollback journal: whatever is killed, it is there or it is not. There is
no write-ahead log, since it does not work on network file systems. One process writes; others may read meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from ter.core.errors import TerError
from ter.experiment.lock import FileLock, ForeignLock

__all__ = ["Database", "Form", "StoreError", "StoreLocked", "uri_of"]

DURABILITY = "EXTRA"  # not even a loss of power undoes a transaction
TIMEOUT = 60.0  # seconds to wait for somebody who reads or writes


class StoreError(TerError):
    """A file that is not ours, or that cannot be read or written."""


class StoreLocked(StoreError):
    """Another process is writing to the file."""


@dataclass(frozen=True)
class Form:
    """What makes a file one of its kind.

    Attributes
    ----------
    noun : str
        What messages call it, such as "a store".
    command : str
        What makes such files.
    application : int
        A number in the file's header.
    version : int
        Of the format.
    tables : tuple of str
        The statements that make the tables.
    """

    noun: str
    command: str
    application: int
    version: int
    tables: tuple[str, ...]


class Database:
    """A file of one form; a class of its own for each form.

    Parameters
    ----------
    path : path
        The file.
    write : bool
        Open it for writing, alone, and make it if it is not there.
    """

    form: ClassVar[Form]

    def __init__(self, path: str | PathLike[str], *, write: bool = False) -> None:
        self.path = Path(path)
        self.writing = write
        self._connection: sqlite3.Connection | None = None
        self._lock = FileLock(self.path)
        if write:
            self._take_lock()
        elif not self.path.is_file():
            raise StoreError(f"{self.form.noun} must be there to be read, got {str(self.path)!r}")
        try:
            with self.guarded():
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

    @property
    def connection(self) -> sqlite3.Connection:
        """The open file."""
        if self._connection is None:
            raise StoreError(f"{self.form.noun} must be open, got {str(self.path)!r}, which was closed")
        return self._connection

    def close(self) -> None:
        """Close the file and let others write."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._lock.release()

    def writer(self) -> str | None:
        """Say who writes to the file now; None if nobody does."""
        return self._lock.holder()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all or nothing."""
        if not self.writing:
            name = type(self).__name__
            raise StoreError(f"the file {str(self.path)!r} is open for reading; open it as {name}(path, write=True)")
        with self.guarded():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn the database's errors into ours."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(self._explained(str(error))) from error

    def _take_lock(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            taken = self._lock.acquire()
        except ForeignLock as error:
            raise StoreError(str(error)) from error
        except OSError as error:
            raise StoreError(f"{self.form.noun} must be in a folder that can be written to, got {error}") from error
        if not taken:
            raise StoreLocked(
                f"{self.form.noun} is written by one process at a time, got {str(self.path)!r}, which "
                f"{self._lock.holder()} writes to; wait for it, stop it, or name another file"
            )

    def _connect(self) -> sqlite3.Connection:
        # Not "ro" for readers: after a crash the first one to open the file must be able to roll back the journal.
        mode = "rwc" if self.writing else "rw"
        connection = sqlite3.connect(f"{uri_of(self.path)}?mode={mode}", uri=True, timeout=TIMEOUT)
        connection.isolation_level = None  # transactions are begun and ended by name
        return connection

    def _check(self) -> None:
        """Refuse files of another form, and prepare new ones."""
        with self.guarded():
            ask = self.connection.execute
            application = ask("PRAGMA application_id").fetchone()[0]
            version = ask("PRAGMA user_version").fetchone()[0]
            tables = ask("SELECT count(*) FROM sqlite_master").fetchone()[0]
            ask(f"PRAGMA synchronous = {DURABILITY}")
            ask("PRAGMA foreign_keys = ON")
            if application == 0 and tables == 0 and self.writing:
                self._create()
                return
            if application != self.form.application:
                raise StoreError(f"{self._rule()}, another SQLite database; name another file")
            if version != self.form.version:
                raise StoreError(
                    f"the file {str(self.path)!r} has format {version}, this version of ter reads "
                    f"{self.form.version}; use the version of ter that made it"
                )
            if not self.writing:
                ask("PRAGMA query_only = ON")

    def _create(self) -> None:
        with self.transaction():
            for table in self.form.tables:
                self.connection.execute(table)
            self.connection.execute(f"PRAGMA application_id = {self.form.application}")
            self.connection.execute(f"PRAGMA user_version = {self.form.version}")

    def _rule(self) -> str:
        return f"{self.form.noun} must be a file that `{self.form.command}` made, got {str(self.path)!r}"

    def _explained(self, text: str) -> str:
        path = str(self.path)
        if "not a database" in text:
            return f"{self._rule()}, which is something else"
        if "malformed" in text or "corrupt" in text:
            return f"the file {path!r} is damaged ({text}); take a copy of it from before"
        if "locked" in text:
            return f"the file {path!r} is in use by another program ({text}); close that and start again"
        return f"the file {path!r} could not be read or written: {text}; what was stored before is not lost"


def uri_of(path: Path) -> str:
    """Return a file's address, as SQLite reads it."""
    return path.resolve().as_uri()
