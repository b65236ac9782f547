"""What moves know about a rotated part: the products of its matrix with each block of components."""

from __future__ import annotations

from ter._jit import inner
from ter.benchmarks.by_address import call_rotate
from ter.benchmarks.layout import BEGIN, COORDINATES, MEMORY, ROTATION, SHIFTS, SIZE, TOTAL
from ter.benchmarks.rotation import COLUMNS, multiply_blocks, pad, whole_rows
from ter.benchmarks.scratch import scratch_of
from ter.objectives.unchecked import Floats, Ints

__all__ = ["multiply_part", "rotate_known", "shift_blocks"]


@inner
def shift_blocks(x: Floats, floats: Floats, ints: Ints, row: Ints, blocks: int, y: Floats) -> None:
    """Write the shifted variables of some blocks of columns into `y`, with zeros behind the part."""
    size = row[SIZE]
    coordinates, shift = ints + (ints[COORDINATES] + row[BEGIN]), floats + (ints[SHIFTS] + row[BEGIN])
    for b in range((size + (COLUMNS - 1)) // COLUMNS):
        if (blocks >> b) & 1:
            for i in range(b * COLUMNS, min((b + 1) * COLUMNS, size)):
                y[i] = x[coordinates[i]] - shift[i]
    pad(y, size)


@inner
def rotate_known(x: Floats, memory: Floats, floats: Floats, ints: Ints, row: Ints, blocks: int) -> None:
    """Write a rotated part's components to their positions, from the products in memory except for some blocks."""
    z = scratch_of(memory, ints) + row[BEGIN]
    y = z + ints[TOTAL]
    shift_blocks(x, floats, ints, row, blocks, y)
    call_rotate(ints, floats + row[ROTATION], row[SIZE], y, memory + row[MEMORY], blocks, z)
    pad(z, whole_rows(row[SIZE]))


@inner
def multiply_part(x: Floats, memory: Floats, floats: Floats, ints: Ints, row: Ints, blocks: int) -> None:
    """Multiply some blocks of columns anew, into the memory."""
    y = scratch_of(memory, ints) + (ints[TOTAL] + row[BEGIN])
    shift_blocks(x, floats, ints, row, blocks, y)
    multiply_blocks(floats + row[ROTATION], row[SIZE], y, blocks, memory + row[MEMORY])
