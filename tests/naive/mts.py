"""MTS-LS2 and MTS-LS3 (Tseng and Chen 2008) in plain Python: the points they evaluate, written for reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.naive.splitmix import SplitMix

Point = list[float]


@dataclass
class NaiveSearches:
    fun: Callable[[np.ndarray], float]
    lower: Point
    upper: Point
    x: Point
    y: float
    random: SplitMix
    evaluated: list[Point] = field(default_factory=list)

    def ls2(self, calls: int) -> None:
        """Trials in which each coordinate takes part with probability 1/4; D of them are a call."""
        mean_range = sum(high - low for low, high in zip(self.lower, self.upper, strict=True)) / len(self.x)
        step = 0.5 * mean_range
        for _ in range(calls):
            improved = [self._trial(step) for _ in self.x]
            if not any(improved):
                step /= 2
            if step < 1e-15:
                step = 0.4 * mean_range

    def _trial(self, step: float) -> bool:
        before = self.y
        certain = self.random.below(len(self.x))
        direction = []
        for j in range(len(self.x)):
            z = self.random.bits()
            sign = 1.0 if z % 2 else -1.0
            direction.append(sign if j == certain or z < 2**62 else 0.0)
        first = [v - step * d for v, d in zip(self.x, direction, strict=True)]
        second = [v + 0.5 * step * d for v, d in zip(self.x, direction, strict=True)]
        if self._try(first) > before:
            self._try(second)
        return self.y < before

    def ls3(self, factors: np.ndarray) -> None:
        """One call: three probes of each coordinate, then all of them are shifted."""
        x, y = list(self.x), self.y
        shifted = []
        for i, (u, v, w) in enumerate(factors.tolist()):
            gains = []
            for length in (0.1, -0.1, 0.2):
                probe = list(x)
                probe[i] = min(max(x[i] + length, self.lower[i]), self.upper[i])
                gains.append(0.0 if probe[i] == x[i] else y - self._try(probe))
            a, b, c = 0.4 + 0.1 * u, 0.1 + 0.2 * v, w
            shifted.append(x[i] + a * (gains[0] - gains[1]) + b * (gains[2] - 2 * gains[0]) + c)
        self._try(shifted)

    def _try(self, wanted: Point) -> float:
        point = [min(max(v, low), high) for v, low, high in zip(wanted, self.lower, self.upper, strict=True)]
        y = self.fun(np.array(point))
        self.evaluated.append(point)
        if y < self.y:
            self.x, self.y = point, y
        return y
