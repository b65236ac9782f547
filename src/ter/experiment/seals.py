"""Seals: a checksum and a name for each row of a file of ours, and how many rows there are.

They are written in the transaction that writes the row. So a row that is damaged is known and can be named, and so can
one that is lost; the others are read. A seal tells damage from what was written, not friend from foe: whoever can write
the file can write seals too.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import struct
from collections.abc import Iterable, Sequence
from typing import Any

from ter.core.errors import TerError
from ter.display.texts import plain_text
from ter.experiment.sheets import Sheet

__all__ = ["TABLES", "UNREAD", "DamagedRow", "Seals"]

TABLES = (
    """CREATE TABLE seals (sheet TEXT NOT NULL, row INTEGER NOT NULL, name TEXT NOT NULL, checksum BLOB NOT NULL,
        PRIMARY KEY (sheet, row)) WITHOUT ROWID""",
    "CREATE TABLE counts (sheet TEXT NOT NULL PRIMARY KEY, rows INTEGER NOT NULL)",
)
SIZE = 16  # bytes of a checksum
# What comes of reading damaged pages; SQLite's message may quote bytes that are no text, and then it is none itself.
UNREAD = (sqlite3.DatabaseError, UnicodeDecodeError)


class DamagedRow(TerError):
    """A row that cannot be read as it was written.

    Parameters
    ----------
    name : str
        What messages call it.
    reason : str
        What is wrong with it.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def __str__(self) -> str:
        return plain_text(f"{self.name}: {self.reason}")


class Seals:
    """Rows of a file, read with their seals.

    Parameters
    ----------
    connection : sqlite3.Connection
        The open file.
    sealed : bool
        Whether it has seals; files of format 1 have none, and the rows are read as they are.
    """

    def __init__(self, connection: sqlite3.Connection, *, sealed: bool) -> None:
        self._ask = connection.execute
        self.sealed = sealed

    def seal(self, sheet: Sheet, number: int) -> None:
        """Seal a row that was written just now, in the same transaction."""
        values = self._values(sheet, number)
        if values is None:
            raise DamagedRow(f"row {number} of {sheet.name}", "is not there after it was written")
        name = sheet.title_of(values)
        where = (sheet.name, number)
        if self._ask("SELECT 1 FROM seals WHERE sheet = ? AND row = ?", where).fetchone() is None:
            self._ask("INSERT INTO counts VALUES (?, 1) ON CONFLICT (sheet) DO UPDATE SET rows = rows + 1", where[:1])
        self._ask("INSERT OR REPLACE INTO seals VALUES (?, ?, ?, ?)", (*where, name, _checksum(where, name, values)))

    def seal_all(self, sheets: Iterable[Sheet]) -> None:
        """Seal every row of a file that had no seals."""
        for table in TABLES:
            self._ask(table)
        for sheet in sheets:
            for (number,) in self._ask(f"SELECT rowid FROM {sheet.name} ORDER BY rowid").fetchall():
                self.seal(sheet, number)
        self.sealed = True

    def numbers(self, sheet: Sheet) -> list[int]:
        """Return the numbers of all rows that are there or should be, as far as they can be found."""
        sources: list[tuple[str, tuple[str, ...]]] = [
            (f"SELECT rowid FROM {sheet.name} NOT INDEXED ORDER BY rowid", ())
        ]
        if self.sealed:
            sources.append(("SELECT row FROM seals WHERE sheet = ? ORDER BY row", (sheet.name,)))
        return sorted({number for statement, given in sources for number in self._ascending(statement, given)})

    def read(self, sheet: Sheet, number: int) -> tuple[Any, ...]:
        """Return the values of a row.

        Raises
        ------
        DamagedRow
            If they are not what was written.
        """
        name = f"row {number} of {sheet.name}"
        try:
            seal = self._seal(sheet, number)
            name = seal[0] if seal is not None and isinstance(seal[0], str) else name
            values = self._values(sheet, number)
        except UNREAD as error:
            raise _told(name, error) from error
        if values is None:
            raise DamagedRow(name, "it is lost")
        if not sheet.fits(values):
            raise DamagedRow(name, "it holds values of the wrong kind")
        if self.sealed and (seal is None or seal[1] != _checksum((sheet.name, number), name, values)):
            title = sheet.title_of(values)
            if seal is not None and title != name:  # one of the names is damaged
                name = f"row {number} of {sheet.name}, which is called {title} or {name}"
            raise DamagedRow(name, "its checksum is that of something else" if seal else "it has no checksum")
        return values

    def require_all(self, sheet: Sheet) -> None:
        """Raise unless there are as many seals as were written.

        Raises
        ------
        DamagedRow
            If some are lost; then the names of their rows are lost too.
        """
        if not self.sealed:
            return
        name, given = f"the seals of {sheet.name}", (sheet.name,)
        try:
            written = self._ask("SELECT rows FROM counts WHERE sheet = ?", given).fetchone() or (0,)
            found = self._ask("SELECT count(*) FROM seals WHERE sheet = ?", given).fetchone()
        except UNREAD as error:
            raise _told(name, error) from error
        if written != found:
            raise DamagedRow(name, f"{written[0]} were written, {found[0]} are there")

    def _seal(self, sheet: Sheet, number: int) -> tuple[Any, Any] | None:
        if not self.sealed:
            return None
        statement = "SELECT name, checksum FROM seals WHERE sheet = ? AND row = ?"
        found: tuple[Any, Any] | None = self._ask(statement, (sheet.name, number)).fetchone()
        return found

    def _values(self, sheet: Sheet, number: int) -> tuple[Any, ...] | None:
        names = ", ".join(sheet.columns)
        statement = f"SELECT {names} FROM {sheet.name} NOT INDEXED WHERE rowid = ?"
        values: tuple[Any, ...] | None = self._ask(statement, (number,)).fetchone()
        return values

    def _ascending(self, statement: str, given: Sequence[str]) -> list[int]:
        """Return numbers up to the first that is out of order; then from the other end, if the list broke off."""
        found: list[int] = []
        for order, sign in (("", 1), (" DESC", -1)):
            previous = -math.inf
            try:
                for (number,) in self._ask(f"{statement}{order}", given):
                    if not isinstance(number, int) or sign * number <= previous:
                        break  # such a list may never end
                    found.append(number)
                    previous = sign * number
                else:
                    return found
            except UNREAD:
                continue
        return found


def _told(name: str, error: Exception) -> DamagedRow:
    """Pass on that somebody else holds the file, which is no damage."""
    if isinstance(error, sqlite3.OperationalError) and any(word in str(error) for word in ("locked", "busy")):
        raise error
    return DamagedRow(name, f"it cannot be read ({error})")


def _checksum(where: tuple[str, int], name: str, values: Sequence[Any]) -> bytes:
    hashed = hashlib.blake2b(digest_size=SIZE)
    for value in (*where, name, *values):
        kind, content = _encoded(value)
        hashed.update(kind + struct.pack("<q", len(content)) + content)
    return hashed.digest()


def _encoded(value: Any) -> tuple[bytes, bytes]:
    """Return a value as SQLite returns it as bytes that no other value has."""
    if isinstance(value, str):
        return b"t", value.encode()
    if isinstance(value, bytes):
        return b"b", value
    if isinstance(value, int):
        return b"i", str(value).encode()
    return (b"n", b"") if value is None else (b"f", struct.pack("<d", value))
