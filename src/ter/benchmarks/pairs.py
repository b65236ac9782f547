"""Two points at a time: half of the time of a rotated function goes into reading its matrices; two read them once."""

from __future__ import annotations

import numpy as np

from ter._jit import inner, merged
from ter.benchmarks.layout import BEGIN, HEAD, PARTS, ROTATION, SIZE, TOTAL, WIDTH
from ter.benchmarks.parts import Space, padded, shift_into, shift_part
from ter.benchmarks.rotate import ALL_BLOCKS, COLUMNS, pad, rotate_pair
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["new_space", "place_pair", "widest"]


@inner
def widest(ints: Integers) -> int:
    """Return the columns of the largest rotation, padded; 0 if there is none."""
    most = 0
    for part in range(ints[PARTS]):
        row = HEAD + WIDTH * part
        if ints[row + ROTATION] >= 0:
            most = max(most, -(-ints[row + SIZE] // COLUMNS) * COLUMNS)
    return most


@inner
def new_space(ints: Integers) -> Space:
    """Return arrays to evaluate a point in; asking for one and cutting it is faster than asking three times."""
    total = ints[TOTAL]
    room = np.empty(3 * total)
    return room[:total], room[total : 2 * total], room[2 * total :]


@merged
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
