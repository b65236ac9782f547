"""Test functions of any dimension: compiled, shifted, with the optimum 0 at a known place in [-5, 5]^D.

They are here to compare algorithms in one run, not to reproduce a suite; shifts and rotations come from a fixed
stream, so every run sees the same functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numba
import numpy as np

import ter
from ter.core.streams import stream

__all__ = ["FUNCTIONS", "make_function", "sphere"]

BLOCK = 50  # coordinates per rotated block
CONDITION = 1e6


@numba.njit(error_model="numpy", nogil=True)
def sphere(x: np.ndarray) -> float:
    """Return the sum of squares; nothing to set up, so it is used where only time counts."""
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * x[i]
    return total


# In all functions below `floats` begins with the optimum.


@numba.njit(error_model="numpy", nogil=True)
def shifted_sphere(x: np.ndarray, floats: np.ndarray, ints: np.ndarray) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        z = x[i] - floats[i]
        total += z * z
    return total


@numba.njit(error_model="numpy", nogil=True)
def ellipsoid(x: np.ndarray, floats: np.ndarray, ints: np.ndarray) -> float:
    n = x.shape[0]
    total = 0.0
    for i in range(n):
        z = x[i] - floats[i]
        total += floats[n + i] * z * z
    return total


@numba.njit(error_model="numpy", nogil=True)
def rastrigin(x: np.ndarray, floats: np.ndarray, ints: np.ndarray) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        z = x[i] - floats[i]
        total += z * z + 10.0 - 10.0 * math.cos(2.0 * math.pi * z)
    return total


@numba.njit(error_model="numpy", nogil=True)
def rosenbrock(x: np.ndarray, floats: np.ndarray, ints: np.ndarray) -> float:
    total = 0.0
    z = x[0] - floats[0] + 1.0
    for i in range(1, x.shape[0]):
        after = x[i] - floats[i] + 1.0
        total += 100.0 * (after - z * z) ** 2 + (1.0 - z) ** 2
        z = after
    return total


@numba.njit(error_model="numpy", nogil=True)
def rotated_blocks(x: np.ndarray, floats: np.ndarray, ints: np.ndarray) -> float:
    """Ellipsoids on blocks of coordinates, each rotated by the matrix that follows the optimum and the weights."""
    n, size = x.shape[0], ints[0]
    matrix = floats[n + size :]
    rotated = np.empty(size)
    total = 0.0
    for first in range(0, n - size + 1, size):
        rotated[:] = 0.0
        for c in range(size):  # column by column: the inner loop has no sum, so it is vectorised
            i = ints[1 + first + c]
            z = x[i] - floats[i]
            for r in range(size):
                rotated[r] += matrix[c * size + r] * z
        for r in range(size):
            total += floats[n + r] * rotated[r] * rotated[r]
    return total


def _weights(n: int) -> np.ndarray:
    return CONDITION ** (np.arange(n) / max(1, n - 1))


def _no_data(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty(0), np.empty(0, dtype=np.int64)


def _ellipsoid_data(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    return stream(0, "bench/weights").permutation(_weights(dimension)), np.empty(0, dtype=np.int64)


def _blocks_data(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    rng = stream(0, "bench/rotation")
    size = min(BLOCK, dimension)
    rotation = np.linalg.qr(rng.standard_normal((size, size)))[0]
    return np.concatenate([_weights(size), rotation.ravel()]), np.append(size, rng.permutation(dimension))


FUNCTIONS: dict[str, tuple[Callable[..., float], Callable[[int], tuple[np.ndarray, np.ndarray]]]] = {
    "sphere": (shifted_sphere, _no_data),
    "ellipsoid": (ellipsoid, _ellipsoid_data),
    "rastrigin": (rastrigin, _no_data),
    "rosenbrock": (rosenbrock, _no_data),
    "rotated-blocks": (rotated_blocks, _blocks_data),
}


def make_function(name: str, dimension: int) -> ter.Problem:
    """Build one of `FUNCTIONS`; the optimum lies at least a fifth of the range from every bound."""
    value, data = FUNCTIONS[name]
    optimum = stream(0, f"bench/{name}").uniform(-3.0, 3.0, dimension)
    floats, ints = data(dimension)
    objective = ter.CompiledObjective(value, floats=np.concatenate([optimum, floats]), ints=ints)
    return ter.Problem(objective, ter.box(-5, 5, dimension=dimension), name=name, f_opt=0.0, x_opt=optimum)
