"""How long the rest of an experiment will take."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from ter.experiment.record import RunKey

__all__ = ["Estimate"]


class Estimate:
    """Expected seconds of all runs that are not done yet.

    A run is expected to take as long as finished ones with the same problem and algorithm did on average; if there are
    none, as those with the same problem, or with the same algorithm, or as all.

    Parameters
    ----------
    clock : callable
        Seconds.

    Examples
    --------
    >>> first, second = (RunKey("lso13/f4", 1000, "ter", "{}", "3000000", seed, "") for seed in (1, 2))
    >>> estimate = Estimate()
    >>> estimate.wait_for([second])
    >>> estimate.left(slots=2)
    inf
    >>> estimate.add(first, 12.0)
    >>> estimate.left(slots=2)
    12.0
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds: dict[tuple[object, ...], list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._waiting: Counter[RunKey] = Counter()  # by what runs have in common
        self._begun: dict[RunKey, float] = {}

    def add(self, key: RunKey, wall: float) -> None:
        """Learn from a run that took `wall` seconds."""
        for group in _groups(key):
            self._seconds[group][0] += wall
            self._seconds[group][1] += 1

    def wait_for(self, keys: Iterable[RunKey]) -> None:
        """Note runs that are to be done."""
        self._waiting.update(_common(key) for key in keys)

    def begin(self, key: RunKey) -> None:
        """Note that a run is under way."""
        self._waiting[_common(key)] -= 1
        self._begun[key] = self._clock()

    def end(self, key: RunKey) -> None:
        """Note that a run is no longer under way."""
        self._begun.pop(key, None)

    def expected(self, key: RunKey) -> float:
        """Return the seconds that a run will take; infinite if nothing is known."""
        for group in _groups(key):
            total, number = self._seconds.get(group, (0.0, 0.0))
            if number:
                return total / number
        return math.inf

    def left(self, slots: int) -> float:
        """Return the seconds until all runs are done, by so many workers."""
        now = self._clock()
        # Copies, since a display asks from a thread of its own.
        rest = [max(0.0, self.expected(key) - (now - begun)) for key, begun in list(self._begun.items())]
        waiting = [(self.expected(key), number) for key, number in list(self._waiting.items()) if number > 0]
        total = sum(rest) + sum(seconds * number for seconds, number in waiting)
        longest = max([0.0, *rest, *(seconds for seconds, _ in waiting)])
        return max(total / max(1, slots), longest)


def _common(key: RunKey) -> RunKey:
    return RunKey(key.problem, key.dimension, key.algorithm, key.parameters, key.budget, 0, "")


def _groups(key: RunKey) -> list[tuple[object, ...]]:
    return [
        (key.problem, key.dimension, key.budget, key.algorithm, key.parameters),
        (key.problem, key.dimension, key.budget),
        (key.algorithm, key.parameters),
        (),
    ]
