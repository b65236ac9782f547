"""One generation of SaNSDE (Yang, Tang and Yao 2008) on lists, written for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tests.naive.splitmix import SplitMix

Point = list[float]


@dataclass
class NaiveSaNSDE:
    random: SplitMix
    members: list[Point]
    fitness: list[float]
    lower: Point
    upper: Point

    def draw_rates(self, mean: float) -> list[float]:
        rates = []
        for _ in self.members:
            while not 0 < (rate := mean + 0.1 * self.random.normal()) < 1:
                pass
            rates.append(rate)
        return rates

    def vary(self, best_rule: float, gaussian: float, rates: list[float]) -> tuple[list[Point], list[int], list[int]]:
        """Return trials, rules (0: current-to-best/2, 1: rand/1) and laws (0: Gauss, 1: Cauchy)."""
        size = len(self.members)
        best = self.members[self.fitness.index(min(self.fitness))]
        trials, rules, laws = [], [], []
        for i, parent in enumerate(self.members):
            a, b, c, d = (self.members[self.random.below(size)] for _ in range(4))
            law = 0 if self.random.uniform() < gaussian else 1
            if law == 0:
                scale = abs(0.5 + 0.3 * self.random.normal())
            else:
                scale = abs(self.random.normal() / self.random.normal())
            rule = 0 if self.random.uniform() < best_rule else 1
            taken = self.random.cross(rates[i], len(parent))
            trial = []
            for j, x in enumerate(parent):
                if rule == 0:
                    v = x + scale * (best[j] - x)
                    v = v + scale * (a[j] - b[j] + c[j] - d[j])
                else:
                    v = c[j] + scale * (a[j] - b[j])
                trial.append(self._reflect(v, j) if taken[j] else x)
            trials.append(trial)
            rules.append(rule)
            laws.append(law)
        return trials, rules, laws

    def _reflect(self, v: float, j: int) -> float:
        low, high = self.lower[j], self.upper[j]
        if v > high:
            return high - math.fmod(v - high, high - low) if high > low else high
        if v < low:
            return low + math.fmod(low - v, high - low) if high > low else low
        return v

    def select(
        self, trials: list[Point], values: list[float], rates: list[float], choices: tuple[list[int], list[int]]
    ) -> dict[str, list[list[float]] | float]:
        """Keep trials that are not worse; return wins and losses of rules and laws, and the weighted rates."""
        rules, laws = [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]
        weighted = weights = 0.0
        for i, y in enumerate(values):
            lost = int(not y < self.fitness[i])
            rules[choices[0][i]][lost] += 1
            laws[choices[1][i]][lost] += 1
            if not lost:
                gain = 1.0 if math.isinf(self.fitness[i]) else self.fitness[i] - y
                weighted += gain * rates[i]
                weights += gain
            if y <= self.fitness[i] and not math.isinf(y):
                self.members[i], self.fitness[i] = trials[i], y
        return {"rules": rules, "laws": laws, "weighted": weighted, "weights": weights}


def probability(wins_one: float, losses_one: float, wins_two: float, losses_two: float) -> float:
    """The success rate of the first choice among both (Yang et al., eq. for p)."""
    one = wins_one / (wins_one + losses_one)
    two = wins_two / (wins_two + losses_two)
    return one / (one + two)
