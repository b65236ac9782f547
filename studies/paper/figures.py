"""The curves of the study for the page, and its reports: tables, figures and an HTML page for each part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studies.paper.baselines import BASELINES, SETTINGS
from studies.paper.results import BEST, HERE, Results
from ter.benchmarks import FUNCTIONS
from ter.report import Board, Study, best_sequences, write_report

REPORT, PICTURES = HERE / "report", HERE.parents[1] / "docs" / "pictures"


@dataclass(frozen=True)
class Wanted:
    """A report or a figure of some runs.

    Attributes
    ----------
    title : str
        Of a report.
    parts, columns : tuple of str
        Parts of the study, and columns of the paper beside them.
    problems : tuple of str
        Only these; all by default.
    """

    title: str
    parts: tuple[str, ...]
    columns: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


REPORTS = {
    "baselines": Wanted("TER and its baselines on LSO13", ("ter", "baselines"), tuple(BASELINES.values())),
    "hyperparameters": Wanted("TER's window and temperature", ("ter", "hyperparameters"), tuple(SETTINGS.values())),
    "scalability": Wanted("TER on LSO08 with 1000 to 10 000 variables", ("scalability",), ("paper",)),
}
CURVES = {
    "paper-baselines": Wanted("", ("ter", "baselines"), (), ("lso13-raw/f7", "lso13-raw/f8", "lso13-raw/f15")),
    "paper-sizes": Wanted("", ("scalability",), ("paper",), ("lso08-unbiased/f4",)),
}


def board_of(results: Results, wanted: Wanted, best: Path = BEST) -> Board | None:
    """Return a board of the runs; None if TER has none."""
    records = [r for r in results.part(*wanted.parts) if not wanted.problems or r.key.problem in wanted.problems]
    if all(record.label != "ter" for record in records):
        return None
    return Board.of(Study.of(records, "ter"), wanted.columns, best_sequences(best) if best.exists() else ())


def write_reports(results: Results, folder: Path = REPORT) -> list[Path]:
    """Write a report for each part that has runs; return their pages."""
    about = {name: function.about for name, function in FUNCTIONS.items()}
    pages = []
    for name, wanted in REPORTS.items():
        board = board_of(results, wanted)
        if board is not None:
            pages.append(write_report(board, folder / name, title=wanted.title, about=about)[0])
    return pages


def write_curves(results: Results, folder: Path = PICTURES, names: Sequence[str] = tuple(CURVES)) -> list[Path]:
    """Draw the curves that the page shows, those that have runs."""
    from matplotlib import rc_context

    from ter.report.figures.convergence import convergence
    from ter.report.figures.style import STYLE

    paths = []
    for name in names:
        board = board_of(results, CURVES[name])
        if board is not None:
            path = folder / f"{name}.svg"
            with rc_context(STYLE):
                convergence(board).savefig(path, metadata={"Date": None})
            paths.append(path)
    return paths
