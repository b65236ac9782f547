"""``ter best``: search for the best sequence of decisions on a problem, show it, replay it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ter.cli import best_find, best_replay, best_show

__all__ = ["add_to", "completed"]

ABOUT = "search for the best sequence of decisions on a problem"
VERBS = ("find", "show", "replay")


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "best",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}, and look at what was found. "
        "`ter best PROBLEM` means `ter best find PROBLEM`.",
    )
    verbs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in (best_find, best_show, best_replay):
        command.add_to(verbs)


def completed(words: Sequence[str]) -> list[str]:
    """Put in the word ``find`` where it is left out.

    Examples
    --------
    >>> completed(["best", "lso13/f7", "--store", "best.sqlite"])
    ['best', 'find', 'lso13/f7', '--store', 'best.sqlite']
    >>> completed(["best", "show", "best.sqlite"]), completed(["list", "problems"])
    (['best', 'show', 'best.sqlite'], ['list', 'problems'])
    """
    if list(words[:1]) != ["best"] or len(words) < 2 or words[1] in (*VERBS, "-h", "--help"):
        return list(words)
    return [words[0], "find", *words[1:]]
