"""Algorithms over all problems: mean ranks, and tests of the reference against the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ter.analysis import a12
from ter.report.board import Board, Column
from ter.report.ranking import Ranking, ranking_of
from ter.report.table import Cell, Row, Table, p_text

__all__ = ["published_rank_table", "rank_notes", "rank_table"]


def rank_table(board: Board) -> Table | None:
    """Return the algorithms of a study, best mean rank first; None if there are fewer than two to compare."""
    return _table(board, board.own, "ranks", "")


def published_rank_table(board: Board) -> Table | None:
    """Return the same together with published results; None without them."""
    return _table(board, board.columns, "ranks-published", " beside published results") if board.sources else None


def _table(board: Board, columns: Sequence[Column], name: str, beside: str) -> Table | None:
    ranking = ranking_of(board, columns)
    if ranking is None:
        return None
    ranks = ranking.test.mean_ranks
    order = sorted(range(len(ranks)), key=lambda j: ranks[j])
    rows = [_row(board, ranking, j, best=ranks[j] == min(ranks)) for j in order]
    reference = board.study.reference
    header = ("algorithm", "mean rank", "best on", "t-test </≈/>", "A12", "Wilcoxon p, Holm")
    title = f"Ranks over {len(ranking.cases)} problems{beside}"
    return Table(name, title, header, tuple(rows), rank_notes(ranking, reference))


def rank_notes(ranking: Ranking, reference: str) -> tuple[str, ...]:
    """Say what the tests say."""
    test = ranking.test
    differ = "differ" if test.p < 0.05 else "cannot be told apart"
    notes = [
        f"Friedman's test: χ² = {test.statistic:.2f}, p = {p_text(test.p)}, so the algorithms {differ}; "
        f"Kendall's W = {test.agreement:.2f}. Nemenyi's critical distance is {ranking.distance:.2f} ranks.",
        f"The other columns are {reference} against the algorithm of the row: on how many problems it is better, not "
        "different, worse; the probability that one of its runs ends below one of the other's, averaged over problems; "
        "and Wilcoxon's signed-rank test over the mean errors relative to the larger one.",
    ]
    if ranking.unused:
        names = ", ".join(case.name for case in ranking.unused)
        notes.append(f"Not all algorithms have results to compare on {names}: left out.")
    if ranking.unranked:
        names = ", ".join(column.title for column in ranking.unranked)
        notes.append(f"Without results to compare with: {names}.")
    return tuple(notes)


def _row(board: Board, ranking: Ranking, j: int, *, best: bool) -> Row:
    column, rank = ranking.columns[j], ranking.test.mean_ranks[j]
    counts = board.tally(column)
    is_reference = column.name == board.study.reference
    effect = None if is_reference or column.source is not None else _effect(board, column)
    outcome = ranking.wilcoxon.get(column.name)
    firsts = ranking.firsts[j]
    return Row(
        column.title,
        (
            Cell(f"{rank:.2f}", rank, best=best),
            Cell(str(firsts), firsts),
            Cell("" if is_reference or not sum(counts) else str(counts), None if is_reference else str(counts)),
            Cell("" if effect is None else f"{effect:.2f}", effect),
            Cell(sign=outcome.sign, text=p_text(outcome.p), value=outcome.p) if outcome else Cell(),
        ),
    )


def _effect(board: Board, column: Column) -> float | None:
    """The mean over problems of the probability that a run of the reference ends below one of another algorithm."""
    found = []
    for case in board.study.cases:
        mine, theirs = board.study.group(case, board.study.reference), board.study.group(case, column.name)
        if len(mine.errors) and len(theirs.errors):
            found.append(a12(mine.errors, theirs.errors))
    return float(np.mean(found)) if found else None
