"""What moves know about Schwefel's function 1.2: its components, and their sums from the beginning of each block."""

from __future__ import annotations

import numpy as np

from ter._jit import inner, merged
from ter.benchmarks.layout import BEGIN, BLOCK, FIRST, MEMORY, PARTS, SCRATCH, SECOND, SIZE, TOTAL, TRANSFORM
from ter.benchmarks.parts import prefix_squares, transform_all
from ter.benchmarks.places import copy, shifted, space
from ter.benchmarks.products import touched_blocks
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["new_components", "schwefel_value", "try_schwefel", "update_sums"]


@inner
def schwefel_value(memory: Vector, ints: Integers, row: int) -> float:
    """Evaluate the part from the sums in memory."""
    size, at = ints[row + SIZE], ints[row + MEMORY]
    sums = space(memory, ints, 1)
    copy(memory, at + size, size, sums)
    return prefix_squares(sums, 0, size, ints[row + BLOCK])


@inner
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


@inner
def update_sums(memory: Vector, ints: Integers, row: int, components: int, sums: int, blocks: int) -> None:
    """Sum up some blocks of ``memory[components:]`` anew, into ``memory[sums:]``."""
    size, block = ints[row + SIZE], ints[row + BLOCK]
    for b in range((size + block - 1) // block):
        if (blocks >> b) & 1:
            total = 0.0
            for i in range(b * block, min((b + 1) * block, size)):
                total += memory[components + i]
                memory[sums + i] = total


@merged
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
