"""How alike the decisions of runs are: between algorithms, and between sizes of a problem."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ter.analysis import similarity_matrix
from ter.analysis.samples import Matrix
from ter.report.board import Board
from ter.report.case import Case
from ter.report.study import Study
from ter.report.table import Row, Table, percent_cell

__all__ = ["Similarity", "dimension_tables", "similarities", "similarity_table"]

NOTE = (
    "Smith–Waterman local alignment of the sequences of decisions, in percent of the shorter one: the mean over all "
    "pairs of runs of two {}, and of different runs of one on the diagonal."
)
Similarity = tuple[tuple[str, ...], Matrix]


def similarities(study: Study, cases: Sequence[Case] | None = None) -> Similarity | None:
    """Return the algorithms that decide and their mean similarities over problems; None if none decides."""
    chosen = [case for case in (study.cases if cases is None else cases) if study.deciding(case)]
    labels = tuple(label for label in study.deciding() if any(label in study.deciding(case) for case in chosen))
    if not labels:
        return None
    found = []
    for case in chosen:
        groups = {label: study.group(case, label).sequences for label in labels}
        if all(groups.values()):
            found.append(similarity_matrix(groups))
    if not found:
        return None
    stacked = np.array(found)
    counts = (~np.isnan(stacked)).sum(axis=0)
    sums = np.where(np.isnan(stacked), 0.0, stacked).sum(axis=0)
    return labels, np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def similarity_table(board: Board) -> Table | None:
    """Return the similarities between algorithms, averaged over problems."""
    found = similarities(board.study)
    if found is None:
        return None
    labels, matrix = found
    return _table("similarity", "Similarity of decisions between algorithms", "algorithm", labels, matrix, "algorithms")


def dimension_tables(board: Board) -> list[Table]:
    """Return the similarities between sizes of a problem, as in the paper, for every problem that has several."""
    study, tables = board.study, []
    for label in study.deciding():
        for problem in dict.fromkeys(case.problem for case in study.cases):
            cases = [case for case in study.cases if case.problem == problem and study.group(case, label).decides]
            if len({case.dimension for case in cases}) > 1:
                names = tuple(f"D = {case.dimension}" for case in cases)
                groups = {
                    case.budget + name: study.group(case, label).sequences
                    for case, name in zip(cases, names, strict=True)
                }
                stem = re.sub(r"[^\w.-]+", "-", f"similarity-{label}-{problem}")
                title = f"Similarity of the decisions of {label} on {problem} between sizes"
                tables.append(_table(stem, title, "size", names, similarity_matrix(groups), "sizes"))
    return tables


def _table(name: str, title: str, corner: str, names: Sequence[str], matrix: Matrix, what: str) -> Table:
    rows = [
        Row(own, tuple(percent_cell(value) for value in line)) for own, line in zip(names, matrix.tolist(), strict=True)
    ]
    return Table(name, title, (corner, *names), tuple(rows), (NOTE.format(what),))
