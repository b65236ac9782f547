"""The tables in the file of a search."""

from __future__ import annotations

from ter.experiment.database import Form
from ter.experiment.sheets import Sheet

__all__ = ["CANDIDATES", "FORM", "RUNS", "SEARCHES"]

APPLICATION = 0x74657262  # "terb", written into the file's header
SEARCHES = Sheet(
    "searches",
    {
        "id": "INTEGER PRIMARY KEY",
        "problem": "TEXT NOT NULL",
        "dimension": "INTEGER NOT NULL",
        "algorithm": "TEXT NOT NULL",
        "parameters": "TEXT NOT NULL",
        "budget": "TEXT NOT NULL",
        "code": "TEXT NOT NULL",
        "heuristics": "TEXT NOT NULL",
        "settings": "TEXT NOT NULL",
        "begun": "TEXT NOT NULL",
    },
    "UNIQUE (problem, dimension, algorithm, parameters, budget, code)",
    "search {id} ({problem}, D={dimension}, {algorithm}, {budget})",
)
CANDIDATES = Sheet(
    "candidates",
    {
        "search": "INTEGER NOT NULL REFERENCES searches",
        "number": "INTEGER NOT NULL",
        "generation": "INTEGER NOT NULL",
        "origin": "TEXT NOT NULL",
        "sequence": "TEXT NOT NULL",
    },
    "PRIMARY KEY (search, number), UNIQUE (search, sequence)",
    "no. {number} of search {search}",
)
RUNS = Sheet(
    "runs",
    {
        "search": "INTEGER NOT NULL",
        "number": "INTEGER NOT NULL",
        "fresh": "INTEGER NOT NULL",
        "run": "INTEGER NOT NULL",
        "seed": "INTEGER NOT NULL",
        "fun": "TEXT NOT NULL",  # with all digits: SQLite does not keep the sign of zero
        "decisions": "INTEGER NOT NULL",
        "wall": "REAL NOT NULL",
        "ended": "TEXT NOT NULL",
    },
    "PRIMARY KEY (search, number, fresh, run), FOREIGN KEY (search, number) REFERENCES candidates",
    "run {run} (fresh: {fresh}) of no. {number} of search {search}",
)
RESCUE = "`ter best show {0}` shows what is whole; to go on, take a copy of the file from before, or begin a new one"
FORM = Form("a file of best known sequences", "ter best", APPLICATION, (SEARCHES, CANDIDATES, RUNS), RESCUE)
