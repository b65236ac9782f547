"""``ter best replay``: follow a best known sequence again, with its seeds or with other ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.best_find import add_workers
from ter.cli.best_show import add_choice, choose, print_best
from ter.cli.exits import DONE, ERROR
from ter.cli.numbers import whole

if TYPE_CHECKING:
    from ter.experiment.best_known import BestKnown

__all__ = ["add_to"]

ABOUT = "follow a best known sequence again"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "replay",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}: with the seeds it was found with, whose values must come out again, or "
        "with others that had no part in its choice.",
    )
    parser.set_defaults(command=_replay)
    parser.add_argument(
        "store", nargs="?", type=Path, metavar="FILE", help="the file of `ter best`; by default what the package brings"
    )
    parser.add_argument("problem", metavar="PROBLEM", help="which one")
    add_choice(parser)
    parser.add_argument(
        "--fresh", type=whole, metavar="N", help="N runs with the seeds of a plan's runs 1 to N instead; they are kept"
    )
    add_workers(parser)


def _replay(args: argparse.Namespace) -> int:
    from ter.core.errors import InvalidArgument

    found = choose(args)
    if len(found) > 1:
        listed = "; ".join(f"--dimension {b.dimension} --budget {b.budget} --algorithm {b.algorithm}" for b in found)
        raise InvalidArgument(f"one sequence must be chosen, got {len(found)} for {args.problem}; add one of: {listed}")
    (best,) = found
    from ter.experiment.best_known import BestStore, Search, run_again

    own = (args.problem, args.algorithm)
    if args.store is None:
        if args.fresh is not None:
            raise InvalidArgument("--fresh needs the file of a search, which keeps the runs, got no FILE")
        search = Search(best.problem, best.dimension, best.budget, best.algorithm, best.parameters)
        return _same_seeds(best, search.task.code, own)
    if args.fresh is None:
        with BestStore(args.store) as store:
            return _same_seeds(best, store.search_of(best, own=own).task.code, own)
    with BestStore(args.store, write=True) as store:
        workers, progress = args.dask or args.workers, not args.quiet
        print_best(
            run_again(store.search_of(best, own=own), store, runs=args.fresh, workers=workers, progress=progress)
        )
    return DONE


def _same_seeds(best: BestKnown, code: str, own: Collection[str]) -> int:
    """Run with the seeds of the search, and compare."""
    from ter.core.stop import StopReason
    from ter.experiment.best_known import replay
    from ter.experiment.best_known.space import short_text

    differing = 0
    for seed, value in zip(best.seeds, best.values, strict=True):
        result = replay(best, rng=seed, own=own)
        if result.status is StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        same = result.fun.hex() == value.hex()
        differing += not same
        sys.stdout.write(f"seed {seed}: {result.fun!r}, {'as' if same else f'not {value!r} as'} in the file\n")
        sys.stdout.flush()
    sys.stdout.write(f"{short_text(best.sequence)}\n")
    if differing:
        why = "on another machine, perhaps" if code == best.code else f"by the code {best.code}; this is {code}"
        sys.stderr.write(f"ter: {differing} of {len(best.seeds)} values differ; they were found {why}\n")
    return ERROR if differing else DONE
