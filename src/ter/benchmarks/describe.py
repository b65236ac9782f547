"""Describe a function of a suite as a layout, from its row and the official numbers.

The official shifts of LSO08 are 1000 numbers per function; a problem of fewer variables uses the first ones. Beyond
1000 there are none, and ter draws them, always the same: variable i of function n, counted from 0, is shifted by
``low + (high - low) * u``, where ``u`` is the i-th number of the SplitMix64 sequence [1]_ of seed 2008 * 100 + n, its
upper 53 bits divided by 2**53, and (low, high) is the interval that the official shifts fill. So a problem of 2500
variables is the beginning of the one of 10 000. Function 7 depends on a Java program and is left out.

References
----------
.. [1] G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ter.benchmarks.definitions import Base, Function, Transform
from ter.benchmarks.layout import Layout, Part
from ter.benchmarks.official_numbers import OfficialNumbers
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["layout_of", "part_of", "shift_of"]

SEED = 2008 * 100  # of the shifts that are drawn, plus the number of the function
CONDITION = 1e6  # of the elliptic function
SKEW = 0.2  # T_asy's exponent
SCALE = 10.0  # Lambda's condition


def layout_of(function: Function, dimension: int) -> Layout:
    """Describe a function of `dimension` variables."""
    shift = shift_of(function, dimension)
    if not function.groups:
        parts = [part_of(function, function.base, np.arange(dimension), shift - function.added)]
    else:
        parts = _grouped(function, OfficialNumbers(function), shift)
    return Layout(dimension, parts, function.bias)


def shift_of(function: Function, dimension: int) -> Vector:
    """Return the shift of each variable; of each variable of each group, if groups disagree.

    Examples
    --------
    >>> from ter.benchmarks.definitions import LSO08
    >>> shift_of(LSO08[0], 10_000)[[0, 999, 1000, 9999]].round(6).tolist()
    [97.249936, -52.372533, -27.453033, -32.927458]
    """
    official: Vector = OfficialNumbers(function)["shift"]
    if not function.any_dimension:
        return official
    missing = np.arange(len(official), dimension, dtype=np.uint64)
    low, high = function.shifts or (0, 0)
    drawn = low + (high - low) * _uniform(SEED + function.number, missing)
    return np.concatenate([official[:dimension], drawn])


def _uniform(seed: int, index: NDArray[np.uint64]) -> Vector:
    """Return numbers of a SplitMix64 sequence, in [0, 1)."""
    z = np.uint64(seed) + (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray((z ^ (z >> np.uint64(31))) >> np.uint64(11), dtype=np.float64) * 2.0**-53


def _grouped(function: Function, numbers: OfficialNumbers, shift: Vector) -> list[Part]:
    """Cut the permutation of the variables into groups, and perhaps a rest."""
    order = numbers["permutation"].astype(np.int64)
    parts = []
    begin = passed = 0  # in the permutation, and in the shifts of groups that disagree
    for size, weight, rotation in _sizes_weights_rotations(function, numbers):
        group = order[begin : begin + size]
        own = shift[passed : passed + size] if function.conflicting else shift[group]
        parts.append(part_of(function, function.base, group, own, rotation, weight))
        begin += size - function.shared
        passed += size
    if function.rest is not None:
        parts.append(part_of(function, function.rest, order[begin:], shift[order[begin:]]))
    return parts


def _sizes_weights_rotations(
    function: Function, numbers: OfficialNumbers
) -> Iterator[tuple[int, float, NDArray[np.float64] | None]]:
    if function.group_size is None:
        for size, weight in zip(numbers["sizes"].tolist(), numbers["weights"].tolist(), strict=True):
            yield size, weight, numbers[f"r{size}"] if function.rotated else None
        return
    # A row times the matrix, as LSO10 has it, is the transposed matrix times the column.
    rotation = numbers["rotation"].T if function.rotated else None
    for _ in range(function.groups):
        yield function.group_size, function.weight, rotation


def part_of(
    function: Function,
    base: Base,
    coordinates: Integers,
    shift: Vector,
    rotation: NDArray[np.float64] | None = None,
    weight: float = 1.0,
) -> Part:
    """Describe a base function of some variables, with the transformation that belongs to it in this function."""
    n = len(coordinates)
    t = np.arange(n) / max(n - 1, 1)
    transform = function.transform if base is function.base else Transform.NONE
    constants = factors = None
    if transform is Transform.SKEWED:
        constants, factors = SKEW * t, powers(SCALE, t / 2) if function.scaled else None
    elif base is Base.ELLIPTIC:
        constants = powers(CONDITION, t)
    elif base is Base.GRIEWANK:
        constants = 1.0 / np.sqrt(np.arange(1, n + 1))
    return Part(base, coordinates, shift, transform, constants, factors, rotation, weight)


def powers(base: float, exponents: Vector) -> Vector:
    """Raise a number to many powers, one by one: NumPy's own loop rounds otherwise on some processors.

    Examples
    --------
    >>> powers(4.0, np.array([0.5, 2.0]))
    array([ 2., 16.])
    """
    return np.array([math.pow(base, exponent) for exponent in exponents.tolist()])
