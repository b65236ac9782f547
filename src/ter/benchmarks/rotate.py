"""Matrix times vector, block of columns by block of columns.

The product of a block of eight columns is what moves keep in memory: when a variable changes, only its block is
multiplied anew, and the blocks are added up again in the same order. So the bits are those of the whole product.

A matrix is padded with zeros to whole blocks of columns and to a multiple of four rows, and laid out in the order in
which it is read: tiles of sixteen rows column after column, then tiles of four rows. (A tile's sums stay in registers.)

Reading the matrices takes longer than multiplying with them, so two points at a time cost 4.0 microseconds each on
LSO13's f8, and one alone 6.9. (Three or four at a time: 3.8.)
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, merged
from ter.benchmarks.elementary import inlined
from ter.benchmarks.lanes import Four, add4, fma4, load4, mul4, splat4, store4
from ter.core.box import Vector
from ter.objectives.unchecked import peek

__all__ = ["ALL_BLOCKS", "COLUMNS", "ROWS", "in_tiles", "multiply_block", "pad", "rotate", "rotate_pair", "up"]

COLUMNS = 8  # columns per block
ROWS = 4  # rows in a register
TILE = 16  # rows in a tile
ALL_BLOCKS = -1  # as bits


def up(number: int, unit: int) -> int:
    """Round up to a multiple of `unit`.

    Examples
    --------
    >>> up(25, 8)
    32
    """
    return -(-number // unit) * unit


def in_tiles(matrix: NDArray[np.float64]) -> Vector:
    """Lay a square matrix out for `rotate`.

    Examples
    --------
    >>> in_tiles(np.eye(3)).size
    32
    """
    size = len(matrix)
    padded = np.zeros((up(size, ROWS), up(size, COLUMNS)))
    padded[:size, :size] = matrix
    whole = len(padded) // TILE * TILE
    cuts = [*range(0, whole, TILE), *range(whole, len(padded), ROWS), len(padded)]
    return np.concatenate([padded[a:b].T.ravel() for a, b in pairwise(cuts)])


@inner
def pad(y: Vector, at: int, size: int) -> None:
    """Write zeros behind `size` components at ``y[at:]``, up to a whole number of blocks."""
    for i in range(size, -(-size // COLUMNS) * COLUMNS):
        y[at + i] = 0.0


@inlined
def _sixteen(matrices: Vector, at: int, y: Vector, c: int) -> tuple[Four, Four, Four, Four]:
    """Multiply sixteen rows of a block with its components of `y`."""
    x = splat4(peek(y, c))
    p0, p1 = mul4(load4(matrices, at), x), mul4(load4(matrices, at + 4), x)
    p2, p3 = mul4(load4(matrices, at + 8), x), mul4(load4(matrices, at + 12), x)
    for j in range(1, COLUMNS):
        x = splat4(peek(y, c + j))
        column = at + TILE * j
        p0, p1 = fma4(load4(matrices, column), x, p0), fma4(load4(matrices, column + 4), x, p1)
        p2, p3 = fma4(load4(matrices, column + 8), x, p2), fma4(load4(matrices, column + 12), x, p3)
    return p0, p1, p2, p3


@inlined
def _four(matrices: Vector, at: int, y: Vector, c: int) -> Four:
    """Multiply four rows of a block with its components of `y`."""
    p = mul4(load4(matrices, at), splat4(peek(y, c)))
    for j in range(1, COLUMNS):
        p = fma4(load4(matrices, at + ROWS * j), splat4(peek(y, c + j)), p)
    return p


@merged
def multiply_block(
    matrices: Vector, at: int, size: int, c: int, y: Vector, first: int, product: Vector, to: int
) -> None:
    """Multiply the block that begins with column `c` with its components ``y[first:]``, into ``product[to:]``."""
    columns = -(-size // COLUMNS) * COLUMNS
    rows = -(-size // ROWS) * ROWS
    row = 0
    while row + TILE <= rows:
        p0, p1, p2, p3 = _sixteen(matrices, at + TILE * c, y, first)
        store4(product, to + row, p0)
        store4(product, to + row + 4, p1)
        store4(product, to + row + 8, p2)
        store4(product, to + row + 12, p3)
        row += TILE
        at += TILE * columns
    while row < rows:
        store4(product, to + row, _four(matrices, at + ROWS * c, y, first))
        row += ROWS
        at += ROWS * columns


@inner
def rotate(
    matrices: Vector, at: int, size: int, y: Vector, products: Vector, known: int, blocks: int, z: Vector, to: int
) -> None:
    """Multiply the matrix at ``matrices[at:]`` with ``y[to:]`` into ``z[to:]``; both are padded.

    Only the blocks that are bits of `blocks` are multiplied; the products of the others are at ``products[known:]``.
    """
    columns = -(-size // COLUMNS) * COLUMNS
    rows = -(-size // ROWS) * ROWS
    row = 0
    while row + TILE <= rows:
        z0 = z1 = z2 = z3 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                c = b * COLUMNS
                p0, p1, p2, p3 = _sixteen(matrices, at + TILE * c, y, to + c)
            else:
                place = known + b * rows + row
                p0, p1 = load4(products, place), load4(products, place + 4)
                p2, p3 = load4(products, place + 8), load4(products, place + 12)
            z0, z1, z2, z3 = add4(z0, p0), add4(z1, p1), add4(z2, p2), add4(z3, p3)
        store4(z, to + row, z0)
        store4(z, to + row + 4, z1)
        store4(z, to + row + 8, z2)
        store4(z, to + row + 12, z3)
        row += TILE
        at += TILE * columns
    while row < rows:
        z0 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                z0 = add4(z0, _four(matrices, at + ROWS * b * COLUMNS, y, to + b * COLUMNS))
            else:
                z0 = add4(z0, load4(products, known + b * rows + row))
        store4(z, to + row, z0)
        row += ROWS
        at += ROWS * columns


@inlined
def _sixteen_for_two(
    matrices: Vector, at: int, y: Vector, c: int, d: int
) -> tuple[tuple[Four, Four, Four, Four], tuple[Four, Four, Four, Four]]:
    """Multiply sixteen rows of a block with its components of two points, at ``y[c:]`` and ``y[d:]``."""
    x, w = splat4(peek(y, c)), splat4(peek(y, d))
    m0, m1 = load4(matrices, at), load4(matrices, at + 4)
    m2, m3 = load4(matrices, at + 8), load4(matrices, at + 12)
    p0, p1, p2, p3 = mul4(m0, x), mul4(m1, x), mul4(m2, x), mul4(m3, x)
    q0, q1, q2, q3 = mul4(m0, w), mul4(m1, w), mul4(m2, w), mul4(m3, w)
    for j in range(1, COLUMNS):
        column = at + TILE * j
        x, w = splat4(peek(y, c + j)), splat4(peek(y, d + j))
        m0, m1 = load4(matrices, column), load4(matrices, column + 4)
        m2, m3 = load4(matrices, column + 8), load4(matrices, column + 12)
        p0, p1, p2, p3 = fma4(m0, x, p0), fma4(m1, x, p1), fma4(m2, x, p2), fma4(m3, x, p3)
        q0, q1, q2, q3 = fma4(m0, w, q0), fma4(m1, w, q1), fma4(m2, w, q2), fma4(m3, w, q3)
    return (p0, p1, p2, p3), (q0, q1, q2, q3)


@inlined
def _four_for_two(matrices: Vector, at: int, y: Vector, c: int, d: int) -> tuple[Four, Four]:
    """Multiply four rows of a block with its components of two points."""
    m = load4(matrices, at)
    p, q = mul4(m, splat4(peek(y, c))), mul4(m, splat4(peek(y, d)))
    for j in range(1, COLUMNS):
        m = load4(matrices, at + ROWS * j)
        p, q = fma4(m, splat4(peek(y, c + j)), p), fma4(m, splat4(peek(y, d + j)), q)
    return p, q


@inlined
def _store_sixteen(z: Vector, at: int, four: tuple[Four, Four, Four, Four]) -> None:
    store4(z, at, four[0])
    store4(z, at + 4, four[1])
    store4(z, at + 8, four[2])
    store4(z, at + 12, four[3])


@inner
def rotate_pair(
    matrices: Vector,
    at: int,
    size: int,
    y: Vector,
    products: Vector,
    known: int,
    blocks: int,
    z: Vector,
    w: Vector,
    to: int,
) -> None:
    """Do what `rotate` does for two points at once, into ``z[to:]`` and ``w[to:]``.

    Their components are at the beginning of `y` and in its second half.
    """
    columns = -(-size // COLUMNS) * COLUMNS
    rows = -(-size // ROWS) * ROWS
    half = y.shape[0] // 2
    row = 0
    while row + TILE <= rows:
        z0 = z1 = z2 = z3 = w0 = w1 = w2 = w3 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                c = b * COLUMNS
                (p0, p1, p2, p3), (q0, q1, q2, q3) = _sixteen_for_two(matrices, at + TILE * c, y, c, half + c)
            else:
                place = known + b * rows + row
                q0 = p0 = load4(products, place)
                q1 = p1 = load4(products, place + 4)
                q2 = p2 = load4(products, place + 8)
                q3 = p3 = load4(products, place + 12)
            z0, z1, z2, z3 = add4(z0, p0), add4(z1, p1), add4(z2, p2), add4(z3, p3)
            w0, w1, w2, w3 = add4(w0, q0), add4(w1, q1), add4(w2, q2), add4(w3, q3)
        _store_sixteen(z, to + row, (z0, z1, z2, z3))
        _store_sixteen(w, to + row, (w0, w1, w2, w3))
        row += TILE
        at += TILE * columns
    while row < rows:
        z0 = w0 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                c = b * COLUMNS
                p0, q0 = _four_for_two(matrices, at + ROWS * c, y, c, half + c)
            else:
                q0 = p0 = load4(products, known + b * rows + row)
            z0, w0 = add4(z0, p0), add4(w0, q0)
        store4(z, to + row, z0)
        store4(w, to + row, w0)
        row += ROWS
        at += ROWS * columns
