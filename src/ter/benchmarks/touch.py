"""What moves know about one part: fill it, try positions with new values, settle them.

A position is touched when its variable has a new value in `x`. All these functions return the part's value, with the
same bits as evaluating it from scratch.
"""

from __future__ import annotations

import numpy as np

from ter._jit import inner, merged
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    FIRST,
    HEAD,
    MEMORY,
    OTHER,
    ROTATION,
    SCRATCH,
    SECOND,
    SIZE,
    TRANSFORM,
    WIDTH,
)
from ter.benchmarks.parts import (
    ELLIPTIC,
    MAXIMUM,
    NONE,
    ROSENBROCK,
    SCHWEFEL,
    finish,
    finish_run,
    links,
    operations,
    shift_part,
    term,
    terms_of_all,
    transform_all,
    two_channels,
)
from ter.benchmarks.places import component, space, work_space
from ter.benchmarks.prefix import new_components, schwefel_value, try_schwefel, update_sums
from ter.benchmarks.products import place_rotated, touched_blocks, update_products
from ter.benchmarks.rotate import ALL_BLOCKS, COLUMNS
from ter.benchmarks.terms import few, fill_trees, new_terms, touched_leaves, tree_value, try_few, try_many, write_terms
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.tree import tree_try

__all__ = ["fill_part", "settle_part", "try_part", "try_position"]

# If more than one in so many positions is touched, all are evaluated: sooner where a term is cheap.
DENSE = 4
DENSE_CHEAP = 32


@inner
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


@inner
def finish_part(memory: Vector, floats: Vector, ints: Integers, part: int) -> float:
    """Evaluate a part whose components are in place."""
    trial = ints[SCRATCH]
    finish_run(floats, ints, (part, part + 1), work_space(memory, ints), memory, trial)
    return float(memory[trial + part])


@merged
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


@inner
def try_part(x: Vector, memory: Vector, floats: Vector, ints: Integers, part: int, touched: Integers) -> float:
    """Return the value of a part that is not rotated, with the touched positions; the memory stays as it is."""
    row = HEAD + WIDTH * part
    base = ints[row + BASE]
    if dense(ints, row, touched):
        shift_part(x, floats, ints, row, space(memory, ints, 0))
        return finish_part(memory, floats, ints, part)
    if base == SCHWEFEL:
        return try_schwefel(x, memory, floats, ints, row, touched)
    leaves = touched_leaves(ints, row, touched)
    new_terms(x, memory, floats, ints, row, leaves)
    if few(ints, row, leaves):
        return try_few(memory, ints, row, leaves)
    return try_many(memory, ints, row, leaves)


@merged
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


@inner
def dense(ints: Integers, row: int, touched: Integers) -> bool:
    """Tell whether it is cheaper to evaluate the whole part than to look for what is touched."""
    cheap = ints[row + TRANSFORM] == NONE and ints[row + BASE] in (ELLIPTIC, MAXIMUM, ROSENBROCK)
    return bool(touched.shape[0] * (DENSE_CHEAP if cheap else DENSE) > ints[row + SIZE])
