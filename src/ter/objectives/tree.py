"""Sums, products and maxima of many terms, in an order that lets one term be changed cheaply.

The terms are halved again and again: the first half and the second half are combined element by element, until one
number is left. With ``h = (n + 1) // 2``::

    terms      t0  t1  t2  t3  t4          n = 5, h = 3
    level 1    t0+t3   t1+t4   t2          n = 3, h = 2
    level 2    (t0+t3)+t2      t1+t4       n = 2, h = 1
    level 3    ((t0+t3)+t2)+(t1+t4)

Each level is one loop over neighbours in memory, so it vectorises although no sum is ever reordered. Whoever keeps
all levels can replace one term by recomputing one number per level, and gets the same bits as from scratch.
"""

from __future__ import annotations

from ter._jit import inner, merged
from ter.core.box import Vector
from ter.objectives.unchecked import Floats, peek, poke

__all__ = ["MAX", "PRODUCT", "SUM", "combine", "fold", "levels", "tree_fill", "tree_root", "tree_set", "tree_size",
           "tree_try"]  # fmt: skip

SUM = 0
PRODUCT = 1
MAX = 2


def tree_size(n: int) -> int:
    """Numbers in a tree over `n` terms, all levels together.

    Examples
    --------
    >>> tree_size(5)
    11
    """
    size = n
    while n > 1:
        n = (n + 1) // 2
        size += n
    return size


@inner
def levels(n: int) -> int:
    """Levels above the terms."""
    count = 0
    while n > 1:
        n = (n + 1) // 2
        count += 1
    return count


@inner
def combine(operation: int, a: float, b: float) -> float:
    """Combine two numbers."""
    if operation == SUM:
        return a + b
    if operation == PRODUCT:
        return a * b
    return max(a, b)


@inner
def fold(operation: int, terms: Vector | Floats, at: int, n: int) -> float:
    """Combine `n` terms at ``terms[at:]``, which are overwritten."""
    while n > 1:
        half = (n + 1) // 2
        _combine_halves(operation, terms, at, at + half, n - half, at)
        n = half
    return float(terms[at])


@inner
def tree_fill(operation: int, memory: Vector | Floats, at: int, n: int) -> None:
    """Compute all levels above the `n` terms at ``memory[at:]``."""
    while n > 1:
        half = (n + 1) // 2
        _combine_halves(operation, memory, at, at + half, n - half, at + n)
        if n % 2:
            memory[at + n + half - 1] = memory[at + half - 1]
        at += n
        n = half


@merged  # so that LLVM sees where a level is written over its own first half, and vectorises the loop
def _combine_halves(operation: int, a: Vector | Floats, first: int, second: int, n: int, to: int) -> None:
    """Combine `n` numbers from `first` on with those from `second` on."""
    if operation == SUM:
        for i in range(n):
            poke(a, to + i, peek(a, first + i) + peek(a, second + i))
    elif operation == PRODUCT:
        for i in range(n):
            poke(a, to + i, peek(a, first + i) * peek(a, second + i))
    else:
        for i in range(n):
            poke(a, to + i, max(peek(a, first + i), peek(a, second + i)))


@inner
def tree_root(memory: Vector | Floats, at: int, n: int) -> float:
    """Return what all terms combine to."""
    while n > 1:
        at += n
        n = (n + 1) // 2
    return float(memory[at])


@inner
def tree_try(operation: int, memory: Vector | Floats, at: int, n: int, leaf: int, term: float) -> float:
    """Return what all terms would combine to if one were replaced."""
    while n > 1:
        half = (n + 1) // 2
        if leaf >= half:
            leaf -= half
            term = combine(operation, memory[at + leaf], term)
        elif leaf < n - half:
            term = combine(operation, term, memory[at + leaf + half])
        at += n
        n = half
    return term


@inner
def tree_set(operation: int, memory: Vector | Floats, at: int, n: int, leaf: int, term: float) -> None:
    """Replace one term."""
    memory[at + leaf] = term
    while n > 1:
        half = (n + 1) // 2
        if leaf >= half:
            leaf -= half
            term = combine(operation, memory[at + leaf], term)
        elif leaf < n - half:
            term = combine(operation, term, memory[at + leaf + half])
        at += n
        n = half
        memory[at + leaf] = term
