"""One generation of MA-ES (Beyer and Sendhoff 2017) with matrices as in the paper, written for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass
class NaiveMAES:
    mean: np.ndarray
    sigma: float
    matrix: np.ndarray  # M
    path: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    scale: np.ndarray
    clip: bool
    active: bool
    diagonal: bool = False

    def points(self, normal: np.ndarray) -> np.ndarray:
        """The points that standard normal numbers, one row per point, lead to."""
        drawn = self.mean + self.sigma * self.scale * (normal @ self.matrix.T)
        if self.clip:
            return np.clip(drawn, self.lower, self.upper)
        return np.array([[self._mirror(v, j) for j, v in enumerate(row)] for row in drawn.tolist()])

    def _mirror(self, v: float, j: int) -> float:
        low, high = self.lower[j], self.upper[j]
        while not low <= v <= high:
            v = 2 * low - v if v < low else 2 * high - v
        return v

    def adapt(self, normal: np.ndarray, values: np.ndarray) -> None:
        """Lines M6 to M13 of the paper, and the tutorial's negative weights."""
        size, n = normal.shape
        step = normal @ self.matrix.T
        if self.clip:
            step = (self.points(normal) - self.mean) / (self.sigma * self.scale)
            normal = np.linalg.solve(self.matrix, step.T).T
        order = np.argsort(values, kind="stable")
        z, d = normal[order], step[order]
        mu = size // 2
        raw = np.array([math.log((size + 1) / 2) - math.log(i) for i in range(1, size + 1)])
        positive = raw[:mu] / raw[:mu].sum()
        mu_eff = 1 / (positive**2).sum()
        c_s = (mu_eff + 2) / (n + mu_eff + 5)
        c_1 = 2 / ((n + 1.3) ** 2 + mu_eff)
        c_w = min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) ** 2 + mu_eff))
        if self.diagonal:
            c_1 *= (n + 2) / 3
            c_w = min(1 - c_1, c_w * (n + 2) / 3)
        damping = 1 + 2 * max(0.0, math.sqrt((mu_eff - 1) / (n + 1)) - 1) + c_s
        self.mean = self.mean + self.sigma * self.scale * (positive @ d[:mu])
        self.path = (1 - c_s) * self.path + math.sqrt(mu_eff * c_s * (2 - c_s)) * (positive @ z[:mu])
        weights, scaled = positive, positive
        if self.active:
            worse = raw[mu:]
            mu_eff_minus = worse.sum() ** 2 / (worse**2).sum()
            share = min(1 + c_1 / c_w, 1 + 2 * mu_eff_minus / (mu_eff + 2), (1 - c_1 - c_w) / (n * c_w))
            negative = share * worse / np.abs(worse).sum()
            weights = np.concatenate([positive, negative])
            scaled = np.concatenate([positive, negative * n / (z[mu:] ** 2).sum(axis=1)])
        identity = np.eye(n)
        rank_one = np.outer(self.path, self.path) - identity
        rank_mu = sum(s * np.outer(row, row) - w * identity for w, s, row in zip(weights, scaled, z, strict=False))
        change = identity + c_1 / 2 * rank_one + c_w / 2 * rank_mu
        self.matrix = self.matrix @ (np.diag(np.diagonal(change)) if self.diagonal else change)
        expected = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))
        self.sigma *= math.exp(min(1, c_s / damping * (np.linalg.norm(self.path) / expected - 1)))
