"""Times that can be compared: measured in turn, the least of several, in seconds of the processor."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping

__all__ = ["geometric_mean", "in_turn", "timed"]

BLOCK = 0.05  # seconds of one measurement


def timed(function: Callable[[int], object]) -> Callable[[int], float]:
    """Turn ``function(n)``, which does something n times, into one that returns the seconds this took."""

    def seconds(n: int) -> float:
        started = time.process_time()
        function(n)
        return time.process_time() - started

    return seconds


def in_turn(clocks: Mapping[str, Callable[[int], float]], rounds: int) -> dict[str, float]:
    """Return the microseconds per repetition of each, the least over rounds in which all take their turn.

    Whatever else the machine does then hits all of them alike, and the least time is the least disturbed one.
    """
    numbers = {}
    for name, clock in clocks.items():
        clock(1)  # compiles
        numbers[name] = max(1, round(10 * BLOCK / max(clock(10), 1e-6)))
    best = dict.fromkeys(clocks, math.inf)
    for _ in range(rounds):
        for name, clock in clocks.items():
            best[name] = min(best[name], clock(numbers[name]) / numbers[name])
    return {name: 1e6 * seconds for name, seconds in best.items()}


def geometric_mean(ratios: Iterable[float]) -> float:
    """Return the mean that fits ratios."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs))
