"""How alike the decisions of runs are to the best known sequence of a problem, as in the paper's table of baselines."""

from __future__ import annotations

import math
from statistics import fmean

from ter.analysis import mean_similarity, summary
from ter.report.best import BestSequence
from ter.report.board import Board
from ter.report.case import Case
from ter.report.table import Cell, Row, Table, error_text, percent_cell

__all__ = ["best_known_table"]

CHOSEN = "§"
NOTE = (
    "Smith–Waterman local alignment of a run's sequence of decisions with the best known one of the problem, in "
    "percent of the shorter one: the mean over runs. Best known: mean ± standard deviation of its own final errors."
)


def best_known_table(board: Board) -> Table | None:
    """Return the similarities to the best known sequences; None if none of the problems has one."""
    known = {case: best for case in board.study.cases if (best := board.best_of(case)) is not None}
    labels = [label for label in board.study.labels if any(board.study.group(case, label).sequences for case in known)]
    if not labels:
        return None
    found = {(case, label): _similarity(board, case, label, best) for case, best in known.items() for label in labels}
    rows = [
        Row(case.name, (_error_cell(board, best), *(percent_cell(found[case, label]) for label in labels)))
        for case, best in known.items()
    ]
    there = [[value for case in known if not math.isnan(value := found[case, label])] for label in labels]
    rows.append(Row("mean", (Cell(), *(percent_cell(fmean(values)) for values in there)), summary=True))
    notes = [NOTE]
    if any(best.flattered for best in known.values()):
        notes.append(f"{CHOSEN} by the runs that the sequence was chosen by, which flatter it.")
    header = (board.study.suite or "problem", "best known", *labels)
    return Table("similarity-best-known", "Similarity to the best known sequences", header, tuple(rows), tuple(notes))


def _similarity(board: Board, case: Case, label: str, best: BestSequence) -> float:
    sequences = board.study.group(case, label).sequences
    return mean_similarity([best.sequence], sequences) if sequences else math.nan


def _error_cell(board: Board, best: BestSequence) -> Cell:
    optimum = board.study.optimum(best.problem, best.dimension)
    found = summary([value - optimum for value in best.values])
    mark = CHOSEN if best.flattered else ""
    return Cell(error_text(found.mean), found.mean, spread=found.std if found.n > 1 else None, mark=mark)
