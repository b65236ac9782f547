"""Draw which package imports which, from the source: ``python -m tools.draw_packages`` writes it into docs/design.md.

Imports inside functions and for type checkers count like any other. The script fails if there is a cycle.
"""

from __future__ import annotations

import ast
import statistics
import sys
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ter"
DESIGN = ROOT / "docs" / "design.md"
BEGIN, END = "<!-- packages: made by tools/draw_packages.py -->", "<!-- end of packages -->"


def imports() -> dict[str, set[str]]:
    """Return what each package imports of the others."""
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        package = path.relative_to(SOURCE).with_suffix("").parts[0]
        if package in ("__init__", "__main__"):
            continue
        own = found.setdefault(package, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ter."):
                own.add(str(node.module).split(".")[1])
            elif isinstance(node, ast.Import):
                own |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("ter.")}
        own.discard(package)
    return found


def needed(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Leave out arrows that follow from others: what a package imports through another one."""
    below: dict[str, set[str]] = {}
    for package in TopologicalSorter(edges).static_order():
        below[package] = set(edges.get(package, ())).union(*(below[other] for other in edges.get(package, ())))
    return {
        package: {other for other in others if not any(other in below[third] for third in others if third != other)}
        for package, others in edges.items()
    }


def layers(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the packages by height: each stands above all that it imports."""
    height: dict[str, int] = {}
    for package in TopologicalSorter(edges).static_order():
        height[package] = 1 + max((height[other] for other in edges.get(package, ())), default=-1)
    return [sorted(name for name in height if height[name] == level) for level in range(max(height.values()) + 1)]


def text() -> str:
    """Return the diagram and the figures."""
    edges = imports()
    arrows, levels = needed(edges), layers(edges)
    width = max(len(name) for name in edges)
    lines = []
    for level in reversed(levels):
        for name in level:
            others = [other for below in reversed(levels) for other in below if other in arrows[name]]
            lines.append(f"{name:>{width}} -> {', '.join(others)}" if others else f"{name:>{width}}")
        lines.append("")
    sizes = [len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.py")]
    counts = f"{len(sizes)} modules, {sum(sizes)} lines, median {statistics.median(sizes):g} lines"
    return "\n".join([BEGIN, "", "```text", *lines[:-1], "```", "", f"{counts}.", "", END])


def main() -> None:
    """Write the diagram into the page."""
    page = DESIGN.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        sys.exit(f"{DESIGN.name} lacks the lines {BEGIN!r} and {END!r}")
    DESIGN.write_text(before + text() + after, encoding="utf-8")


if __name__ == "__main__":
    main()
