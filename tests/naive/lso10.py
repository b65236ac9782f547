"""The CEC'2010 suite (Tang et al. 2009) in plain NumPy, one point at a time, written for reading.

`data` maps the names of the arrays in `lso10.npz` to the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

Vector = np.ndarray
Base = Callable[[Vector], float]

GROUP = 50
WEIGHT_OF_A_SINGLE_GROUP = 1e6


def sphere(z: Vector) -> float:
    return float(np.sum(z**2))


def elliptic(z: Vector) -> float:
    return float(np.sum(np.power(1e6, np.arange(len(z)) / (len(z) - 1)) * z**2))


def rastrigin(z: Vector) -> float:
    return float(np.sum(z**2 - 10 * np.cos(2 * np.pi * z) + 10))


def ackley(z: Vector) -> float:
    away = np.exp(-0.2 * np.sqrt(np.mean(z**2)))
    waves = np.exp(np.mean(np.cos(2 * np.pi * z)))
    return float(20 - 20 * away - waves + np.e)


def schwefel(z: Vector) -> float:
    """Problem 1.2."""
    return float(np.sum(np.cumsum(z) ** 2))


def rosenbrock(z: Vector) -> float:
    return float(np.sum(100 * (z[:-1] ** 2 - z[1:]) ** 2 + (z[:-1] - 1) ** 2))


# Function: base function of the groups, number of groups, base function of the other variables.
GROUPED: dict[int, tuple[Base, int, Base | None]] = {
    4: (elliptic, 1, elliptic),
    5: (rastrigin, 1, rastrigin),
    6: (ackley, 1, ackley),
    7: (schwefel, 1, sphere),
    8: (rosenbrock, 1, sphere),
    9: (elliptic, 10, elliptic),
    10: (rastrigin, 10, rastrigin),
    11: (ackley, 10, ackley),
    12: (schwefel, 10, sphere),
    13: (rosenbrock, 10, sphere),
    14: (elliptic, 20, None),
    15: (rastrigin, 20, None),
    16: (ackley, 20, None),
    17: (schwefel, 20, None),
    18: (rosenbrock, 20, None),
}
WHOLE: dict[int, Base] = {1: elliptic, 2: rastrigin, 3: ackley, 19: schwefel, 20: rosenbrock}


def evaluate(n: int, x: Vector, data: Mapping[str, np.ndarray]) -> float:
    """The value of function `n` at `x`."""
    y = x - data[f"f{n}_shift"]
    if n in WHOLE:
        return WHOLE[n](y)
    base, groups, outside = GROUPED[n]
    y = y[data[f"f{n}_permutation"]]
    total = 0.0
    for i in range(groups):
        z = y[GROUP * i : GROUP * (i + 1)]
        if f"f{n}_rotation" in data:
            z = z @ data[f"f{n}_rotation"]
        total += base(z)
    if groups == 1:
        total *= WEIGHT_OF_A_SINGLE_GROUP
    if outside is not None:
        total += outside(y[GROUP * groups :])
    return total
