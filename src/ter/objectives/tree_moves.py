"""Replacing several terms of a tree at once, level by level; see `ter.objectives.tree` for the tree.

What a term becomes one level up does not depend on which half of its level it is in, since all operations are
symmetric. So nothing here branches on that, which a processor could not foresee.
"""

from __future__ import annotations

import numpy as np

from ter._jit import inner
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.tree import combine, fold, tree_fill
from ter.objectives.unchecked import peek, poke

__all__ = ["tree_set_some", "tree_try_some", "tree_try_two"]

# A level with fewer numbers than so many per replaced term is combined as a whole.
DENSE = 8


@inner
def tree_try_two(operation: int, memory: Vector, at: int, n: int, a: int, first: float, b: int, second: float) -> float:
    """Return what all terms would combine to if the terms `a` and `b` were replaced."""
    while n > 1:
        half = (n + 1) // 2
        beside_a, beside_b = beside(a, half), beside(b, half)
        if beside_a == b:
            first = second = combine(operation, first, second)  # from here on, both are the same
        else:
            if beside_a < n:
                first = combine(operation, first, peek(memory, at + beside_a))
            if beside_b < n:
                second = combine(operation, second, peek(memory, at + beside_b))
        a, b = min(a, beside_a), min(b, beside_b)
        at += n
        n = half
    return first


@inner
def tree_try_some(
    operation: int, memory: Vector, at: int, n: int, leaves: Integers, terms: Vector, work: Vector
) -> float:
    """Return what all terms would combine to if some were replaced; `work` has space for `n` numbers."""
    count = leaves.shape[0]
    places, old = np.empty(count, dtype=np.int64), np.empty(count)
    for k in range(count):
        old[k] = memory[at + leaves[k]]
    level, size = climb(operation, memory, at, n, leaves, terms, places)
    for i in range(size):
        poke(work, i, peek(memory, level + i))
    climb(operation, memory, at, n, leaves, old, places)
    return fold(operation, work, 0, size)


@inner
def tree_set_some(operation: int, memory: Vector, at: int, n: int, leaves: Integers, terms: Vector) -> None:
    """Replace some terms."""
    places = np.empty(leaves.shape[0], dtype=np.int64)
    level, size = climb(operation, memory, at, n, leaves, terms, places)
    tree_fill(operation, memory, level, size)


@inner
def climb(
    operation: int, memory: Vector, at: int, n: int, leaves: Integers, terms: Vector, places: Integers
) -> tuple[int, int]:
    """Replace some terms and all that depends on them, up to a short level; return where it is and its length."""
    count = leaves.shape[0]
    for k in range(count):
        places[k] = leaves[k]
        memory[at + leaves[k]] = terms[k]
    while n > max(1, DENSE * count):
        half = (n + 1) // 2
        for k in range(count):
            place = peek(places, k)
            other = beside(place, half)
            term = peek(memory, at + place)
            if other < n:
                term = combine(operation, term, peek(memory, at + other))
            place = min(place, other)
            poke(memory, at + n + place, term)
            poke(places, k, place)
        at += n
        n = half
    return at, n


@inner
def beside(place: int, half: int) -> int:
    """Return the place of the number that is combined with this one; beyond the level's end there is none."""
    return place + half if place < half else place - half
