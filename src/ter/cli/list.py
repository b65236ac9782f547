"""``ter list``: what can be named on the command line."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable
from typing import Any

from ter.core.aliases import titled
from ter.core.errors import InvalidArgument, UnknownName

__all__ = ["add_to"]

ABOUT = "list what can be named on the command line"
NUMBERS = ("dimension", "functions")  # columns of them
GALLERY = "gallery"  # the problems that belong to no suite
SUITES = {
    "lso08": "CEC'2008 competition, functions 1 to 6; any dimension, 1000 by default",
    "lso08-unbiased": "the same without the constants added to the values",
    "lso10": "CEC'2010 competition",
    "lso13": "CEC'2013 competition; f13 and f14 have 905 variables",
    "lso13-raw": "the same without the transformations inside Ackley's function (f3, f6, f10)",
}


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("list", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_list)
    *kinds, last = _KINDS
    parser.add_argument("kind", choices=tuple(_KINDS), metavar="KIND", help=f"{', '.join(kinds)} or {last}")
    parser.add_argument(
        "suite", nargs="?", metavar="SUITE", help=f"list only the problems of this suite, or of the {GALLERY!r}"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _list(args: argparse.Namespace) -> int:
    entries = _KINDS[args.kind]()
    if args.suite is not None:
        entries = _of_suite(args.kind, entries, args.suite)
    if args.json:
        sys.stdout.write(json.dumps(entries, indent=2) + "\n")
        return 0
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="dim")
    columns = [column for column in entries[0] if column != "suite"]  # problems have it in their names
    for column in columns:
        table.add_column(column, justify="right" if column in NUMBERS else "left", no_wrap=column == "name")
    for before, entry in zip([entries[0], *entries], entries, strict=False):
        if before.get("suite") != entry.get("suite"):
            table.add_row()
        shown = {**entry, "name": titled(entry["name"])} if args.kind == "heuristics" else entry
        table.add_row(*(Text(str(shown[column])) for column in columns))
    # In a file or a pipe, an entry is one line however long it is.
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 500).print(table)
    return 0


def _of_suite(kind: str, entries: list[dict[str, Any]], suite: str) -> list[dict[str, Any]]:
    if kind != "problems":
        raise InvalidArgument(f"only problems can be listed by suite, got {suite!r} after {kind!r}; leave it out")
    found = [entry for entry in entries if entry["suite"] == suite]
    if not found:
        raise UnknownName.among("suite", suite, [GALLERY, *SUITES])
    return found


def _problems() -> list[dict[str, Any]]:
    from ter.problems.catalogue import PROBLEMS

    return [
        {"name": p.name, "suite": getattr(p, "suite", GALLERY), "dimension": p.dimension, "about": p.about}
        for p in PROBLEMS.values()
    ]


def _suites() -> list[dict[str, Any]]:
    from ter.benchmarks import SUITES as CATALOGUE

    return [{"name": name, "functions": len(CATALOGUE[name]), "about": SUITES[name]} for name in CATALOGUE]


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
    "suites": _suites,
    "algorithms": _algorithms,
    "heuristics": _heuristics,
    "schedulers": _schedulers,
}
