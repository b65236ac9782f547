"""Runs as rows of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from ter.experiment import Record
from ter.report.case import natural

Row = dict[str, str]


def row_of(record: Record) -> Row:
    """Return what every study keeps of a run; errors have all their digits."""
    suite, function = record.key.problem.split("/")
    return {
        "suite": suite,
        "function": function,
        "algorithm": record.label,
        "run": str(record.run),
        "seed": str(record.key.seed),
        "error": str(record.error),
        "evaluations": str(record.nfev),
        "cpu": f"{record.cpu:.1f}",
    }


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Sort rows by algorithm, suite, function and run."""
    return sorted(rows, key=lambda row: (row["algorithm"], row["suite"], natural(row["function"]), int(row["run"])))


def read_rows(path: Path) -> list[Row]:
    """Read a file of runs."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a file of runs."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
