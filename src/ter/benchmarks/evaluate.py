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
    DIMENSION,
    HEAD,
    OCCURS,
    PART_OF,
    PARTS,
    POSITIONS,
    ROTATION,
    RUN,
    SCRATCH,
    SIZE,
    TOTAL,
    WEIGHTS,
    WIDTH,
)
from ter.benchmarks.parts import alike, finish_parts, finish_run, place_part
from ter.benchmarks.places import work_space
from ter.benchmarks.products import place_rotated, touched_blocks
from ter.benchmarks.touch import fill_part, settle_part, try_part, try_position
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.engines.raw import peek

__all__ = ["commit", "move", "start", "touched_by", "try_rotated", "try_unrotated", "value", "weighted"]


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate a point from scratch."""
    parts, total = ints[PARTS], ints[TOTAL]
    z, other, work = np.empty(total), np.empty(total), np.empty(total)
    values = np.empty(parts)
    for part in range(parts):
        place_part(x, floats, ints, HEAD + WIDTH * part, z, other)
    finish_parts(floats, ints, (z, other, work), values)
    return weighted(values, 0, floats, parts)


@kernel
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
            memory[trial + part] = try_position(x, memory, floats, ints, part, position)
        x[i] = before
    else:
        kept = _exchange(x, coordinates, values)
        begins, touched = touched_by(ints, coordinates)
        try_unrotated(x, memory, floats, ints, begins, touched, memory, trial)
        try_rotated(x, memory, floats, ints, begins, touched)
        _restore(x, coordinates, kept)
    return weighted(memory, trial, floats, parts)


@kernel
def try_unrotated(
    x: Vector,
    memory: Vector,
    floats: Vector,
    ints: Integers,
    begins: Integers,
    touched: Integers,
    values: Vector,
    at: int,
) -> None:
    """Evaluate the touched parts that are not rotated, into ``values[at:]``."""
    for part in range(ints[PARTS]):
        if begins[part] < begins[part + 1] and ints[HEAD + WIDTH * part + ROTATION] < 0:
            own = touched[begins[part] : begins[part + 1]]
            values[at + part] = try_part(x, memory, floats, ints, part, own)


@kernel
def try_rotated(x: Vector, memory: Vector, floats: Vector, ints: Integers, begins: Integers, touched: Integers) -> None:
    """Evaluate the touched parts that are rotated, as many as possible in one run."""
    parts, room = ints[PARTS], work_space(memory, ints)
    first = -1  # of the run under way
    for part in range(parts + 1):
        row = HEAD + WIDTH * part
        taken = part < parts and begins[part] < begins[part + 1] and ints[row + ROTATION] >= 0
        if first >= 0 and not (taken and alike(ints, HEAD + WIDTH * first, row)):
            finish_run(floats, ints, (first, part), room, memory, ints[SCRATCH])
            first = -1
        if taken:
            own = touched[begins[part] : begins[part + 1]]
            place_rotated(x, memory, floats, ints, row, touched_blocks(ints, row, own), room)
            first = part if first < 0 else first


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the memory for a move; `x` itself is written by the caller afterwards."""
    kept = _exchange(x, coordinates, values)
    begins, touched = touched_by(ints, coordinates)
    for part in range(ints[PARTS]):
        if begins[part] < begins[part + 1]:
            own = touched[begins[part] : begins[part + 1]]
            memory[part] = settle_part(x, memory, floats, ints, part, own)
    _restore(x, coordinates, kept)


@kernel
def _exchange(x: Vector, coordinates: Integers, values: Vector) -> Vector:
    """Write values into `x` and return those that were there."""
    kept = np.empty(coordinates.shape[0])
    for k in range(coordinates.shape[0]):
        kept[k] = x[coordinates[k]]
        x[coordinates[k]] = values[k]
    return kept


@kernel
def _restore(x: Vector, coordinates: Integers, kept: Vector) -> None:
    """Put values back, the last one first, in case a coordinate was named twice."""
    for k in range(coordinates.shape[0] - 1, -1, -1):
        x[coordinates[k]] = kept[k]


@kernel
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
