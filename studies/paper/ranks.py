"""Friedman ranks and t-tests of our runs, beside those that the paper prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ter.analysis import Outcome, Tally, paper_tests, tally, welch_t
from ter.experiment import Record
from ter.report import Board, Case, Cell, Column, Row, Study, Table
from ter.report.ranking import ranking_of
from ter.report.table import NONE, p_text

ZERO = 1e-16  # the paper prints errors of this size as 0, and they share their ranks
HEADER = ("algorithm", "mean rank", "paper", "t-test </≈/>", "paper")


def board_of(records: Iterable[Record], against: str = "ter") -> Board | None:
    """Return a board of runs whose smallest errors are zeros; None if the reference has no run."""
    kept = [record if record.error >= ZERO else replace(record, fun=record.f_opt or 0.0) for record in records]
    if all(record.label != against for record in kept):
        return None
    return Board.of(Study.of(kept, against))


def rank_table(
    title: str, board: Board | None, names: Mapping[str, str], printed: str, size: int | None = None
) -> Table:
    """Return ranks and tests of the algorithms called `names`, with the columns of the paper that they stand for.

    Parameters
    ----------
    title : str
        Of the table.
    board : Board or None
        The runs.
    names : mapping from str to str
        From our label to the name of the published results; an empty name for none.
    printed, size : str, int or None
        Which table of the paper, and which dimension of it.
    """
    paper = {
        (test.statistic, test.name): test.value
        for test in paper_tests()
        if (test.table, test.dimension) == (printed, size)
    }
    columns = [] if board is None else [column for column in board.own if column.name in names]
    ranking = None if board is None else ranking_of(board, columns)
    ranks = {} if ranking is None else dict(zip(ranking.columns, ranking.test.mean_ranks, strict=True))
    mine = {column.name: f"{rank:.2f}" for column, rank in ranks.items()}
    rows = []
    for label, name in names.items():
        column = next((column for column in columns if column.name == label), None)
        counts = Tally(0, 0, 0) if board is None or column is None else tally_of(board, column)
        cells = (
            mine.get(label, NONE),
            paper.get(("friedman_rank_error", name), NONE),
            str(counts) if sum(counts) and board is not None and label != board.study.reference else NONE,
            paper.get(("paired_t_less_similar_greater", name), NONE),
        )
        rows.append(Row(label, tuple(map(Cell, cells))))
    notes = ["No runs to rank yet."]
    if ranking is not None:
        notes = [
            f"Ranked on the functions that all of them have runs on: {len(ranking.cases)}. Friedman's test: "
            f"χ² = {ranking.test.statistic:.2f}, p = {p_text(ranking.test.p)}."
        ]
    p = paper.get(("friedman_p_error", ""))
    return Table("", title, HEADER, tuple(rows), (*notes, *([f"The paper's p is {p}."] if p else [])))


def tally_of(board: Board, column: Column) -> Tally:
    """Count on how many functions the reference is better than an algorithm, not different, worse."""
    outcomes = [outcome_of(board, case, column) for case in board.study.cases]
    return tally(outcome for outcome in outcomes if outcome is not None)


def outcome_of(board: Board, case: Case, column: Column) -> Outcome | None:
    """Compare runs in pairs if they have seeds in common, otherwise by Welch's test; None if there are too few."""
    paired = board.outcome(case, column)
    if paired is not None:
        return paired
    reference = Column(board.study.reference, board.study.reference)
    mine, theirs = board.estimate(case, reference), board.estimate(case, column)
    numbers = (mine.mean, mine.std, theirs.mean, theirs.std)
    if min(mine.runs or 0, theirs.runs or 0) < 2 or not all(map(math.isfinite, numbers)):
        return None
    return welch_t(mine.mean, mine.std, mine.runs or 0, theirs.mean, theirs.std, theirs.runs or 0)
