"""What moves know about a point: filled at a point, and updated for a move.

`memory` holds the parts' values first, then for each part what its moves need to know:

* a rotated part: the products of its matrix with each block of components;
* Schwefel 1.2 without rotation: the transformed components, and their sums from the beginning of each block;
* any other part: all levels of the tree over its terms (two trees where there are two channels).

At its end there is scratch: one number per part, and some arrays that are as long as there are positions.
"""

from __future__ import annotations

import numpy as np

from ter._jit import inner, kernel
from ter.benchmarks.base_functions import SCHWEFEL, has_two_channels, terms_of
from ter.benchmarks.by_address import (
    call_commit_move,
    call_commit_part,
    call_fill_part,
    call_finish,
    call_multiply,
    call_new_terms,
    call_positions_by_part,
    call_rotate_known,
    call_shift,
    call_square_sums,
    call_sum_blocks,
    call_terms,
    call_transform,
)
from ter.benchmarks.evaluate import row_of
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    BLOCK,
    CONSTANTS,
    FACTORS,
    MEMORY,
    PARTS,
    ROTATION,
    SCRATCH,
    SECOND_TREE,
    SIZE,
    TOTAL,
    TRANSFORM,
    UNTRANSFORMED,
)
from ter.benchmarks.positions import count_positions, touched_blocks
from ter.benchmarks.rotation import ALL_BLOCKS
from ter.benchmarks.scratch import copy, scatter, scratch_of
from ter.benchmarks.term_trees import are_few, are_many, fill_trees, set_terms, touched_terms, tree_value
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.unchecked import Floats, Ints, hold, pointer

__all__ = ["commit", "commit_move", "commit_part", "fill_part", "finish_part", "start"]


@inner
def finish_part(memory: Floats, floats: Floats, ints: Ints, part: int) -> float:
    """Evaluate a part whose components are in place."""
    values = memory + ints[SCRATCH]
    call_finish(ints, floats, ints, part, part + 1, scratch_of(memory, ints), values)
    return values[part]


@inner
def commit_rotated(x: Floats, memory: Floats, floats: Floats, ints: Ints, part: int, blocks: int) -> float:
    """Update a rotated part for new values in some blocks of columns."""
    row = row_of(ints, part)
    call_multiply(ints, x, memory, floats, ints, row, blocks)
    call_rotate_known(ints, x, memory, floats, ints, row, 0)
    return finish_part(memory, floats, ints, part)


@inner
def schwefel_value(memory: Floats, ints: Ints, row: Ints) -> float:
    """Evaluate Schwefel 1.2 from the sums in memory."""
    size, sums = row[SIZE], scratch_of(memory, ints)
    copy(memory + (row[MEMORY] + size), size, sums)
    return call_square_sums(ints, ints, sums, size, row[BLOCK])


@inner
def fill_part(x: Floats, memory: Floats, floats: Floats, ints: Ints, part: int) -> float:
    """Fill what moves need to know about a part, and return its value."""
    row = row_of(ints, part)
    if row[ROTATION] >= 0:
        return commit_rotated(x, memory, floats, ints, part, ALL_BLOCKS)
    base, size, total, known = row[BASE], row[SIZE], ints[TOTAL], memory + row[MEMORY]
    constants, factors = floats + (ints[CONSTANTS] + row[BEGIN]), floats + (ints[FACTORS] + row[BEGIN])
    n, z = terms_of(base, size), scratch_of(memory, ints)
    call_shift(ints, x, floats, ints, row, z)
    if row[TRANSFORM] != UNTRANSFORMED:
        call_transform(ints, row[TRANSFORM], z, size, constants, factors, z + 2 * total)
    if base == SCHWEFEL:
        copy(z, size, known)
        call_sum_blocks(ints, known, known + size, size, row[BLOCK], ALL_BLOCKS)
        return schwefel_value(memory, ints, row)
    call_terms(ints, base, z, n, constants, z + total)
    copy(z, n, known)
    if has_two_channels(base):
        copy(z + total, n, memory + row[SECOND_TREE])
    fill_trees(memory, ints, row)
    return tree_value(memory, row)


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Fill the memory at the point `x`."""
    table, known = pointer(ints), pointer(memory)
    for part in range(table[PARTS]):
        known[part] = call_fill_part(table, pointer(x), known, pointer(floats), table, part)


@inner
def commit_part(x: Floats, memory: Floats, floats: Floats, ints: Ints, part: int, touched: Ints, n: int) -> float:
    """Update what is known about a part for `n` touched positions, and return its value."""
    row = row_of(ints, part)
    if row[ROTATION] >= 0:
        return commit_rotated(x, memory, floats, ints, part, touched_blocks(row, touched, n))
    if are_many(row, n):
        return call_fill_part(ints, x, memory, floats, ints, part)
    base, size, known, z = row[BASE], row[SIZE], memory + row[MEMORY], scratch_of(memory, ints)
    count, which = call_new_terms(ints, x, memory, floats, ints, row, touched, n), touched_terms(memory, ints)
    if base == SCHWEFEL:
        scatter(z, which, count, known)
        call_sum_blocks(ints, known, known + size, size, row[BLOCK], touched_blocks(row, touched, n))
        return schwefel_value(memory, ints, row)
    others = z + ints[TOTAL]
    if are_few(row, count):
        set_terms(memory, row, which, count, z, others)
    else:
        scatter(z, which, count, known)
        if has_two_channels(base):
            scatter(others, which, count, memory + row[SECOND_TREE])
        fill_trees(memory, ints, row)
    return tree_value(memory, row)


@inner
def commit_move(
    x: Floats,
    memory: Floats,
    floats: Floats,
    ints: Ints,
    coordinates: Ints,
    n: int,
    values: Floats,
    old: Floats,
    begins: Ints,
) -> None:
    """Update the memory for a move, and leave `x` as it was; `old` and `begins` are to work in."""
    touched = begins + (ints[PARTS] + 2)
    call_positions_by_part(ints, ints, coordinates, n, begins, touched)
    for k in range(n):
        old[k] = x[coordinates[k]]
        x[coordinates[k]] = values[k]
    for part in range(ints[PARTS]):
        first, last = begins[part], begins[part + 1]
        if first < last:
            memory[part] = call_commit_part(ints, x, memory, floats, ints, part, touched + first, last - first)
    for k in range(n - 1, -1, -1):
        x[coordinates[k]] = old[k]


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update the memory for a move; `x` itself is written by the caller afterwards."""
    n, table, which = coordinates.shape[0], pointer(ints), pointer(coordinates)
    old, begins = np.empty(n), np.empty(table[PARTS] + 2 + count_positions(table, which, n), dtype=np.int64)
    known, new = pointer(memory), pointer(values)
    call_commit_move(table, pointer(x), known, pointer(floats), table, which, n, new, pointer(old), pointer(begins))
    hold(old)
    hold(begins)
