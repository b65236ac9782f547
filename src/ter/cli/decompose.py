"""``ter decompose``: find out which variables of a function interact."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.exits import DONE, ERROR, exit_code
from ter.cli.numbers import whole
from ter.cli.run import add_target, add_workers

if TYPE_CHECKING:
    from ter.display.decomposition import Decomposition

__all__ = ["add_to"]

ABOUT = "find out which variables of a function interact"
EXAMPLES = """examples:
  ter decompose lso13/f8
  ter decompose lso13/f8 --method dg2 --picture interactions.png
  ter decompose wing.py:drag --box -5 5 --dimension 1000 --budget 10min --json

exit codes:
  0 done, 1 error, 2 wrong usage, 4 interrupted
"""


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "decompose",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=_decompose)
    add_target(parser, "what to look at", start=False)
    parser.add_argument(
        "--method", default="rdg3", metavar="NAME", help="rdg3 (default), or dg2, which looks at every pair"
    )
    parser.add_argument(
        "--largest", type=whole, metavar="N", help="rdg3's: a group of this size is closed, 50 by default"
    )
    parser.add_argument("--budget", metavar="TEXT", help="1e6, 10min, ...; no limit by default")
    parser.add_argument(
        "--on-error", choices=("raise", "worst"), default="raise", help="stop at an exception, or go on"
    )
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="print everything as JSON, and nothing else")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the interactions, for example as .png")


def _decompose(args: argparse.Namespace) -> int:
    from ter.cli.files import require_picture

    require_picture(args.picture)
    # With --json nothing that the user's module prints may reach standard output.
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        found, error = _found(args)
    sys.stderr.write(error)
    sys.stdout.write(json.dumps(found.summary(), allow_nan=False) + "\n" if args.json else f"{found}\n")
    if args.picture is not None:
        try:
            found.plot(args.picture)
        except OSError as failure:
            sys.stderr.write(f"ter: error: {args.picture} could not be written: {failure}\n")
            return ERROR
    return DONE if found.status is None else exit_code(found.status, found=True, target=None)


def _found(args: argparse.Namespace) -> tuple[Decomposition, str]:
    """Return what was found, and the traceback of the exception that ended it, else an empty text."""
    from ter.cli.target import problem_of
    from ter.display.decomposition import Decomposition
    from ter.interface.decompose import decompose
    from ter.user_code import user_traceback

    problem = problem_of(args)
    try:
        found = decompose(
            problem,
            method=args.method,
            budget=args.budget,
            largest=args.largest,
            workers=args.workers,
            evaluation_timeout=args.evaluation_timeout,
            on_error=args.on_error,
        )
    except Exception as error:
        so_far = getattr(error, "ter_result", None)
        if not isinstance(so_far, Decomposition):
            raise
        return so_far, user_traceback(error)
    return found, ""
