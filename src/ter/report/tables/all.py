"""All tables of a report, in the order in which they are shown."""

from __future__ import annotations

from ter.report.board import Board
from ter.report.table import Table
from ter.report.tables.best_known import best_known_table
from ter.report.tables.errors import error_table, median_table
from ter.report.tables.milestones import milestone_table, points_table
from ter.report.tables.ranks import rank_table
from ter.report.tables.runs import run_table
from ter.report.tables.shares import share_table
from ter.report.tables.similarity import dimension_tables, similarity_table
from ter.report.tables.times import time_table

__all__ = ["tables_of"]


def tables_of(board: Board) -> list[Table]:
    """Return the tables that the runs of a study allow."""
    found = [
        error_table(board),
        median_table(board),
        rank_table(board, board.own, "ranks"),
        rank_table(board, board.columns, "ranks-published") if board.sources else None,
        milestone_table(board),
        points_table(board),
        time_table(board),
        share_table(board.study),
        similarity_table(board.study),
        best_known_table(board),
        *dimension_tables(board.study),
        run_table(board.study),
    ]
    return [table for table in found if table is not None]
