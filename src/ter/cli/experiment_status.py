"""``ter experiment status``: how far an experiment is; the store may be in use."""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ter.experiment import Record
    from ter.experiment.status import Status

__all__ = ["add_to"]

ABOUT = "show which runs are finished, failed and missing"
SHOWN = 5  # failed runs at most


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("status", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_status)
    parser.add_argument("store", type=Path, metavar="STORE", help="the file with the results")
    parser.add_argument("plan", nargs="?", metavar="PLAN", help="count the runs of this plan, and what is missing")
    parser.add_argument("--any-code", action="store_true", help="count results of other versions of the code")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _status(args: argparse.Namespace) -> int:
    from ter.cli.experiment_run import read_plan
    from ter.experiment.status import status_of
    from ter.experiment.store import Store

    specs = read_plan(args.plan).specs() if args.plan else None
    with Store(args.store) as store:
        status = status_of(store.lines(), specs, any_code=args.any_code)
        failures = list(islice(store.records(failed=True), SHOWN))
        writer = store.writer()
    if args.json:
        sys.stdout.write(json.dumps(_facts(status, writer), indent=2) + "\n")
    else:
        _print(status, failures, writer)
    return 0


def _facts(status: Status, writer: str | None) -> dict[str, Any]:
    totals = {name: getattr(status, name) for name in ("finished", "failed", "missing")}
    left = status.seconds_left if math.isfinite(status.seconds_left) else None
    return {**totals, **asdict(status), "seconds_left": left, "writer": writer}


def _print(status: Status, failures: list[Record], writer: str | None) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ter.display.texts import plain_text, time_text

    # In a file or a pipe, an entry is one line however long it is.
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 500, highlight=False)
    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False, header_style="dim")
    for column in ("problem", "algorithm"):
        table.add_column(column, no_wrap=True)
    for column in ("D", "budget", "finished", "failed", "missing", "mean time"):
        table.add_column(column, justify="right")
    for cell in status.cells:
        table.add_row(
            Text(plain_text(cell.problem)),
            Text(plain_text(cell.label)),
            str(cell.dimension),
            Text(plain_text(cell.budget)),
            str(cell.finished),
            Text(str(cell.failed), style="red" if cell.failed else ""),
            str(cell.missing),
            "" if cell.seconds is None else time_text(cell.seconds),
        )
    console.print(table)
    rest = (
        f", which take one worker about {time_text(status.seconds_left)}" if status.missing and status.finished else ""
    )
    lines = [f"{status.finished} finished, {status.failed} failed, {status.missing} missing{rest}"]
    if writer is not None:
        lines.append(f"in use by {writer}")
    if status.mixed:
        versions = ", ".join(f"{code} ({number} runs)" for code, number in status.codes.items())
        lines.append(f"versions of the code, the newest first: {versions}")
    if status.other_code:
        lines.append(f"{status.other_code} of the missing runs are there by other code; --any-code counts them")
    lines += [f"failed: {each.key.problem} {each.label} run {each.run}: {each.reason}" for each in failures]
    for line in lines:
        console.print(Text(plain_text(line)), soft_wrap=True)
