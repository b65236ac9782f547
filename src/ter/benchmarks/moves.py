"""Moves of a point at the cost of what they touch, one or many, with the bits of full evaluations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, kernel, merged
from ter.benchmarks.evaluate import touched_by, value, weighted, write
from ter.benchmarks.layout import BEGIN, HEAD, MEMORY, OCCURS, PART_OF, PARTS, POSITIONS, ROTATION, SCRATCH, SIZE, WIDTH
from ter.benchmarks.pairs import new_space, widest
from ter.benchmarks.parts import Space, alike, finish_run, padded
from ter.benchmarks.places import work_space
from ter.benchmarks.products import place_rotated, shift_blocks, touched_blocks
from ter.benchmarks.rotate import pad, rotate_pair
from ter.benchmarks.touch import try_part, try_position
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["move", "moves"]


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Evaluate `x` with some coordinates replaced."""
    if coordinates.shape[0] > 1:  # whoever asks for several coordinates often asks for many moves at once
        moved = x.copy()
        write(moved, coordinates, values)
        return value(moved, floats, ints)
    parts, trial = ints[PARTS], ints[SCRATCH]
    for part in range(parts):
        memory[trial + part] = memory[part]
    i = coordinates[0]
    before = x[i]
    x[i] = values[0]
    for at in range(ints[ints[OCCURS] + i], ints[ints[OCCURS] + i + 1]):
        position = ints[ints[POSITIONS] + at]
        part = ints[ints[PART_OF] + position]
        memory[trial + part] = try_position(x, memory, floats, ints, part, position)
    x[i] = before
    return weighted(memory, trial, floats, parts)


@kernel
def moves(
    x: Vector,
    memory: Vector,
    floats: Vector,
    ints: Integers,
    coordinates: Integers,
    V: NDArray[np.float64],
    out: Vector,
) -> None:
    """Evaluate `x` with the coordinates replaced by each row of `V`."""
    n, parts = out.shape[0], ints[PARTS]
    begins, touched = touched_by(ints, coordinates)
    found = np.empty(n * parts)  # the values of the parts, row by row
    moved = x.copy()
    for r in range(n):
        for part in range(parts):
            found[r * parts + part] = memory[part]
        write(moved, coordinates, V[r])
        try_unrotated(moved, memory, floats, ints, begins, touched, found, r * parts)
    if widest(ints) > 0:
        blocks, other, room = blocks_of(ints, begins, touched), x.copy(), new_space(ints)
        y = np.empty(2 * widest(ints))
        for r in range(0, n - 1, 2):
            write(moved, coordinates, V[r])
            write(other, coordinates, V[r + 1])
            try_pair(moved, other, memory, floats, ints, blocks, y, room, found, r * parts)
        if n % 2:
            write(moved, coordinates, V[n - 1])
            try_rotated(moved, memory, floats, ints, blocks, found, (n - 1) * parts)
    for r in range(n):
        out[r] = weighted(found, r * parts, floats, parts)


@merged
def blocks_of(ints: Integers, begins: Integers, touched: Integers) -> Integers:
    """Return the touched blocks of each part that is rotated, as bits."""
    blocks = np.zeros(ints[PARTS] + 1, dtype=np.int64)  # one more, which ends the last run
    for part in range(ints[PARTS]):
        row = HEAD + WIDTH * part
        if ints[row + ROTATION] >= 0:
            blocks[part] = touched_blocks(ints, row, touched[begins[part] : begins[part + 1]])
    return blocks


@merged
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


@inner
def ends(ints: Integers, blocks: Integers, first: int, part: int) -> bool:
    """Tell whether a run of touched parts that began with `first` ends before `part`."""
    return bool(first >= 0 and not (blocks[part] and alike(ints, HEAD + WIDTH * first, HEAD + WIDTH * part)))


@merged
def try_rotated(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, blocks: Integers, values: Vector, at: int
) -> None:
    """Evaluate the touched parts that are rotated, as many as possible in one run, into ``values[at:]``."""
    space = work_space(memory, ints)
    first = -1  # of the run under way
    for part in range(ints[PARTS] + 1):
        if ends(ints, blocks, first, part):
            finish_run(floats, ints, (first, part), space, values, at)
            first = -1
        if blocks[part]:
            place_rotated(x, memory, floats, ints, HEAD + WIDTH * part, blocks[part], space)
            first = part if first < 0 else first


@merged
def try_pair(
    x: Vector,
    other: Vector,
    memory: Vector,
    floats: Vector,
    ints: Integers,
    blocks: Integers,
    y: Vector,
    room: Space,
    values: Vector,
    at: int,
) -> None:
    """Do the same for two points; the values of the second one follow those of the first."""
    parts, space, half = ints[PARTS], work_space(memory, ints), y.shape[0] // 2
    first = -1
    for part in range(parts + 1):
        if ends(ints, blocks, first, part):
            finish_run(floats, ints, (first, part), space, values, at)
            finish_run(floats, ints, (first, part), room, values, at + parts)
            first = -1
        if blocks[part]:
            row = HEAD + WIDTH * part
            own, begin, known = blocks[part], ints[row + BEGIN], ints[row + MEMORY]
            shift_blocks(x, floats, ints, row, own, y, 0)
            shift_blocks(other, floats, ints, row, own, y, half)
            rotate_pair(floats, ints[row + ROTATION], ints[row + SIZE], y, memory, known, own, space[0], room[0], begin)
            pad(space[0], begin, padded(ints, row))
            pad(room[0], begin, padded(ints, row))
            first = part if first < 0 else first
