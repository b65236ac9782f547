"""Moves of a point at the cost of what they touch, one or many, with the bits of full evaluations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, kernel
from ter.benchmarks.base_functions import (
    ELLIPTIC,
    MAXIMUM,
    ROSENBROCK,
    SCHWEFEL,
    SPHERE,
    absolute,
    combined_value,
    has_two_channels,
    operation_of,
    second_operation_of,
    terms_of,
)
from ter.benchmarks.block_products import shift_blocks
from ter.benchmarks.by_address import (
    call_evaluate,
    call_evaluate_moves,
    call_finish,
    call_fold,
    call_new_terms,
    call_positions_by_part,
    call_rotate_known,
    call_rotate_pair,
    call_shift,
    call_square_sums,
    call_sum_blocks,
    call_term,
    call_transform_one,
    call_try_part,
    call_try_rotated,
)
from ter.benchmarks.evaluate import SCRATCH_OF_POINT, are_alike, row_of, weighted_sum
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    BLOCK,
    CONSTANTS,
    COORDINATES,
    FACTORS,
    MEMORY,
    OCCURS,
    PART_OF,
    PARTS,
    POSITIONS,
    ROTATION,
    SCRATCH,
    SECOND_TREE,
    SHIFTS,
    SIZE,
    TOTAL,
    TRANSFORM,
    UNTRANSFORMED,
    WIDEST,
)
from ter.benchmarks.memory import finish_part
from ter.benchmarks.positions import count_positions, touched_blocks
from ter.benchmarks.rotation import COLUMNS, pad, whole_rows
from ter.benchmarks.scratch import copy, scatter, scratch_of
from ter.benchmarks.term_trees import are_few, are_many, set_terms, touched_terms, tree_value
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.tree import tree_try
from ter.objectives.unchecked import Floats, Ints, hold, pointer

__all__ = ["evaluate_moves", "move", "moves", "try_part", "try_rotated"]


# parts that are not rotated


@inner
def try_part(x: Floats, memory: Floats, floats: Floats, ints: Ints, part: int, touched: Ints, n: int) -> float:
    """Return the value of a part that is not rotated, with `n` touched positions; the memory stays as it is."""
    row = row_of(ints, part)
    scratch, which = scratch_of(memory, ints), touched_terms(memory, ints)
    if are_many(row, n):
        call_shift(ints, x, floats, ints, row, scratch + row[BEGIN])
        return finish_part(memory, floats, ints, part)
    count = call_new_terms(ints, x, memory, floats, ints, row, touched, n)
    if row[BASE] == SCHWEFEL:
        return try_schwefel(memory, ints, row, which, count, touched_blocks(row, touched, n))
    if are_few(row, count):
        return try_few(memory, ints, row, which, count)
    return try_many(memory, ints, row, which, count)


@inner
def try_schwefel(memory: Floats, ints: Ints, row: Ints, which: Ints, n: int, blocks: int) -> float:
    """Evaluate Schwefel 1.2 with `n` new components, which are in some blocks."""
    size, scratch, known = row[SIZE], scratch_of(memory, ints), memory + row[MEMORY]
    components, sums = scratch + ints[TOTAL], scratch + 2 * ints[TOTAL]
    copy(known, size, components)
    copy(known + size, size, sums)
    scatter(scratch, which, n, components)
    call_sum_blocks(ints, components, sums, size, row[BLOCK], blocks)
    return call_square_sums(ints, ints, sums, size, row[BLOCK])


@inner
def try_few(memory: Floats, ints: Ints, row: Ints, which: Ints, n: int) -> float:
    """Write the new terms, read the value, and put the old terms back."""
    terms, total = scratch_of(memory, ints), ints[TOTAL]
    old = terms + 2 * total
    for k in range(n):
        old[k] = memory[row[MEMORY] + which[k]]
        old[total + k] = memory[row[SECOND_TREE] + which[k]]
    set_terms(memory, row, which, n, terms, terms + total)
    result = tree_value(memory, row)
    set_terms(memory, row, which, n, old, old + total)
    return result


@inner
def try_many(memory: Floats, ints: Ints, row: Ints, which: Ints, n: int) -> float:
    """Combine all terms, with the new ones in their places."""
    base, size, terms, second = row[BASE], row[SIZE], scratch_of(memory, ints), 0.0
    count, changed = terms_of(base, size), terms + 2 * ints[TOTAL]
    if has_two_channels(base):
        copy(memory + row[SECOND_TREE], count, changed)
        scatter(terms + ints[TOTAL], which, n, changed)
        second = call_fold(ints, second_operation_of(base), changed, 0, count)
    copy(memory + row[MEMORY], count, changed)
    scatter(terms, which, n, changed)
    return combined_value(base, size, call_fold(ints, operation_of(base), changed, 0, count), second)


# one move


@inner
def term_of(ints: Ints, base: int, z: float, constant: float) -> tuple[float, float]:
    """Return what one component adds to the channels of its part."""
    if base == SPHERE:
        return z * z, 0.0
    if base == ELLIPTIC:
        return constant * (z * z), 0.0
    if base == MAXIMUM:
        return absolute(z), 0.0
    return call_term(ints, base, z, constant)


@inner
def try_position(x: Floats, memory: Floats, floats: Floats, ints: Ints, part: int, position: Ints) -> float:
    """Return a part's value with one touched position; the memory stays as it is."""
    row, at = row_of(ints, part), position[0]
    base, size, i = row[BASE], row[SIZE], at - row[BEGIN]
    if row[ROTATION] >= 0:
        call_rotate_known(ints, x, memory, floats, ints, row, 1 << (i // COLUMNS))
        return finish_part(memory, floats, ints, part)
    if (base == SCHWEFEL) | (base == ROSENBROCK):
        return call_try_part(ints, x, memory, floats, ints, part, position, 1)
    z, constant = x[ints[ints[COORDINATES] + at]] - floats[ints[SHIFTS] + at], floats[ints[CONSTANTS] + at]
    if row[TRANSFORM] != UNTRANSFORMED:
        z = call_transform_one(ints, row[TRANSFORM], z, constant, floats[ints[FACTORS] + at])
    first, second = term_of(ints, base, z, constant)
    first = tree_try(operation_of(base), memory, row[MEMORY], size, i, first)
    if has_two_channels(base):
        second = tree_try(second_operation_of(base), memory, row[SECOND_TREE], size, i, second)
    return combined_value(base, size, first, second)


@inner
def move_one(x: Floats, memory: Floats, floats: Floats, ints: Ints, i: int, value: float) -> float:
    """Evaluate `x` with one coordinate replaced."""
    parts, values, occurs = ints[PARTS], memory + ints[SCRATCH], ints + (ints[OCCURS] + i)
    copy(memory, parts, values)
    before = x[i]
    x[i] = value
    for at in range(occurs[0], occurs[1]):
        position = ints + (ints[POSITIONS] + at)
        part = ints[ints[PART_OF] + position[0]]
        values[part] = try_position(x, memory, floats, ints, part, position)
    x[i] = before
    return weighted_sum(values, floats, parts)


@inner
def write(x: Floats, coordinates: Ints, n: int, values: Floats) -> None:
    """Write values into `x`."""
    for k in range(n):
        x[coordinates[k]] = values[k]


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Evaluate `x` with some coordinates replaced."""
    table, known, which, new = pointer(ints), pointer(memory), pointer(coordinates), pointer(values)
    if coordinates.shape[0] == 1:
        return move_one(pointer(x), known, pointer(floats), table, which[0], new[0])
    # Whoever asks for several coordinates often asks for many moves at once, so this is not worth more.
    copied = np.empty(x.shape[0])
    moved = pointer(copied)
    copy(pointer(x), x.shape[0], moved)
    write(moved, which, coordinates.shape[0], new)
    result = call_evaluate(table, moved, pointer(floats), table, scratch_of(known, table), known + table[SCRATCH])
    hold(copied)
    return result


# many moves


@inner
def try_unrotated(
    x: Floats, memory: Floats, floats: Floats, ints: Ints, begins: Ints, touched: Ints, values: Floats
) -> None:
    """Evaluate the touched parts that are not rotated."""
    for part in range(ints[PARTS]):
        first, last = begins[part], begins[part + 1]
        if first < last and row_of(ints, part)[ROTATION] < 0:
            values[part] = call_try_part(ints, x, memory, floats, ints, part, touched + first, last - first)


@inner
def try_rotated(
    x: Floats,
    other: Floats,
    pair: bool,
    memory: Floats,
    floats: Floats,
    ints: Ints,
    blocks: Ints,
    room: Floats,
    values: Floats,
) -> None:
    """Evaluate the touched parts that are rotated at one point or at two, as many parts as possible together.

    The first point is evaluated in the memory, the other in `room`. Its values follow those of the first.
    """
    parts, scratch, y = ints[PARTS], scratch_of(memory, ints), room + SCRATCH_OF_POINT * ints[TOTAL]
    v = y + ints[WIDEST]
    first = -1  # of the parts that are in place and alike
    for part in range(parts + 1):  # behind the last part, `blocks` is zero
        own, row = blocks[part], row_of(ints, part)
        if first >= 0 and not (own != 0 and are_alike(row_of(ints, first), row)):
            call_finish(ints, floats, ints, first, part, scratch, values)
            if pair:
                call_finish(ints, floats, ints, first, part, room, values + parts)
            first = -1
        if own != 0:
            first = part if first < 0 else first
            if not pair:
                call_rotate_known(ints, x, memory, floats, ints, row, own)
                continue
            z, w, size = scratch + row[BEGIN], room + row[BEGIN], row[SIZE]
            shift_blocks(x, floats, ints, row, own, y)
            shift_blocks(other, floats, ints, row, own, v)
            call_rotate_pair(ints, floats + row[ROTATION], size, y, v, memory + row[MEMORY], own, z, w)
            pad(z, whole_rows(size))
            pad(w, whole_rows(size))


@inner
def touched_blocks_of_parts(ints: Ints, begins: Ints, touched: Ints, blocks: Ints) -> None:
    """Write the touched blocks of each part, as bits: zero for one that is not rotated, and behind the last part."""
    parts = ints[PARTS]
    for part in range(parts):
        row, first = row_of(ints, part), begins[part]
        blocks[part] = touched_blocks(row, touched + first, begins[part + 1] - first) if row[ROTATION] >= 0 else 0
    blocks[parts] = 0


@inner
def evaluate_moves(
    x: Floats,
    dimension: int,
    memory: Floats,
    floats: Floats,
    ints: Ints,
    coordinates: Ints,
    count: int,
    V: Floats,
    n: int,
    out: Floats,
    begins: Ints,
    room: Floats,
) -> None:
    """Evaluate `n` moves of the same `count` coordinates; `begins` and `room` are to work in."""
    parts = ints[PARTS]
    blocks = begins + (parts + 2)
    touched = blocks + (parts + 1)
    call_positions_by_part(ints, ints, coordinates, count, begins, touched)
    touched_blocks_of_parts(ints, begins, touched, blocks)
    moved, other, found = room, room + dimension, room + 2 * dimension  # the last: values of the parts, row by row
    copy(x, dimension, moved)
    for r in range(n):
        values = found + r * parts
        copy(memory, parts, values)
        write(moved, coordinates, count, V + r * count)
        try_unrotated(moved, memory, floats, ints, begins, touched, values)
    if ints[WIDEST] > 0:
        copy(x, dimension, other)
        for r in range(0, n, 2):
            pair = r + 1 < n
            write(moved, coordinates, count, V + r * count)
            if pair:
                write(other, coordinates, count, V + (r + 1) * count)
            values = found + r * parts
            call_try_rotated(ints, moved, other, pair, memory, floats, ints, blocks, found + n * parts, values)
    for r in range(n):
        out[r] = weighted_sum(found + r * parts, floats, parts)


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
    n, dimension, count, table = out.shape[0], x.shape[0], coordinates.shape[0], pointer(ints)
    which, parts = pointer(coordinates), table[PARTS]
    begins = np.empty(2 * parts + 3 + count_positions(table, which, count), dtype=np.int64)
    room = np.empty(2 * dimension + n * parts + SCRATCH_OF_POINT * table[TOTAL] + 2 * table[WIDEST])
    call_evaluate_moves(
        table,
        pointer(x),
        dimension,
        pointer(memory),
        pointer(floats),
        table,
        which,
        count,
        pointer(V),
        n,
        pointer(out),
        pointer(begins),
        pointer(room),
    )
    hold(begins)
    hold(room)
