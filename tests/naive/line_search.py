"""A pass of the global line search on a function of lists, written for reading: one variable after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.naive.splitmix import SplitMix

GOLD = (3 - math.sqrt(5)) / 2


@dataclass
class NaiveLineSearch:
    fun: Callable[[list[float]], float]
    x: list[float]
    y: float
    lower: list[float]
    upper: list[float]
    random: SplitMix
    steps: int
    asked: list[list[float]] = field(default_factory=list)

    def sweep(self, points: int, minima: int) -> None:
        order: list[int] = []
        for k in range(len(self.x)):
            j = self.random.below(k + 1)
            order.append(k)
            order[k], order[j] = order[j], k
        for i in order:
            if self.lower[i] < self.upper[i]:
                self._line(i, points, minima)

    def _ask(self, i: int, v: float) -> float:
        point = [*self.x[:i], v, *self.x[i + 1 :]]
        self.asked.append(point)
        y = self.fun(point)
        if y < self.y:
            self.x, self.y = point, y
        return y

    def _line(self, i: int, points: int, minima: int) -> None:
        low, high, start = self.lower[i], self.upper[i], (self.x[i], self.y)
        places = [low] + [min(high, low + (k + self.random.uniform()) / points * (high - low)) for k in range(points)]
        known = [(v, self._ask(i, v)) for v in [*places, high] if v != start[0]]
        known = sorted([*known, start], key=lambda place: place[0])
        ys = [y for _, y in known]
        dips = [
            k
            for k, y in enumerate(ys)
            if y < math.inf and (k == 0 or y < ys[k - 1]) and (k == len(ys) - 1 or y <= ys[k + 1])
        ]
        best: list[int] = []
        for k in sorted(dips, key=lambda k: ys[k]):  # stable: of equal values the first one counts
            if not best or ys[k] > ys[best[-1]]:
                best.append(k)
        finite = [y for y in ys if y < math.inf]
        little = 1e-12 * (max(finite) - min(finite)) if finite else 0.0
        brackets = [[known[max(k - 1, 0)], known[k], known[min(k + 1, len(ys) - 1)]] for k in best[:minima]]
        for made in range(self.steps):
            trials = [self._trial(bracket, made, little, 1e-15 * (high - low)) for bracket in brackets]
            brackets = [b for b, trial in zip(brackets, trials, strict=True) if trial is not None]
            for bracket, trial in zip(brackets, [t for t in trials if t is not None], strict=True):
                self._narrow(bracket, (trial, self._ask(i, trial)))

    def _trial(self, bracket: list[tuple[float, float]], made: int, little: float, narrow: float) -> float | None:
        (a, fa), (b, fb), (c, fc) = bracket
        if c - a <= narrow:
            return None
        trial = b - GOLD * (b - a) if b - a > c - b else b + GOLD * (c - b)
        if a < b < c and fa < math.inf and fc < math.inf:
            p, q = (b - a) * (fb - fc), (b - c) * (fb - fa)
            if p != q:
                shift = 0.5 * ((b - a) * p - (b - c) * q) / (p - q)
                gain = shift * shift * abs(p - q) / ((b - a) * (c - b) * (c - a))
                if (made >= 4 and fb - 2 * gain > self.y) or (made > 0 and gain <= little):
                    return None
                if a < b - shift < c and made % 4 != 3:
                    trial = b - shift
        return trial if a < trial < c and trial != b else None

    @staticmethod
    def _narrow(bracket: list[tuple[float, float]], new: tuple[float, float]) -> None:
        middle = bracket[1]
        if new[1] < middle[1]:
            bracket[:] = [bracket[0], new, middle] if new[0] < middle[0] else [middle, new, bracket[2]]
        elif new[0] < middle[0]:
            bracket[0] = new
        else:
            bracket[2] = new
