"""DG2 and RDG3 in plain Python, one point at a time, written for reading."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

UNIT = 2.0**-53


def gamma(n: float) -> float:
    return n * UNIT / (1 - n * UNIT)


@dataclass
class Naive:
    """A function in a box; `count` counts its evaluations."""

    fun: Callable[[np.ndarray], float]
    lower: np.ndarray
    upper: np.ndarray
    count: int = 0
    groups: list[list[int]] = field(default_factory=list)
    separable: list[int] = field(default_factory=list)

    def value(self, to_middle: list[int], to_upper: tuple[int, ...] = ()) -> float:
        """The value at the lower corner, with some variables in the middle and some at the upper bound."""
        self.count += 1
        x = self.lower.copy()
        for i in to_middle:
            x[i] = (self.lower[i] + self.upper[i]) / 2
        for i in to_upper:
            x[i] = self.upper[i]
        return self.fun(x)


class NaiveDG2(Naive):
    def find(self) -> None:
        n = len(self.lower)
        f1 = self.value([])
        moved = [self.value([i]) for i in range(n)]
        sure: set[tuple[int, int]] = set()
        separable, grey = 0, []
        for i in range(n):
            for j in range(i + 1, n):
                f2, f3, f4 = moved[i], moved[j], self.value([i, j])
                difference = abs((f2 - f1) - (f4 - f3))
                low = gamma(2) * max(abs(f1) + abs(f4), abs(f2) + abs(f3))
                high = max(low, gamma(math.sqrt(n)) * max(abs(f1), abs(f2), abs(f3), abs(f4)))
                if difference <= low:
                    separable += 1
                elif difference >= high:
                    sure.add((i, j))
                else:
                    grey.append((i, j, difference, low, high))
        self.grey = len(grey)
        share = len(sure) / (len(sure) + separable) if sure or separable else 0.5
        self.pairs = sure | {(i, j) for i, j, d, low, high in grey if d > (1 - share) * low + share * high}
        self.connect(n)

    def connect(self, n: int) -> None:
        left = set(range(n))
        while left:
            group, new = set(), {min(left)}
            while new:
                group |= new
                new = {k for pair in self.pairs if set(pair) & new for k in pair} - group
            left -= group
            if len(group) == 1:
                self.separable += group
            else:
                self.groups.append(sorted(group))


class NaiveRDG3(Naive):
    def find(self, largest: int) -> None:
        n = len(self.lower)
        self.base = self.value([])
        first, rest = [0], list(range(1, n))
        while rest:
            self.moved = None
            found = self.interact(first, rest)
            rest = [i for i in rest if i not in found]
            if found and rest and len(first) + len(found) < largest:
                first = first + found
                continue
            self.close(first + found)
            first, rest = rest[:1], rest[1:]
        if first:
            self.close(first)

    def close(self, group: list[int]) -> None:
        if len(group) == 1:
            self.separable += group
        else:
            self.groups.append(sorted(group))

    def interact(self, first: list[int], second: list[int]) -> list[int]:
        """Which of the second set interact with the first; one value is the same in the whole recursion."""
        if self.moved is None:
            self.moved = self.value([], tuple(first))
        f1, f2, f3, f4 = self.base, self.moved, self.value(second), self.value(second, tuple(first))
        bound = gamma(math.sqrt(len(self.lower)) + 2) * (abs(f1) + abs(f2) + abs(f3) + abs(f4))
        if not abs((f1 - f2) - (f3 - f4)) > bound:
            return []
        if len(second) == 1:
            return second
        half = len(second) // 2
        return self.interact(first, second[:half]) + self.interact(first, second[half:])
