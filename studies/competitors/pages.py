"""Set the runs of this study beside published numbers.

python studies/competitors/pages.py                    # writes the tables of the pages from runs.csv
python studies/competitors/pages.py results.sqlite     # writes runs.csv from a store before
"""

from __future__ import annotations

import csv
import math
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ter.analysis.literature import published
from ter.experiment import Store

HERE = Path(__file__).resolve().parent
RUNS, README = HERE / "runs.csv", HERE / "README.md"
PAGES = HERE.parents[1] / "docs" / "algorithms"
BEGIN, END = "<!-- numbers: made by studies/competitors/pages.py -->", "<!-- end of numbers -->"
COLUMNS = ("suite", "function", "algorithm", "run", "seed", "at_120000", "at_600000", "error", "evaluations", "cpu")
SOLVED = 1e-8  # errors below this count as zero when means are compared
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

Run = dict[str, str]


def collected(store: Path) -> list[Run]:
    """Return the runs of a store as rows of the file."""
    rows = []
    with Store(store) as opened:
        for record in opened.records(failed=False, newest=True):
            suite, function = record.key.problem.split("/")
            row = {
                "suite": suite,
                "function": function,
                "algorithm": record.label,
                "run": record.run,
                "seed": record.key.seed,
                "at_120000": record.milestones.get(120_000, ""),
                "at_600000": record.milestones.get(600_000, ""),
                "error": record.fun if record.error is None else record.error,
                "evaluations": record.nfev,
                "cpu": f"{record.cpu:.1f}",
            }
            rows.append({name: str(value) for name, value in row.items()})
    return sorted(rows, key=lambda row: (row["algorithm"], row["suite"], int(row["function"][1:]), int(row["run"])))


def kept() -> list[Run]:
    """Read the runs of the file."""
    with RUNS.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def keep(rows: Iterable[Run]) -> None:
    """Write the file."""
    with RUNS.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@dataclass(frozen=True)
class Cell:
    """The runs of one algorithm on one function, and what was published about them."""

    problem: str
    errors: tuple[float, ...]
    cpu: float
    mean: float | None  # published
    source: str

    @property
    def ratio(self) -> float | None:
        """Our mean over the published one; 1 if both are solved, None if nothing was published."""
        if self.mean is None:
            return None
        ours, theirs = (0.0 if mean < SOLVED else mean for mean in (statistics.fmean(self.errors), self.mean))
        if ours == theirs:
            return 1.0
        return ours / theirs if theirs else math.inf

    @property
    def within(self) -> bool:
        """Whether our mean is within the factor of the published one."""
        return self.ratio is not None and 1.0 / FACTOR <= self.ratio <= FACTOR

    def line(self) -> str:
        """Return its line of a table."""
        ours = statistics.fmean(self.errors)
        spread = statistics.stdev(self.errors) if len(self.errors) > 1 else math.nan
        solved = self.mean is not None and max(ours, self.mean) < SOLVED
        cells = [
            self.problem,
            f"{ours:.2e} ± {spread:.1e} ({len(self.errors)})",
            f"{statistics.median(self.errors):.2e}",
            "–" if self.mean is None else f"{self.mean:.2e}",
            "–" if self.ratio is None else "both solved" if solved else f"{self.ratio:.2g}",
            "–" if self.ratio is None else "yes" if self.within else "no",
            self.source,
            f"{self.cpu:.0f}",
        ]
        return f"| {' | '.join(cells)} |"


def cells(rows: Iterable[Run], algorithm: str) -> list[Cell]:
    """Return what is known of an algorithm, function by function."""
    runs: dict[tuple[str, str], list[Run]] = {}
    for row in rows:
        if row["algorithm"] == algorithm:
            runs.setdefault((row["suite"], row["function"]), []).append(row)
    made = []
    for (suite, function), group in runs.items():
        mean, source = published_mean(algorithm, f"{suite}/{function}")
        errors = tuple(float(row["error"]) for row in group)
        cpu = statistics.fmean(float(row["cpu"]) for row in group)
        made.append(Cell(f"{suite}/{function}", errors, cpu, mean, source))
    return made


def published_mean(algorithm: str, problem: str) -> tuple[float | None, str]:
    """Return the mean that was published of an algorithm on a function, and by whom."""
    for name in SOURCES[algorithm]:
        column = published(name)
        found = column.find(problem)
        if found is not None and not found.doubtful and not math.isnan(found.mean):
            return found.mean, column.title
    return None, "–"


def table(rows: Sequence[Run], algorithm: str) -> str:
    """Return the table of an algorithm, and what it says."""
    made = cells(rows, algorithm)
    compared = [cell for cell in made if cell.ratio is not None]
    head = "| function | mean ± std (runs) | median | published mean | ratio | within 3 | published as | CPU s |"
    lines = [head, "|---|---|---|---|---|---|---|---|", *(cell.line() for cell in made)]
    return "\n".join(
        [*lines, "", f"**{sum(cell.within for cell in compared)} of {len(compared)} within a factor of {FACTOR:g}.**"]
    )


def write_block(page: Path, text: str) -> None:
    """Replace what stands between the marks of a page."""
    whole = page.read_text(encoding="utf-8")
    before, _, rest = whole.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main(words: Sequence[str]) -> None:
    """Write the pages."""
    if words:
        keep(collected(Path(words[0])))
    rows = kept()
    there = [name for name in SOURCES if any(row["algorithm"] == name for row in rows)]
    write_block(README, "\n\n".join(f"## {name}\n\n{table(rows, name)}" for name in there))
    for name in there:
        write_block(PAGES / f"{name}.md", table(rows, name))


if __name__ == "__main__":
    main(sys.argv[1:])
