"""The rows of ``runs.csv``: one finished run each, with a fingerprint of the code that made it."""

from __future__ import annotations

import ast
import csv
import hashlib
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path

__all__ = ["HERE", "ROOT", "RUNS", "Row", "Task", "append", "fingerprint", "newest", "read"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNS = HERE / "runs.csv"
SOURCE = ROOT / "src" / "ter"
# What decides about the numbers of a run.
DECISIVE = ("_jit.py", "profiles.py", "algorithms", "benchmarks", "core", "engines", "heuristics", "schedulers")


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


@lru_cache
def fingerprint(source: Path = SOURCE) -> str:
    """Hash the sources and data that decide about a run, once per process.

    Comments, docstrings and layout do not count.
    """
    hashed = hashlib.sha256()
    places = [source / name for name in DECISIVE]
    files = [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("*.*")))]
    for file in files:
        if file.suffix == ".py":
            content = ast.unparse(_without_docstrings(ast.parse(file.read_text(encoding="utf-8")))).encode()
        elif file.suffix == ".npz":
            content = file.read_bytes()
        else:
            continue
        hashed.update(file.relative_to(source).as_posix().encode() + b"\0" + content + b"\0")
    return hashed.hexdigest()[:12]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return tree
