"""Running times: evaluations until the reference's median result, and seconds."""

from __future__ import annotations

import math
from dataclasses import replace

from ter.report.board import Board
from ter.report.runtimes import running_time
from ter.report.table import NONE, Cell, Row, Table, colored, error_text

__all__ = ["time_table"]


def time_table(board: Board) -> Table | None:
    """Return the expected evaluations until the reference's median final error; None without a finite one."""
    study, rows = board.study, []
    for case in study.cases:
        target = board.estimate(case, board.own[0]).median
        if not math.isfinite(target):
            continue
        times = []
        for label in study.labels:
            group = study.group(case, label)
            times.append(running_time(group.finished, len(group.failed), target))
        # No colours: infinitely many evaluations are not a little worse than many.
        cells = [replace(cell, level=None) for cell in colored([_cell(time) for time in times], times)]
        rows.append(Row(f"{case.name}: {error_text(target)}", tuple(cells)))
    if not rows or len(study.labels) < 2:
        return None
    return Table(
        "running-times",
        f"Expected evaluations until the median final error of {study.reference}",
        (f"{study.suite or 'problem'}: target", *study.labels),
        tuple(rows),
        ("Evaluations of all runs until the target or their end, per run that reached it; ∞ if none did.",),
    )


def _cell(time: float) -> Cell:
    if math.isnan(time):
        return Cell(NONE, None, faint=True)
    return Cell(error_text(time), time)
