"""Functions for tuning that are in no suite: groups with weights far apart, everything rotated, noise, steps."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

import ter

__all__ = ["FUNCTIONS", "weighted"]

SIZE = 50  # variables of a group


@numba.njit
def ellipsoid_of_group(z, k, data):
    """Return a rotated ellipsoid of condition 1e6, times the group's weight."""
    n = z.shape[0]
    rotation, shift, weights = data[: n * n].reshape(n, n), data[n * n : n * n + n], data[n * n + n :]
    total = 0.0
    for i in range(n):
        r = 0.0
        for j in range(n):
            r += rotation[i, j] * (z[j] - shift[j])
        total += 10.0 ** (6.0 * i / (n - 1)) * r * r
    return weights[k] * total


@numba.njit
def valley_of_group(z, k, data):
    """Return Rosenbrock's function with a shift, times the group's weight."""
    n = z.shape[0]
    shift, weights = data[n * n : n * n + n], data[n * n + n :]
    total = 0.0
    for i in range(n - 1):
        a, b = z[i] - shift[i] + 1.0, z[i + 1] - shift[i + 1] + 1.0
        total += 100.0 * (b - a * a) ** 2 + (1.0 - a) ** 2
    return weights[k] * total


def weighted(term: Any = ellipsoid_of_group, *, decades: float = 3.0, groups: int = 20) -> ter.Problem:
    """Return a sum over groups with weights ``10**(decades * N(0, 1))``."""
    rng = np.random.default_rng(7)
    n = groups * SIZE
    rotation, _ = np.linalg.qr(rng.standard_normal((SIZE, SIZE)))
    weights = 10.0 ** (decades * rng.standard_normal(groups))
    data = np.concatenate([rotation.ravel(), rng.uniform(-4, 4, SIZE), weights])
    order = rng.permutation(n).reshape(groups, SIZE)
    objective = ter.BlockObjective(term, groups=order.tolist(), data=data)
    return ter.Problem(objective, ter.box(-5, 5, dimension=n))


def noisy(dimension: int = 200) -> ter.Problem:
    """Return pairs of variables that interact, with relative noise of 1e-3 that is a function of the point."""

    def value(x):
        noise = math.sin(1e7 * float(x.sum())) * 1e-3
        return float((10 * (x[::2] - x[1::2]) ** 2 + (x[::2] - 0.3) ** 2).sum()) * (1 + noise)

    return ter.Problem(value, ter.box(-5, 5, dimension=dimension))


def steps(dimension: int = 200) -> ter.Problem:
    """Return a sum of squares in steps of one: plateaus everywhere."""
    return ter.Problem(lambda x: float(np.floor(np.abs(x - 0.3)).sum()), ter.box(-5, 5, dimension=dimension))


FUNCTIONS = {
    "weighted": weighted,
    "weighted valleys": lambda: weighted(valley_of_group),
    "noisy": noisy,
    "steps": steps,
}
