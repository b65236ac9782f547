"""Arrays to work in, at the end of the memory, and what is done with arrays."""

from __future__ import annotations

from ter._jit import inner
from ter.benchmarks.layout import PARTS, SCRATCH
from ter.objectives.unchecked import Floats, Ints

__all__ = ["copy", "scatter", "scratch_of"]


@inner
def scratch_of(memory: Floats, ints: Ints) -> Floats:
    """Return the first of the arrays to work in."""
    return memory + (ints[SCRATCH] + ints[PARTS])


@inner
def copy(numbers: Floats, n: int, to: Floats) -> None:
    """Copy `n` numbers."""
    for i in range(n):
        to[i] = numbers[i]


@inner
def scatter(numbers: Floats, where: Ints, n: int, to: Floats) -> None:
    """Write `n` numbers to their places."""
    for k in range(n):
        to[where[k]] = numbers[k]
