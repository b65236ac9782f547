"""How long the rest of an experiment will take."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace

from ter.experiment.record import RunKey

__all__ = ["Forecast"]


class Forecast:
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
    >>> forecast = Forecast()
    >>> forecast.wait_for([second])
    >>> forecast.left(slots=2)
    inf
    >>> forecast.add(first, 12.0)
    >>> forecast.left(slots=2)
    12.0
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds: dict[tuple[object, ...], list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._waiting: Counter[RunKey] = Counter()  # by what runs have in common
        self._begun: dict[RunKey, float] = {}
        self._later: tuple[RunKey, int] | None = None

    def add(self, key: RunKey, wall: float) -> None:
        """Learn from a run that took `wall` seconds."""
        for group in _groups(key):
            self._seconds[group][0] += wall
            self._seconds[group][1] += 1

    def wait_for(self, keys: Iterable[RunKey]) -> None:
        """Note runs that are to be done."""
        self._waiting.update(_common(key) for key in keys)

    def expect(self, key: RunKey, runs: int) -> None:
        """Note how many runs on the same problem will follow later; this replaces what was noted before."""
        self._later = (replace(key, algorithm="", parameters=""), runs)

    def begin(self, key: RunKey) -> None:
        """Note that a run is under way."""
        self._waiting[_common(key)] -= 1
        self._begun[key] = self._clock()

    def end(self, key: RunKey) -> None:
        """Note that a run is no longer under way."""
        self._begun.pop(key, None)

    @property
    def runs(self) -> int:
        """How many runs are not done yet."""
        return sum(number for _, number in self._to_come()) + len(self._begun)

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
        waiting = [(self.expected(key), number) for key, number in self._to_come()]
        total = sum(rest) + sum(seconds * number for seconds, number in waiting)
        longest = max([0.0, *rest, *(seconds for seconds, _ in waiting)])
        return max(total / max(1, slots), longest)

    def _to_come(self) -> list[tuple[RunKey, int]]:
        later = [] if self._later is None else [self._later]
        return [(key, number) for key, number in [*list(self._waiting.items()), *later] if number > 0]


def _common(key: RunKey) -> RunKey:
    return replace(key, seed=0, code="")


def _groups(key: RunKey) -> list[tuple[object, ...]]:
    return [
        (key.problem, key.dimension, key.budget, key.algorithm, key.parameters),
        (key.problem, key.dimension, key.budget),
        (key.algorithm, key.parameters),
        (),
    ]
