"""``ter status``: how a run is, from outside."""

from __future__ import annotations

import argparse
import json
import sys
import time
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

    status = status_of(args.folder)
    if args.json:
        sys.stdout.write(json.dumps(status.facts(), allow_nan=False) + "\n")
        return 0
    console = Console(file=sys.stdout, highlight=False)
    if not args.watch:
        console.print(_text(status, console.width), soft_wrap=True)
        return 0
    with Live(_text(status, console.width), console=console, auto_refresh=False) as live:
        while status.holder is not None:
            time.sleep(EVERY)
            status = status_of(args.folder)
            live.update(_text(status, console.width), refresh=True)
    return 0


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
