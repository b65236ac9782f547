"""runs.csv and the tables of docs/paper.md, from the runs that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from studies.kit.blocks import write_block
from studies.kit.rows import Row, in_order, row_of, write_rows
from studies.paper.baselines import baseline_tables, setting_tables, ter_tables
from studies.paper.best import Known, best_tables
from studies.paper.competitors import competitor_tables
from studies.paper.redrawn import redrawn_tables
from studies.paper.results import HERE, Results
from studies.paper.sample import sample_tables
from studies.paper.scalability import scalability_tables
from studies.paper.scheduler import scheduler_tables
from studies.paper.times import time_table
from ter.experiment import Record
from ter.experiment.best_known.space import short_text
from ter.report import Table, as_markdown

PAGE, RUNS = HERE.parents[1] / "docs" / "paper.md", HERE / "runs.csv"
COLUMNS = (
    "suite", "function", "dimension", "algorithm", "run", "seed", "error", "milestones", "evaluations", "decisions",
    "cpu", "code",
)  # fmt: skip

# The blocks of the page, and what makes their tables.
BLOCKS: dict[str, Callable[[Results, Known], list[Table]]] = {
    "runs": lambda results, known: [time_table(results), *sample_tables()],
    "ter": lambda results, known: ter_tables(results),
    "baselines": lambda results, known: baseline_tables(results),
    "redrawn": lambda results, known: redrawn_tables(results),
    "best known": best_tables,
    "scheduler": scheduler_tables,
    "hyperparameters": lambda results, known: setting_tables(results),
    "scalability": lambda results, known: scalability_tables(results),
    "competitors": lambda results, known: competitor_tables(results),
}
# Pictures before the tables, if they were drawn.
PICTURES = {
    "baselines": (
        "paper-baselines.svg",
        "The best error over evaluations on f7, f8 and f15 of LSO13: medians and quartiles",
    ),
    "scalability": ("paper-sizes.svg", "The best error over evaluations on f4 of LSO08, a panel for each size"),
}


def marks(name: str) -> tuple[str, str]:
    """Return the marks of a block."""
    return f"<!-- {name}: made by studies/paper/pages.py -->", f"<!-- end of {name} -->"


def text_of(name: str, results: Results, known: Known, folder: Path = PAGE.parent) -> str:
    """Return the text of a block of the page in a folder."""
    file, title = PICTURES.get(name, ("", ""))
    picture = f"![{title}](pictures/{file})\n\n" if file and (folder / "pictures" / file).exists() else ""
    return picture + "\n".join(as_markdown(table) for table in BLOCKS[name](results, known)).strip("\n")


def rows_of(records: Iterable[Record]) -> list[Row]:
    """Return runs as rows of the file: all digits, and the decisions with equal neighbours together."""
    return in_order(
        row_of(record)
        | {
            "dimension": str(record.key.dimension),
            "milestones": " ".join(
                f"{after}:{value - (record.f_opt or 0.0)!r}" for after, value in sorted(record.milestones.items())
            ),
            "decisions": short_text(record.sequence),
            "code": record.key.code,
        }
        for record in records
    )


def write_runs(records: Iterable[Record], path: Path = RUNS) -> None:
    """Write the file of runs."""
    write_rows(path, COLUMNS, rows_of(records))


def write_page(results: Results, known: Known, page: Path = PAGE) -> None:
    """Write the tables of the page."""
    for name in BLOCKS:
        write_block(page, *marks(name), text_of(name, results, known, page.parent))
