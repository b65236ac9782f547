"""Functions for tuning that are in no suite: groups with weights far apart, ripples, rotations, noise, steps."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

import ter

__all__ = ["FUNCTIONS", "weighted"]

SIZE = 50  # variables of a group
RIPPLED = (25, 50, 100)  # variables of groups with ripples


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


@numba.njit
def rippled_ellipsoid(z, k, data):
    """Return a rotated ellipsoid of condition 1e6 with ripples that follow the logarithm, times the group's weight."""
    n, begin = z.shape[0], 0
    for size in RIPPLED:
        if size == n:
            break
        begin += size * size
    shift, total = 0, 0.0
    for size in RIPPLED:
        shift += size * size
    for i in range(n):
        r = 0.0
        for j in range(n):
            r += data[begin + i * n + j] * (z[j] - data[shift + j])
        if r != 0.0:
            log, a, b = math.log(abs(r)), 10.0 if r > 0.0 else 5.5, 7.9 if r > 0.0 else 3.1
            r = math.copysign(math.exp(log + 0.049 * (math.sin(a * log) + math.sin(b * log))), r)
        total += 10.0 ** (6.0 * i / (n - 1)) * r * r
    return data[shift + RIPPLED[-1] + k] * total


def rippled() -> ter.Problem:
    """Return a sum over groups of 25, 50 and 100 variables with weights ``10**(3 * N(0, 1))``.

    The lighter groups are lost in the rounding of the heavy ones at first.
    """
    rng = np.random.default_rng(11)
    rotations = [np.linalg.qr(rng.standard_normal((n, n)))[0].ravel() for n in RIPPLED]
    sizes = [100] * 5 + [50] * 6 + [25] * 8
    shift = rng.uniform(-60, 60, RIPPLED[-1])
    weights = 10.0 ** (3.0 * rng.standard_normal(len(sizes)))
    data = np.concatenate([*rotations, shift, weights])
    groups = np.split(rng.permutation(sum(sizes)), np.cumsum(sizes)[:-1])
    objective = ter.BlockObjective(rippled_ellipsoid, groups=[sorted(group.tolist()) for group in groups], data=data)
    return ter.Problem(objective, ter.box(-100, 100, dimension=sum(sizes)))


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
    "rippled": rippled,
    "noisy": noisy,
    "steps": steps,
}
