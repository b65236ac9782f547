"""CC-CMA-ES (Liu and Tang 2013) in plain NumPy: sweeps over groups with one mean, step size and covariance matrix."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.naive.ma_es import NaiveMAES
from tests.naive.splitmix import SplitMix


@dataclass
class NaiveCCCMAES:
    fun: Callable[[np.ndarray], float]
    lower: np.ndarray
    upper: np.ndarray
    x: np.ndarray  # the incumbent, which is the context
    y: float
    rng: np.random.Generator
    sigma: float
    evaluated: list[list[float]] = field(default_factory=list)

    def sweeps(self, count: int, size: int, population: int, generations: int, window: int) -> None:
        n = self.x.size
        mean, covariance = self.x.copy(), np.eye(n)
        history: list[tuple[int, float]] = []  # grouping and relative improvement
        for _ in range(count):
            credit = [float(window)] * 3  # 1 for each sweep of the window in which another one was taken
            for taken, gain in history[-window:]:
                credit[taken] += gain - 1.0
            merit = [math.exp(one - max(credit)) for one in credit]
            grouping = int(self.rng.choice(3, p=[one / sum(merit) for one in merit]))
            before = self.y
            for group in self._groups(grouping, np.diag(covariance), size):
                where = np.ix_(group, group)
                values, vectors = np.linalg.eigh(covariance[where])
                inner = self._strategy(mean[group], group, vectors * np.sqrt(values))
                self._adapt(inner, group, population, generations)
                mean[group], self.sigma, covariance[where] = inner.mean, inner.sigma, inner.matrix @ inner.matrix.T
            history.append((grouping, min(1.0, (before - self.y) / abs(before))))

    def _groups(self, grouping: int, variances: np.ndarray, size: int) -> list[list[int]]:
        n = variances.size
        order = self.rng.permutation(n).tolist() if grouping == 2 else sorted(range(n), key=lambda j: variances[j])
        count = math.ceil(n / size)
        if grouping == 1:
            return [sorted(order[k::count]) for k in range(count)]
        return [sorted(order[size * k : size * (k + 1)]) for k in range(count)]

    def _strategy(self, mean: np.ndarray, group: list[int], root: np.ndarray) -> NaiveMAES:
        lower, upper = self.lower[group], self.upper[group]
        return NaiveMAES(
            mean, self.sigma, root, np.zeros(len(group)), lower, upper, upper - lower, clip=True, active=False
        )

    def _adapt(self, inner: NaiveMAES, group: list[int], population: int, generations: int) -> None:
        random = SplitMix(int(self.rng.integers(0, 2**64, dtype=np.uint64)))
        for _ in range(generations):
            normal = np.array([random.normals(len(group)) for _ in range(population)])
            values = []
            for part in inner.points(normal):
                point = self.x.copy()
                point[group] = part
                values.append(self._value(point))
            inner.adapt(normal, np.array(values))

    def _value(self, point: np.ndarray) -> float:
        y = self.fun(point)
        self.evaluated.append(point.tolist())
        if y < self.y:
            self.x, self.y = point.copy(), y
        return y
