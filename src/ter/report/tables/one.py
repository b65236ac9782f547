"""One problem: every algorithm on it."""

from __future__ import annotations

import math

from ter.report.board import Board, Column
from ter.report.case import Case
from ter.report.estimate import Estimate
from ter.report.table import Cell, Row, Table, error_text, p_text
from ter.report.tables.errors import footnotes, shown

__all__ = ["case_table"]


def case_table(board: Board, case: Case) -> Table:
    """Return mean, median, best and worst of every algorithm on a problem, and tests against the reference."""
    estimates = {column: board.estimate(case, column) for column in board.columns}
    finite = [found.mean for found in estimates.values() if found.comparable and math.isfinite(found.mean)]
    best = min(finite) if len(finite) > 1 else None
    rows = [_row(board, case, column, found, best) for column, found in estimates.items()]
    header = ("algorithm", "mean ± std", "median", "best", "worst", "runs", f"{board.study.reference} is")
    return Table("one", case.name, header, tuple(rows), tuple(footnotes(board, (case,))))


def _row(board: Board, case: Case, column: Column, found: Estimate, best: float | None) -> Row:
    mean = shown(found, error_text(found.mean), found.mean)
    spread = None if mean.value is None else found.std
    numbers = [Cell("" if math.isnan(v) else error_text(v), v) for v in (found.median, found.best, found.worst)]
    if found.standing in ("none", "other function"):
        numbers = [Cell()] * 3
    return Row(
        column.title,
        (
            Cell(mean.text, mean.value, spread, mark=mean.mark, best=found.comparable and found.mean == best),
            *numbers,
            Cell("" if found.runs is None else str(found.runs), found.runs),
            Cell(_verdict(board, case, column)),
        ),
    )


def _verdict(board: Board, case: Case, column: Column) -> str:
    """Say how the reference compares, in words."""
    outcome = None if column.name == board.study.reference else board.outcome(case, column)
    if outcome is None:
        return ""
    word = {"<": "better", "≈": "not different", ">": "worse"}[outcome.sign]
    return f"{word}, p = {p_text(outcome.p)}"
