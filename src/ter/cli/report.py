"""``ter report``: tables, figures and a page about an experiment."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ter.report import Board

__all__ = ["add_to"]

ABOUT = "write tables, figures and a page about an experiment"


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("report", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_report)
    parser.add_argument("store", type=Path, metavar="STORE", help="the file with the results")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="where to write the report")
    parser.add_argument(
        "--with",
        dest="published",
        type=_names,
        default=[],
        metavar="NAMES",
        help="published results to put beside, such as paper,shade-ils,cbcc-rdg3",
    )
    parser.add_argument(
        "--against", metavar="LABEL", help="compare the others with this algorithm; the first by default"
    )
    parser.add_argument(
        "--best", type=Path, metavar="FILE", help="best known sequences (see `ter best`) to compare decisions with"
    )
    parser.add_argument("--title", default="", help="of the page")
    parser.add_argument("--quiet", action="store_true", help="no tables in the terminal")


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _report(args: argparse.Namespace) -> int:
    from ter.benchmarks import FUNCTIONS
    from ter.experiment.store import Store
    from ter.report import Board, Study, best_sequences, write_report

    best = [] if args.best is None else best_sequences(args.best)
    with Store(args.store) as store:
        board = Board.of(Study.of(store.records(), args.against), args.published, best)
    about = {name: function.about for name, function in FUNCTIONS.items()}
    paths = write_report(board, args.output, title=args.title, about=about)
    if not args.quiet:
        _print(board)
    sys.stdout.write(f"wrote {paths[0]}, and {len(paths) - 1} files of tables and figures beside it\n")
    return 0


def _print(board: Board) -> None:
    from rich.console import Console

    from ter.report import as_terminal
    from ter.report.tables import brief_tables

    # In a file or a pipe, a row is one line however long it is.
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 500, highlight=False)
    for table in brief_tables(board):
        console.print(as_terminal(table))
