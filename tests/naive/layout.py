"""The value of a described function in plain NumPy: part after part, as the description reads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ter.benchmarks.layout import Base, Layout, Part, Transform
from tests.naive import lso08, lso10, lso13

Vector = np.ndarray


def elliptic(z: Vector, first: Vector) -> float:
    return float(np.sum(first * z**2))


def griewank(z: Vector, first: Vector) -> float:
    return float(np.sum(z**2) / 4000 - np.prod(np.cos(first * z)) + 1)


# The base functions with constants, and those without.
WITH_CONSTANTS: dict[Base, Callable[[Vector, Vector], float]] = {Base.ELLIPTIC: elliptic, Base.GRIEWANK: griewank}
PLAIN: dict[Base, Callable[[Vector], float]] = {
    Base.RASTRIGIN: lso10.rastrigin,
    Base.ACKLEY: lso10.ackley,
    Base.MAXIMUM: lso08.schwefel,
    Base.ROSENBROCK: lso10.rosenbrock,
    Base.SCHWEFEL: lso10.schwefel,
}


def transformed(transform: Transform, z: Vector, first: Vector, second: Vector) -> Vector:
    if transform is Transform.NONE:
        return z
    z = lso13.oscillated(z)
    if transform is Transform.OSCILLATED:
        return z
    positive = np.maximum(z, 0.0)
    return second * np.where(z > 0, np.power(positive, 1 + first * np.sqrt(positive)), z)


def part_value(part: Part, x: Vector) -> float:
    first = np.ones(part.size) if part.first is None else part.first
    second = np.ones(part.size) if part.second is None else part.second
    z = x[part.coordinates] - part.shift
    if part.rotation is not None:
        z = part.rotation @ z
    z = transformed(part.transform, z, first, second)
    if part.base in WITH_CONSTANTS:
        return WITH_CONSTANTS[part.base](z, first)
    return PLAIN[part.base](z)


def evaluate(layout: Layout, x: Vector) -> float:
    return layout.bias + sum(part.weight * part_value(part, x) for part in layout.parts)
