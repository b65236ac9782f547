"""Ill-conditioned functions of any dimension on which single heuristics are compared; none belongs to a suite.

The optimum is 0, somewhere in the inner three fifths of the box [-5, 5]^D. Shifts and rotations come from a fixed seed.
Nothing but NumPy and Numba is needed, so programs of other environments see the same functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numba
import numpy as np

__all__ = ["FUNCTIONS", "Vector", "make_value"]

Vector = np.ndarray

SEED = 13


@numba.njit(error_model="numpy")
def ellipsoid(z: Vector) -> float:
    n, total = z.shape[0], 0.0
    for i in range(n):
        total += 10.0 ** (6.0 * i / (n - 1.0)) * z[i] * z[i]
    return total


@numba.njit(error_model="numpy")
def cigar(z: Vector) -> float:
    total = z[0] * z[0]
    for i in range(1, z.shape[0]):
        total += 1e6 * z[i] * z[i]
    return total


@numba.njit(error_model="numpy")
def discus(z: Vector) -> float:
    total = 1e6 * z[0] * z[0]
    for i in range(1, z.shape[0]):
        total += z[i] * z[i]
    return total


@numba.njit(error_model="numpy")
def powers(z: Vector) -> float:
    n, total = z.shape[0], 0.0
    for i in range(n):
        total += abs(z[i]) ** (2.0 + 4.0 * i / (n - 1.0))
    return math.sqrt(total)


@numba.njit(error_model="numpy")
def rosenbrock(z: Vector) -> float:
    scale = max(1.0, math.sqrt(z.shape[0]) / 8.0)
    total, here = 0.0, scale * z[0] + 1.0
    for i in range(1, z.shape[0]):
        after = scale * z[i] + 1.0
        total += 100.0 * (after - here * here) ** 2 + (1.0 - here) ** 2
        here = after
    return total


@numba.njit(error_model="numpy")
def schwefel(z: Vector) -> float:
    total = partial = 0.0
    for i in range(z.shape[0]):
        partial += z[i]
        total += partial * partial
    return total


@numba.njit(error_model="numpy")
def ridge(z: Vector) -> float:
    total = 0.0
    for i in range(1, z.shape[0]):
        total += z[i] * z[i]
    return z[0] * z[0] + 100.0 * math.sqrt(total)


@numba.njit(error_model="numpy")
def bent_cigar(z: Vector) -> float:
    n = z.shape[0]
    total = 0.0
    for i in range(n):
        v = z[i]
        if v > 0.0:
            v = v ** (1.0 + 0.5 * i / (n - 1.0) * math.sqrt(v))
        total += v * v if i == 0 else 1e6 * v * v
    return total


@numba.njit(error_model="numpy")
def rastrigin(z: Vector) -> float:
    total = 0.0
    for i in range(z.shape[0]):
        total += z[i] * z[i] + 10.0 - 10.0 * math.cos(2.0 * math.pi * z[i])
    return total


# The base function, and whether it is rotated.
FUNCTIONS: dict[str, tuple[Callable[[Vector], float], bool]] = {
    "ellipsoid": (ellipsoid, True),
    "cigar": (cigar, True),
    "discus": (discus, True),
    "powers": (powers, True),
    "rosenbrock": (rosenbrock, True),
    "ridge": (ridge, True),
    "bent-cigar": (bent_cigar, True),
    "rastrigin": (rastrigin, True),
    "schwefel-1.2": (schwefel, False),
    "ellipsoid-separable": (ellipsoid, False),
    "rastrigin-separable": (rastrigin, False),
}


def make_value(name: str, dimension: int) -> Callable[[Vector], float]:
    """Return one of the functions as a compiled function of a point."""
    base, rotated = FUNCTIONS[name]
    rng = np.random.default_rng([SEED, dimension, list(FUNCTIONS).index(name)])
    optimum = rng.uniform(-3.0, 3.0, dimension)
    columns = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0] if rotated else np.zeros((1, 1))

    @numba.njit(error_model="numpy", nogil=True)
    def value(x: Vector) -> float:
        z = np.zeros(x.shape[0])
        if rotated:
            for c in range(x.shape[0]):  # column by column: the inner loop has no sum, so it is vectorised
                d = x[c] - optimum[c]
                for r in range(x.shape[0]):
                    z[r] += d * columns[c, r]
        else:
            for c in range(x.shape[0]):
                z[c] = x[c] - optimum[c]
        return base(z)

    return value
