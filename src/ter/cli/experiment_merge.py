"""``ter experiment merge``: put the results of several machines into one store."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ter.cli.exits import DONE, ERROR

__all__ = ["add_to"]

ABOUT = "put the results of several stores into one"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("merge", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_merge)
    parser.add_argument("into", type=Path, metavar="INTO", help="the store to add to; made if it is not there")
    parser.add_argument("stores", type=Path, nargs="+", metavar="STORE", help="the stores to read")
    parser.add_argument("--thin", action="store_true", help="keep less of the curves: a store of a tenth of the size")


def _merge(args: argparse.Namespace) -> int:
    from ter.display.texts import plain_text
    from ter.experiment.store import Store

    for path in args.stores:
        Store(path).close()  # all of them can be read, or nothing is written
    differing: list[str] = []
    with Store(args.into, write=True) as store:
        for path in args.stores:
            merged = store.merge(path, thin=args.thin)
            differing += merged.differing
            sys.stdout.write(
                f"{path}: {merged.added} new, {merged.replaced} in place of failed ones, {merged.kept} already there\n"
            )
        sys.stdout.write(f"{len(store)} runs are in {args.into}\n")
        ambiguous = [label for label, meanings in store.labels().items() if len(meanings) > 1]
    for label in ambiguous:
        sys.stderr.write(
            f"ter: the label {label!r} stands for algorithms with different parameters; give them labels in a plan, "
            "and start it once with this store\n"
        )
    for name in differing:
        sys.stderr.write(
            f"ter: {plain_text(name)} has other results in the two stores, although everything that should decide "
            "about them is the same; what was there first is kept\n"
        )
    return ERROR if differing else DONE
