"""Errors on the way, and the points of the competition at its milestones."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ter.analysis import formula1
from ter.analysis.samples import Matrix
from ter.display.texts import count_text
from ter.report.board import Board, Column
from ter.report.case import Case
from ter.report.study import Study, common
from ter.report.table import Cell, Row, Table, colored, error_text

__all__ = ["milestone_table", "milestones_of", "points_table"]


def milestones_of(study: Study, case: Case) -> tuple[int, ...]:
    """Return the counts of evaluations at which all finished runs on a problem have noted their best value."""
    noted = [set(record.milestones) for label in study.labels for record in study.group(case, label).finished]
    return tuple(sorted(set.intersection(*noted))) if noted else ()


def milestone_table(board: Board) -> Table | None:
    """Return the mean errors at the milestones; None if there is only one."""
    times = {case: milestones_of(board.study, case) for case in board.study.cases}
    columns = [
        column
        for column in board.columns
        if any(not math.isnan(_mean(board, case, column, m)) for case, found in times.items() for m in found)
    ]
    rows = []
    for case, found in times.items():
        for milestone in found:
            means = [_mean(board, case, column, milestone) for column in columns]
            cells = [Cell(error_text(mean) if not math.isnan(mean) else "", _number(mean)) for mean in means]
            rows.append(Row(f"{case.name} after {count_text(milestone)}", colored(cells, means)))
    if len(rows) <= len(board.study.cases):
        return None
    header = (board.study.suite or "problem", *(column.title for column in columns))
    return Table("milestones", "Mean error at the milestones", header, tuple(rows))


def points_table(board: Board) -> Table | None:
    """Return the points of the competition; None unless all problems have milestones in common and two are there."""
    shared = set.intersection(*(set(milestones_of(board.study, case)) for case in board.study.cases))
    tables = {milestone: _means(board, milestone) for milestone in sorted(shared)}
    if not tables:
        return None
    there = np.logical_and.reduce([~np.isnan(table) for table in tables.values()])
    rows, places = common(there.tolist())
    if not rows or len(places) < 2:
        return None
    columns = [board.columns[j] for j in places]
    score = formula1({m: table[np.ix_(rows, places)] for m, table in tables.items()}, [c.name for c in columns])
    return Table(
        "points",
        f"Points of the competition on {len(rows)} problems",
        ("algorithm", *(f"after {count_text(milestone)}" for milestone in tables), "together"),
        _ranked(columns, [*(score.totals(milestone) for milestone in tables), score.totals()]),
        (
            "25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 points for the ten smallest mean errors on each problem at each "
            "milestone. Points depend on who takes part.",
        ),
    )


def _ranked(columns: Sequence[Column], totals: Sequence[dict[str, int]]) -> tuple[Row, ...]:
    order = sorted(columns, key=lambda column: -totals[-1][column.name])
    rows = []
    for column in order:
        points = [total[column.name] for total in totals]
        most = [max(total.values()) for total in totals]
        cells = [Cell(str(own), own, best=own == top) for own, top in zip(points, most, strict=True)]
        rows.append(Row(column.title, tuple(cells)))
    return tuple(rows)


def _means(board: Board, milestone: int) -> Matrix:
    return np.array([[_mean(board, case, column, milestone) for column in board.columns] for case in board.study.cases])


def _mean(board: Board, case: Case, column: Column, milestone: int) -> float:
    """The mean error after so many evaluations, +inf if a run failed; NaN if there is nothing to compare."""
    if column.source is not None:
        found = column.source.find(case.problem, evaluations=milestone, dimension=case.dimension)
        return math.nan if found is None else found.mean
    group = board.study.group(case, column.name)
    if group.failed:
        return math.inf
    values = [record.best_after(milestone) - (record.f_opt or 0.0) for record in group.finished]
    return float(np.mean(values)) if values else math.nan


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
