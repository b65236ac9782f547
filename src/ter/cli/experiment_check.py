"""``ter experiment check``: which records of a file are whole, which are damaged, and how to go on."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ter.cli.exits import DONE, ERROR

if TYPE_CHECKING:
    from ter.experiment.database import Database

__all__ = ["add_to"]

ABOUT = "tell which records of a file are whole, which are damaged, and how to go on"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        help=ABOUT,
        description=f"{ABOUT.capitalize()}. The exit code is 0 if everything is whole, and 1 if something is damaged "
        "or the file cannot be read at all.",
    )
    parser.set_defaults(command=_check)
    parser.add_argument("store", type=Path, metavar="STORE", help="a file of `ter experiment run` or `ter best`")


def _check(args: argparse.Namespace) -> int:
    from ter.core.errors import DamageWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamageWarning)  # told below, and more closely
        with _kind(args.store)(args.store) as store:
            whole, damaged = store.check()
            sealed, rescue = store.sealed, store.rescue
    beside = "" if sealed else ", as far as can be told without checksums, which it gets when it is next written to"
    sys.stdout.write(f"{args.store}: {whole} records are whole{beside}\n")
    for each in damaged:
        sys.stdout.write(f"damaged: {each}\n")
    if damaged:
        sys.stderr.write(f"ter: {args.store} is damaged. {rescue}\n")
    return ERROR if damaged else DONE


def _kind(path: Path) -> type[Database]:
    """Return the class that reads a file, judging by the number in its header."""
    from ter.experiment.best_known.store import BestStore
    from ter.experiment.store import Store

    try:
        with path.open("rb") as stream:
            application = int.from_bytes(stream.read(72)[68:], "big")
    except OSError:
        return Store  # says what is wrong
    return BestStore if application == BestStore.form.application else Store
