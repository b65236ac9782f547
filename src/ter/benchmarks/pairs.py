"""Batches of points and of moves, two at a time, with the bits of one at a time.

Half of the time of a rotated function goes into reading its matrices; two points read them once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.benchmarks.evaluate import move, touched_by, try_rotated, try_unrotated, value, weighted
from ter.benchmarks.layout import BEGIN, HEAD, MEMORY, PARTS, ROTATION, SCRATCH, SIZE, TOTAL, WIDTH
from ter.benchmarks.parts import Space, alike, finish_parts, finish_run, padded, shift_into, shift_part
from ter.benchmarks.places import work_space
from ter.benchmarks.products import shift_blocks, touched_blocks
from ter.benchmarks.rotate import ALL_BLOCKS, COLUMNS, pad, rotate_pair
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["moves", "values"]


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


@kernel
def moves(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, V: NDArray[np.float64], out: Vector
) -> None:
    """Evaluate `x` with the coordinates replaced by each row of `V`."""
    n, parts, trial = out.shape[0], ints[PARTS], ints[SCRATCH]
    if coordinates.shape[0] == 1:
        for r in range(n):
            out[r] = move(x, memory, floats, ints, coordinates, V[r])
        return
    begins, touched = touched_by(ints, coordinates)
    blocks = blocks_of(ints, begins, touched)
    pairs = n // 2 if widest(ints) else 0
    one, other, others = x.copy(), x.copy(), memory[:parts].copy()
    room, y = new_space(ints), np.empty(2 * widest(ints))
    for part in range(parts):
        memory[trial + part] = memory[part]
    for r in range(0, 2 * pairs, 2):
        write(one, coordinates, V[r])
        write(other, coordinates, V[r + 1])
        # The second first: on the way, parts leave their values among the memory's trial values.
        try_unrotated(other, memory, floats, ints, begins, touched, others, 0)
        try_unrotated(one, memory, floats, ints, begins, touched, memory, trial)
        try_pair(one, other, memory, floats, ints, blocks, y, room, others)
        out[r] = weighted(memory, trial, floats, parts)
        out[r + 1] = weighted(others, 0, floats, parts)
    for r in range(2 * pairs, n):
        write(one, coordinates, V[r])
        try_unrotated(one, memory, floats, ints, begins, touched, memory, trial)
        try_rotated(one, memory, floats, ints, begins, touched)
        out[r] = weighted(memory, trial, floats, parts)


@kernel
def widest(ints: Integers) -> int:
    """Return the columns of the largest rotation, padded; 0 if there is none."""
    most = 0
    for part in range(ints[PARTS]):
        row = HEAD + WIDTH * part
        if ints[row + ROTATION] >= 0:
            most = max(most, -(-ints[row + SIZE] // COLUMNS) * COLUMNS)
    return most


@kernel
def new_space(ints: Integers) -> Space:
    """Return arrays to evaluate a point in."""
    total = ints[TOTAL]
    return np.empty(total), np.empty(total), np.empty(total)


@kernel
def write(x: Vector, coordinates: Integers, values: Vector) -> None:
    """Write values into `x`."""
    for k in range(coordinates.shape[0]):
        x[coordinates[k]] = values[k]


@kernel
def blocks_of(ints: Integers, begins: Integers, touched: Integers) -> Integers:
    """Return the touched blocks of each part that is rotated, as bits."""
    blocks = np.zeros(ints[PARTS], dtype=np.int64)
    for part in range(ints[PARTS]):
        row = HEAD + WIDTH * part
        if ints[row + ROTATION] >= 0:
            blocks[part] = touched_blocks(ints, row, touched[begins[part] : begins[part + 1]])
    return blocks


@kernel
def place_pair(
    one: Vector, other: Vector, floats: Vector, ints: Integers, row: int, y: Vector, z: Vector, w: Vector
) -> None:
    """Write a part's shifted and rotated components of two points into `z` and `w` at its positions."""
    if ints[row + ROTATION] < 0:
        shift_part(one, floats, ints, row, z)
        shift_part(other, floats, ints, row, w)
        return
    begin, size, half = ints[row + BEGIN], ints[row + SIZE], y.shape[0] // 2
    shift_into(one, floats, ints, row, y, 0)
    shift_into(other, floats, ints, row, y, half)
    pad(y, 0, size)
    pad(y, half, size)
    rotate_pair(floats, ints[row + ROTATION], size, y, z, 0, ALL_BLOCKS, z, w, begin)
    pad(z, begin, padded(ints, row))
    pad(w, begin, padded(ints, row))


@kernel
def try_pair(
    one: Vector,
    other: Vector,
    memory: Vector,
    floats: Vector,
    ints: Integers,
    blocks: Integers,
    y: Vector,
    room: Space,
    values: Vector,
) -> None:
    """Evaluate the touched parts that are rotated for two points, into the memory's trial values and into `values`."""
    parts, space, half = ints[PARTS], work_space(memory, ints), y.shape[0] // 2
    first = -1  # of the run under way
    for part in range(parts + 1):
        row = HEAD + WIDTH * part
        taken = part < parts and blocks[part] != 0
        if first >= 0 and not (taken and alike(ints, HEAD + WIDTH * first, row)):
            finish_run(floats, ints, (first, part), space, memory, ints[SCRATCH])
            finish_run(floats, ints, (first, part), room, values, 0)
            first = -1
        if taken:
            begin, size = ints[row + BEGIN], ints[row + SIZE]
            shift_blocks(one, floats, ints, row, blocks[part], y, 0)
            shift_blocks(other, floats, ints, row, blocks[part], y, half)
            rotate_pair(
                floats, ints[row + ROTATION], size, y, memory, ints[row + MEMORY], blocks[part], space[0], room[0], begin
            )
            pad(space[0], begin, padded(ints, row))
            pad(room[0], begin, padded(ints, row))
            first = part if first < 0 else first
