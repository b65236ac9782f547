"""``ter run``: minimise a function or a built-in problem."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.exits import ERROR, exit_code
from ter.cli.numbers import natural, whole

if TYPE_CHECKING:
    from ter.cli.files import Outputs
    from ter.core.problem import Problem
    from ter.display.result import Result

__all__ = ["add_outputs", "add_target", "add_to", "add_workers", "show"]

ABOUT = "minimise a function or a built-in problem"
EXAMPLES = """examples:
  ter run deblurring --budget 30s --picture result.png
  ter run lso13/f4 --budget 3e6 --algorithm ter --seed 1
  ter run wing.py:drag --box -5 5 --dimension 1000 --budget 1e6 --workers 4
  ter run wing.py:drag --bounds bounds.csv --budget 1h30m --target 1e-8 --output best.npz

exit codes:
  0 done, 1 error, 2 wrong usage, 3 the target was missed, 4 interrupted
"""


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "run",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=_run)
    add_target(parser, "what to minimise")
    _add_limits(parser.add_argument_group("how long"))
    _add_method(parser.add_argument_group("how"))
    how = parser.add_argument_group("what to show and write")
    how.add_argument(
        "--checkpoint", type=Path, metavar="FOLDER", help="keep the run there; the same command again goes on with it"
    )
    add_outputs(how)


def add_target(parser: Any, title: str, *, start: bool = True) -> None:
    """Add the options that name an objective and its box; several commands have them."""
    parser.add_argument(
        "objective", metavar="TARGET", help="module:function, path/to/file.py:function or a name of `ter list problems`"
    )
    what = parser.add_argument_group(title)
    box = what.add_mutually_exclusive_group()
    box.add_argument("--box", nargs=2, type=float, metavar=("LOWER", "UPPER"), help="bounds of every variable")
    box.add_argument(
        "--bounds",
        type=Path,
        metavar="FILE",
        help="bounds of each variable: a .csv with lower and upper per line, or .npy",
    )
    what.add_argument("--dimension", type=whole, metavar="D", help="number of variables, such as 1000 or 1e3")
    what.add_argument("--vectorized", action="store_true", help="the function takes rows of points")
    if start:
        what.add_argument("--x0", type=Path, metavar="FILE", help="points to start from: .npy, .npz or text")


def _add_limits(group: Any) -> None:
    group.add_argument(
        "--budget",
        required=True,
        metavar="TEXT",
        help="1e6, 10min, 1h30m, '40 cost', or several: '1e6 evaluations, 6h'",
    )
    group.add_argument("--target", type=float, metavar="VALUE", help="stop as soon as a value is at most this")
    group.add_argument("--stagnation", type=whole, metavar="N", help="stop after N evaluations without improvement")
    group.add_argument(
        "--on-error", choices=("raise", "worst"), default="raise", help="stop at an exception (default), or go on"
    )


def _add_method(group: Any) -> None:
    group.add_argument(
        "--seed", type=natural, metavar="N", help="the same seed gives the same result; drawn by default"
    )
    group.add_argument(
        "--algorithm",
        default="default",
        metavar="NAME",
        help="a name of `ter list algorithms`; by default what ter.minimize runs",
    )
    group.add_argument("--heuristics", metavar="A,B,C", help="names of `ter list heuristics`: another portfolio")
    group.add_argument("--scheduler", metavar="NAME", help="who chooses what to start: ter, random or round-robin")
    group.add_argument("--temperature", type=float, metavar="T", help="TER's: the smaller, the greedier")
    group.add_argument("--window", type=whole, metavar="N", help="TER's: how many of the last actions count")
    group.add_argument("--reward", metavar="NAME", help="TER's: improvement, relative or log")
    add_workers(group)


def add_workers(group: Any) -> None:
    """Add the options that say who evaluates; several commands have them."""
    group.add_argument(
        "--workers", type=whole, default=1, metavar="N", help="processes, 1 by default; -1 for one per core"
    )
    group.add_argument(
        "--evaluation-timeout", metavar="TIME", help="an evaluation that takes longer is killed and failed: 30s, 2min"
    )


def add_outputs(group: Any) -> None:
    """Add the options that say what to show and write."""
    group.add_argument("--quiet", action="store_true", help="no progress")
    group.add_argument("--json", action="store_true", help="print the summary as JSON, and nothing else")
    group.add_argument("--output", type=Path, metavar="FILE", help="save the best point as .npz or .npy")
    group.add_argument("--picture", type=Path, metavar="FILE", help="draw the run, for example as .png")
    group.add_argument("--report", type=Path, metavar="FILE", help="write a page about the run, .html")


def _run(args: argparse.Namespace) -> int:
    from ter.cli.files import Outputs
    from ter.cli.solve import solve

    outputs = Outputs(args.output, args.picture, args.report)
    # With --json nothing that the user's module prints may reach standard output.
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        problem, result, error = solve(args)
    return show(args, outputs, problem, result, error)


def show(args: argparse.Namespace, outputs: Outputs, problem: Problem, result: Result, error: str) -> int:
    """Print and write what came of a run; return the exit code."""
    from ter.cli.summary import print_json, print_summary

    unwritten = outputs.write(result, problem)
    sys.stderr.write(error + "".join(f"ter: error: {message}\n" for message in unwritten))
    if args.json:
        print_json(result, error)
    else:
        print_summary(result, args.words, outputs.written)
    return (
        ERROR
        if unwritten
        else exit_code(result.status, found=math.isfinite(result.fun), target=getattr(args, "target", None))
    )
