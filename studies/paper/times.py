"""How many of the planned runs are there, and what they took."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from studies.paper.results import BEST, FINALS, PARTS, Results, specs_of
from ter.experiment.best_known import BestStore
from ter.report import Cell, Row, Table

NOTE = (
    "Hours of one core, compiling excluded, on machines that had other work to do. The last line is the search for the "
    "best known sequences and its finals, whose runs are counted and not planned."
)


def time_table(results: Results, best: Iterable[Path] = (BEST, FINALS)) -> Table:
    """Return runs and hours for each part of the study."""
    rows, total = [], 0.0
    planned = there = 0
    for part in PARTS:
        specs, records = specs_of(part), results.part(part)
        hours = sum(record.cpu for record in records) / 3600
        rows.append(_row(part, str(len(specs)), len(records), hours))
        planned, there, total = planned + len(specs), there + len(records), total + hours
    rows.append(_row("all", str(planned), there, total))
    walls = [wall for path in best for wall in search_walls(path)]
    rows.append(_row("search for BEK", "", len(walls), sum(walls) / 3600))
    return Table("", "Runs", ("part", "planned", "there", "hours"), tuple(rows), (NOTE,))


def search_walls(path: Path) -> list[float]:
    """Return the seconds of all runs of the searches."""
    if not path.exists():
        return []
    with BestStore(path) as store:
        return store.walls()


def _row(title: str, planned: str, there: int, hours: float) -> Row:
    return Row(title, (Cell(planned), Cell(str(there)), Cell(f"{hours:.2f}")))
