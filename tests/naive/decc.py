"""DECC-D and DECC-DG2 (Omidvar and others 2010, 2017) in plain Python, as long as SaNSDE learns nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.naive.sansde import NaiveSaNSDE
from tests.naive.splitmix import SplitMix


@dataclass
class NaiveDECC:
    fun: Callable[[np.ndarray], float]
    lower: np.ndarray
    upper: np.ndarray
    x: np.ndarray  # the incumbent, which is the context
    y: float
    rng: np.random.Generator
    members: np.ndarray = field(init=False)
    evaluated: list[list[float]] = field(default_factory=list)

    def begin(self, size: int) -> None:
        """The first point and uniform ones."""
        self.members = self.lower + self.rng.random((size, self.x.size)) * (self.upper - self.lower)
        self.members[0] = self.x
        for point in self.members[1:]:
            self._value(point)

    def delta_cycle(self, size: int, previous: np.ndarray) -> None:
        """One cycle of DECC-D: groups by how far variables moved, a generation for each, then all whole points."""
        moved = np.abs(self.members - previous).sum(axis=0) / len(self.members)
        order = sorted(range(self.x.size), key=lambda j: moved[j])
        for first in range(0, len(order), size):
            self.visit(order[first : first + size], generations=1)
        for point in self.members:
            self._value(point)

    def visit(self, group: list[int], generations: int) -> None:
        """Evaluate a group's columns in context, then some generations of SaNSDE."""
        assert generations <= 5  # so that rates are drawn once, and nothing is learned
        random = SplitMix(int(self.rng.integers(0, 2**64, dtype=np.uint64)))
        columns = self.members[:, group].tolist()
        fitness = [self._in_context(group, column) for column in columns]
        inner = NaiveSaNSDE(random, columns, fitness, self.lower[group].tolist(), self.upper[group].tolist())
        rates = inner.draw_rates(0.5)
        for _ in range(generations):
            trials, rules, laws = inner.vary(0.5, 0.5, rates)
            values = [self._in_context(group, trial) for trial in trials]
            inner.select(trials, values, rates, (rules, laws))
        self.members[:, group] = inner.members

    def _in_context(self, group: list[int], column: list[float]) -> float:
        point = self.x.copy()
        point[group] = column
        return self._value(point)

    def _value(self, point: np.ndarray) -> float:
        y = self.fun(point)
        self.evaluated.append(point.tolist())
        if y < self.y:
            self.x, self.y = point.copy(), y
        return y
