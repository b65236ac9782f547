"""One generation of the competitive swarm optimiser (Cheng and Jin 2015) on lists, written for reading."""

from __future__ import annotations

from dataclasses import dataclass

from tests.naive.splitmix import SplitMix

Point = list[float]


@dataclass
class NaiveCSO:
    random: SplitMix
    members: list[Point]
    velocities: list[Point]
    fitness: list[float]
    lower: Point
    upper: Point
    phi: float

    def compete(self) -> list[int]:
        """Move the losers; return which ones these are."""
        order: list[int] = []
        for i in range(len(self.members)):  # a permutation: each next one changes places with one drawn before it
            j = self.random.below(i + 1)
            order.append(i)
            order[i], order[j] = order[j], order[i]
        center = [sum(column) / len(self.members) for column in zip(*self.members, strict=True)]
        losers = []
        for a, b in zip(order[0::2], order[1::2], strict=False):
            loser, winner = (a, b) if self.fitness[a] > self.fitness[b] else (b, a)
            losers.append(loser)
            self._learn(loser, winner, center)
        return losers

    def _learn(self, loser: int, winner: int, center: Point) -> None:
        x, v = self.members[loser], self.velocities[loser]
        for j in range(len(x)):
            z = self.random.bits()
            r1, r2, r3 = (part / 2**21 for part in (z >> 43, (z >> 22) % 2**21, (z >> 1) % 2**21))
            v[j] = r1 * v[j] + r2 * (self.members[winner][j] - x[j]) + self.phi * r3 * (center[j] - x[j])
        self.velocities[loser] = v
        self.members[loser] = [min(max(x[j] + v[j], self.lower[j]), self.upper[j]) for j in range(len(x))]
