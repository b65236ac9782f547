"""Our means beside the paper's, function by function, and what is to be said of each pair."""

from __future__ import annotations

import math
from collections.abc import Mapping

from studies.kit.compared import Compared
from ter.report import Cell, Row, Table
from ter.report.table import NONE, error_text

HEADER = ("function", "ours: mean ± std (runs)", "median", "paper: mean ± std", "ratio", "order", "factor 2", "2 std")
ORDER, FACTOR, DEVIATIONS = 10.0, 2.0, 2.0


def verdict_table(title: str, rows: Mapping[str, Compared]) -> Table:
    """Return a table with a row for each function; a dash where there is nothing to compare."""
    doubts = [f"{name}: {each.remark}" for name, each in rows.items() if each.remark]
    notes = [counted(rows), *([f"* doubtful. {'; '.join(doubts)}."] if doubts else [])]
    return Table("", title, HEADER, tuple(Row(name, cells_of(each)) for name, each in rows.items()), tuple(notes))


def cells_of(compared: Compared) -> tuple[Cell, ...]:
    """Return the cells of a row."""
    factors = (None if compared.ratio is None else compared.within(limit) for limit in (ORDER, FACTOR))
    verdicts = (*factors, compared.near(DEVIATIONS))
    ratio = NONE if compared.ratio is None else "both solved" if compared.solved else ratio_text(compared.ratio)
    theirs = NONE if compared.mean is None else with_spread(compared.mean, compared.std)
    return (
        Cell(ours_text(compared)),
        Cell(NONE if compared.ours is None else error_text(compared.ours.median)),
        Cell(theirs, mark="*" if compared.remark else ""),
        Cell(ratio),
        *(Cell(NONE if verdict is None else "yes" if verdict else "no") for verdict in verdicts),
    )


def counted(rows: Mapping[str, Compared]) -> str:
    """Say on how many functions we are near the paper."""
    judged = [each for each in rows.values() if each.ratio is not None]
    if not judged:
        return "Nothing to compare yet."
    order, factor = (sum(each.within(limit) for each in judged) for limit in (ORDER, FACTOR))
    near = sum(each.near(DEVIATIONS) is True for each in judged)
    return (
        f"Of {len(judged)} functions: {order} of the same order of magnitude, {factor} within a factor of 2, {near} "
        "inside two of the paper's standard deviations."
    )


def ours_text(compared: Compared) -> str:
    """Write our mean, deviation and number of runs."""
    if compared.ours is None:
        return NONE
    return f"{with_spread(compared.ours.mean, compared.ours.std)} ({compared.ours.n})"


def with_spread(mean: float, std: float | None) -> str:
    """Write a mean with its standard deviation, if there is one."""
    return error_text(mean) if std is None or math.isnan(std) else f"{error_text(mean)} ± {error_text(std, 1)}"


def ratio_text(ratio: float) -> str:
    """Write a ratio: as people do between 0.01 and 1000, otherwise with an exponent."""
    return f"{ratio:.2g}" if 0.01 <= ratio < 1000 else error_text(ratio, 1)
