"""Where evaluations work: arrays at the end of the memory, and single components."""

from __future__ import annotations

from ter._jit import inner, merged
from ter.benchmarks.layout import BEGIN, COORDINATES, FIRST, PARTS, SCRATCH, SECOND, SHIFTS, TOTAL, TRANSFORM
from ter.benchmarks.parts import Space, transformed
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.unchecked import peek

__all__ = ["component", "copy", "scatter", "shifted", "space", "work_space"]


@inner
def space(memory: Vector, ints: Integers, which: int) -> Vector:
    """Return one of the arrays to work in, as long as there are positions."""
    at = ints[SCRATCH] + ints[PARTS] + which * ints[TOTAL]
    return memory[at : at + ints[TOTAL]]


@inner
def work_space(memory: Vector, ints: Integers) -> Space:
    """Return the three arrays that parts are evaluated in."""
    return space(memory, ints, 0), space(memory, ints, 1), space(memory, ints, 2)


@inner
def copy(memory: Vector, at: int, n: int, out: Vector) -> None:
    """Copy `n` numbers out of the memory."""
    for i in range(n):
        out[i] = peek(memory, at + i)


@inner
def scatter(values: Vector, where: Integers, out: Vector) -> None:
    """Write values to their places."""
    for k in range(where.shape[0]):
        out[where[k]] = values[k]


@inner
def shifted(x: Vector, floats: Vector, ints: Integers, row: int, i: int) -> float:
    """Return one shifted variable of a part."""
    position = ints[row + BEGIN] + i
    return float(x[ints[ints[COORDINATES] + position]] - floats[ints[SHIFTS] + position])


@merged
def component(x: Vector, floats: Vector, ints: Integers, row: int, i: int) -> float:
    """Return one transformed component of a part that is not rotated."""
    position = ints[row + BEGIN] + i
    first, second = floats[ints[FIRST] + position], floats[ints[SECOND] + position]
    return transformed(ints[row + TRANSFORM], shifted(x, floats, ints, row, i), first, second)
