"""The four functions of a benchmark objective: its value, and its moves at the cost of what they touch.

`memory` holds the parts' values first, then for each part what its moves need to know:

* a rotated part: the products of the matrix with each block of components;
* Schwefel 1.2 without rotation: the transformed components, and their sums from the beginning of each block;
* any other part: all levels of the tree over its terms (two trees where there are two channels).

At its end there is space to work in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, kernel
from ter.benchmarks.layout import (
    BIAS,
    DIMENSION,
    HEAD,
    OCCURS,
    PART_OF,
    PARTS,
    POSITIONS,
    RUN,
    SIZE,
    WEIGHTS,
    WIDTH,
)
from ter.benchmarks.pairs import new_space, place_pair, widest
from ter.benchmarks.parts import finish_parts, place_part
from ter.benchmarks.touch import fill_part, settle_part
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.unchecked import peek

__all__ = ["commit", "start", "touched_by", "value", "values", "weighted", "write"]


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate a point from scratch."""
    parts, space, values = ints[PARTS], new_space(ints), np.empty(ints[PARTS])
    for part in range(parts):
        place_part(x, floats, ints, HEAD + WIDTH * part, space[0], space[1])
    finish_parts(floats, ints, space, values)
    return weighted(values, 0, floats, parts)


@kernel
def values(X: NDArray[np.float64], floats: Vector, ints: Integers, out: Vector) -> None:
    """Evaluate rows of points."""
    n, parts = out.shape[0], ints[PARTS]
    pairs = n // 2 if widest(ints) else 0
    first, second = new_space(ints), new_space(ints)
    y, found = np.empty(2 * widest(ints)), np.empty(parts)
    for r in range(0, 2 * pairs, 2):
        for part in range(parts):
            place_pair(X[r], X[r + 1], floats, ints, HEAD + WIDTH * part, y, first[0], second[0])
        finish_parts(floats, ints, first, found)
        out[r] = weighted(found, 0, floats, parts)
        finish_parts(floats, ints, second, found)
        out[r + 1] = weighted(found, 0, floats, parts)
    for r in range(2 * pairs, n):
        out[r] = value(X[r], floats, ints)


@inner
def weighted(values: Vector, at: int, floats: Vector, parts: int) -> float:
    """Add up the parts' values at ``values[at:]``."""
    total = 0.0
    for part in range(parts):
        total += floats[WEIGHTS + part] * values[at + part]
    return float(total + floats[BIAS])


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Fill the memory at the point `x`."""
    for part in range(ints[PARTS]):
        memory[part] = fill_part(x, memory, floats, ints, part)


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the memory for a move; `x` itself is written by the caller afterwards."""
    moved = x.copy()
    write(moved, coordinates, values)
    begins, touched = touched_by(ints, coordinates)
    for part in range(ints[PARTS]):
        if begins[part] < begins[part + 1]:
            own = touched[begins[part] : begins[part + 1]]
            memory[part] = settle_part(moved, memory, floats, ints, part, own)


@inner
def write(x: Vector, coordinates: Integers, values: Vector) -> None:
    """Write values into `x`."""
    for k in range(coordinates.shape[0]):
        x[coordinates[k]] = values[k]


@inner
def touched_by(ints: Integers, coordinates: Integers) -> tuple[Integers, Integers]:
    """Return the positions of some coordinates part by part, and where each part's begin."""
    parts = ints[PARTS]
    begins = np.zeros(parts + 2, dtype=np.int64)
    if parts == 1 and ints[HEAD + RUN] == 0 and ints[HEAD + SIZE] == ints[DIMENSION]:
        begins[1] = coordinates.shape[0]  # all coordinates in their order: each is its own position
        return begins, coordinates
    occurs, positions, part_of = ints[OCCURS], ints[POSITIONS], ints[PART_OF]
    for i in coordinates:
        for at in range(peek(ints, occurs + i), peek(ints, occurs + i + 1)):
            begins[peek(ints, part_of + peek(ints, positions + at)) + 2] += 1
    for part in range(parts):
        begins[part + 2] += begins[part + 1]
    touched = np.empty(begins[parts + 1], dtype=np.int64)
    for i in coordinates:
        for at in range(peek(ints, occurs + i), peek(ints, occurs + i + 1)):
            position = peek(ints, positions + at)
            part = peek(ints, part_of + position) + 1
            touched[begins[part]] = position
            begins[part] += 1  # so that it ends up where the next part begins
    return begins, touched
