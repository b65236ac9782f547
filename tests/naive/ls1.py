"""MTS-LS1 (Tseng and Chen 2008) in plain Python: the points it evaluates, in order, written for reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass
class NaiveLS1:
    """The local search around one incumbent.

    `draw` returns the first steps of all coordinates; it is asked again when a step got too small.
    """

    fun: Callable[[np.ndarray], float]
    lower: np.ndarray
    upper: np.ndarray
    draw: Callable[[], np.ndarray]
    smallest: np.ndarray
    one_step_for_all: bool
    x: np.ndarray
    y: float
    evaluated: list[list[float]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    redraw: Callable[[], np.ndarray] | None = None  # of steps that got too small, if they are drawn in another way

    def order(self, gains: np.ndarray, seen: list[int]) -> list[int]:
        """The next sweep, after one of `seen`: those that gained most come first."""
        return sorted(range(len(self.x)), key=lambda i: -gains[i])  # sorted keeps the order of equals

    def search(self, evaluations: int) -> None:
        steps = self.draw()
        gains = np.zeros(len(self.x))
        sweep = list(range(len(self.x)))
        while True:
            improved = False
            for i in sweep:
                if len(self.values) >= evaluations:
                    return
                gains[i] = self._visit(i, steps[i], evaluations)
                if gains[i] > 0:
                    improved = True
                elif not self.one_step_for_all:
                    steps[i] /= 2
            if self.one_step_for_all and not improved:
                steps /= 2
            for i in range(len(self.x)):
                if steps[i] < self.smallest[i]:
                    steps = np.where(steps < self.smallest, (self.redraw or self.draw)(), steps)
                    break
            sweep = self.order(gains, sweep)

    def _visit(self, i: int, step: float, evaluations: int) -> float:
        """One step down; if that is worse, half a step up. Return the gain."""
        origin, before = self.x[i], self.y
        down = max(origin - step, self.lower[i])
        if down != origin:
            y = self._try(i, down)
            if y <= before:
                return before - self.y
        up = min(origin + 0.5 * step, self.upper[i])
        if up != origin and len(self.values) < evaluations:
            self._try(i, up)
        return before - self.y

    def _try(self, i: int, v: float) -> float:
        point = self.x.copy()
        point[i] = v
        y = self.fun(point)
        self.evaluated.append(point.tolist())
        self.values.append(y)
        if y < self.y:
            self.x, self.y = point, y
        return y


class NaiveIndex(NaiveLS1):
    """The order of MTS."""

    def order(self, gains: np.ndarray, seen: list[int]) -> list[int]:
        return list(range(len(self.x)))


@dataclass
class NaiveReduced(NaiveLS1):
    """The reduced order of MOS (LaTorre, Muelas and Peña 2013), without others at random."""

    averages: list[float] | None = None

    def order(self, gains: np.ndarray, seen: list[int]) -> list[int]:
        if self.averages is None:
            self.averages = gains.tolist()
        else:
            for i in seen:
                self.averages[i] = self.averages[i] + (1.0 - 0.7) * (gains[i] - self.averages[i])
        total, best_first = 0.0, sorted(range(len(self.x)), key=lambda i: -self.averages[i])
        whole = sum(self.averages[i] for i in best_first)
        if whole == 0:
            return list(range(len(self.x)))
        chosen = []
        for i in best_first:
            chosen.append(i)
            total += self.averages[i]
            if total >= 0.9 * whole:
                break
        return sorted(chosen)


@dataclass
class NaiveGreedy(NaiveLS1):
    """The greedy order of SHADE-ILS (Molina, LaTorre, Herrera 2018), in one call that begins with `shuffled`."""

    shuffled: list[int] = field(default_factory=list)

    def search(self, evaluations: int) -> None:
        steps, gains = self.draw(), np.zeros(len(self.x))
        for i in self.shuffled:
            if len(self.values) >= evaluations:
                return
            gains[i] = self._visit(i, steps[i], evaluations)
            if gains[i] == 0:
                steps[i] /= 2
        order, position = sorted(range(len(self.x)), key=lambda i: -gains[i]), 0
        while len(self.values) < evaluations:
            i, following = order[position], order[(position + 1) % len(order)]
            gains[i] = self._visit(i, steps[i], evaluations)
            if gains[i] == 0:
                steps[i] /= 2
                position = (position + 1) % len(order)
            elif gains[i] < gains[following]:
                order.sort(key=lambda i: -gains[i])
                position = 0
