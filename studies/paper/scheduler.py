"""What the runs say of TER's scheduler: forced returns to heuristics that bring nothing, and regret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from studies.kit.compared import SOLVED, Compared
from studies.paper.baselines import FUNCTIONS
from studies.paper.best import Known, errors_of_best
from studies.paper.results import Results, errors_of
from studies.paper.verdicts import ratio_text
from ter.experiment import Record
from ter.report import Cell, Row, Table
from ter.report.table import NONE, error_text

WINDOW = 5
USELESS = 0.1  # of the mean of the window
ARMS = ("ls", "cc", "gs")
RETURNS = (
    "Forced: a heuristic has no record left in the window of 5 and is started at once. Useless: such a start brought, "
    "per evaluation, less than a tenth of the mean of the window before it. The last columns: what such returns used "
    "of all evaluations."
)
REGRET = (
    "Ratios of mean errors: TER's over that of the best heuristic alone, and over BEK's. Below 1 TER is better. Means "
    f"below {SOLVED:g} count as zero, and two such means as equal."
)


@dataclass(frozen=True)
class Returns:
    """The forced returns of a run.

    Attributes
    ----------
    decisions, forced, useless : int
        How many decisions there were, how many of them were forced returns, and how many of these useless.
    spent, wasted : float
        Shares of the evaluations that forced returns used, and useless ones.
    """

    decisions: int
    forced: int
    useless: int
    spent: float
    wasted: float


def returns_of(record: Record, window: int = WINDOW) -> Returns:
    """Count the forced returns of a run; the first start of a heuristic is none."""
    actions, forced, useless, spent, wasted = record.actions, 0, 0, 0, 0
    for i, action in enumerate(actions):
        recent = actions[max(0, i - window) : i]
        seen = any(each.heuristic == action.heuristic for each in actions[:i])
        if not seen or any(each.heuristic == action.heuristic for each in recent):
            continue
        forced, spent = forced + 1, spent + action.nfev
        if action.reward < USELESS * fmean(each.reward for each in recent):
            useless, wasted = useless + 1, wasted + action.nfev
    return Returns(len(actions), forced, useless, spent / record.nfev, wasted / record.nfev)


def return_table(records: Sequence[Record]) -> Table:
    """Return the forced returns of TER, averaged over the runs on each function."""
    rows = []
    for problem in FUNCTIONS:
        found = [returns_of(r) for r in records if (r.key.problem, r.label) == (problem, "ter") and r.actions]
        cells = [NONE] * 5
        if found:
            counts = (fmean(getattr(each, name) for each in found) for name in ("decisions", "forced", "useless"))
            shares = (fmean(getattr(each, name) for each in found) for name in ("spent", "wasted"))
            cells = [*(f"{count:.1f}" for count in counts), *(f"{100 * share:.0f} %" for share in shares)]
        rows.append(Row(problem.partition("/")[2], tuple(map(Cell, cells))))
    header = ("function", "decisions per run", "forced", "of these useless", "evaluations of forced", "of useless")
    return Table("", "Forced returns", header, tuple(rows), (RETURNS,))


def regret_table(records: Sequence[Record], known: Known) -> Table:
    """Return TER's mean error beside that of the best heuristic alone and of BEK."""
    rows = []
    for problem in FUNCTIONS:
        ter = errors_of(records, problem, "ter")
        alone = {arm: fmean(errors) for arm in ARMS if (errors := errors_of(records, problem, arm))}
        bek = errors_of_best(known.get(problem))
        best = min(alone, key=lambda arm: alone[arm]) if len(alone) == len(ARMS) else None
        cells = [
            error_text(fmean(ter)) if ter else NONE,
            NONE if best is None else f"{best} {error_text(alone[best])}",
            _ratio(ter, None if best is None else alone[best]),
            error_text(fmean(bek)) if bek else NONE,
            _ratio(ter, fmean(bek) if bek else None),
        ]
        rows.append(Row(problem.partition("/")[2], tuple(map(Cell, cells))))
    header = ("function", "TER", "best heuristic alone", "TER / best alone", "BEK", "TER / BEK")
    return Table("", "Regret", header, tuple(rows), (REGRET,))


def scheduler_tables(results: Results, known: Known) -> list[Table]:
    """Return both tables."""
    records = results.part("ter", "baselines")
    return [return_table(records), regret_table(records, known)]


def _ratio(errors: tuple[float, ...], other: float | None) -> str:
    ratio = Compared(errors, other).ratio
    return NONE if ratio is None else ratio_text(ratio)
