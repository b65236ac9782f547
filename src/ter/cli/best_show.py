"""``ter best show``: what searches have found; the file may be in use."""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.numbers import whole

if TYPE_CHECKING:
    from ter.experiment.best_known import BestKnown

__all__ = ["add_choice", "add_to", "choose", "print_best", "print_json"]

ABOUT = "show the best known sequences in a file, or those that come with the package"
LABEL = 13  # columns of the label


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("show", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_show)
    parser.add_argument(
        "store", nargs="?", type=Path, metavar="FILE", help="the file of `ter best`; by default what the package brings"
    )
    parser.add_argument("problem", nargs="?", metavar="PROBLEM", help="of this problem only")
    add_choice(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def add_choice(parser: Any) -> None:
    """Add the options that choose among several searches on a problem."""
    parser.add_argument("--budget", metavar="N", help="evaluations of a run")
    parser.add_argument("--dimension", type=whole, metavar="D", help="number of variables")
    parser.add_argument("--algorithm", metavar="NAME", help="whose portfolio")


def choose(args: argparse.Namespace) -> list[BestKnown]:
    """Return the sequences that the options ask for; at least one."""
    from ter.core.errors import InvalidArgument, UnknownName
    from ter.experiment.best_known import BestStore, packaged_sequences
    from ter.experiment.budgets import BudgetPlan

    budget = None if args.budget is None else BudgetPlan.read(args.budget).fixed
    asked = {"dimension": args.dimension, "budget": budget, "algorithm": args.algorithm}
    if args.store is None:
        where, found, known = "the package", packaged_sequences(args.problem, **asked), packaged_sequences()
    else:
        with BestStore(args.store) as store:
            where, found, known = repr(str(args.store)), store.known(args.problem, **asked), store.known()
    there = sorted({best.problem for best in known})
    if args.problem is not None and args.problem not in there:
        raise UnknownName.among(f"problem in {where}", args.problem, there)
    if not found:
        raise InvalidArgument(f"{where} must hold a sequence that agrees with the options, got none")
    return found


def _show(args: argparse.Namespace) -> int:
    if args.problem is None and args.store is not None and not args.store.suffix and not args.store.exists():
        args.store, args.problem = None, args.store.as_posix()  # one word, and no file: a problem's name
    found = choose(args)
    if args.json:
        print_json(found)
        return 0
    for i, best in enumerate(found):
        sys.stdout.write("\n" if i else "")
        print_best(best)
    return 0


def print_json(found: list[BestKnown]) -> None:
    """Print sequences as a list of JSON objects; values that are not finite are null."""
    sys.stdout.write(json.dumps([_finite(asdict(best)) for best in found], indent=2, allow_nan=False) + "\n")


def print_best(best: BestKnown) -> None:
    """Print what is known about a sequence."""
    from ter.analysis import summary
    from ter.core.aliases import titled
    from ter.core.budget import Budget
    from ter.display.texts import count_text, number_text, plain_text
    from ter.experiment.best_known.space import short_text

    changed = "" if best.parameters == "{}" else f" {best.parameters}"
    evaluations = count_text(Budget.read(best.budget).evaluations or 0)
    values = ", ".join(number_text(value) for value in best.values)
    facts = [
        ("problem", f"{best.problem}, {best.dimension} variables, {evaluations} evaluations"),
        ("portfolio", f"{', '.join(map(titled, best.heuristics))} of {best.algorithm}{changed}"),
        ("best value", f"{number_text(best.value)}, {best.statistic} of {len(best.values)} runs ({values})"),
    ]
    if best.fresh_values:
        fresh = summary(best.fresh_values)
        spread = f" ± {number_text(fresh.std)}" if fresh.n > 1 else ""
        facts.append(("other seeds", f"{number_text(fresh.mean)}{spread}, mean of {fresh.n} runs"))
    if best.alone:
        facts.append(("alone", ", ".join(f"{titled(name)} {number_text(value)}" for name, value in best.alone.items())))
    facts.append(("found", f"as no. {best.number} ({best.origin}) of {best.tried} sequences, code {best.code}"))
    facts.append(("sequence", short_text(best.sequence)))
    for label, text in facts:
        sys.stdout.write(f"{label:<{LABEL}}{plain_text(text)}\n".replace("\N{NO-BREAK SPACE}", " "))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, tuple | list) else value
