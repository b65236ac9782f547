"""Tables, and the machine they were made on."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["RESULTS", "machine", "save", "table"]

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("ter", "numpy", "scipy", "numba", "cma", "pypop7", "pygmo", "nevergrad", "cmaes")


def machine() -> dict[str, str]:
    """Return the processor's model and the versions; nothing that names the host."""
    facts = {"cpu": _cpu(), "python": platform.python_version()}
    for package in PACKAGES:
        try:
            facts[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Lay a Markdown table out, readable as it is."""
    cells = [list(head), *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def save(name: str, title: str, text: str, data: Any) -> None:
    """Write ``results/<name>.md`` and ``.json``, with the machine in both."""
    facts = machine()
    RESULTS.mkdir(exist_ok=True)
    made_on = ", ".join(f"{key} {value}" if key != "cpu" else value for key, value in facts.items())
    (RESULTS / f"{name}.md").write_text(f"# {title}\n\nMade by `python -m bench {name}` on: {made_on}.\n\n{text}\n")
    (RESULTS / f"{name}.json").write_text(json.dumps({"machine": facts, "figures": data}, indent=1) + "\n")
