"""A simulator that misbehaves now and then, to try out what a run does about it."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ter.core.box import Vector
from ter.core.errors import InvalidArgument
from ter.heuristics.checks import is_number

__all__ = ["FlakySimulator", "SimulatedCrash"]

EXIT_CODE = 42  # of a process that a crash has ended
HOUR = 3600.0
KINDS = ("crash", "hang", "nan", "exception")


class SimulatedCrash(RuntimeError):
    """What a crash is in the process that made the simulator, and what its exceptions are."""


class FlakySimulator:
    """An objective that crashes, hangs, raises or returns NaN at some points.

    The point itself decides, by its bits and a seed: the same points misbehave in every process, in any order and each
    time they are evaluated. So a run on workers that die can be compared with a serial one, value by value.

    Parameters
    ----------
    fun : callable
        The function that is evaluated where nothing goes wrong.
    crash : float
        Probability that the process ends on the spot, as after a segmentation fault: ``os._exit(42)``. In the process
        that made the simulator, which is that of the run, :class:`SimulatedCrash` is raised instead.
    hang : float
        Probability that the call takes an hour.
    nan : float
        Probability that NaN is returned.
    exception : float
        Probability that :class:`SimulatedCrash` is raised.
    delay : float
        Seconds that every call takes.
    rng : int
        The seed.
    once_in : path, optional
        A folder for notes, which all processes can write to. With it, what goes wrong at a point does so the first time
        only: a run that tries again comes to the values of `fun` everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> flaky = FlakySimulator(np.sum, nan=0.5, rng=1)
    >>> [float(flaky(np.full(2, float(i)))) for i in range(4)]
    [0.0, nan, 4.0, 6.0]
    >>> flaky.fate(np.ones(2)), flaky.fate(np.full(2, 3.0))
    ('nan', None)
    """

    def __init__(
        self,
        fun: Callable[[Vector], Any],
        *,
        crash: float = 0.0,
        hang: float = 0.0,
        nan: float = 0.0,
        exception: float = 0.0,
        delay: float = 0.0,
        rng: int = 0,
        once_in: str | Path | None = None,
    ) -> None:
        self.probabilities = (crash, hang, nan, exception)
        for kind, probability in zip(KINDS, self.probabilities, strict=True):
            if not (is_number(probability) and 0 <= probability <= 1):
                raise InvalidArgument(f"{kind} must be a probability in [0, 1], got {probability!r}")
        if sum(self.probabilities) > 1:
            raise InvalidArgument(
                f"the probabilities must add up to at most 1, got {sum(self.probabilities):g}; make them smaller"
            )
        if not (is_number(delay) and math.isfinite(delay) and delay >= 0):
            raise InvalidArgument(f"delay must be a number of seconds >= 0, got {delay!r}")
        self.fun, self.delay, self.seed = fun, delay, int(rng)
        self.once_in = None if once_in is None else Path(once_in)
        self._home = os.getpid()

    def __call__(self, x: Vector) -> Any:
        """Evaluate a point, if nothing goes wrong."""
        if self.delay:
            time.sleep(self.delay)
        fate = self.fate(x)
        if fate is None or not self._first_time(x):
            return self.fun(x)
        if fate == "nan":
            return math.nan
        if fate == "hang":
            time.sleep(HOUR)
        if fate == "crash" and os.getpid() != self._home:
            os._exit(EXIT_CODE)
        raise SimulatedCrash(f"a simulated {fate}")

    def fate(self, x: Vector) -> str | None:
        """Return what goes wrong at a point: "crash", "hang", "nan" or "exception"; None if nothing does."""
        drawn = int.from_bytes(self._digest(x)[:8], "little") / 2**64
        for kind, probability in zip(KINDS, self.probabilities, strict=True):
            if drawn < probability:
                return kind
            drawn -= probability
        return None

    def _first_time(self, x: Vector) -> bool:
        if self.once_in is None:
            return True
        try:
            (self.once_in / self._digest(x).hex()).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def _digest(self, x: Vector) -> bytes:
        return hashlib.blake2b(x.tobytes(), digest_size=16, key=str(self.seed).encode()).digest()
