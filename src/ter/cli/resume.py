"""``ter resume``: go on with a run that has a checkpoint."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.run import add_outputs, add_workers, show

if TYPE_CHECKING:
    from ter.core.problem import Problem
    from ter.display.result import Result

__all__ = ["add_to"]

ABOUT = "go on with a run that has a checkpoint"
EXAMPLES = """examples:
  ter run lso13/f4 --budget 3e6 --checkpoint run1
  ter resume run1
  ter resume run1 --budget 6e6
  ter resume run2 wing.py:drag

A built-in problem is found by its name. A function of yours must be named again: nothing that a file names is imported.
"""


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "resume",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=_resume)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the checkpoint")
    parser.add_argument(
        "objective", nargs="?", metavar="TARGET", help="module:function or path/to/file.py:function of the run"
    )
    parser.add_argument("--budget", metavar="TEXT", help="a larger budget; what was spent counts")
    add_workers(parser)
    add_outputs(parser)


def _resume(args: argparse.Namespace) -> int:
    from ter.cli.files import Outputs

    outputs = Outputs(args.output, args.picture, args.report)
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        problem, result, error = _go_on(args)
    return show(args, outputs, problem, result, error)


def _go_on(args: argparse.Namespace) -> tuple[Problem, Result, str]:
    from ter.cli.solve import result_in
    from ter.interface.resume import kept_run, problem_of, resume
    from ter.user_code import attribute_named

    fun = None if args.objective is None else attribute_named(args.objective)
    kept = kept_run(args.folder)
    problem, args.target = problem_of(kept, fun), kept.arguments["target"]
    try:
        result = resume(
            args.folder,
            problem,
            budget=args.budget,
            workers=args.workers,
            evaluation_timeout=args.evaluation_timeout,
            progress=not args.quiet,
        )
    except BaseException as error:  # noqa: BLE001 - the function may have called sys.exit
        return problem, *result_in(error)
    return problem, result, ""
