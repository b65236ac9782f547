"""``ter experiment run``: do the runs of a plan that are missing in a store."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.exits import DONE, ERROR, INTERRUPTED
from ter.cli.numbers import whole

if TYPE_CHECKING:
    from ter.experiment import Plan, PlanProgress

__all__ = ["add_to", "read_plan"]

ABOUT = "do the runs of a plan that are not in the store yet"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("run", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_run)
    parser.add_argument("plan", metavar="PLAN", help="a TOML file, or module:attribute of a ter.experiment.Plan")
    parser.add_argument("--store", type=Path, required=True, metavar="FILE", help="where results are kept, .sqlite")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=whole, default=-1, metavar="N", help="processes; one per core by default")
    where.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://host:8786")
    parser.add_argument("--runs", type=whole, metavar="N", help="so many runs of each kind at most, the first ones")
    parser.add_argument("--retry-failed", action="store_true", help="do failed runs again")
    parser.add_argument("--any-code", action="store_true", help="accept results of other versions of the code")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def read_plan(text: str) -> Plan:
    """Read a plan: a TOML file, or ``module:attribute``."""
    from ter.core.errors import InvalidArgument
    from ter.experiment.plan import Plan
    from ter.user_code import attribute_named, is_user_code

    if not is_user_code(text) or Path(text).is_file():
        return Plan.load(text)
    found = attribute_named(text)
    if not isinstance(found, Plan):
        raise InvalidArgument(f"{text!r} must be a ter.experiment.Plan, got {type(found).__name__}")
    return found


def _run(args: argparse.Namespace) -> int:
    from ter.experiment import run_plan

    plan = read_plan(args.plan)
    try:
        tally = run_plan(
            plan if args.runs is None else plan.shortened(args.runs),
            args.store,
            workers=args.dask or args.workers,
            retry_failed=args.retry_failed,
            any_code=args.any_code,
            progress=not args.quiet,
        )
    except KeyboardInterrupt:
        sys.stderr.write(f"ter: interrupted; every run that has ended is kept\n{_again(args.words)}")
        return INTERRUPTED
    sys.stdout.write(_summary(tally, args.store))
    return ERROR if tally.failed else DONE


def _again(words: list[str]) -> str:
    return f"ter: go on with  {shlex.join(['ter', *words])}\n"


def _summary(tally: PlanProgress, store: Path) -> str:
    text = f"{tally.finished} of {tally.total} runs are in {store}, {tally.new} of them new\n"
    if tally.failed:
        text += f"{tally.failed} failed; see `ter experiment status {store}`, and do them again with --retry-failed\n"
    return text
