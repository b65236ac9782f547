"""``ter best find``: search, or go on searching."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from ter.cli.exits import DONE, INTERRUPTED
from ter.cli.numbers import natural, whole

__all__ = ["add_to", "add_workers"]

ABOUT = "search for the best sequence of decisions on a problem, or go on searching"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("find", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_find)
    parser.add_argument("problem", metavar="PROBLEM", help="a name of `ter list problems`, or module:attribute")
    parser.add_argument("--store", type=Path, required=True, metavar="FILE", help="where everything is kept, .sqlite")
    parser.add_argument("--budget", metavar="N", help="evaluations of a run; by default those of the suite's rules")
    parser.add_argument("--dimension", type=whole, metavar="D", help="number of variables")
    parser.add_argument("--algorithm", default="ter", metavar="NAME", help="whose portfolio; ter by default")
    parser.add_argument(
        "--sequences",
        type=whole,
        default=200,
        metavar="N",
        help="to be tried in all, those in the file included; 200 by default",
    )
    parser.add_argument(
        "--runs", type=whole, default=3, metavar="N", help="seeds by which a sequence is judged; 3 by default"
    )
    parser.add_argument("--median", action="store_true", help="judge by the median of the runs instead of the mean")
    parser.add_argument(
        "--first", type=whole, default=50, metavar="N", help="sequences before the best are varied; 50 by default"
    )
    parser.add_argument("--seed", type=natural, default=1, metavar="N", help="of the search; 1 by default")
    parser.add_argument("--from", type=Path, dest="given", metavar="STORE", help="try sequences of recorded runs too")
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def add_workers(parser: Any) -> None:
    """Add the options about who does the runs."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=whole, default=-1, metavar="N", help="processes; one per core by default")
    where.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://host:8786")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def _find(args: argparse.Namespace) -> int:
    from ter.cli.best_show import print_best, print_json
    from ter.experiment.best_known import Search, find_best, recorded_sequences

    search = Search(
        args.problem,
        args.dimension,
        args.budget,
        args.algorithm,
        runs=args.runs,
        statistic="median" if args.median else "mean",
        first=args.first,
        seed=args.seed,
    )
    given = recorded_sequences(args.given, search) if args.given else ()
    workers, progress = args.dask or args.workers, not args.quiet
    try:
        best = find_best(search, args.store, sequences=args.sequences, given=given, workers=workers, progress=progress)
    except KeyboardInterrupt:
        sys.stderr.write("ter: interrupted; every run that has ended is kept\n")
        sys.stderr.write(f"ter: go on with  {shlex.join(['ter', *args.words])}\n")
        return INTERRUPTED
    if args.json:
        print_json([best])
    else:
        print_best(best)
        if best.tried < args.sequences:
            sys.stdout.write("no other sequence was found to try\n")
    return DONE
