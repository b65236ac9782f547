"""The tables in the file of a search."""

from __future__ import annotations

from ter.experiment.database import Form

__all__ = ["FORM"]

APPLICATION = 0x74657262  # "terb", written into the file's header
VERSION = 1
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
FORM = Form("a file of best known sequences", "ter best", APPLICATION, VERSION, TABLES)
