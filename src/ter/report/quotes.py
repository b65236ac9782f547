"""Published means as points beside the curves of a problem."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ter.report.board import Board
from ter.report.case import Case

__all__ = ["Quote", "quotes_on"]


@dataclass(frozen=True)
class Quote:
    """A published mean error after some evaluations."""

    name: str
    title: str
    evaluations: int
    mean: float


def quotes_on(board: Board, case: Case) -> list[Quote]:
    """Return what was published on a problem for numbers of evaluations that the runs of the study reach."""
    runs = [record for label in board.study.labels for record in board.study.group(case, label).finished]
    last = max((record.nfev for record in runs), default=0)
    quotes = []
    for column in board.columns:
        if column.source is None:
            continue
        counts = sorted({result.evaluations for result in column.source.results if result.evaluations <= last})
        for count in counts:
            found = column.source.find(case.problem, evaluations=count, dimension=case.dimension)
            if found is not None and math.isfinite(found.mean):
                quotes.append(Quote(column.name, column.title, count, found.mean))
    return quotes
