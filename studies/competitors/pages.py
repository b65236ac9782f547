"""Set the runs of this study beside published numbers.

python -m studies.competitors.pages                    # writes the tables of the pages from runs.csv
python -m studies.competitors.pages results.sqlite     # writes runs.csv from a store before
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from studies.kit.blocks import write_block
from studies.kit.compared import Compared
from studies.kit.rows import Row, in_order, read_rows, row_of, write_rows
from ter.analysis import PublishedResult, published
from ter.experiment import Store

HERE = Path(__file__).resolve().parent
RUNS, README = HERE / "runs.csv", HERE / "README.md"
PAGES = HERE.parents[1] / "docs" / "algorithms"
BEGIN, END = "<!-- numbers: made by studies/competitors/pages.py -->", "<!-- end of numbers -->"
COLUMNS = ("suite", "function", "algorithm", "run", "seed", "at_120000", "at_600000", "error", "evaluations", "cpu")
FACTOR = 3.0

# Where the numbers stand that an algorithm is compared with, the most trusted source first.
SOURCES = {
    "shade-ils": ("shade-ils",),
    "mos": ("mos",),
    "mts": ("mts", "paper-mts"),
    "cso": ("paper-cso",),
    "cso 0.15": ("paper-cso",),
    "cc-cma-es": ("cc-cma-es", "paper-cc-cma-es"),
    "decc-d": ("paper-decc-d",),
    "decc-dg2": ("paper-decc-dg2",),
}


def collected(store: Path) -> list[Row]:
    """Return the runs of a store as rows of the file."""
    with Store(store) as opened:
        records = opened.records(failed=False, newest=True)
        return in_order(
            row_of(record) | {f"at_{after}": str(record.milestones.get(after, "")) for after in (120_000, 600_000)}
            for record in records
        )


@dataclass(frozen=True)
class Cell:
    """The runs of one algorithm on one function, and what was published about them."""

    problem: str
    compared: Compared
    cpu: float
    source: str

    def line(self) -> str:
        """Return its line of a table."""
        ours, mean, ratio = self.compared.ours, self.compared.mean, self.compared.ratio
        cells = [
            self.problem,
            f"{ours.mean:.2e} ± {ours.std:.1e} ({ours.n})" if ours else "–",
            f"{ours.median:.2e}" if ours else "–",
            "–" if mean is None else f"{mean:.2e}",
            "–" if ratio is None else "both solved" if self.compared.solved else f"{ratio:.2g}",
            "–" if ratio is None else "yes" if self.compared.within(FACTOR) else "no",
            self.source,
            f"{self.cpu:.0f}",
        ]
        return f"| {' | '.join(cells)} |"


def cells(rows: Iterable[Row], algorithm: str) -> list[Cell]:
    """Return what is known of an algorithm, function by function."""
    runs: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["algorithm"] == algorithm:
            runs.setdefault((row["suite"], row["function"]), []).append(row)
    made = []
    for (suite, function), group in runs.items():
        found, source = published_result(algorithm, f"{suite}/{function}")
        errors = tuple(float(row["error"]) for row in group)
        cpu = statistics.fmean(float(row["cpu"]) for row in group)
        made.append(Cell(f"{suite}/{function}", Compared.beside(errors, found), cpu, source))
    return made


def published_result(algorithm: str, problem: str) -> tuple[PublishedResult | None, str]:
    """Return what was published of an algorithm on a function, and by whom."""
    for name in SOURCES[algorithm]:
        column = published(name)
        found = column.find(problem)
        if found is not None and not found.doubtful and not math.isnan(found.mean):
            return found, column.title
    return None, "–"


def table(rows: Sequence[Row], algorithm: str) -> str:
    """Return the table of an algorithm, and what it says."""
    made = cells(rows, algorithm)
    compared = [cell.compared for cell in made if cell.compared.ratio is not None]
    head = "| function | mean ± std (runs) | median | published mean | ratio | within 3 | published as | CPU s |"
    lines = [head, "|---|---|---|---|---|---|---|---|", *(cell.line() for cell in made)]
    within = sum(each.within(FACTOR) for each in compared)
    return "\n".join([*lines, "", f"**{within} of {len(compared)} within a factor of {FACTOR:g}.**"])


def main(words: Sequence[str]) -> None:
    """Write the pages."""
    if words:
        write_rows(RUNS, COLUMNS, collected(Path(words[0])))
    rows = read_rows(RUNS)
    there = [name for name in SOURCES if any(row["algorithm"] == name for row in rows)]
    write_block(README, BEGIN, END, "\n\n".join(f"## {name}\n\n{table(rows, name)}" for name in there))
    for page in SOURCES:
        variants = [name for name in there if name.split()[0] == page]  # "cso 0.15" is on the page of "cso"
        if variants:
            made = (table(rows, name) if name == page else f"### {name}\n\n{table(rows, name)}" for name in variants)
            write_block(PAGES / f"{page}.md", BEGIN, END, "\n\n".join(made))


if __name__ == "__main__":
    main(sys.argv[1:])
