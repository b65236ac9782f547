"""Functions that are put together at random: what, how rotated, in which groups, with which weights and distortions.

Each number gives a function of 200 to 500 variables, ``made(7)``; nothing is chosen by hand. Those with odd numbers are
for tuning, those with even numbers for looking whether what was tuned holds for others of the kind. The distortions
are those of the black-box benchmarks of COCO: irregularities (``oscillated``), asymmetry, conditioning. From number 101
on the box is 20 times as wide, where asymmetry makes other functions of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numba
import numpy as np

import ter

__all__ = ["FUNCTIONS", "HELD_OUT", "WIDE", "WIDE_HELD_OUT", "made"]

BASES = ("ellipsoid", "schwefel", "rastrigin", "ackley", "rosenbrock", "powers", "griewank", "ridge")
STRUCTURES = ("whole", "groups", "groups and single ones", "overlapping groups")
NUMBERS = range(1, 49)
WIDE_NUMBERS = range(101, 149)


@numba.njit
def base_value(kind, z):
    """Return the value of a base function; zero at zero."""
    n, total, product, largest = z.shape[0], 0.0, 1.0, 0.0
    if kind == 0:
        for i in range(n):
            total += 10.0 ** (6.0 * i / max(1, n - 1)) * z[i] * z[i]
    elif kind == 1:
        part = 0.0
        for i in range(n):
            part += z[i]
            total += part * part
    elif kind == 2:
        for i in range(n):
            total += z[i] * z[i] - 10.0 * math.cos(2.0 * math.pi * z[i]) + 10.0
    elif kind == 3:
        for i in range(n):
            total += z[i] * z[i]
            largest += math.cos(2.0 * math.pi * z[i])
        total = 20.0 - 20.0 * math.exp(-0.2 * math.sqrt(total / n)) - math.exp(largest / n) + math.e
    elif kind == 4:
        for i in range(n - 1):
            a, b = z[i] + 1.0, z[i + 1] + 1.0
            total += 100.0 * (a * a - b) ** 2 + (a - 1.0) ** 2
    elif kind == 5:
        for i in range(n):
            total += abs(z[i]) ** (2.0 + 4.0 * i / max(1, n - 1))
        total = math.sqrt(total)
    elif kind == 6:
        for i in range(n):
            total += z[i] * z[i] / 4.0
            product *= math.cos(z[i] * 4.0 / math.sqrt(i + 1.0))
        total += 1.0 - product
    else:
        for i in range(1, n):
            total += z[i] * z[i]
        total = z[0] * z[0] + 100.0 * math.sqrt(total)
    return total


@numba.njit
def oscillated(r):
    """Return a number with small irregularities that follow its logarithm."""
    if r == 0.0:
        return 0.0
    log, a, b = math.log(abs(r)), 10.0 if r > 0.0 else 5.5, 7.9 if r > 0.0 else 3.1
    return math.copysign(math.exp(log + 0.049 * (math.sin(a * log) + math.sin(b * log))), r)


@numba.njit
def composed_value(x, optimum, order, begins, ends, kinds, weights, rotations, at, wild, asymmetry, condition):
    """Return the sum over the groups."""
    total = 0.0
    for k in range(begins.shape[0]):
        n = ends[k] - begins[k]
        z = np.empty(n)
        for i in range(n):
            r = 0.0
            if at[k] < 0:
                variable = order[begins[k] + i]
                r = x[variable] - optimum[variable]
            else:
                for j in range(n):
                    variable = order[begins[k] + j]
                    r += rotations[at[k] + i * n + j] * (x[variable] - optimum[variable])
            if wild:
                r = oscillated(r)
            place = i / max(1, n - 1)
            if r > 0.0 and asymmetry > 0.0:
                r = r ** (1.0 + asymmetry * place * math.sqrt(r))
            z[i] = condition ** (0.5 * place) * r
        total += weights[k] * base_value(kinds[k], z)
    return total


def made(number: int) -> ter.Problem:
    """Return the function with a number, the same one whenever it is asked for."""
    rng = np.random.default_rng([2026, number])
    n = int(rng.integers(200, 501))
    structure = STRUCTURES[int(rng.integers(len(STRUCTURES)))]
    order = rng.permutation(n)
    begins, ends = [0], [n]
    if structure != "whole":
        sizes, single = [], int(0.3 * n) if structure == "groups and single ones" else 0
        while sum(sizes) < n - single:
            sizes.append(int(min(rng.choice([10, 25, 50, 100]), n - single - sum(sizes))))
        sizes += [1] * single
        ends = np.cumsum(sizes).tolist()
        begins = [0, *ends[:-1]]
        if structure == "overlapping groups":
            begins = [max(0, begin - 5) for begin in begins]
    base, rotated = int(rng.integers(len(BASES))), bool(rng.random() < 0.75)
    kinds = [base if rng.random() < 0.8 else int(rng.integers(len(BASES))) for _ in begins]
    kinds = [0 if end - begin == 1 else kind for kind, begin, end in zip(kinds, begins, ends, strict=True)]
    weights = 10.0 ** (float(rng.choice([0.0, 1.0, 3.0])) * rng.standard_normal(len(begins)))
    rotations, at = [np.zeros(1)], []
    for begin, end in zip(begins, ends, strict=True):
        at.append(sum(map(len, rotations)) if rotated and end - begin > 1 else -1)
        if at[-1] >= 0:
            rotations.append(np.linalg.qr(rng.standard_normal((end - begin, end - begin)))[0].ravel())
    wild, asymmetry = bool(rng.random() < 0.5), float(rng.choice([0.0, 0.2]))
    condition = float(rng.choice([1.0, 10.0, 100.0]))
    half = 5.0 if number < WIDE_NUMBERS.start else 100.0
    optimum, blocks = 0.2 * half * rng.uniform(-4, 4, n), np.concatenate(rotations)
    arrays = [np.array(each) for each in (begins, ends, kinds, weights)]

    def value(x: np.ndarray) -> float:
        return float(composed_value(x, optimum, order, *arrays, blocks, np.array(at), wild, asymmetry, condition))

    return ter.Problem(value, ter.box(-half, half, dimension=n))


def _numbered(numbers: range) -> dict[str, Callable[[], ter.Problem]]:
    return {f"composed {number}": lambda number=number: made(number) for number in numbers}


FUNCTIONS = _numbered(NUMBERS[::2])
HELD_OUT = _numbered(NUMBERS[1::2])
WIDE = _numbered(WIDE_NUMBERS[::2])
WIDE_HELD_OUT = _numbered(WIDE_NUMBERS[1::2])
