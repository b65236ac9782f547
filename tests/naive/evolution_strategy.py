"""A generation of sep-CMA-ES (Ros and Hansen 2008) and of Rm-ES (Li and Zhang 2018), written for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tests.naive.splitmix import SplitMix


def bell(random: SplitMix, n: int) -> np.ndarray:
    """Sums of four uniform numbers below 2**16 each, brought to mean 0 and variance 1."""
    sums = [sum((z >> shift) % 2**16 for shift in (0, 16, 32, 48)) for z in (random.bits() for _ in range(n))]
    return (np.array(sums) - 2 * (2**16 - 1)) / math.sqrt(4 * (2**32 - 1) / 12)


def mirror(v: float, low: float, high: float) -> float:
    if low == high:
        return low
    while not low <= v <= high:
        v = 2 * low - v if v < low else 2 * high - v
    return v


@dataclass
class NaiveStrategy:
    random: SplitMix
    mean: np.ndarray
    sigma: float
    lower: np.ndarray
    upper: np.ndarray
    scales: np.ndarray
    path: np.ndarray
    trail: np.ndarray
    directions: list[tuple[int, np.ndarray]] = field(default_factory=list)  # generation and direction, oldest first
    success: float = 0.0
    generation: int = 1
    before: list[float] = field(default_factory=list)
    normals: list[np.ndarray] = field(default_factory=list)

    def draw(self, size: int, mixing: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the steps and the points."""
        steps = []
        self.normals = []
        for _ in range(size):
            step = bell(self.random, self.mean.size)
            self.normals.append(step)
            numbers = [self.random.normal() for _ in self.directions][::-1]
            for r, (_, direction) in zip(numbers, self.directions, strict=True):
                step = math.sqrt(1 - mixing) * step + math.sqrt(mixing) * r * direction
            steps.append(step)
        drawn = self.mean + self.sigma * (self.upper - self.lower) * self.scales * np.array(steps)
        points = [[mirror(*place) for place in zip(row, self.lower, self.upper, strict=True)] for row in drawn]
        return np.array(steps), np.array(points)

    def adapt(self, steps: np.ndarray, values: np.ndarray, rates) -> None:
        mu, n = len(rates.weights), self.mean.size
        best = steps[np.argsort(values, kind="stable")[:mu]]
        moved = rates.weights @ best
        self.mean = self.mean + self.sigma * (self.upper - self.lower) * self.scales * moved
        now = sorted(values.tolist())[:mu]
        if rates.by_success:
            both = sorted([(y, 0, i) for i, y in enumerate(self.before)] + [(y, 1, i) for i, y in enumerate(now)])
            ranks = {(which, i): place for place, (_, which, i) in enumerate(both)}
            gained = sum(w * (ranks[0, i] - ranks[1, i]) for i, w in enumerate(rates.weights)) / mu
            self.success = (1 - rates.c_sigma) * self.success + rates.c_sigma * (gained - 0.3)
            self.sigma *= math.exp(self.success / rates.damping)
        else:
            c = rates.c_sigma
            self.path = (1 - c) * self.path + math.sqrt(c * (2 - c) * rates.mu_eff) * moved
            self.sigma *= math.exp(min(1, c / rates.damping * (np.linalg.norm(self.path) / math.sqrt(n) - 1)))
        c = rates.c_c
        push = math.sqrt(c * (2 - c) * rates.mu_eff)
        if rates.c_mu:
            if rates.c_1:
                stalled = self.path @ self.path >= (2 + 4 / (n + 1)) * n
                self.trail = (1 - c) * self.trail + (0 if stalled else push) * self.scales * moved
            normals = np.array(self.normals)[np.argsort(values, kind="stable")[:mu]]
            rank_mu = rates.weights @ (self.scales * normals) ** 2
            variance = (1 - rates.c_1 - rates.c_mu) * self.scales**2 + rates.c_1 * self.trail**2 + rates.c_mu * rank_mu
            self.scales = np.sqrt(variance)
        self.generation += 1
        self.before = now

    def remember(self, rows: int, gap: int, moved: np.ndarray, rates) -> None:
        """Keep the trail: replace the direction that follows its predecessor most closely, or the oldest one."""
        c = rates.c_c
        self.trail = (1 - c) * self.trail + math.sqrt(c * (2 - c) * rates.mu_eff) * moved
        if len(self.directions) == rows:
            distances = [b[0] - a[0] for a, b in zip(self.directions, self.directions[1:], strict=False)]
            out = distances.index(min(distances)) + 1 if distances and min(distances) <= gap else 0
            del self.directions[out]
        self.directions.append((self.generation, self.trail.copy()))
