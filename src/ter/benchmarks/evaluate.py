"""The values of whole points, one or many.

Each part is shifted and rotated. Then parts that follow each other and are alike in base function and transformation
are finished together, in loops over all of their components.

Two points at a time are faster where there are rotations: half of the time goes into reading their matrices, and two
points read them once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, kernel
from ter.benchmarks.base_functions import (
    ACKLEY,
    ROSENBROCK,
    SCHWEFEL,
    combined_value,
    has_two_channels,
    operation_of,
    second_operation_of,
    terms_of,
)
from ter.benchmarks.by_address import (
    call_evaluate,
    call_evaluate_rows,
    call_finish,
    call_fold,
    call_rotate,
    call_rotate_pair,
    call_shift,
    call_square_sums,
    call_sum_blocks,
    call_terms,
    call_transform,
)
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    BIAS,
    BLOCK,
    CONSTANTS,
    COORDINATES,
    FACTORS,
    FIRST_COORDINATE,
    HEAD,
    PARTS,
    ROTATION,
    ROW_LENGTH,
    SHIFTS,
    SIZE,
    TOTAL,
    TRANSFORM,
    UNTRANSFORMED,
    WEIGHTS,
    WIDEST,
)
from ter.benchmarks.registers import add4, load4, splat4, sum4
from ter.benchmarks.rotation import ALL_BLOCKS, pad, whole_rows
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.unchecked import Floats, Ints, hold, pointer

__all__ = [
    "SCRATCH_OF_POINT",
    "are_alike",
    "evaluate",
    "evaluate_rows",
    "finish_alike",
    "row_of",
    "shift_part",
    "value",
    "values",
    "weighted_sum",
]

SCRATCH_OF_POINT = 3  # arrays to evaluate a point in: components, which become terms; the second channel; and one more


@inner
def row_of(ints: Ints, part: int) -> Ints:
    """Return a part's row of the table of parts."""
    return ints + (HEAD + ROW_LENGTH * part)


@inner
def padded_size(row: Ints) -> int:
    """Components of a part that loops run over: a rotated part has zeros behind its own, which come to nothing."""
    return row[SIZE] if row[ROTATION] < 0 else whole_rows(row[SIZE])


@inner
def are_alike(row: Ints, other: Ints) -> bool:
    """Tell whether two parts can be finished together."""
    return row[BASE] == other[BASE] and row[TRANSFORM] == other[TRANSFORM]


@inner
def shift_part(x: Floats, floats: Floats, ints: Ints, row: Ints, y: Floats) -> None:
    """Take a part's variables out of `x` and subtract its shift, into `y`."""
    shift, first = floats + (ints[SHIFTS] + row[BEGIN]), row[FIRST_COORDINATE]
    if first >= 0:
        for i in range(row[SIZE]):
            y[i] = x[first + i] - shift[i]
    else:
        coordinates = ints + (ints[COORDINATES] + row[BEGIN])
        for i in range(row[SIZE]):
            y[i] = x[coordinates[i]] - shift[i]


@inner
def shift_and_rotate(x: Floats, floats: Floats, ints: Ints, row: Ints, scratch: Floats) -> None:
    """Write a part's shifted and rotated components to its positions."""
    z, size = scratch + row[BEGIN], row[SIZE]
    if row[ROTATION] < 0:
        call_shift(ints, x, floats, ints, row, z)
    else:
        y = z + ints[TOTAL]
        call_shift(ints, x, floats, ints, row, y)
        pad(y, size)
        call_rotate(ints, floats + row[ROTATION], size, y, z, ALL_BLOCKS, z)
        pad(z, whole_rows(size))


@inner
def finish_alike(floats: Floats, ints: Ints, first: int, last: int, scratch: Floats, values: Floats) -> None:
    """Evaluate parts that are alike, whose components are in place: from `first` up to `last`, exclusive."""
    row, final = row_of(ints, first), row_of(ints, last - 1)
    begin, base, transform = row[BEGIN], row[BASE], row[TRANSFORM]
    n = final[BEGIN] + padded_size(final) - begin
    z, constants = scratch + begin, floats + (ints[CONSTANTS] + begin)
    other = z + ints[TOTAL]
    if transform != UNTRANSFORMED:
        factors, work = floats + (ints[FACTORS] + begin), scratch + 2 * ints[TOTAL]
        call_transform(ints, transform, z, n, constants, factors, work)
    if base != SCHWEFEL and base != ROSENBROCK:
        call_terms(ints, base, z, n, constants, other)
    for part in range(first, last):
        own = row_of(ints, part)
        at = own[BEGIN] - begin
        if own[ROTATION] < 0:
            values[part] = combine_part(ints, own, z + at, other + at)
        else:
            values[part] = combine_rotated(own, z + at, other + at)


@inner
def combine_part(ints: Ints, row: Ints, z: Floats, other: Floats) -> float:
    """Turn terms, or components where terms are not of one component each, into the part's value."""
    base, size, second = row[BASE], row[SIZE], 0.0
    n = terms_of(base, size)
    if base == SCHWEFEL:
        call_sum_blocks(ints, z, z, size, row[BLOCK], ALL_BLOCKS)
        return call_square_sums(ints, ints, z, size, row[BLOCK])
    if base == ROSENBROCK:
        call_terms(ints, base, z, n, z, z)
    if has_two_channels(base):
        second = call_fold(ints, second_operation_of(base), other, 0, n)
    return combined_value(base, size, call_fold(ints, operation_of(base), z, 0, n), second)


@inner
def combine_rotated(row: Ints, z: Floats, other: Floats) -> float:
    """Do the same for a rotated part, whose terms all change together and need no tree."""
    base, size, second = row[BASE], row[SIZE], 0.0
    n = whole_rows(size)
    if base == SCHWEFEL:
        total = 0.0
        for i in range(size):
            total += z[i]
            z[i] = total * total
        n = size
    if base == ACKLEY:
        second = sum_in_registers(other, n)
    return combined_value(base, size, sum_in_registers(z, n), second)


@inner
def sum_in_registers(terms: Floats, n: int) -> float:
    """Add up `n` terms in eight sums: faster than halving for a few dozen terms."""
    whole = n & -8
    low = high = splat4(0.0)
    for i in range(0, whole, 8):
        low = add4(low, load4(terms, i))
        high = add4(high, load4(terms, i + 4))
    rest = 0.0
    for i in range(whole, n):
        rest += terms[i]
    return float(sum4(add4(low, high)) + rest)


@inner
def finish_parts(floats: Floats, ints: Ints, scratch: Floats, values: Floats) -> float:
    """Evaluate all parts, whose components are in place, and return their weighted sum."""
    parts, first = ints[PARTS], 0
    while first < parts:
        last = first + 1
        while last < parts and are_alike(row_of(ints, first), row_of(ints, last)):
            last += 1
        call_finish(ints, floats, ints, first, last, scratch, values)
        first = last
    return weighted_sum(values, floats, parts)


@inner
def weighted_sum(values: Floats, floats: Floats, parts: int) -> float:
    """Add up the parts' values, with their weights and the bias."""
    total = 0.0
    for part in range(parts):
        total += floats[WEIGHTS + part] * values[part]
    return total + floats[BIAS]


@inner
def evaluate(x: Floats, floats: Floats, ints: Ints, scratch: Floats, values: Floats) -> float:
    """Evaluate a point from scratch; `values` get those of the parts."""
    for part in range(ints[PARTS]):
        shift_and_rotate(x, floats, ints, row_of(ints, part), scratch)
    return finish_parts(floats, ints, scratch, values)


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate a point."""
    table = pointer(ints)
    arrays = SCRATCH_OF_POINT * table[TOTAL]
    room = np.empty(arrays + table[PARTS])
    scratch = pointer(room)
    result = call_evaluate(table, pointer(x), pointer(floats), table, scratch, scratch + arrays)
    hold(room)
    return result


# two points at a time


@inner
def shift_and_rotate_pair(
    x: Floats, other: Floats, floats: Floats, ints: Ints, row: Ints, z: Floats, w: Floats, y: Floats, v: Floats
) -> None:
    """Write a part's shifted and rotated components of two points into `z` and `w`; `y` and `v` are to work in."""
    if row[ROTATION] < 0:
        call_shift(ints, x, floats, ints, row, z)
        call_shift(ints, other, floats, ints, row, w)
    else:
        size = row[SIZE]
        call_shift(ints, x, floats, ints, row, y)
        call_shift(ints, other, floats, ints, row, v)
        pad(y, size)
        pad(v, size)
        call_rotate_pair(ints, floats + row[ROTATION], size, y, v, z, ALL_BLOCKS, z, w)
        pad(z, whole_rows(size))
        pad(w, whole_rows(size))


@inner
def evaluate_rows(X: Floats, n: int, dimension: int, floats: Floats, ints: Ints, scratch: Floats, out: Floats) -> None:
    """Evaluate `n` rows of points, two at a time where there are rotations."""
    parts, widest, arrays = ints[PARTS], ints[WIDEST], SCRATCH_OF_POINT * ints[TOTAL]
    found = scratch + 2 * arrays
    y, paired = found + parts, n & -2 if widest > 0 else 0
    for r in range(0, paired, 2):
        x = X + r * dimension
        for part in range(parts):
            row = row_of(ints, part)
            z = scratch + row[BEGIN]
            shift_and_rotate_pair(x, x + dimension, floats, ints, row, z, z + arrays, y, y + widest)
        out[r] = finish_parts(floats, ints, scratch, found)
        out[r + 1] = finish_parts(floats, ints, scratch + arrays, found)
    for r in range(paired, n):
        out[r] = call_evaluate(ints, X + r * dimension, floats, ints, scratch, found)


@kernel
def values(X: NDArray[np.float64], floats: Vector, ints: Integers, out: Vector) -> None:
    """Evaluate rows of points."""
    table = pointer(ints)
    room = np.empty(2 * SCRATCH_OF_POINT * table[TOTAL] + table[PARTS] + 2 * table[WIDEST])
    call_evaluate_rows(table, pointer(X), out.shape[0], X.shape[1], pointer(floats), table, pointer(room), pointer(out))
    hold(room)
