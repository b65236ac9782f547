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
    LARGEST,
    MEMORY,
    OTHER,
    PARTS,
    ROTATION,
    SCRATCH,
    SECOND,
    SHIFTS,
    SIZE,
    TRANSFORM,
)
from ter.benchmarks.parts import (
    ELLIPTIC,
    MAXIMUM,
    NONE,
    ROSENBROCK,
    SCHWEFEL,
    finish,
    links,
    local_sums,
    operations,
    padded,
    prefix_squares,
    shift_part,
    term,
    terms_of_all,
    terms_of_part,
    transform_all,
    transform_part,
    transformed,
    transformed_value,
    two_channels,
    whole_part,
)
from ter.benchmarks.raw import peek
from ter.benchmarks.rotate import COLUMNS, add_products, multiply_block, pad
from ter.benchmarks.tree import fold, levels, tree_fill, tree_root, tree_set, tree_try
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["fill_part", "settle_part", "try_part", "try_position"]

# Replacing one term costs, per level of the tree, as much as adding up so many terms in a loop.
LEVEL_COST = 8
# If more than one in so many positions is touched, all are evaluated: sooner where a term is cheap.
DENSE = 4
DENSE_CHEAP = 32


@kernel
def space(memory: Vector, ints: Integers, which: int) -> Vector:
    """Return one of the arrays to work in."""
    at = ints[SCRATCH] + ints[PARTS] + which * ints[LARGEST]
    return memory[at : at + ints[LARGEST]]


@kernel
def fill_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int) -> float:
    """Fill what moves need to know about a part."""
    base, size, block, at = ints[row + BASE], ints[row + SIZE], ints[row + BLOCK], ints[row + MEMORY]
    z, other = space(memory, ints, 0), space(memory, ints, 1)
    shift_part(x, floats, ints, row, z)
    if ints[row + ROTATION] >= 0:
        pad(z, size)
        for c in range(0, size, COLUMNS):
            multiply_block(floats, ints[row + ROTATION], size, z, c, memory, at + c // COLUMNS * padded(ints, row))
        return rotated_value(x, memory, floats, ints, row, 0)
    transform_part(floats, ints, row, z, space(memory, ints, 2))
    if base == SCHWEFEL:
        memory[at : at + size] = z[:size]
        sums = memory[at + size : at + 2 * size]
        for first in range(0, size, block):
            local_sums(z, first, min(first + block, size), sums)
        return schwefel_value(memory, ints, row)
    terms_of_part(floats, ints, row, z, other)
    n = links(base, size)
    memory[at : at + n] = z[:n]
    if two_channels(base):
        memory[ints[row + OTHER] : ints[row + OTHER] + n] = other[:n]
    fill_trees(memory, ints, row)
    return tree_value(memory, ints, row)


@kernel
def try_position(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, position: int) -> float:
    """Return the part's value with one touched position; the memory stays as it is."""
    base, size, i = ints[row + BASE], ints[row + SIZE], position - ints[row + BEGIN]
    if ints[row + ROTATION] >= 0:
        return rotated_value(x, memory, floats, ints, row, 1 << (i // COLUMNS))
    if base in (SCHWEFEL, ROSENBROCK):
        return try_part(x, memory, floats, ints, row, np.full(1, position))
    how, how_other = operations(base)
    z = component(x, floats, ints, row, i)
    new, new_other = term(base, z, floats[ints[FIRST] + position])
    root = tree_try(how, memory, ints[row + MEMORY], size, i, new)
    if two_channels(base):
        new_other = tree_try(how_other, memory, ints[row + OTHER], size, i, new_other)
    return finish(base, size, root, new_other)


@kernel
def try_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, touched: Integers) -> float:
    """Return the part's value with the touched positions; the memory stays as it is."""
    base, at = ints[row + BASE], ints[row + MEMORY]
    if ints[row + ROTATION] >= 0:
        return rotated_value(x, memory, floats, ints, row, touched_blocks(ints, row, touched))
    terms, others = space(memory, ints, 0), space(memory, ints, 1)
    if dense(ints, row, touched):
        return whole_part(x, floats, ints, row, terms, others, space(memory, ints, 2))
    if base == SCHWEFEL:
        return try_schwefel(x, memory, floats, ints, row, touched)
    leaves = touched_leaves(ints, row, touched)
    new_terms(x, memory, floats, ints, row, leaves)
    if few(ints, row, leaves):
        return try_few(memory, ints, row, leaves)
    how, how_other = operations(base)
    n = links(base, ints[row + SIZE])
    changed, other = space(memory, ints, 2), 0.0
    copy(memory, at, n, changed)
    scatter(terms, leaves, changed)
    combined = fold(how, changed, n)
    if two_channels(base):
        copy(memory, ints[row + OTHER], n, changed)
        scatter(others, leaves, changed)
        other = fold(how_other, changed, n)
    return finish(base, ints[row + SIZE], combined, other)


@kernel
def settle_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, touched: Integers) -> float:
    """Update what is known about a part for the touched positions."""
    base, size, at = ints[row + BASE], ints[row + SIZE], ints[row + MEMORY]
    if ints[row + ROTATION] >= 0:
        blocks = touched_blocks(ints, row, touched)
        y = space(memory, ints, 1)
        for b in range((size + COLUMNS - 1) // COLUMNS):
            if (blocks >> b) & 1:
                shift_block(x, floats, ints, row, b, y)
                to = at + b * padded(ints, row)
                multiply_block(floats, ints[row + ROTATION], size, y, b * COLUMNS, memory, to)
        return rotated_value(x, memory, floats, ints, row, 0)
    if dense(ints, row, touched):
        return fill_part(x, memory, floats, ints, row)
    if base == SCHWEFEL:
        components, sums = memory[at : at + size], memory[at + size : at + 2 * size]
        new_components(x, memory, floats, ints, row, touched, components)
        update_sums(ints, row, components, sums, touched_blocks(ints, row, touched))
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
    return x[ints[ints[COORDINATES] + position]] - floats[ints[SHIFTS] + position]


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
def shift_block(x: Vector, floats: Vector, ints: Integers, row: int, b: int, y: Vector) -> None:
    """Write the shifted variables of one block of columns into `y`, at their places."""
    for i in range(b * COLUMNS, min((b + 1) * COLUMNS, ints[row + SIZE])):
        y[i] = shifted(x, floats, ints, row, i)
    pad(y, ints[row + SIZE])


@kernel
def rotated_value(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, blocks: int) -> float:
    """Evaluate a rotated part from the products in memory, except for some blocks, which are multiplied anew."""
    size, at, rows = ints[row + SIZE], ints[row + MEMORY], padded(ints, row)
    z, y, product = space(memory, ints, 0), space(memory, ints, 1), space(memory, ints, 2)
    for i in range(rows):
        z[i] = 0.0
    n = (size + COLUMNS - 1) // COLUMNS
    b = 0
    while b < n:
        if (blocks >> b) & 1:
            shift_block(x, floats, ints, row, b, y)
            multiply_block(floats, ints[row + ROTATION], size, y, b * COLUMNS, product, 0)
            add_products(product, 0, size, 1, z)
            b += 1
        else:
            first = b
            while b < n and not (blocks >> b) & 1:
                b += 1
            add_products(memory, at + first * rows, size, b - first, z)
    return transformed_value(floats, ints, row, z, y, product)


# Schwefel 1.2


@kernel
def schwefel_value(memory: Vector, ints: Integers, row: int) -> float:
    """Evaluate the part from the sums in memory."""
    size, at = ints[row + SIZE], ints[row + MEMORY]
    sums = space(memory, ints, 1)
    copy(memory, at + size, size, sums)
    return prefix_squares(sums, size, ints[row + BLOCK])


@kernel
def new_components(
    x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, touched: Integers, out: Vector
) -> None:
    """Compute the touched components and write them to their places in `out`."""
    z, work = space(memory, ints, 3), space(memory, ints, 4)
    constants = np.empty(2 * touched.shape[0])
    for k in range(touched.shape[0]):
        z[k] = shifted(x, floats, ints, row, touched[k] - ints[row + BEGIN])
        constants[k] = floats[ints[FIRST] + touched[k]]
        constants[touched.shape[0] + k] = floats[ints[SECOND] + touched[k]]
    transform_all(ints[row + TRANSFORM], z, touched.shape[0], constants, 0, touched.shape[0], work)
    for k in range(touched.shape[0]):
        out[touched[k] - ints[row + BEGIN]] = z[k]


@kernel
def update_sums(ints: Integers, row: int, components: Vector, sums: Vector, blocks: int) -> None:
    """Sum up some blocks anew."""
    size, block = ints[row + SIZE], ints[row + BLOCK]
    for b in range((size + block - 1) // block):
        if (blocks >> b) & 1:
            local_sums(components, b * block, min((b + 1) * block, size), sums)


@kernel
def try_schwefel(x: Vector, memory: Vector, floats: Vector, ints: Integers, row: int, touched: Integers) -> float:
    """Evaluate the part with touched positions."""
    size, at = ints[row + SIZE], ints[row + MEMORY]
    components, sums = space(memory, ints, 0), space(memory, ints, 1)
    copy(memory, at, size, components)
    copy(memory, at + size, size, sums)
    new_components(x, memory, floats, ints, row, touched, components)
    update_sums(ints, row, components, sums, touched_blocks(ints, row, touched))
    return prefix_squares(sums, size, ints[row + BLOCK])


# Trees of terms


@kernel
def touched_leaves(ints: Integers, row: int, touched: Integers) -> Integers:
    """Return the terms that some positions touch; a link of Rosenbrock's function may be there twice."""
    begin = ints[row + BEGIN]
    if ints[row + BASE] != ROSENBROCK:
        return touched - begin
    found = np.empty(2 * touched.shape[0], dtype=np.int64)
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
    at = ints[SCRATCH] + ints[PARTS] + 3 * ints[LARGEST]
    transform_all(ints[row + TRANSFORM], z, n, memory, at, at + ints[LARGEST], work)
    terms_of_all(ints[row + BASE], z, n, memory, at, other)


@kernel
def dense(ints: Integers, row: int, touched: Integers) -> bool:
    """Tell whether it is cheaper to evaluate the whole part than to look for what is touched."""
    cheap = ints[row + TRANSFORM] == NONE and ints[row + BASE] in (ELLIPTIC, MAXIMUM, ROSENBROCK)
    return touched.shape[0] * (DENSE_CHEAP if cheap else DENSE) > ints[row + SIZE]


@kernel
def few(ints: Integers, row: int, leaves: Integers) -> bool:
    """Tell whether it is cheaper to replace terms one by one than to combine all terms."""
    return leaves.shape[0] * levels(ints[row + SIZE]) * LEVEL_COST < ints[row + SIZE]


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
