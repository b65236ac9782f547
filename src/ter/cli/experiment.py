"""``ter experiment``: run plans, and look after the stores that keep their results."""

from __future__ import annotations

from typing import Any

from ter.cli import experiment_check, experiment_export, experiment_merge, experiment_run, experiment_status

__all__ = ["add_to"]

ABOUT = "run a plan of many runs, and look after its results"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("experiment", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    verbs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in (experiment_run, experiment_status, experiment_merge, experiment_export, experiment_check):
        command.add_to(verbs)
