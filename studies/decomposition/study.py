"""Decompose the functions of LSO13 with DG2 and RDG3, and compare with what is known about them.

python studies/decomposition/study.py                   # all: writes runs.csv and the tables of the pages
python studies/decomposition/study.py --only lso13/f4   # prints rows, writes nothing
python studies/decomposition/study.py --tables          # writes the tables again from runs.csv
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import ter
from ter.benchmarks.catalogue import FUNCTIONS, SUITES
from ter.benchmarks.definitions import Base

HERE = Path(__file__).resolve().parent
RUNS, INDEPENDENT = HERE / "runs.csv", HERE / "independent.csv"
PAGES = (HERE / "README.md", HERE.parents[1] / "docs" / "decomposition.md")
BEGIN, END = "<!-- table: made by studies/decomposition/study.py -->", "<!-- end of table -->"
METHODS = ("dg2", "rdg3")

Row = dict[str, str]


def true_pairs(problem: ter.Problem) -> np.ndarray:
    """Return which pairs of variables share a term that does not fall into a sum, as a matrix."""
    pairs = np.zeros((problem.dimension, problem.dimension), dtype=bool)
    chained = FUNCTIONS[problem.name].base is Base.ROSENBROCK
    for group in problem.facts["groups"]:
        if chained:
            pairs[group[:-1], group[1:]] = pairs[group[1:], group[:-1]] = True
        else:
            pairs[np.ix_(group, group)] = True
    np.fill_diagonal(pairs, False)
    return pairs


def shares(found: ter.Decomposition, truth: np.ndarray) -> tuple[float, float, float]:
    """Return the shares of pairs that are told rightly: of those that interact, of those that do not, and of all."""
    told = np.array([found.interacting(i) for i in range(found.dimension)])
    upper = np.triu_indices(found.dimension, 1)
    told, truth = told[upper], truth[upper]
    right = told == truth
    both = (right[truth].mean() if truth.any() else np.nan, right[~truth].mean() if not truth.all() else np.nan)
    return float(both[0]), float(both[1]), float(right.mean())


def row_of(problem: ter.Problem, method: Any) -> tuple[Row, float]:
    """Decompose a function; return its row of the table, and the seconds it took."""
    started = time.perf_counter()
    found = ter.decompose(problem, method=method)
    seconds = time.perf_counter() - started
    truth = true_pairs(problem)
    suite, _, function = problem.name.partition("/")
    sizes = sorted((group.size for group in found.groups), reverse=True)
    pairs = sum(int(found.interacting(i)[i:].sum()) for i in range(found.dimension))
    row = {
        "suite": suite,
        "function": function,
        "method": method,
        "evaluations": str(found.nfev),
        "groups": " ".join(map(str, sizes)),
        "separable": str(found.separable.size),
        "pairs": str(pairs),
        "true_pairs": str(int(np.triu(truth, 1).sum())),
        **{f"rho{k}": "" if np.isnan(s) else f"{s:.6f}" for k, s in enumerate(shares(found, truth), start=1)},
    }
    return row, seconds


def kept(path: Path = RUNS) -> list[Row]:
    """Read a file of rows."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def sizes_text(sizes: str) -> str:
    """Write the sizes of groups, equal ones together.

    >>> sizes_text("100 50 50")
    '100, 50 ×2'
    """
    texts = []
    for size, equal in itertools.groupby(sizes.split()):
        n = len(list(equal))
        texts.append(size if n == 1 else f"{size} ×{n}")
    return ", ".join(texts) or "none"


def share_text(share: str) -> str:
    """Write a share in percent; a share of nothing is a dash."""
    if not share:
        return "–"
    return "100" if float(share) == 1.0 else f"{min(99.99, 100 * float(share)):.4g}"


def is_same(row: Row, other: Row) -> bool:
    """Tell whether another program found the same; it did not count pairs everywhere."""
    return all(row[what] == found for what, found in other.items() if found)


def table(rows: Sequence[Row]) -> str:
    """Return the table of the pages."""
    independent = {row["function"]: row for row in kept(INDEPENDENT)}
    # The suites differ in three functions; elsewhere the rows are the same and shown once.
    known = {tuple(v for k, v in row.items() if k != "suite") for row in rows if row["suite"] == "lso13"}
    lines = [
        "| function | method | evaluations | groups | separable | ρ₁ | ρ₂ | ρ₃ | independent run of DG2 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        raw = row["suite"] != "lso13"
        if raw and tuple(v for k, v in row.items() if k != "suite") in known:
            continue
        other = independent.get(row["function"]) if row["method"] == "dg2" and not raw else None
        cells = [
            row["function"] + (" (raw)" if raw else ""),
            row["method"],
            row["evaluations"],
            sizes_text(row["groups"]),
            row["separable"],
            *(share_text(row[rho]) for rho in ("rho1", "rho2", "rho3")),
            "" if other is None else "the same" if is_same(row, other) else sizes_text(other["groups"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([BEGIN, "", *lines, "", END])


def problems(only: Sequence[str]) -> Iterator[ter.Problem]:
    """Yield the problems: all of both suites, or those named."""
    for name in only or [*SUITES["lso13"].names, *SUITES["lso13-raw"].names]:
        yield ter.problem(name)


def write_tables() -> None:
    """Write the table into the pages."""
    for page in PAGES:
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        page.write_text(before + table(kept()) + after, encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Do what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(description="Decompose the functions of LSO13.")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="functions, such as lso13/f4")
    parser.add_argument("--tables", action="store_true", help="write the tables again from runs.csv")
    args = parser.parse_args(words)
    if not args.tables:
        rows = []
        for problem in problems(args.only):
            for method in METHODS:
                row, seconds = row_of(problem, method)
                rows.append(row)
                print(*row.values(), f"{seconds:.1f} s", sep=",", flush=True)
        if args.only:
            return 0
        with RUNS.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    write_tables()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
