"""The CEC'2008 suite (Tang et al. 2007) without its fractal f7, in plain NumPy, one point at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Vector = np.ndarray

BIAS = {1: -450.0, 2: -450.0, 3: 390.0, 4: -330.0, 5: -180.0, 6: -140.0}


def sphere(z: Vector) -> float:
    return float(np.sum(z**2))


def schwefel(z: Vector) -> float:
    """Problem 2.21."""
    return float(np.max(np.abs(z)))


def rosenbrock(z: Vector) -> float:
    """Shifted once more, so that the optimum is at z = 0."""
    z = z + 1
    return float(np.sum(100 * (z[:-1] ** 2 - z[1:]) ** 2 + (z[:-1] - 1) ** 2))


def rastrigin(z: Vector) -> float:
    return float(np.sum(z**2 - 10 * np.cos(2 * np.pi * z) + 10))


def griewank(z: Vector) -> float:
    return float(np.sum(z**2) / 4000 - np.prod(np.cos(z / np.sqrt(np.arange(1, len(z) + 1)))) + 1)


def ackley(z: Vector) -> float:
    away = np.exp(-0.2 * np.sqrt(np.mean(z**2)))
    waves = np.exp(np.mean(np.cos(2 * np.pi * z)))
    return float(-20 * away - waves + 20 + np.e)


BASE: dict[int, Callable[[Vector], float]] = {
    1: sphere,
    2: schwefel,
    3: rosenbrock,
    4: rastrigin,
    5: griewank,
    6: ackley,
}


def evaluate(n: int, x: Vector, shift: Vector) -> float:
    """The value of function `n` at `x`, with its bias; of the shift as many numbers count as `x` has."""
    return BASE[n](x - shift[: len(x)]) + BIAS[n]
