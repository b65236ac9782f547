"""One generation of MOS's genetic algorithm (LaTorre, Muelas and Peña 2013) on lists, written for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tests.naive.splitmix import SplitMix

Point = list[float]


@dataclass
class NaiveGA:
    random: SplitMix
    members: list[Point]
    fitness: list[float]
    lower: Point
    upper: Point
    crossover: float
    blend: float
    mutation: float
    deviation: Point  # of a mutation

    def breed(self) -> list[Point]:
        return [self._child() for _ in self.members]

    def _child(self) -> Point:
        mother, father = self._winner(), self._winner()
        child = list(mother)
        if self.random.uniform() < self.crossover:
            for j, (a, b) in enumerate(zip(mother, father, strict=True)):
                length = abs(a - b)
                begin, end = min(a, b) - self.blend * length, max(a, b) + self.blend * length
                child[j] = self._inside(begin + self.random.uniform() * (end - begin), j)
        j = self._skip()
        while j < len(child):
            child[j] = self._inside(child[j] + self.deviation[j] * self.random.normal(), j)
            j += 1 + self._skip()
        return child

    def _winner(self) -> Point:
        """Of two, drawn with repetition."""
        a, b = self.random.below(len(self.members)), self.random.below(len(self.members))
        return self.members[a if self.fitness[a] <= self.fitness[b] else b]

    def _skip(self) -> int:
        """Coordinates that do not mutate before the next one that does: a geometric number."""
        if self.mutation == 0:
            return 10**9
        if self.mutation == 1:
            return 0
        return int(min(10**9, math.log(1 - self.random.uniform()) / math.log(1 - self.mutation)))

    def _inside(self, v: float, j: int) -> float:
        return min(max(v, self.lower[j]), self.upper[j])

    def survive(self, children: list[Point], values: list[float]) -> list[Point]:
        """Return the best of members and children, sorted by value."""
        both = sorted(zip(self.fitness + values, self.members + children, strict=True), key=lambda one: one[0])
        return [point for _, point in both[: len(self.members)]]
