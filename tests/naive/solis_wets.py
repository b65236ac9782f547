"""Solis and Wets' random search (1981) with the constants of MOS, in plain Python, written for reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.naive.splitmix import SplitMix

Point = list[float]


@dataclass
class NaiveSolisWets:
    fun: Callable[[np.ndarray], float]
    lower: Point
    upper: Point
    x: Point
    y: float
    random: SplitMix
    deviation: float
    successes: int
    failures: int
    longer: float
    shorter: float
    evaluated: list[Point] = field(default_factory=list)

    def search(self, evaluations: int) -> None:
        bias = [0.0] * len(self.x)
        won = lost = 0  # in a row
        while len(self.evaluated) < evaluations:
            before = list(self.x)
            step = [b + self.deviation * z for b, z in zip(bias, self.random.normals(len(bias)), strict=True)]
            if self._try([v + s for v, s in zip(before, step, strict=True)]):
                bias = [0.2 * b + 0.4 * s for b, s in zip(bias, step, strict=True)]
                won, lost = won + 1, 0
            elif self._try([v - s for v, s in zip(before, step, strict=True)]):
                bias = [b - 0.4 * s for b, s in zip(bias, step, strict=True)]
                won, lost = won + 1, 0
            else:
                bias = [0.5 * b for b in bias]
                won, lost = 0, lost + 1
            if won == self.successes:
                self.deviation *= self.longer
                won = 0
            if lost == self.failures:
                self.deviation *= self.shorter
                lost = 0

    def _try(self, wanted: Point) -> bool:
        point = [min(max(v, low), high) for v, low, high in zip(wanted, self.lower, self.upper, strict=True)]
        y = self.fun(np.array(point))
        self.evaluated.append(point)
        if y < self.y:
            self.x, self.y = point, y
            return True
        return False
