"""``ter check``: try whether an objective keeps the rules that runs rely on."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ter.cli.exits import DONE, ERROR
from ter.cli.numbers import natural, whole
from ter.cli.run import add_target

__all__ = ["add_to"]

ABOUT = "check whether an objective keeps the rules that runs rely on"
EXAMPLES = """examples:
  ter check wing.py:drag --box -5 5 --dimension 1000
  ter check wing.py:drag --bounds bounds.csv --evaluations 2000 --seed 1

exit codes:
  0 all rules are kept, 1 a rule is broken, 2 wrong usage
"""


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=_check)
    add_target(parser, "what to check")
    how = parser.add_argument_group("how")
    how.add_argument("--evaluations", type=whole, default=500, metavar="N", help="what may be spent, 500 by default")
    how.add_argument(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="T",
        help="relative difference that counts as equal; 0 by default",
    )
    how.add_argument("--seed", type=natural, metavar="N", help="the same seed tries the same points; drawn by default")


def _check(args: argparse.Namespace) -> int:
    from ter.cli.files import read_start
    from ter.cli.target import problem_of
    from ter.testing.objective import check

    checked = check(
        problem_of(args),
        x0=read_start(args.x0),
        rng=args.seed,
        evaluations=args.evaluations,
        tolerance=args.tolerance,
    )
    sys.stdout.write(f"{checked}\n")
    return DONE if checked.ok else ERROR
