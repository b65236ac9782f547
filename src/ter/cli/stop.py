"""``ter stop``: end a run gracefully, from outside."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["add_to"]

ABOUT = "end a run that has a checkpoint; it can be resumed"
PATIENCE = 0.2  # seconds between two looks


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("stop", help=ABOUT, description=f"{ABOUT.capitalize()}.")
    parser.set_defaults(command=_stop)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the checkpoint")
    parser.add_argument("--wait", action="store_true", help="return when the run has ended")


def _stop(args: argparse.Namespace) -> int:
    from ter.checkpoint.folder import Folder

    folder = Folder(args.folder)
    folder.manifest()
    holder = folder.holder()
    if holder is None:
        sys.stdout.write("nobody runs it\n")
        return 0
    folder.ask_to_stop()
    sys.stdout.write(f"asked {holder} to stop\n")
    while args.wait and folder.holder() is not None:
        time.sleep(PATIENCE)
    return 0
