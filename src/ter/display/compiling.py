"""Compiling takes seconds on a new machine: say so, and measure it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

__all__ = ["Compiling", "announced"]

PATIENCE = 1.0  # seconds after which somebody wonders
TEXT = "ter: compiling for this machine; this is done once and kept"


@dataclass
class Compiling:
    """How long it took."""

    seconds: float = 0.0


@contextmanager
def announced(wanted: bool) -> Iterator[Compiling]:
    """Measure what is compiled inside, and say on standard error that it goes on, if it takes more than a moment.

    Parameters
    ----------
    wanted : bool
        Whether the user wants to see progress; a terminal is told in any case.

    Examples
    --------
    >>> with announced(False) as compiling:
    ...     pass
    >>> compiling.seconds < 1
    True
    """
    compiling, started = Compiling(), time.perf_counter()
    timer = threading.Timer(PATIENCE, _tell)
    timer.daemon = True
    if wanted or (sys.stderr is not None and sys.stderr.isatty()):
        timer.start()
    try:
        yield compiling
    finally:
        timer.cancel()
        compiling.seconds = time.perf_counter() - started


def _tell() -> None:
    with suppress(OSError, ValueError, AttributeError):  # standard error is closed, or there is none
        sys.stderr.write(TEXT + "\n")
        sys.stderr.flush()
