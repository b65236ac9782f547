"""The tables of a file of ours: what may be in it, and nothing else.

A file may come from anywhere. Views, triggers, generated columns and virtual tables run or call things when the tables
they belong to are used, so a file that has any of them, or a table that is not ours, is not read at all.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

__all__ = ["Sheet", "differences"]

KINDS = {"TEXT": str, "INTEGER": int, "REAL": float, "BLOB": bytes}


@dataclass(frozen=True)
class Sheet:
    """A table.

    Attributes
    ----------
    name : str
        Of the table.
    columns : mapping from str to str
        Their declarations, by their names.
    rules : str
        What the table demands of several columns.
    title : str
        What messages call a row, with the names of columns in braces.

    Examples
    --------
    >>> sheet = Sheet("runs", {"number": "INTEGER NOT NULL", "fun": "REAL"}, "UNIQUE (number)", "run {number}")
    >>> sheet.sql
    'CREATE TABLE runs (number INTEGER NOT NULL, fun REAL, UNIQUE (number))'
    >>> sheet.title_of((7, 1.5)), sheet.fits((7, None)), sheet.fits(("7", 1.5))
    ('run 7', True, False)
    """

    name: str
    columns: Mapping[str, str]
    rules: str
    title: str

    @property
    def sql(self) -> str:
        """The statement that makes it."""
        columns = [f"{name} {declared}" for name, declared in self.columns.items()]
        return f"CREATE TABLE {self.name} ({', '.join([*columns, self.rules])})"

    def title_of(self, values: Sequence[Any]) -> str:
        """Return what messages call a row."""
        return self.title.format(**dict(zip(self.columns, values, strict=True)))

    def fits(self, values: Sequence[Any]) -> bool:
        """Tell whether values are of the kinds that their columns declare; SQLite itself takes anything."""
        return all(
            isinstance(value, KINDS[declared.split()[0]]) or (value is None and "NOT NULL" not in declared)
            for value, declared in zip(values, self.columns.values(), strict=True)
        )


def differences(connection: sqlite3.Connection, statements: Iterable[str]) -> list[str]:
    """Return what a database has that statements do not make, and the other way round.

    Examples
    --------
    >>> with closing(sqlite3.connect(":memory:")) as file:
    ...     _ = file.execute("CREATE VIEW spy AS SELECT 1")
    ...     differences(file, ["CREATE TABLE runs (x)"])
    ['no table runs', 'a view spy']
    """
    with closing(sqlite3.connect(":memory:")) as model:
        for statement in statements:
            model.execute(statement)
        wanted = _parts_of(model)
    found = _parts_of(connection)
    missing = [f"no {kind} {name}" for (kind, name), text in wanted.items() if found.get((kind, name)) != text]
    return missing + [f"a {kind} {name}" for kind, name in found if (kind, name) not in wanted]


def _parts_of(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {(str(kind), str(name)): _squeezed(str(sql)) for kind, name, sql in rows}


def _squeezed(sql: str) -> str:
    return re.sub(r"\s*([(),])\s*", r"\1", re.sub(r"\s+", " ", sql)).strip()
