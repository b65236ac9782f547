"""The CEC'2013 suite (Li et al. 2013) in plain NumPy, one point at a time, written for reading.

`data` maps the names of the arrays in `lso13.npz` to the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

Vector = np.ndarray
Base = Callable[[Vector], float]
Data = Mapping[str, np.ndarray]

OVERLAP = 5


def position(z: Vector) -> Vector:
    """0 for the first component, 1 for the last one, evenly spaced between."""
    return np.arange(len(z)) / (len(z) - 1)


def oscillated(z: Vector) -> Vector:
    """T_osz: breaks the symmetry and makes smooth local irregularities."""
    result = np.zeros(len(z))
    for sign, c1, c2 in ((1.0, 10.0, 7.9), (-1.0, 5.5, 3.1)):
        chosen = np.sign(z) == sign
        h = np.log(np.abs(z[chosen]))
        result[chosen] = sign * np.exp(h + 0.049 * (np.sin(c1 * h) + np.sin(c2 * h)))
    return result


def asymmetric(z: Vector, beta: float = 0.2) -> Vector:
    """T_asy: raises positive components to a power that grows with the position."""
    result = z.copy()
    positive = z > 0
    result[positive] = np.power(z[positive], 1 + beta * position(z)[positive] * np.sqrt(z[positive]))
    return result


def conditioned(z: Vector, alpha: float = 10.0) -> Vector:
    """Lambda: scales the components from 1 to sqrt(alpha)."""
    return z * np.power(alpha, position(z) / 2)


def sphere(z: Vector) -> float:
    return float(np.sum(z**2))


def elliptic(z: Vector) -> float:
    return float(np.sum(np.power(1e6, position(z)) * oscillated(z) ** 2))


def rastrigin(z: Vector) -> float:
    z = conditioned(asymmetric(oscillated(z)))
    return float(np.sum(z**2 - 10 * np.cos(2 * np.pi * z) + 10))


def plain_ackley(z: Vector) -> float:
    away = np.exp(-0.2 * np.sqrt(np.mean(z**2)))
    waves = np.exp(np.mean(np.cos(2 * np.pi * z)))
    return float(20 - 20 * away - waves + np.e)


def ackley(z: Vector) -> float:
    return plain_ackley(conditioned(asymmetric(oscillated(z))))


def schwefel(z: Vector) -> float:
    """Problem 1.2."""
    return float(np.sum(np.cumsum(asymmetric(oscillated(z))) ** 2))


def rosenbrock(z: Vector) -> float:
    return float(np.sum(100 * (z[:-1] ** 2 - z[1:]) ** 2 + (z[:-1] - 1) ** 2))


def rotated(n: int, z: Vector, data: Data) -> Vector:
    return np.asarray(data[f"f{n}_r{len(z)}"] @ z)


def grouped(n: int, y: Vector, data: Data, base: Base) -> tuple[float, Vector]:
    """The weighted sum over the groups, and the variables that no group has taken."""
    order = data[f"f{n}_permutation"]
    total, start = 0.0, 0
    for size, weight in zip(data[f"f{n}_sizes"], data[f"f{n}_weights"], strict=True):
        total += weight * base(rotated(n, y[order[start : start + size]], data))
        start += size
    return total, y[order[start:]]


def overlapping(n: int, x: Vector, data: Data) -> float:
    """f13 and f14: neighbouring groups share variables; in f14 every group has a shift of its own."""
    order, shift = data[f"f{n}_permutation"], data[f"f{n}_shift"]
    total, members = 0.0, 0
    for i, (size, weight) in enumerate(zip(data[f"f{n}_sizes"], data[f"f{n}_weights"], strict=True)):
        start = members - OVERLAP * i
        group = order[start : start + size]
        o = shift[group] if n == 13 else shift[members : members + size]
        total += weight * schwefel(rotated(n, x[group] - o, data))
        members += size
    return float(total)


def evaluate(n: int, x: Vector, data: Data, raw_ackley: bool = False) -> float:
    """The value of function `n` at `x`; `raw_ackley` leaves out the transformations in f3, f6 and f10."""
    if n in (13, 14):
        return overlapping(n, x, data)
    y = x - data[f"f{n}_shift"]
    chosen_ackley = plain_ackley if raw_ackley else ackley
    whole = {1: elliptic, 2: rastrigin, 3: chosen_ackley, 12: rosenbrock, 15: schwefel}
    if n in whole:
        return whole[n](y)
    # The base function of the groups and the one of the variables outside them.
    bases: dict[int, tuple[Base, Base | None]] = {
        4: (elliptic, elliptic),
        5: (rastrigin, rastrigin),
        6: (chosen_ackley, chosen_ackley),
        7: (schwefel, sphere),
        8: (elliptic, None),
        9: (rastrigin, None),
        10: (chosen_ackley, None),
        11: (schwefel, None),
    }
    base, outside = bases[n]
    total, rest = grouped(n, y, data, base)
    return float(total if outside is None else total + outside(rest))
