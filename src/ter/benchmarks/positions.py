"""The positions that some coordinates touch: part by part, or as blocks of a part.

A position is touched when its variable has a new value.
"""

from __future__ import annotations

from ter._jit import inner
from ter.benchmarks.layout import BEGIN, BLOCK, OCCURS, PART_OF, PARTS, POSITIONS
from ter.objectives.unchecked import Ints

__all__ = ["count_positions", "positions_by_part", "touched_blocks"]


@inner
def count_positions(ints: Ints, coordinates: Ints, n: int) -> int:
    """Return how many positions some coordinates have together."""
    occurs, count = ints + ints[OCCURS], 0
    for k in range(n):
        count += occurs[coordinates[k] + 1] - occurs[coordinates[k]]
    return count


@inner
def positions_by_part(ints: Ints, coordinates: Ints, n: int, begins: Ints, touched: Ints) -> None:
    """Write the positions of some coordinates part by part, and where each part's begin."""
    occurs, positions, part_of, parts = ints + ints[OCCURS], ints + ints[POSITIONS], ints + ints[PART_OF], ints[PARTS]
    for part in range(parts + 2):
        begins[part] = 0
    for k in range(n):
        for at in range(occurs[coordinates[k]], occurs[coordinates[k] + 1]):
            own = part_of[positions[at]] + 2
            begins[own] = begins[own] + 1
    for part in range(parts):
        begins[part + 2] = begins[part + 2] + begins[part + 1]
    for k in range(n):
        for at in range(occurs[coordinates[k]], occurs[coordinates[k] + 1]):
            own = part_of[positions[at]] + 1
            touched[begins[own]] = positions[at]
            begins[own] = begins[own] + 1  # so that it ends up where the next part begins


@inner
def touched_blocks(row: Ints, touched: Ints, n: int) -> int:
    """Return the blocks of some positions, as bits."""
    blocks = 0
    for k in range(n):
        blocks |= 1 << ((touched[k] - row[BEGIN]) // row[BLOCK])
    return blocks
