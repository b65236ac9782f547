"""A SQLite file of ours: opened, locked, checked, read row by row, written in transactions that survive anything.

Every transaction is flushed to the disk with a rollback journal: whatever is killed, it is there or it is not. There is
no write-ahead log, since it does not work on network file systems. One process writes; others may read meanwhile.

What is damaged is found when a file is opened: it is told, and the rest is read. A damaged file is not written to.
"""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, NamedTuple, Self

from ter.core.errors import DamageWarning, TerError
from ter.core.lock import FileLock, ForeignLock
from ter.experiment.seals import TABLES, UNREAD, DamagedRow, Seals
from ter.experiment.sheets import Sheet, differences

__all__ = ["Condition", "Database", "Form", "StoreError", "StoreLocked"]

DURABILITY = "EXTRA"  # not even a loss of power undoes a transaction
TIMEOUT = 60.0  # seconds to wait for somebody who reads or writes
UNSEALED, VERSION = 1, 2  # the formats; the first one has no seals
CHUNK = 50  # rows read at once
SHOWN = 10  # damaged rows named at most


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
    sheets : tuple of Sheet
        The tables.
    rescue : str
        How to go on with what is whole of a damaged file, whose path is put in for the braces.
    """

    noun: str
    command: str
    application: int
    sheets: tuple[Sheet, ...]
    rescue: str


class Condition(NamedTuple):
    """In what condition a file is.

    Attributes
    ----------
    whole : int
        Rows that are as they were written.
    damaged : list of DamagedRow
        Those that are not, or what else is wrong.
    """

    whole: int
    damaged: list[DamagedRow]


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
        self._told: set[str] = set()
        self._lock = FileLock(self.path)
        if write:
            self._take_lock()
        elif not self.path.is_file():
            raise StoreError(f"{self.form.noun} must be there to be read, got {str(self.path)!r}")
        try:
            with self.guarded():
                self._connection = self._connect()
                self._seals = self._open()
            self._require_whole()
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

    @property
    def sealed(self) -> bool:
        """Whether rows have checksums; those of format 1 have none."""
        return self._seals.sealed

    def writer(self) -> str | None:
        """Say who writes to the file now; None if nobody does."""
        return self._lock.holder()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all or nothing."""
        if not self.writing:
            name = type(self).__name__
            raise StoreError(f"the file {str(self.path)!r} is open for reading; open it as {name}(path, write=True)")
        if self.connection.in_transaction:
            yield  # a part of that one
            return
        with self.guarded():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            finally:
                self._roll_back()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn the database's errors into ours."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
            raise StoreError(self._explained(str(error))) from error

    def rows(self, sheet: Sheet, numbers: Sequence[int] | None = None) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield rows that are whole, with their numbers, in order: all, or those with these numbers; warn of others.

        No lock is held while the caller is at work.
        """
        if numbers is None:
            with self._reading():
                numbers = self._seals.numbers(sheet)
        for first in range(0, len(numbers), CHUNK):
            with self._reading():
                found = [(number, self._row(sheet, number)) for number in numbers[first : first + CHUNK]]
            yield from ((number, values) for number, values in found if values is not None)

    def seal(self, sheet: Sheet, number: int) -> None:
        """Seal a row that was written, in the same transaction."""
        self._seals.seal(sheet, number)

    def warn(self, damaged: Iterable[DamagedRow]) -> None:
        """Warn of damaged rows, once of each."""
        new = [each for each in damaged if each.name not in self._told]
        if new:
            self._told.update(each.name for each in new)
            warnings.warn(DamageWarning(self._of_damage(new)), stacklevel=3)

    def check(self, *, closely: bool = True) -> Condition:
        """Read everything, and return what is whole and what is damaged.

        Parameters
        ----------
        closely : bool
            Unpack what is in the rows, and have SQLite check what it keeps beside them; checksums alone are faster.
        """
        whole, damaged = 0, []
        with self._reading():
            for sheet in self.form.sheets:
                numbers = self._seals.numbers(sheet)
                for number in numbers:
                    try:
                        values = self._seals.read(sheet, number)
                        if closely:
                            self.require_readable(sheet, values)
                    except DamagedRow as error:
                        damaged.append(error)
                    else:
                        whole += 1
                try:
                    self._seals.require_all(sheet)
                except DamagedRow as error:
                    damaged.append(error)
            return Condition(whole, [*damaged, *(self._of_file() if closely else [])])

    def require_readable(self, sheet: Sheet, values: Sequence[Any]) -> None:
        """Raise `DamagedRow` if values say nothing that could have been written."""

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """See one state of the file, also inside of another transaction."""
        if self.connection.in_transaction:
            yield
            return
        with self.guarded():
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self._roll_back()

    def _roll_back(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def _row(self, sheet: Sheet, number: int) -> tuple[Any, ...] | None:
        try:
            return self._seals.read(sheet, number)
        except DamagedRow as damaged:
            self.warn([damaged])
            return None

    def _of_file(self) -> list[DamagedRow]:
        try:
            told = [str(text) for (text,) in self.connection.execute(f"PRAGMA integrity_check({SHOWN})").fetchall()]
        except UNREAD as error:
            told = [str(error)]
        return [] if told == ["ok"] else [DamagedRow("the file", "; ".join(" ".join(text.split()) for text in told))]

    def _of_damage(self, damaged: Sequence[DamagedRow]) -> str:
        shown = "; ".join(map(str, damaged[:SHOWN])) + ("; ..." if len(damaged) > SHOWN else "")
        return f"the file {str(self.path)!r} is damaged, and this is left out: {shown}. {self.rescue}"

    @property
    def rescue(self) -> str:
        """How to go on with what is whole, if something is damaged."""
        return self.form.rescue.format(self.path)

    def _require_whole(self) -> None:
        """Warn of damage, or refuse to write to a file that has any."""
        damaged = self.check(closely=self.writing).damaged
        if not self.writing:
            self.warn(damaged)
        elif damaged:
            named = self._of_damage(damaged)
            raise StoreError(f"{self.form.noun} must be whole to be written to; {named}")

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
        connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode={mode}", uri=True, timeout=TIMEOUT)
        connection.isolation_level = None  # transactions are begun and ended by name
        return connection

    def _open(self) -> Seals:
        """Refuse files of another form, prepare new ones, and bring older ones up to date if they are to be written."""
        ask = self.connection.execute
        ask("PRAGMA trusted_schema = OFF")
        ask("PRAGMA cell_size_check = ON")
        ask(f"PRAGMA synchronous = {DURABILITY}")
        ask("PRAGMA foreign_keys = ON")
        with self._reading():
            application = ask("PRAGMA application_id").fetchone()[0]
            version = ask("PRAGMA user_version").fetchone()[0]
            strange = differences(self.connection, self._statements(version))
            empty = application == 0 and not ask("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if empty and self.writing:
            self._create()
            return Seals(self.connection, sealed=True)
        if application != self.form.application:
            raise StoreError(f"{self._rule()}, another SQLite database; name another file")
        if version not in (UNSEALED, VERSION):
            raise StoreError(
                f"the file {str(self.path)!r} has format {version}, this version of ter reads {UNSEALED} and "
                f"{VERSION}; use the version of ter that made it"
            )
        if strange:
            raise StoreError(f"{self._rule()}, which has {', '.join(strange[:SHOWN])}; do not trust it")
        if not self.writing:
            ask("PRAGMA query_only = ON")
        seals = Seals(self.connection, sealed=version != UNSEALED)
        return self._updated(seals) if self.writing and version == UNSEALED else seals

    def _statements(self, version: int) -> list[str]:
        return [*(sheet.sql for sheet in self.form.sheets), *(TABLES if version == VERSION else ())]

    def _create(self) -> None:
        with self.transaction():
            for statement in self._statements(VERSION):
                self.connection.execute(statement)
            self.connection.execute(f"PRAGMA application_id = {self.form.application}")
            self.connection.execute(f"PRAGMA user_version = {VERSION}")

    def _updated(self, seals: Seals) -> Seals:
        """Seal the rows of a file of format 1, if all of them are whole."""
        self._seals = seals
        self._require_whole()
        with self.transaction():
            seals.seal_all(self.form.sheets)
            self.connection.execute(f"PRAGMA user_version = {VERSION}")
        return seals

    def _rule(self) -> str:
        return f"{self.form.noun} must be a file that `{self.form.command}` made, got {str(self.path)!r}"

    def _explained(self, text: str) -> str:
        path = str(self.path)
        if "not a database" in text:
            return f"{self._rule()}, which is something else"
        if any(word in text for word in ("malformed", "corrupt", "decode", "no such column")):
            return f"the file {path!r} is damaged ({text}); take a copy of it from before"
        if "locked" in text:
            return f"the file {path!r} is in use by another program ({text}); close that and start again"
        return f"the file {path!r} could not be read or written: {text}; what was stored before is not lost"
