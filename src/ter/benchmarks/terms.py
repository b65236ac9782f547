"""What moves know about a sum of terms: all levels of the tree over them, one tree per channel."""

from __future__ import annotations

import numpy as np

from ter._jit import inner, merged
from ter.benchmarks.layout import BASE, BEGIN, FIRST, MEMORY, OTHER, PARTS, SCRATCH, SECOND, SIZE, TOTAL, TRANSFORM
from ter.benchmarks.parts import ROSENBROCK, finish, links, operations, terms_of_all, transform_all, two_channels
from ter.benchmarks.places import copy, scatter, shifted, space, work_space
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.tree import fold, levels, tree_fill, tree_root, tree_set

__all__ = ["few", "fill_trees", "new_terms", "touched_leaves", "tree_value", "try_few", "try_many", "write_terms"]


# Replacing one term costs, per level of the tree, as much as adding up so many terms in a loop.
LEVEL_COST = 8


@inner
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


@inner
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


@inner
def few(ints: Integers, row: int, leaves: Integers) -> bool:
    """Tell whether it is cheaper to replace terms one by one than to combine all terms."""
    return bool(leaves.shape[0] * levels(ints[row + SIZE]) * LEVEL_COST < ints[row + SIZE])


@inner
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


@merged
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


@merged
def try_many(memory: Vector, ints: Integers, row: int, leaves: Integers) -> float:
    """Combine all terms, with the new ones in their places."""
    base, size = ints[row + BASE], ints[row + SIZE]
    n = links(base, size)
    how, how_other = operations(base)
    terms, others, changed = work_space(memory, ints)
    copy(memory, ints[row + MEMORY], n, changed)
    scatter(terms, leaves, changed)
    combined, other = fold(how, changed, 0, n), 0.0
    if two_channels(base):
        copy(memory, ints[row + OTHER], n, changed)
        scatter(others, leaves, changed)
        other = fold(how_other, changed, 0, n)
    return finish(base, size, combined, other)


@inner
def fill_trees(memory: Vector, ints: Integers, row: int) -> None:
    """Compute the levels above the terms."""
    base, n = ints[row + BASE], links(ints[row + BASE], ints[row + SIZE])
    how, how_other = operations(base)
    tree_fill(how, memory, ints[row + MEMORY], n)
    if two_channels(base):
        tree_fill(how_other, memory, ints[row + OTHER], n)


@inner
def tree_value(memory: Vector, ints: Integers, row: int) -> float:
    """Evaluate the part from its trees."""
    base, size = ints[row + BASE], ints[row + SIZE]
    n = links(base, size)
    other = tree_root(memory, ints[row + OTHER], n) if two_channels(base) else 0.0
    return finish(base, size, tree_root(memory, ints[row + MEMORY], n), other)
