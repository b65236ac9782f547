"""All tables of a report, section by section: what is in this list is on the page and in the files, nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ter.report.board import Board
from ter.report.table import Table
from ter.report.tables.best_known import best_known_table
from ter.report.tables.errors import error_table, median_table
from ter.report.tables.milestones import milestone_table, points_table
from ter.report.tables.ranks import published_rank_table, rank_table
from ter.report.tables.runs import run_table
from ter.report.tables.shares import share_table
from ter.report.tables.similarity import dimension_tables, similarity_table
from ter.report.tables.times import time_table

__all__ = ["SECTIONS", "Section", "brief_tables", "sections_of", "tables_of"]

Maker = Callable[[Board], Table | list[Table] | None]


@dataclass(frozen=True)
class Section:
    """Tables that stand together.

    Attributes
    ----------
    name : str
        Its anchor on the page.
    link : str
        What the page's menu calls it.
    makers : tuple of callables
        Each makes a table of a board, or several, or None if the runs do not allow it.
    title : str
        Its heading; by default the title of the first table.
    brief : bool
        Whether its first table is shown in the terminal.
    """

    name: str
    link: str
    makers: tuple[Maker, ...]
    title: str = ""
    brief: bool = False


SECTIONS = (
    Section("results", "Results", (error_table, median_table), brief=True),
    Section("ranks", "Ranks", (rank_table, published_rank_table, points_table), brief=True),
    Section("speed", "Speed", (time_table, milestone_table), "Speed"),
    Section("decisions", "Decisions", (share_table, similarity_table, best_known_table, dimension_tables), "Decisions"),
    Section("runs", "Runs", (run_table,), brief=True),
)


def sections_of(board: Board) -> dict[Section, list[Table]]:
    """Return the tables that the runs of a study allow, section by section; a section may be empty."""
    return {section: [table for make in section.makers for table in _made(make, board)] for section in SECTIONS}


def tables_of(board: Board) -> list[Table]:
    """Return the tables that the runs of a study allow."""
    return [table for tables in sections_of(board).values() for table in tables]


def brief_tables(board: Board) -> list[Table]:
    """Return the few tables that say most."""
    return [table for section in SECTIONS if section.brief for table in _made(section.makers[0], board)]


def _made(make: Maker, board: Board) -> list[Table]:
    found = make(board)
    return found if isinstance(found, list) else [] if found is None else [found]
