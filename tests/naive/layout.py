"""The value of a described function in plain NumPy: part after part, as the description reads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ter.benchmarks.definitions import Base, Transform
from ter.benchmarks.layout import Layout, Part
from tests.naive import lso08, lso10, lso13

Vector = np.ndarray


def elliptic(z: Vector, constants: Vector) -> float:
    return float(np.sum(constants * z**2))


def griewank(z: Vector, constants: Vector) -> float:
    return float(np.sum(z**2) / 4000 - np.prod(np.cos(constants * z)) + 1)


# The base functions with constants, and those without.
WITH_CONSTANTS: dict[Base, Callable[[Vector, Vector], float]] = {Base.ELLIPTIC: elliptic, Base.GRIEWANK: griewank}
PLAIN: dict[Base, Callable[[Vector], float]] = {
    Base.SPHERE: lso10.sphere,
    Base.RASTRIGIN: lso10.rastrigin,
    Base.ACKLEY: lso10.ackley,
    Base.MAXIMUM: lso08.schwefel,
    Base.ROSENBROCK: lso10.rosenbrock,
    Base.SCHWEFEL: lso10.schwefel,
}


def transformed(transform: Transform, z: Vector, exponents: Vector, factors: Vector) -> Vector:
    if transform is Transform.NONE:
        return z
    z = lso13.oscillated(z)
    if transform is Transform.OSCILLATED:
        return z
    positive = np.maximum(z, 0.0)
    return factors * np.where(z > 0, np.power(positive, 1 + exponents * np.sqrt(positive)), z)


def part_value(part: Part, x: Vector) -> float:
    constants = np.ones(part.size) if part.constants is None else part.constants
    factors = np.ones(part.size) if part.factors is None else part.factors
    z = x[part.coordinates] - part.shift
    if part.rotation is not None:
        z = part.rotation @ z
    z = transformed(part.transform, z, constants, factors)
    if part.base in WITH_CONSTANTS:
        return WITH_CONSTANTS[part.base](z, constants)
    return PLAIN[part.base](z)


def evaluate(layout: Layout, x: Vector) -> float:
    return layout.bias + sum(part.weight * part_value(part, x) for part in layout.parts)
