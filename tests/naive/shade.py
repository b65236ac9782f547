"""One generation of SHADE (Tanabe and Fukunaga 2013, 2014) on lists, written for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.naive.splitmix import SplitMix

Point = list[float]


@dataclass
class NaiveShade:
    random: SplitMix
    members: list[Point]
    fitness: list[float]
    lower: Point
    upper: Point
    room: int  # most points in the archive
    greed: float
    scales: list[float]  # the memory: means of the scale factor, NaN-free
    rates: list[float | None]  # and of the crossover rate; None is the terminal value
    archive: list[Point] = field(default_factory=list)
    cell: int = 0
    loose: bool = False  # as in SHADE-ILS's program

    def vary(self) -> tuple[list[Point], list[float], list[float]]:
        """Return trials, scale factors and crossover rates."""
        size = len(self.members)
        by_value = sorted(range(size), key=lambda i: self.fitness[i])
        elite = by_value[: max(2, round(self.greed * size))]
        trials, scales, rates = [], [], []
        for i, parent in enumerate(self.members):
            r = self.random.below(len(self.scales))
            rate, scale = self._draw_loosely(r) if self.loose else self._draw(r)
            if self.greed == 0:  # drawn from two members to a fifth of them
                elite = by_value[: max(2, round(2 + (0.2 * size - 2) * self.random.uniform()))]
            best = self.members[elite[self.random.below(len(elite))]]
            a = self._another({i}, size)
            first = self.members[a]
            if self.loose and self.archive:
                second = self.archive[self.random.below(len(self.archive))]
            else:
                second = (self.members + self.archive)[self._another({i, a}, size + len(self.archive))]
            taken = self.random.cross(min(max(rate, 0.0), 1.0), len(parent), certain=not self.loose)
            trial = []
            for j, x in enumerate(parent):
                v = x + scale * (best[j] - x) + scale * (first[j] - second[j])
                if v < self.lower[j]:
                    v = (x + self.lower[j]) / 2
                if v > self.upper[j]:
                    v = (x + self.upper[j]) / 2
                trial.append(v if taken[j] else x)
            trials.append(trial)
            scales.append(scale)
            rates.append(rate)
        return trials, scales, rates

    def _draw(self, r: int) -> tuple[float, float]:
        mean = self.rates[r]
        rate = 0.0 if mean is None else min(max(mean + 0.1 * self.random.normal(), 0.0), 1.0)
        scale = -1.0
        while scale <= 0:
            scale = self.scales[r] + 0.1 * self.random.cauchy()
        return rate, min(scale, 1.0)

    def _draw_loosely(self, r: int) -> tuple[float, float]:
        """Two normal numbers, whatever they are."""
        mean = self.rates[r]
        rate = (-1.0 if mean is None else mean) + 0.1 * self.random.normal()
        return rate, self.scales[r] + 0.1 * self.random.normal()

    def _another(self, not_these: set[int], n: int) -> int:
        while (index := self.random.below(n)) in not_these:
            pass
        return index

    def select(self, trials: list[Point], values: list[float], scales: list[float], rates: list[float]) -> None:
        """Keep trials that are not worse; learn from those that are better."""
        won = []  # (weight, scale, rate)
        for i, y in enumerate(values):
            if y < self.fitness[i]:
                gain = 1.0 if math.isinf(self.fitness[i]) else self.fitness[i] - y
                won.append((gain, scales[i], rates[i]))
                if len(self.archive) < self.room:
                    self.archive.append(self.members[i])
                else:
                    self.archive[self.random.below(self.room)] = self.members[i]
            if y <= self.fitness[i] and not math.isinf(y):
                self.members[i], self.fitness[i] = trials[i], y
        if won:
            self._learn(won)

    def _learn(self, won: list[tuple[float, float, float]]) -> None:
        """Weighted Lehmer mean of the scales, sum(w s^2) / sum(w s), and weighted mean of the rates."""
        weight = scale = scale_squared = rate = 0.0
        for gain, s, c in won:
            weight += gain
            scale += gain * s
            scale_squared += gain * s * s
            rate += gain * c
        self.scales[self.cell] = scale_squared / scale
        if not self.loose and (self.rates[self.cell] is None or rate == 0.0):
            self.rates[self.cell] = None
        else:
            self.rates[self.cell] = rate / weight
        self.cell = (self.cell + 1) % len(self.scales)

    def shrink(self, wanted: int, room: int) -> None:
        """Drop the worst member, which the last one replaces, until `wanted` are left; cut the archive."""
        while len(self.members) > wanted:
            worst = self.fitness.index(max(self.fitness))
            self.members[worst], self.fitness[worst] = self.members[-1], self.fitness[-1]
            self.members.pop()
            self.fitness.pop()
        self.archive = self.archive[:room]
