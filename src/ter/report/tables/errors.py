"""Final errors: mean and standard deviation, and the median between best and worst."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ter.display.texts import count_text
from ter.report.board import Board, Column
from ter.report.case import Case
from ter.report.estimate import Estimate
from ter.report.ranking import ranking_of
from ter.report.table import NONE, Cell, Row, Table, colored, error_text

__all__ = ["error_table", "footnotes", "measure", "median_table", "shown"]

OTHER_BUDGET, OTHER_FUNCTION, DOUBTFUL, INCOMPLETE = "†", "‡", "*", "°"


def error_table(board: Board) -> Table:
    """Return means and standard deviations, each with the sign of a test against the reference."""
    rows = []
    for case in board.study.cases:
        cells = [_mean_cell(board, case, column) for column in board.columns]
        values = [_compared(board.estimate(case, column).mean, board, case, column) for column in board.columns]
        rows.append(Row(case.name, colored(cells, values)))
    rows += _summaries(board)
    reference = board.study.reference
    notes = [
        f"Mean ± standard deviation of the {measure(board)}, smaller is better; green to red: best to worst of a row."
    ]
    if len(board.columns) > 1:
        notes.append(
            f"Signs: < where {reference} is significantly better than the algorithm of the column, > where it is "
            "worse, ≈ where neither can be said (paired t-test over runs with equal seeds, Welch's t-test for "
            "published numbers, level 5\N{NO-BREAK SPACE}%). Mean ranks are among the algorithms of the study."
        )
    return Table("errors", _title(board, "Mean"), _header(board), tuple(rows), (*notes, *footnotes(board)))


def median_table(board: Board) -> Table:
    """Return medians, with the best and the worst run; published algorithms only if their medians are known."""
    known = [column for column in board.columns if column.source is None or _has_medians(board, column)]
    board, rows = replace(board, columns=tuple(known)), []
    for case in board.study.cases:
        cells = []
        for column in board.columns:
            found = board.estimate(case, column)
            text = error_text(found.median)
            if not math.isnan(found.best):
                text += f" ({error_text(found.best, 1)} to {error_text(found.worst, 1)})"
            cells.append(shown(found, text, found.median))
        values = [_compared(board.estimate(case, column).median, board, case, column) for column in board.columns]
        rows.append(Row(case.name, colored(cells, values)))
    notes = (f"Median (best to worst) of the {measure(board)}.", *footnotes(board))
    return Table("medians", _title(board, "Median"), _header(board), tuple(rows), notes)


def _has_medians(board: Board, column: Column) -> bool:
    return any(not math.isnan(board.estimate(case, column).median) for case in board.study.cases)


def measure(board: Board) -> str:
    """Say what the numbers are."""
    if board.study.knows_optima:
        return "final error"
    return "final value (less the optimum where it is known)"


def shown(found: Estimate, text: str, value: float) -> Cell:
    """Return a cell for an estimate, faint if it cannot be compared."""
    if found.standing in ("none", "other function"):
        return Cell(NONE if found.standing != "none" or found.missing else "", None, mark=_mark(found), faint=True)
    if math.isnan(value):
        return Cell()
    return Cell(text, value, mark=_mark(found), faint=not found.comparable)


def footnotes(board: Board, cases: Sequence[Case] | None = None) -> list[str]:
    """Explain the marks that occur on some problems, all by default."""
    chosen = board.study.cases if cases is None else cases
    estimates = {(case, column): board.estimate(case, column) for case in chosen for column in board.columns}
    marks = {mark for found in estimates.values() for mark in _mark(found)}
    notes = []
    if OTHER_BUDGET in marks:
        budgets = sorted({e.evaluations or 0 for e in estimates.values() if e.standing == "other budget"})
        counts = ", ".join(count_text(budget) for budget in budgets)
        notes.append(f"{OTHER_BUDGET} published after another number of evaluations ({counts}): shown, not compared.")
    if OTHER_FUNCTION in marks:
        notes.append(f"{OTHER_FUNCTION} published for the other version of Ackley's function: never compared.")
    if DOUBTFUL in marks:
        doubts = {f"{column.title} on {case.name}: {e.remark}" for (case, column), e in estimates.items() if e.remark}
        notes.append(f"{DOUBTFUL} doubtful. {'; '.join(sorted(doubts))}.")
    if INCOMPLETE in marks:
        parts = [
            f"{column.title} on {case.name}: {_lack(found)}"
            for (case, column), found in estimates.items()
            if found.failed or found.missing
        ]
        notes.append(f"{INCOMPLETE} {'; '.join(parts)}. A failed run counts as infinitely bad.")
    return notes


def _lack(found: Estimate) -> str:
    parts = [f"{number} {what}" for number, what in ((found.failed, "failed"), (found.missing, "missing")) if number]
    return f"{' and '.join(parts)} of {(found.runs or 0) + found.missing} runs"


def _mark(found: Estimate) -> str:
    mark = {"other budget": OTHER_BUDGET, "other function": OTHER_FUNCTION}.get(found.standing, "")
    return mark + (DOUBTFUL if found.remark else "") + (INCOMPLETE if found.failed or found.missing else "")


def _mean_cell(board: Board, case: Case, column: Column) -> Cell:
    found = board.estimate(case, column)
    cell = shown(found, error_text(found.mean), found.mean)
    outcome = None if column.name == board.study.reference else board.outcome(case, column)
    spread = None if cell.value is None or math.isnan(found.std) else found.std
    return Cell(cell.text, cell.value, spread, outcome.sign if outcome else "", cell.mark, faint=cell.faint)


def _compared(value: float, board: Board, case: Case, column: Column) -> float:
    return value if board.estimate(case, column).comparable else math.nan


def _summaries(board: Board) -> list[Row]:
    """The last lines of the paper's tables: the count of signs, and the mean ranks."""
    if len(board.columns) < 2:
        return []
    signs = []
    for column in board.columns:
        counts = board.tally(column)
        signs.append(Cell("" if column.name == board.study.reference or not sum(counts) else str(counts)))
    rows = [Row("t-test </≈/>", tuple(signs), summary=True)]
    ranking = ranking_of(board, board.own)
    if ranking is not None:
        ranks = dict(zip(ranking.columns, ranking.test.mean_ranks, strict=True))
        best = min(ranks.values())
        cells = [
            Cell(f"{ranks[column]:.2f}", best=ranks[column] == best) if column in ranks else Cell()
            for column in board.columns
        ]
        rows.append(Row("mean rank", tuple(cells), summary=True))
    return rows


def _header(board: Board) -> tuple[str, ...]:
    return (board.study.suite or "problem", *(column.title for column in board.columns))


def _title(board: Board, statistic: str) -> str:
    budgets = {case.limits for case in board.study.cases}
    after = f" after {budgets.pop()}" if len(budgets) == 1 else ""
    return f"{statistic} {measure(board)}{after}"
