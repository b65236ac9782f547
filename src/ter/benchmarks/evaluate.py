"""The four functions of a benchmark objective: its value, and its moves at the cost of what they touch.

`memory` holds the parts' values first, then for each part what its moves need to know:

* a rotated part: the products of the matrix with each block of components;
* Schwefel 1.2 without rotation: the transformed components, and their sums from the beginning of each block;
* any other part: all levels of the tree over its terms (two trees where there are two channels).

At its end there is space to work in.
"""

from __future__ import annotations

import numpy as np

from ter._jit import kernel
from ter.benchmarks.layout import (
    BIAS,
    HEAD,
    LARGEST,
    OCCURS,
    PART_OF,
    PARTS,
    POSITIONS,
    SCRATCH,
    WEIGHTS,
    WIDTH,
)
from ter.benchmarks.parts import whole_part
from ter.benchmarks.touch import fill_part, settle_part, try_part, try_position
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["commit", "move", "start", "value"]


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate a point from scratch."""
    largest = ints[LARGEST]
    z, other, work = np.empty(largest), np.empty(largest), np.empty(largest)
    total = 0.0
    for part in range(ints[PARTS]):
        total += floats[WEIGHTS + part] * whole_part(x, floats, ints, HEAD + WIDTH * part, z, other, work)
    return total + floats[BIAS]


@kernel
def weighted(memory: Vector, values: int, floats: Vector, parts: int) -> float:
    """Add up the parts' values at ``memory[values:]``."""
    total = 0.0
    for part in range(parts):
        total += floats[WEIGHTS + part] * memory[values + part]
    return total + floats[BIAS]


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Fill the memory at the point `x`."""
    for part in range(ints[PARTS]):
        memory[part] = fill_part(x, memory, floats, ints, HEAD + WIDTH * part)


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Evaluate `x` with some coordinates replaced."""
    parts, trial = ints[PARTS], ints[SCRATCH]
    for part in range(parts):
        memory[trial + part] = memory[part]
    if coordinates.shape[0] == 1:
        i = coordinates[0]
        before = x[i]
        x[i] = values[0]
        for at in range(ints[ints[OCCURS] + i], ints[ints[OCCURS] + i + 1]):
            position = ints[ints[POSITIONS] + at]
            part = ints[ints[PART_OF] + position]
            memory[trial + part] = try_position(x, memory, floats, ints, HEAD + WIDTH * part, position)
        x[i] = before
    else:
        kept = _exchange(x, coordinates, values)
        begins, touched = _touched(ints, coordinates)
        for part in range(parts):
            if begins[part] < begins[part + 1]:
                own = touched[begins[part] : begins[part + 1]]
                memory[trial + part] = try_part(x, memory, floats, ints, HEAD + WIDTH * part, own)
        _exchange(x, coordinates, kept)
    return weighted(memory, trial, floats, parts)


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the memory for a move; `x` itself is written by the caller afterwards."""
    kept = _exchange(x, coordinates, values)
    begins, touched = _touched(ints, coordinates)
    for part in range(ints[PARTS]):
        if begins[part] < begins[part + 1]:
            own = touched[begins[part] : begins[part + 1]]
            memory[part] = settle_part(x, memory, floats, ints, HEAD + WIDTH * part, own)
    _exchange(x, coordinates, kept)


@kernel
def _exchange(x: Vector, coordinates: Integers, values: Vector) -> Vector:
    """Write values into `x` and return those that were there."""
    kept = np.empty(coordinates.shape[0])
    for k in range(coordinates.shape[0]):
        kept[k] = x[coordinates[k]]
        x[coordinates[k]] = values[k]
    return kept


@kernel
def _touched(ints: Integers, coordinates: Integers) -> tuple[Integers, Integers]:
    """Return the positions of some coordinates part by part, and where each part's begin."""
    parts, occurs, positions, part_of = ints[PARTS], ints[OCCURS], ints[POSITIONS], ints[PART_OF]
    begins = np.zeros(parts + 2, dtype=np.int64)
    for i in coordinates:
        for at in range(ints[occurs + i], ints[occurs + i + 1]):
            begins[ints[part_of + ints[positions + at]] + 2] += 1
    for part in range(parts):
        begins[part + 2] += begins[part + 1]
    touched = np.empty(begins[parts + 1], dtype=np.int64)
    for i in coordinates:
        for at in range(ints[occurs + i], ints[occurs + i + 1]):
            position = ints[positions + at]
            part = ints[part_of + position] + 1
            touched[begins[part]] = position
            begins[part] += 1  # so that it ends up where the next part begins
    return begins, touched
