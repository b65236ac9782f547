"""``ter list``: what can be named on the command line."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["add_to"]

ABOUT = "list what can be named on the command line"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("list", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_list)
    parser.add_argument("kind", choices=tuple(_KINDS), help="what to list")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _list(args: argparse.Namespace) -> int:
    entries = _KINDS[args.kind]()
    if args.json:
        sys.stdout.write(json.dumps(entries, indent=2) + "\n")
        return 0
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="dim")
    for column in entries[0]:
        table.add_column(column, justify="right" if column == "dimension" else "left", no_wrap=column == "name")
    for entry in entries:
        table.add_row(*(Text(str(value)) for value in entry.values()))
    # In a file or a pipe, an entry is one line however long it is.
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 500).print(table)
    return 0


def _problems() -> list[dict[str, Any]]:
    from ter.problems.catalogue import PROBLEMS

    return [{"name": p.name, "dimension": p.dimension, "about": p.about} for p in PROBLEMS.values()]


def _algorithms() -> list[dict[str, Any]]:
    from ter.algorithms import ALGORITHMS

    return [{"name": name, "about": listed.about} for name, listed in ALGORITHMS.items()]


def _heuristics() -> list[dict[str, Any]]:
    from ter.heuristics.catalogue import HEURISTICS

    return [{"name": name, "about": _first_line(make)} for name, make in HEURISTICS.items()]


def _schedulers() -> list[dict[str, Any]]:
    from ter.schedulers.catalogue import SCHEDULERS

    return [{"name": name, "about": _first_line(make)} for name, make in SCHEDULERS.items()]


def _first_line(documented: Callable[..., Any]) -> str:
    return (inspect.getdoc(documented) or "").partition("\n")[0]


_KINDS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "problems": _problems,
    "algorithms": _algorithms,
    "heuristics": _heuristics,
    "schedulers": _schedulers,
}
