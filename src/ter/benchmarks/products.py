"""What moves know about a rotated part: the products of its matrix with each block of variables."""

from __future__ import annotations

from ter._jit import inner
from ter.benchmarks.layout import BEGIN, BLOCK, COORDINATES, MEMORY, ROTATION, SHIFTS, SIZE
from ter.benchmarks.parts import Space, padded
from ter.benchmarks.places import space
from ter.benchmarks.rotate import COLUMNS, multiply_block, pad, rotate
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.unchecked import peek, poke

__all__ = ["place_rotated", "shift_blocks", "touched_blocks", "update_products"]


@inner
def touched_blocks(ints: Integers, row: int, touched: Integers) -> int:
    """Return the blocks of some positions, as bits."""
    blocks = 0
    for position in touched:
        blocks |= 1 << ((position - ints[row + BEGIN]) // ints[row + BLOCK])
    return blocks


@inner
def shift_blocks(x: Vector, floats: Vector, ints: Integers, row: int, blocks: int, y: Vector, at: int) -> None:
    """Write the shifted variables of some blocks of columns into ``y[at:]``, with zeros behind the part."""
    begin, size = ints[row + BEGIN], ints[row + SIZE]
    coordinates, shifts = ints[COORDINATES] + begin, ints[SHIFTS] + begin
    for b in range((size + COLUMNS - 1) // COLUMNS):
        if (blocks >> b) & 1:
            for i in range(b * COLUMNS, min((b + 1) * COLUMNS, size)):
                poke(y, at + i, peek(x, peek(ints, coordinates + i)) - peek(floats, shifts + i))
    pad(y, at, size)


@inner
def update_products(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, blocks: int) -> None:
    """Multiply some blocks of columns anew, into the memory."""
    size, at, y = ints[row + SIZE], ints[row + MEMORY], space(memory, ints, 1)
    shift_blocks(x, floats, ints, row, blocks, y, ints[row + BEGIN])
    for b in range((size + COLUMNS - 1) // COLUMNS):
        if (blocks >> b) & 1:
            c = b * COLUMNS
            to = at + b * padded(ints, row)
            multiply_block(floats, ints[row + ROTATION], size, c, y, ints[row + BEGIN] + c, memory, to)


@inner
def place_rotated(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, blocks: int, room: Space
) -> None:
    """Write a rotated part's components to their places, from the products in memory except for some blocks."""
    z, y, _ = room
    begin, size = ints[row + BEGIN], ints[row + SIZE]
    shift_blocks(x, floats, ints, row, blocks, y, begin)
    rotate(floats, ints[row + ROTATION], size, y, memory, ints[row + MEMORY], blocks, z, begin)
    pad(z, begin, padded(ints, row))
