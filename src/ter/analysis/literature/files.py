"""Reading the tables that come with the package: CSV below comments that name the source."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib import resources

__all__ = ["Content", "read"]


@dataclass(frozen=True)
class Content:
    """A file: what its comments say, and its rows."""

    facts: dict[str, str]
    rows: tuple[dict[str, str], ...]


def read(name: str) -> Content:
    """Read the file called `name` without its ending."""
    text = resources.files("ter.analysis.literature").joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    lines = text.splitlines()
    comments = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
    facts = {key: value for key, _, value in (comment.partition(": ") for comment in comments)}
    return Content(facts, tuple(csv.DictReader(line for line in lines if not line.startswith("#"))))
