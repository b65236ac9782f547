"""The rows of ``runs.csv``: one finished run each, with a fingerprint of the code that made it."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from ter.experiment.fingerprint import fingerprint

__all__ = ["HERE", "ROOT", "RUNS", "Row", "Task", "append", "fingerprint", "newest", "read"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNS = HERE / "runs.csv"


@dataclass(frozen=True)
class Task:
    """What is to be run."""

    suite: str
    function: int
    algorithm: str
    seed: int
    budget: int


@dataclass(frozen=True)
class Row(Task):
    """What came out. Shares are per cent of the evaluations, in the order LS1, CC, SHADE."""

    value: float
    start: float
    evaluations: int
    seconds: float
    cpu_seconds: float
    decisions: int
    share_ls: float
    share_cc: float
    share_gs: float
    sequence: str
    ter: str
    fingerprint: str

    @property
    def task(self) -> Task:
        """What was run."""
        return Task(self.suite, self.function, self.algorithm, self.seed, self.budget)


NAMES = [field.name for field in fields(Row)]
TYPES = {"int": int, "float": float, "str": str}


def append(row: Row, path: Path) -> None:
    """Write one row and close the file, so that nothing finished is lost. Floats are written with all their digits."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, NAMES, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(asdict(row))


def read(path: Path) -> list[Row]:
    """Read the rows in the order they were written; an unfinished last line is left out."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        lines = [line for line in csv.DictReader(stream) if None not in line.values()]
    return [Row(**{field.name: TYPES[str(field.type)](line[field.name]) for field in fields(Row)}) for line in lines]


def newest(rows: list[Row], code: str) -> dict[Task, Row]:
    """Return one row per task: the last one of the code with this fingerprint, or else the last one."""
    return {row.task: row for row in rows} | {row.task: row for row in rows if row.fingerprint == code}
