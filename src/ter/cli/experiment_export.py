"""``ter experiment export``: tables for other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

__all__ = ["add_to"]

ABOUT = "write runs, curves or decisions as CSV or Parquet"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("export", help=ABOUT, description=f"{ABOUT[0].upper()}{ABOUT[1:]}.")
    parser.set_defaults(command=_export)
    parser.add_argument("store", type=Path, metavar="STORE", help="the file with the results")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="ending in .csv or .parquet")
    parser.add_argument(
        "--what",
        choices=("runs", "curves", "actions"),
        default="runs",
        help="one row per run, per point of its curve, or per decision",
    )


def _export(args: argparse.Namespace) -> int:
    from ter.experiment.export import export
    from ter.experiment.store import Store

    with Store(args.store) as store:
        rows = export(store, args.output, args.what)
    sys.stdout.write(f"wrote {rows} rows to {args.output}\n")
    return 0
