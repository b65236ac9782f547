"""``ter``: read the command, run it, turn errors into one line and an exit code."""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from ter import __version__
from ter.cli import best as best_command
from ter.cli import check as check_command
from ter.cli import decompose as decompose_command
from ter.cli import experiment as experiment_command
from ter.cli import list as list_command
from ter.cli import report as report_command
from ter.cli import resume as resume_command
from ter.cli import run as run_command
from ter.cli import status as status_command
from ter.cli import stop as stop_command
from ter.cli import warm as warm_command
from ter.cli.exits import DONE, ERROR, INTERRUPTED, USAGE
from ter.core.errors import DamageWarning, InvalidArgument, TerError
from ter.user_code import user_traceback

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; those of the process by default.

    Examples
    --------
    >>> main(["run", "nothing.py:f", "--budget", "10"])
    2
    """
    words = list(sys.argv[1:] if argv is None else argv)
    args = _parser().parse_args([_shielded(word) for word in best_command.completed(words)] or ["--help"])
    args.words = words
    _write_anything()
    try:
        with _telling_of_damage() as damage:
            code: int = args.command(args)
        sys.stdout.flush()
    except TerError as error:
        sys.stderr.write(f"ter: error: {error}\n")
        return USAGE if isinstance(error, InvalidArgument) else ERROR
    except KeyboardInterrupt:
        sys.stderr.write("ter: interrupted\n")
        return INTERRUPTED
    except SystemExit as error:  # of the user's code: ours returns its code
        sys.stderr.write(f"{user_traceback(error)}ter: error: user code must not end the process, got SystemExit\n")
        return ERROR
    except BrokenPipeError:
        # Whoever read our output has left; keep Python from complaining about it once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ERROR
    return code or (ERROR if damage else DONE)


@contextmanager
def _telling_of_damage() -> Iterator[list[str]]:
    """Tell of damaged files in one line each, as of errors; the list is of what was told."""
    told: list[str] = []
    others = warnings.showwarning

    def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        if not issubclass(category, DamageWarning):
            others(message, category, filename, lineno, file, line)
        elif str(message) not in told:  # a command may open a file twice
            told.append(str(message))
            sys.stderr.write(f"ter: {message}\n")

    with warnings.catch_warnings():
        warnings.simplefilter("always", DamageWarning)
        warnings.showwarning = show
        yield told


def _write_anything() -> None:
    """Let no text fail that the terminal has no letters for."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as all errors are told, instead of after the list of all options."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"ter: error: {message}; see `{self.prog} --help`\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="ter",
        description="Minimise a function of many variables in a box, knowing only its values.",
        epilog="`ter COMMAND --help` says more. To begin with: ter run deblurring --budget 10s",
    )
    parser.add_argument("--version", action="version", version=f"ter {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    run_command.add_to(commands)
    resume_command.add_to(commands)
    status_command.add_to(commands)
    stop_command.add_to(commands)
    decompose_command.add_to(commands)
    check_command.add_to(commands)
    experiment_command.add_to(commands)
    report_command.add_to(commands)
    best_command.add_to(commands)
    list_command.add_to(commands)
    warm_command.add_to(commands)
    return parser


def _shielded(word: str) -> str:
    """Put a space before a negative number, which argparse would else take for an option when it reads ``-1e-3``."""
    if not word.startswith("-"):
        return word
    try:
        float(word)
    except ValueError:
        return word
    return f" {word}"
