"""``ter status``: how a run is, from outside."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

    from ter.checkpoint.status import RunStatus

__all__ = ["add_to"]

ABOUT = "show how a run with a checkpoint is, also while it goes on"
EVERY = 1.0  # seconds


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("status", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_status)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the checkpoint")
    parser.add_argument("--watch", action="store_true", help="show it again and again, until the run ends")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _status(args: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.live import Live

    from ter.checkpoint.status import status_of

    console = Console(file=sys.stdout, highlight=False)
    found = _watched(args.folder) if args.watch else iter([status_of(args.folder)])
    if args.json:
        for status in found:
            sys.stdout.write(json.dumps(status.facts(), allow_nan=False) + "\n")
            sys.stdout.flush()
    elif args.watch and console.is_terminal:
        with Live(console=console, auto_refresh=False) as live:
            for status in found:
                live.update(_text(status, console.width), refresh=True)
    else:  # in a file, what was there before stays
        for status in found:
            console.print(_text(status, console.width), soft_wrap=True)
            console.file.flush()
    return 0


def _watched(folder: Path) -> Iterator[RunStatus]:
    """Yield how a run is, now and whenever there is something new, until it ends."""
    from ter.checkpoint.status import status_of

    last = None
    while True:
        status = status_of(folder)
        if status.facts() != last:
            yield status
        if status.holder is None:
            return
        last = status.facts()
        time.sleep(EVERY)


def _text(status: RunStatus, width: int) -> Text:
    from rich.text import Text

    from ter.cli.summary import LABEL, WIDTH, strip_text
    from ter.display.texts import budget_text, count_text, number_text, plain_text, share_text, time_text

    rest = "in use by " + status.holder if status.holder else f"ended: {status.ending.lower()}" if status.ending else ""
    facts: list[tuple[str, str | Text]] = [
        ("problem", f"{status.problem}, D = {status.dimension}"),
        ("best value", number_text(status.best)),
        ("used", f"{count_text(status.spent.evaluations)} evaluations in {time_text(status.spent.seconds)}"),
        ("budget", f"{budget_text(status.budget)}, {share_text(status.fraction)} used"),
    ]
    if status.nonfinite:
        facts.append(("failed", f"{count_text(status.nonfinite)} of the evaluations"))
    if status.actions:
        facts.append(("decisions", strip_text(status, min(WIDTH, width - LABEL))))
    facts.append(("state", rest or "cut off; go on with `ter resume`"))
    lines = [
        Text.assemble((f"{label:<{LABEL}}", "dim"), value if isinstance(value, Text) else plain_text(value))
        for label, value in facts
    ]
    return Text("\n").join(lines)
