"""Write ``README.md`` from ``runs.csv``, beside the numbers of the paper and of a prototype in ``paper.csv``.

    python studies/first-look/report.py

What people found out about the numbers stands in ``notes.md`` and becomes the end of the text.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rows import HERE, RUNS, Row, fingerprint, newest, read

Key = tuple[str, int, str]  # suite, function, algorithm
FACTOR = 3.0
ZERO, ZERO_OF_START = 1e-8, 1e-10
LSO13, LSO08 = "lso13-raw", "lso08-unbiased"
BASELINES = ("ls", "cc", "gs", "ran")

HEAD = """\
# First look: the paper's profile on the paper's functions

{state} Written by `report.py` from `runs.csv`.

    python studies/first-look/run.py --workers 2     # runs what is missing, appends to runs.csv
    python studies/first-look/report.py              # writes this text

`ter` is `ter.algorithm("ter")`, the [paper's profile](../../docs/theory.md#the-papers-profile); `ls`, `cc`, `gs` are
its three heuristics alone and `ran` chooses among them at random. Budgets are 3,000,000 evaluations for LSO13 and
5,000,000 for LSO08 with 1000 variables. Runs have the seeds 1, 2, 3 and so on, the same for all algorithms.

The numbers of the **paper** are the means over 20 runs printed in Zhao, Ge, Lian, Zhang, "Generalizable Meta-Heuristic
based on Temporal Estimation of Rewards for Large Scale Blackbox Optimization". Those of the **prototype** are means of
2 to 5 runs of an earlier, independent program with the same settings. Both are in `paper.csv`.

* LSO13 is `lso13-raw`: Ackley's function (f3, f6, f10) without its transformations, as the paper used it.
* The paper gives f14 1000 variables; it has 905 by definition, and here.
* LSO08 is `lso08-unbiased`. The competition adds a constant of some hundreds to each function; next to it, errors below
  1e-13 or so would be lost in rounding. Without it the value is the error, which is what the paper prints.
* **Ratio** is our mean over the paper's. Zeros need a rule: the paper prints 0 for whatever is below a limit near the
  machine's precision, and stops there; our runs go on. So a mean counts as *solved* if it is below both {zero:g}
  and {relative:g} of the value at the start of the run, and for the ratio solved means are raised to the smaller of
  these limits. The means themselves are shown as they are.
* **Within** means: between 1/{factor:g} and {factor:g} times the paper's mean. One bad run among few decides about a
  mean, so the median stands beside it.
* Decisions are initiations of a heuristic; shares are per cent of the evaluations; CPU is seconds of one core per run,
  compiling excluded.
"""


@dataclass(frozen=True)
class Published:
    """A mean from elsewhere."""

    mean: float
    std: float | None
    runs: int | None


@dataclass(frozen=True)
class Line:
    """The runs of one algorithm on one function, beside the published means."""

    rows: Sequence[Row]
    paper: Published | None
    prototype: Published | None

    @property
    def mean(self) -> float:
        """Our mean."""
        return statistics.fmean(row.value for row in self.rows)

    @property
    def floor(self) -> float:
        """What counts as solved."""
        return min(ZERO, ZERO_OF_START * min(row.start for row in self.rows))

    @property
    def ratio(self) -> float | None:
        """Our mean over the paper's, both raised to the floor."""
        return None if self.paper is None else max(self.mean, self.floor) / max(self.paper.mean, self.floor)

    @property
    def within(self) -> bool:
        """Whether the means differ by no more than the factor."""
        return self.ratio is not None and 1 / FACTOR <= self.ratio <= FACTOR

    def cells(self) -> list[str]:
        """Return the columns of the tables."""
        values = [row.value for row in self.rows]
        spread = f" ± {statistics.stdev(values):.1e}" if len(values) > 1 else ""
        solved = self.paper is not None and max(self.mean, self.paper.mean) <= self.floor
        ratio = "-" if self.ratio is None else "both solved" if solved else f"{self.ratio:.2g}"
        decisions = sorted({min(row.decisions for row in self.rows), max(row.decisions for row in self.rows)})
        shares = [statistics.fmean(share) for share in zip(*map(_shares, self.rows), strict=True)]
        return [
            f"{self.mean:.3g}{spread} ({len(values)})",
            f"{statistics.median(values):.3g}",
            _cell(self.paper),
            _cell(self.prototype),
            ratio,
            "-" if self.paper is None else "yes" if self.within else "no",
            " to ".join(map(str, decisions)),
            "/".join(f"{share:.0f}" for share in shares),
            f"{statistics.fmean(row.cpu_seconds for row in self.rows):.1f}",
        ]


COLUMNS = ["mean ± std (runs)", "median", "paper", "prototype", "ratio", "within", "decisions", "LS/CC/GS %", "CPU s"]


def _shares(row: Row) -> tuple[float, float, float]:
    return row.share_ls, row.share_cc, row.share_gs


def _cell(published: Published | None) -> str:
    if published is None:
        return "-"
    return f"{published.mean:.3g}" + (f" ± {published.std:.1e}" if published.std else "")


def read_published(path: Path) -> dict[tuple[str, Key], Published]:
    """Read the means of others by source and key."""
    with path.open(newline="", encoding="utf-8") as stream:
        return {
            (line["source"], (line["suite"], int(line["function"]), line["algorithm"])): Published(
                float(line["mean"]),
                float(line["std"]) if line["std"] else None,
                int(line["runs"]) if line["runs"] else None,
            )
            for line in csv.DictReader(stream)
        }


def lines_of(rows: Sequence[Row], published: dict[tuple[str, Key], Published]) -> dict[Key, Line]:
    """Group the runs by suite, function and algorithm."""
    grouped: dict[Key, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.seed):
        grouped.setdefault((row.suite, row.function, row.algorithm), []).append(row)
    return {
        key: Line(own, published.get(("paper", key)), published.get(("prototype", key)))
        for key, own in sorted(grouped.items())
    }


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Lay a Markdown table out, readable as it is."""
    cells = [list(head), *map(list, body)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    laid = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |" for row in cells]
    return "\n".join([laid[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *laid[1:]])


def count(lines: Sequence[Line]) -> str:
    """Say how many functions are close to the paper."""
    compared = [line for line in lines if line.ratio is not None]
    within = sum(line.within for line in compared)
    better = sum(line.ratio is not None and line.ratio < 1 / FACTOR for line in compared)
    return (
        f"**{within} of {len(compared)} are within a factor of {FACTOR:g} of the paper**; "
        f"{better} are better by more than that, {len(compared) - within - better} worse by more than that."
    )


def section(title: str, chosen: dict[Key, Line], *, name_algorithm: bool = False) -> str:
    """Write a table under a heading, with the count; say so when there are no runs."""
    if not chosen:
        return f"## {title}\n\nNo runs yet."
    body = [
        [f"f{function}", *([algorithm] if name_algorithm else []), *line.cells()]
        for (_, function, algorithm), line in chosen.items()
    ]
    head = ["f", *(["who"] if name_algorithm else []), *COLUMNS]
    return f"## {title}\n\n{table(head, body)}\n\n{count(list(chosen.values()))}"


def text(rows: Sequence[Row], published: dict[tuple[str, Key], Published], code: str, notes: str = "") -> str:
    """Write the whole text."""
    lines = lines_of(rows, published)
    old = sum(row.fingerprint != code for row in rows)
    state = f"{len(rows)} runs, all of the present code (fingerprint {code})."
    if old:
        state = f"{len(rows)} runs, of which {old} were made by an earlier state of the code (now {code})."
    budgets = sorted({row.budget for row in rows})
    if not set(budgets) <= {3_000_000, 5_000_000}:
        state += f" **Budgets are not the full ones but {', '.join(f'{budget:,}' for budget in budgets)}.**"
    seconds = sum(row.cpu_seconds for row in rows)
    parts = [
        HEAD.format(state=state, zero=ZERO, relative=ZERO_OF_START, factor=FACTOR),
        section("TER on LSO13", {key: line for key, line in lines.items() if key[::2] == (LSO13, "ter")}),
        section(
            "The heuristics alone, and random choice, on LSO13",
            {key: line for key, line in lines.items() if key[0] == LSO13 and key[2] in BASELINES},
            name_algorithm=True,
        ),
        section("TER on LSO08, 1000 variables", {k: line for k, line in lines.items() if k[::2] == (LSO08, "ter")}),
        f"All runs together took {seconds / 60:.0f} minutes of one core.",
        notes.strip(),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the rows, write the text."""
    parser = argparse.ArgumentParser(description="Write README.md from the finished runs.")
    parser.add_argument("--runs", type=Path, default=RUNS, help="the file of rows (default: beside this script)")
    parser.add_argument("--out", type=Path, default=HERE / "README.md", help="where to write (default: README.md)")
    options = parser.parse_args(arguments)
    code = fingerprint()
    rows = list(newest(read(options.runs), code).values())
    notes = HERE / "notes.md"
    written = text(
        rows, read_published(HERE / "paper.csv"), code, notes.read_text(encoding="utf-8") if notes.exists() else ""
    )
    options.out.write_text(written, encoding="utf-8")
    sys.stdout.write(f"{len(rows)} runs; wrote {options.out}\n")


if __name__ == "__main__":
    main()
