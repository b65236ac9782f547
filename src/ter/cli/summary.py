"""What ``ter run`` prints at the end: for people, or as JSON."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ter.core.aliases import titled
from ter.core.words import last_words
from ter.display.colors import colors_of
from ter.display.result import Result
from ter.display.shares import shares_of
from ter.display.texts import compiling_text, count_text, number_text, share_text, time_text, workers_text
from ter.display.trace import Trace, strip_of

__all__ = ["letters_of", "print_json", "print_summary", "repeat_command", "strip_text"]

LABEL = 13  # columns of the label
WIDTH = 72  # of the decision strip at most


def print_json(result: Result, error: str = "") -> None:
    """Print the summary with the best point, as one JSON object."""
    facts = {**result.summary(), "x": result.x.tolist(), "error": last_words(error) or None}
    sys.stdout.write(json.dumps(facts, allow_nan=False) + "\n")


def print_summary(result: Result, words: Sequence[str], paths: Sequence[Path]) -> None:
    """Print what was found, what it cost, who was started, and how to repeat it."""
    console = Console(file=sys.stdout, highlight=False)
    compiling = compiling_text(result.compile_seconds)
    facts: list[tuple[str, str | Text]] = [
        ("best value", Text(number_text(result.fun), style="bold")),
        ("ended", result.message),
        ("used", f"{_evaluations(result.nfev)} in {time_text(result.spent.seconds)} {compiling}".rstrip()),
    ]
    if result.spent.cost:
        facts.append(("cost", number_text(result.spent.cost)))
    if busy := workers_text(result.workers_busy, result.workers_idle):
        facts.append(("workers", busy))
    if result.nonfinite:
        facts.append(("failed", f"{_count(result.nonfinite)} of the evaluations"))
    if result.actions:
        facts.append(("started", _shares(result)))
        facts.append(("decisions", strip_text(result, min(WIDTH, console.width - LABEL))))
    facts.append(("repeat with", repeat_command(words, result.seed)))
    facts += [("wrote", str(path)) for path in paths]
    for label, value in facts:
        # Not wrapped here, so that commands and paths can be copied.
        console.print(Text.assemble((f"{label:<{LABEL}}", "dim"), value), soft_wrap=True)


def repeat_command(words: Sequence[str], seed: int) -> str:
    """Return the command that repeats the run, seed included; a run that goes on has its seed in its folder.

    Examples
    --------
    >>> repeat_command(["run", "deblurring", "--budget", "1e4 evaluations"], 7)
    "ter run deblurring --budget '1e4 evaluations' --seed 7"
    """
    given = words[0] == "resume" or any(word == "--seed" or word.startswith("--seed=") for word in words)
    return shlex.join(["ter", *words] if given else ["ter", *words, "--seed", str(seed)])


def letters_of(names: Sequence[str]) -> dict[str, str]:
    """Return one letter per heuristic: the first of its name that no other has taken.

    Examples
    --------
    >>> letters_of(["ls1", "cc", "cma"])
    {'ls1': 'l', 'cc': 'c', 'cma': 'm'}
    """
    letters: dict[str, str] = {}
    for name in names:
        letters[name] = next((c for c in name + "abcdefghijklmnopqrstuvwxyz" if c not in letters.values()), "?")
    return letters


def _count(number: int) -> str:
    """Write a number with plain spaces, so that it can be searched for."""
    return count_text(number).replace("\N{NO-BREAK SPACE}", " ")


def _evaluations(number: int) -> str:
    return f"{_count(number)} evaluation{'s' * (number != 1)}"


def _shares(result: Result) -> Text:
    colors, text = colors_of(result.heuristics), Text()
    for share in shares_of(result):
        text.append(f"{titled(share.heuristic)} ", style=f"bold {colors[share.heuristic]}")
        text.append(f"{share.initiations}× ({share_text(share.of_evaluations)}), ")
    text.right_crop(2)
    return text.append("; in brackets: share of evaluations")


def strip_text(result: Trace, width: int) -> Text:
    """One cell per action, or per stretch of evaluations if there are more than fit."""
    colors, letters = colors_of(result.heuristics), letters_of(result.heuristics)
    text = Text()
    for cell in strip_of(result, max(1, width)):
        name = cell.action.heuristic
        text.append(letters[name], style=f"black on {colors[name]}")
    return text
