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
SHORT = 8


@inner
def tree_try_two(operation: int, memory: Vector, at: int, n: int, a: int, first: float, b: int, second: float) -> float:
    """Return what all terms would combine to if the terms `a` and `b` were replaced."""
    while n > 1:
        half = (n + 1) // 2
        partner_a, partner_b = partner_of(a, half), partner_of(b, half)
        if partner_a == b:
            first = second = combine(operation, first, second)  # from here on, both are the same
        else:
            if partner_a < n:
                first = combine(operation, first, peek(memory, at + partner_a))
            if partner_b < n:
                second = combine(operation, second, peek(memory, at + partner_b))
        a, b = min(a, partner_a), min(b, partner_b)
        at += n
        n = half
    return first


@inner
def tree_try_some(
    operation: int, memory: Vector, at: int, n: int, leaves: Integers, terms: Vector, work: Vector
) -> float:
    """Return what all terms would combine to if some were replaced; `work` has space for `n` numbers."""
    count = leaves.shape[0]
    nodes, old = np.empty(count, dtype=np.int64), np.empty(count)
    for k in range(count):
        old[k] = memory[at + leaves[k]]
    level, size = replace_upwards(operation, memory, at, n, leaves, terms, nodes)
    for i in range(size):
        poke(work, i, peek(memory, level + i))
    replace_upwards(operation, memory, at, n, leaves, old, nodes)
    return fold(operation, work, 0, size)


@inner
def tree_set_some(operation: int, memory: Vector, at: int, n: int, leaves: Integers, terms: Vector) -> None:
    """Replace some terms."""
    nodes = np.empty(leaves.shape[0], dtype=np.int64)
    level, size = replace_upwards(operation, memory, at, n, leaves, terms, nodes)
    tree_fill(operation, memory, level, size)


@inner
def replace_upwards(
    operation: int, memory: Vector, at: int, n: int, leaves: Integers, terms: Vector, nodes: Integers
) -> tuple[int, int]:
    """Replace some terms and all that depends on them, up to a short level; return where it is and its length."""
    count = leaves.shape[0]
    for k in range(count):
        nodes[k] = leaves[k]
        memory[at + leaves[k]] = terms[k]
    while n > max(1, SHORT * count):
        half = (n + 1) // 2
        for k in range(count):
            node = peek(nodes, k)
            other = partner_of(node, half)
            term = peek(memory, at + node)
            if other < n:
                term = combine(operation, term, peek(memory, at + other))
            node = min(node, other)
            poke(memory, at + n + node, term)
            poke(nodes, k, node)
        at += n
        n = half
    return at, n


@inner
def partner_of(node: int, half: int) -> int:
    """Return the node that is combined with this one; beyond the level's end there is none."""
    return node + half if node < half else node - half
