"""SplitMix64 (Steele, Lea and Flood 2014) with Python's unbounded integers, and the laws drawn from it."""

from __future__ import annotations

import math

MASK = 2**64 - 1


class SplitMix:
    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        """53 bits behind the point."""
        return (self.bits() >> 11) / 2**53

    def normal(self) -> float:
        radius = math.sqrt(-2.0 * math.log(1.0 - self.uniform()))
        return radius * math.cos(2.0 * math.pi * self.uniform())

    def normals(self, k: int) -> list[float]:
        """Marsaglia's polar method: pairs from points drawn in the unit disc; the last of an odd number has no twin."""
        numbers: list[float] = []
        while len(numbers) < k:
            u, v = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            square = u * u + v * v
            if 0 < square < 1:
                factor = math.sqrt(-2 * math.log(square) / square)
                numbers += [factor * u, factor * v]
        return numbers[:k]

    def cauchy(self) -> float:
        return math.tan(math.pi * (self.uniform() - 0.5))

    def below(self, n: int) -> int:
        return int(self.uniform() * n)

    def cross(self, rate: float, k: int, *, certain: bool = True) -> list[bool]:
        """Each of k coordinates with probability `rate`, 32 bits each (low half first), and one for certain."""
        threshold = int(rate * 2**32)
        halves: list[int] = []
        while len(halves) < k:
            z = self.bits()
            halves += [z % 2**32, z // 2**32]
        taken = [half < threshold for half in halves[:k]]
        if certain:
            taken[self.below(k)] = True
        return taken
