"""What moves know about one part: fill it, try positions with new values, settle them.

A position is touched when its variable has a new value in `x`. All these functions return the part's value, with the
same bits as evaluating it from scratch.
"""

from __future__ import annotations

import numpy as np

from ter._jit import kernel
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    BLOCK,
    COORDINATES,
    FIRST,
    HEAD,
    MEMORY,
    OTHER,
    PARTS,
    ROTATION,
    SCRATCH,
    SECOND,
    SHIFTS,
    SIZE,
    TOTAL,
    TRANSFORM,
    WIDTH,
)
from ter.benchmarks.parts import (
    ELLIPTIC,
    MAXIMUM,
    NONE,
    ROSENBROCK,
    SCHWEFEL,
    Space,
    finish,
    finish_run,
    links,
    operations,
    padded,
    prefix_squares,
    shift_part,
    term,
    terms_of_all,
    transform_all,
    transformed,
    two_channels,
)
from ter.benchmarks.raw import peek
from ter.benchmarks.rotate import COLUMNS, multiply_block, pad, rotate_touched
from ter.benchmarks.tree import fold, levels, tree_fill, tree_root, tree_set, tree_try
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["fill_part", "place_rotated", "settle_part", "touched_blocks", "try_part", "try_position", "work_space"]

# Replacing one term costs, per level of the tree, as much as adding up so many terms in a loop.
LEVEL_COST = 8
# If more than one in so many positions is touched, all are evaluated: sooner where a term is cheap.
DENSE = 4
DENSE_CHEAP = 32
ALL_BLOCKS = -1


@kernel
def space(memory: Vector, ints: Integers, which: int) -> Vector:
    """Return one of the arrays to work in, as long as there are positions."""
    at = ints[SCRATCH] + ints[PARTS] + which * ints[TOTAL]
    return memory[at : at + ints[TOTAL]]


@kernel
def work_space(memory: Vector, ints: Integers) -> Space:
    """Return the three arrays that parts are evaluated in."""
    return space(memory, ints, 0), space(memory, ints, 1), space(memory, ints, 2)


@kernel
def fill_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, part: int) -> float:
    """Fill what moves need to know about a part."""
    row = HEAD + WIDTH * part
    base, begin, size, at = ints[row + BASE], ints[row + BEGIN], ints[row + SIZE], ints[row + MEMORY]
    z, other, work = work_space(memory, ints)
    if ints[row + ROTATION] >= 0:
        update_products(x, memory, floats, ints, row, ALL_BLOCKS)
        place_rotated(x, memory, floats, ints, row, 0, (z, other, work))
        return finish_part(memory, floats, ints, part)
    shift_part(x, floats, ints, row, z)
    first, second = ints[FIRST] + begin, ints[SECOND] + begin
    transform_all(ints[row + TRANSFORM], z, begin, size, floats, first, second, work)
    if base == SCHWEFEL:
        for i in range(size):
            memory[at + i] = z[begin + i]
        update_sums(memory, ints, row, at, at + size, ALL_BLOCKS)
        return schwefel_value(memory, ints, row)
    n = links(base, size)
    if base == ROSENBROCK:
        for i in range(n):
            other[begin + i] = z[begin + i + 1]
    terms_of_all(base, z, begin, n, floats, first, other)
    for i in range(n):
        memory[at + i] = z[begin + i]
    if two_channels(base):
        for i in range(n):
            memory[ints[row + OTHER] + i] = other[begin + i]
    fill_trees(memory, ints, row)
    return tree_value(memory, ints, row)


@kernel
def finish_part(memory: Vector, floats: Vector, ints: Integers, part: int) -> float:
    """Evaluate a part whose components are in place."""
    trial = ints[SCRATCH]
    finish_run(floats, ints, (part, part + 1), work_space(memory, ints), memory, trial)
    return float(memory[trial + part])


@kernel
def try_position(x: Vector, memory: Vector, floats: Vector, ints: Integers, part: int, position: int) -> float:
    """Return the part's value with one touched position; the memory stays as it is."""
    row = HEAD + WIDTH * part
    base, size, i = ints[row + BASE], ints[row + SIZE], position - ints[row + BEGIN]
    if ints[row + ROTATION] >= 0:
        place_rotated(x, memory, floats, ints, row, 1 << (i // COLUMNS), work_space(memory, ints))
        return finish_part(memory, floats, ints, part)
    if base in (SCHWEFEL, ROSENBROCK):
        return try_part(x, memory, floats, ints, part, np.full(1, position))
    how, how_other = operations(base)
    z = component(x, floats, ints, row, i)
    new, new_other = term(base, z, floats[ints[FIRST] + position])
    root = tree_try(how, memory, ints[row + MEMORY], size, i, new)
    if two_channels(base):
        new_other = tree_try(how_other, memory, ints[row + OTHER], size, i, new_other)
    return finish(base, size, root, new_other)


@kernel
def try_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, part: int, touched: Integers) -> float:
    """Return the value of a part that is not rotated, with the touched positions; the memory stays as it is."""
    row = HEAD + WIDTH * part
    base, at = ints[row + BASE], ints[row + MEMORY]
    if dense(ints, row, touched):
        shift_part(x, floats, ints, row, space(memory, ints, 0))
        return finish_part(memory, floats, ints, part)
    if base == SCHWEFEL:
        return try_schwefel(x, memory, floats, ints, row, touched)
    leaves = touched_leaves(ints, row, touched)
    new_terms(x, memory, floats, ints, row, leaves)
    if few(ints, row, leaves):
        return try_few(memory, ints, row, leaves)
    terms, others, changed = work_space(memory, ints)
    how, how_other = operations(base)
    n = links(base, ints[row + SIZE])
    other = 0.0
    copy(memory, at, n, changed)
    scatter(terms, leaves, changed)
    combined = fold(how, changed, 0, n)
    if two_channels(base):
        copy(memory, ints[row + OTHER], n, changed)
        scatter(others, leaves, changed)
        other = fold(how_other, changed, 0, n)
    return finish(base, ints[row + SIZE], combined, other)


@kernel
def settle_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, part: int, touched: Integers) -> float:
    """Update what is known about a part for the touched positions."""
    row = HEAD + WIDTH * part
    base, size, at = ints[row + BASE], ints[row + SIZE], ints[row + MEMORY]
    if ints[row + ROTATION] >= 0:
        update_products(x, memory, floats, ints, row, touched_blocks(ints, row, touched))
        place_rotated(x, memory, floats, ints, row, 0, work_space(memory, ints))
        return finish_part(memory, floats, ints, part)
    if dense(ints, row, touched):
        return fill_part(x, memory, floats, ints, part)
    if base == SCHWEFEL:
        new_components(x, memory, floats, ints, row, touched, at)
        update_sums(memory, ints, row, at, at + size, touched_blocks(ints, row, touched))
        return schwefel_value(memory, ints, row)
    leaves = touched_leaves(ints, row, touched)
    new_terms(x, memory, floats, ints, row, leaves)
    write_terms(memory, ints, row, leaves, space(memory, ints, 0), space(memory, ints, 1))
    return tree_value(memory, ints, row)


# Single components


@kernel
def shifted(x: Vector, floats: Vector, ints: Integers, row: int, i: int) -> float:
    """Return one shifted variable of a part."""
    position = ints[row + BEGIN] + i
    return float(x[ints[ints[COORDINATES] + position]] - floats[ints[SHIFTS] + position])


@kernel
def component(x: Vector, floats: Vector, ints: Integers, row: int, i: int) -> float:
    """Return one transformed component of a part that is not rotated."""
    position = ints[row + BEGIN] + i
    first, second = floats[ints[FIRST] + position], floats[ints[SECOND] + position]
    return transformed(ints[row + TRANSFORM], shifted(x, floats, ints, row, i), first, second)


@kernel
def copy(memory: Vector, at: int, n: int, out: Vector) -> None:
    """Copy `n` numbers out of the memory."""
    for i in range(n):
        out[i] = peek(memory, at + i)


@kernel
def scatter(values: Vector, where: Integers, out: Vector) -> None:
    """Write values to their places."""
    for k in range(where.shape[0]):
        out[where[k]] = values[k]


# Rotated parts


@kernel
def touched_blocks(ints: Integers, row: int, touched: Integers) -> int:
    """Return the blocks of some positions, as bits."""
    blocks = 0
    for position in touched:
        blocks |= 1 << ((position - ints[row + BEGIN]) // ints[row + BLOCK])
    return blocks


@kernel
def shift_blocks(x: Vector, floats: Vector, ints: Integers, row: int, blocks: int, y: Vector) -> None:
    """Write the shifted variables of some blocks of columns into `y` at their positions, with zeros behind the part."""
    begin, size = ints[row + BEGIN], ints[row + SIZE]
    coordinates, shifts = ints[COORDINATES] + begin, ints[SHIFTS] + begin
    for b in range((size + COLUMNS - 1) // COLUMNS):
        if (blocks >> b) & 1:
            for i in range(b * COLUMNS, min((b + 1) * COLUMNS, size)):
                y[begin + i] = x[ints[coordinates + i]] - floats[shifts + i]
    pad(y, begin, size)


@kernel
def update_products(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, blocks: int) -> None:
    """Multiply some blocks of columns anew, into the memory."""
    size, at, y = ints[row + SIZE], ints[row + MEMORY], space(memory, ints, 1)
    shift_blocks(x, floats, ints, row, blocks, y)
    for b in range((size + COLUMNS - 1) // COLUMNS):
        if (blocks >> b) & 1:
            c = b * COLUMNS
            to = at + b * padded(ints, row)
            multiply_block(floats, ints[row + ROTATION], size, c, y, ints[row + BEGIN] + c, memory, to)


@kernel
def place_rotated(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, blocks: int, room: Space
) -> None:
    """Write a rotated part's components to their places, from the products in memory except for some blocks."""
    z, y, _ = room
    begin, size = ints[row + BEGIN], ints[row + SIZE]
    shift_blocks(x, floats, ints, row, blocks, y)
    rotate_touched(floats, ints[row + ROTATION], size, y, memory, ints[row + MEMORY], blocks, z, begin)
    pad(z, begin, padded(ints, row))


# Schwefel 1.2


@kernel
def schwefel_value(memory: Vector, ints: Integers, row: int) -> float:
    """Evaluate the part from the sums in memory."""
    size, at = ints[row + SIZE], ints[row + MEMORY]
    sums = space(memory, ints, 1)
    copy(memory, at + size, size, sums)
    return prefix_squares(sums, 0, size, ints[row + BLOCK])


@kernel
def new_components(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, touched: Integers, to: int
) -> None:
    """Compute the touched components and write them to their places in ``memory[to:]``."""
    z, work = space(memory, ints, 3), space(memory, ints, 4)
    n, begin = touched.shape[0], ints[row + BEGIN]
    constants = np.empty(2 * n)
    for k in range(n):
        z[k] = shifted(x, floats, ints, row, touched[k] - begin)
        constants[k] = floats[ints[FIRST] + touched[k]]
        constants[n + k] = floats[ints[SECOND] + touched[k]]
    transform_all(ints[row + TRANSFORM], z, 0, n, constants, 0, n, work)
    for k in range(n):
        memory[to + touched[k] - begin] = z[k]


@kernel
def update_sums(memory: Vector, ints: Integers, row: int, components: int, sums: int, blocks: int) -> None:
    """Sum up some blocks of ``memory[components:]`` anew, into ``memory[sums:]``."""
    size, block = ints[row + SIZE], ints[row + BLOCK]
    for b in range((size + block - 1) // block):
        if (blocks >> b) & 1:
            total = 0.0
            for i in range(b * block, min((b + 1) * block, size)):
                total += memory[components + i]
                memory[sums + i] = total


@kernel
def try_schwefel(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, touched: Integers) -> float:
    """Evaluate the part with touched positions."""
    size, at = ints[row + SIZE], ints[row + MEMORY]
    components, sums = space(memory, ints, 0), space(memory, ints, 1)
    copy(memory, at, size, components)
    copy(memory, at + size, size, sums)
    to = ints[SCRATCH] + ints[PARTS]  # where the first two arrays to work in are in memory
    new_components(x, memory, floats, ints, row, touched, to)
    update_sums(memory, ints, row, to, to + ints[TOTAL], touched_blocks(ints, row, touched))
    return prefix_squares(sums, 0, size, ints[row + BLOCK])


# Trees of terms


@kernel
def touched_leaves(ints: Integers, row: int, touched: Integers) -> Integers:
    """Return the terms that some positions touch; a link of Rosenbrock's function may be there twice."""
    begin = ints[row + BEGIN]
    found = np.empty(2 * touched.shape[0], dtype=np.int64)
    if ints[row + BASE] != ROSENBROCK:
        for k in range(touched.shape[0]):
            found[k] = touched[k] - begin
        return found[: touched.shape[0]]
    n = 0
    for position in touched:
        for leaf in range(max(position - begin - 1, 0), min(position - begin + 1, ints[row + SIZE] - 1)):
            found[n] = leaf
            n += 1
    return found[:n]


@kernel
def new_terms(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, leaves: Integers) -> None:
    """Compute some terms, one after the other, into the first two arrays to work in."""
    z, other, work = space(memory, ints, 0), space(memory, ints, 1), space(memory, ints, 2)
    first, second = space(memory, ints, 3), space(memory, ints, 4)
    n = leaves.shape[0]
    begin, constant, factor = ints[row + BEGIN], ints[FIRST], ints[SECOND]
    for k in range(n):
        z[k] = shifted(x, floats, ints, row, leaves[k])
        first[k] = floats[constant + begin + leaves[k]]
        second[k] = floats[factor + begin + leaves[k]]
    if ints[row + BASE] == ROSENBROCK:
        for k in range(n):
            other[k] = shifted(x, floats, ints, row, leaves[k] + 1)
    at = ints[SCRATCH] + ints[PARTS] + 3 * ints[TOTAL]
    transform_all(ints[row + TRANSFORM], z, 0, n, memory, at, at + ints[TOTAL], work)
    terms_of_all(ints[row + BASE], z, 0, n, memory, at, other)


@kernel
def dense(ints: Integers, row: int, touched: Integers) -> bool:
    """Tell whether it is cheaper to evaluate the whole part than to look for what is touched."""
    cheap = ints[row + TRANSFORM] == NONE and ints[row + BASE] in (ELLIPTIC, MAXIMUM, ROSENBROCK)
    return bool(touched.shape[0] * (DENSE_CHEAP if cheap else DENSE) > ints[row + SIZE])


@kernel
def few(ints: Integers, row: int, leaves: Integers) -> bool:
    """Tell whether it is cheaper to replace terms one by one than to combine all terms."""
    return bool(leaves.shape[0] * levels(ints[row + SIZE]) * LEVEL_COST < ints[row + SIZE])


@kernel
def write_terms(memory: Vector, ints: Integers, row: int, leaves: Integers, terms: Vector, others: Vector) -> None:
    """Write some terms into the trees."""
    base, at, at_other = ints[row + BASE], ints[row + MEMORY], ints[row + OTHER]
    n = links(base, ints[row + SIZE])
    how, how_other = operations(base)
    if not few(ints, row, leaves):
        scatter(terms, leaves, memory[at : at + n])
        if two_channels(base):
            scatter(others, leaves, memory[at_other : at_other + n])
        fill_trees(memory, ints, row)
        return
    for k in range(leaves.shape[0]):
        tree_set(how, memory, at, n, leaves[k], terms[k])
        if two_channels(base):
            tree_set(how_other, memory, at_other, n, leaves[k], others[k])


@kernel
def try_few(memory: Vector, ints: Integers, row: int, leaves: Integers) -> float:
    """Write the new terms, read the value, and put the old terms back."""
    old, old_other = space(memory, ints, 2), space(memory, ints, 3)
    for k in range(leaves.shape[0]):
        old[k] = memory[ints[row + MEMORY] + leaves[k]]
        old_other[k] = memory[ints[row + OTHER] + leaves[k]]
    write_terms(memory, ints, row, leaves, space(memory, ints, 0), space(memory, ints, 1))
    result = tree_value(memory, ints, row)
    write_terms(memory, ints, row, leaves, old, old_other)
    return result


@kernel
def fill_trees(memory: Vector, ints: Integers, row: int) -> None:
    """Compute the levels above the terms."""
    base, n = ints[row + BASE], links(ints[row + BASE], ints[row + SIZE])
    how, how_other = operations(base)
    tree_fill(how, memory, ints[row + MEMORY], n)
    if two_channels(base):
        tree_fill(how_other, memory, ints[row + OTHER], n)


@kernel
def tree_value(memory: Vector, ints: Integers, row: int) -> float:
    """Evaluate the part from its trees."""
    base, size = ints[row + BASE], ints[row + SIZE]
    n = links(base, size)
    other = tree_root(memory, ints[row + OTHER], n) if two_channels(base) else 0.0
    return finish(base, size, tree_root(memory, ints[row + MEMORY], n), other)
