"""Ranking a population, compiled in a fraction of a second.

Numba's own ``argsort`` takes two seconds to compile in each process that has no cache. This one is for floats only. It
orders equal values as that one does, so that runs keep their bits.
"""

from __future__ import annotations

import numpy as np

from ter._jit import inner
from ter.objectives.unchecked import Floats, Ints

__all__ = ["rank"]

SMALL = 15  # ranges that are shorter are sorted by insertion
DEPTH = 64  # ranges that wait: the longer half waits each time, so there are at most log2(n)


@inner
def rank(values: Floats, order: Ints, n: int) -> None:
    """Write the positions of `n` values into `order`, the lowest value first; there must be no NaN."""
    for i in range(n):
        order[i] = i
    waiting = np.empty(2 * DEPTH, dtype=np.int64)
    waiting[0], waiting[1] = 0, n - 1
    top = 2
    while top > 0:
        top -= 2
        low, high = waiting[top], waiting[top + 1]
        while high - low >= SMALL:
            middle = split(values, order, low, high)
            if high - middle > middle - low:
                waiting[top], waiting[top + 1] = middle + 1, high
                high = middle - 1
            else:
                waiting[top], waiting[top + 1] = low, middle - 1
                low = middle + 1
            top += 2
        for i in range(low + 1, high + 1):
            own, j = order[i], i
            while j > low and values[own] < values[order[j - 1]]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = own


@inner
def exchange(order: Ints, i: int, j: int) -> None:
    """Exchange two positions."""
    kept = order[i]
    order[i] = order[j]
    order[j] = kept


@inner
def split(values: Floats, order: Ints, low: int, high: int) -> int:
    """Bring what is lower than the median of three before it, the rest behind it; return where it is then."""
    middle = (low + high) >> 1
    if values[order[middle]] < values[order[low]]:
        exchange(order, low, middle)
    if values[order[high]] < values[order[middle]]:
        exchange(order, high, middle)
    if values[order[middle]] < values[order[low]]:
        exchange(order, low, middle)
    pivot = values[order[middle]]
    exchange(order, high, middle)
    i, j = low, high - 1
    while True:
        while i < high and values[order[i]] < pivot:
            i += 1
        while j >= low and pivot < values[order[j]]:
            j -= 1
        if i >= j:
            break
        exchange(order, i, j)
        i += 1
        j -= 1
    exchange(order, i, high)
    return i
