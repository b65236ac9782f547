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

from ter._jit import inner
from ter.benchmarks.elementary import inlined
from ter.benchmarks.registers import Four, add4, fma4, load4, mul4, splat4, store4
from ter.core.box import Vector
from ter.objectives.unchecked import Floats

__all__ = [
    "ALL_BLOCKS",
    "COLUMNS",
    "ROWS",
    "TILE",
    "in_tiles",
    "multiply_blocks",
    "pad",
    "rotate",
    "rotate_pair",
    "up",
]

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
def whole_columns(size: int) -> int:
    """Return the columns of a padded matrix."""
    return (size + (COLUMNS - 1)) & -COLUMNS


@inner
def whole_rows(size: int) -> int:
    """Return the rows of a padded matrix."""
    return (size + (ROWS - 1)) & -ROWS


@inner
def pad(y: Floats, size: int) -> None:
    """Write zeros behind `size` components, up to a whole number of blocks."""
    for i in range(size, whole_columns(size)):
        y[i] = 0.0


@inlined
def _sixteen(matrix: Floats, y: Floats) -> tuple[Four, Four, Four, Four]:
    """Multiply sixteen rows of a block with its components `y`."""
    x = splat4(y[0])
    p0, p1, p2, p3 = (
        mul4(load4(matrix, 0), x),
        mul4(load4(matrix, 4), x),
        mul4(load4(matrix, 8), x),
        mul4(load4(matrix, 12), x),
    )
    for j in range(1, COLUMNS):
        x = splat4(y[j])
        column = matrix + TILE * j
        p0, p1 = fma4(load4(column, 0), x, p0), fma4(load4(column, 4), x, p1)
        p2, p3 = fma4(load4(column, 8), x, p2), fma4(load4(column, 12), x, p3)
    return p0, p1, p2, p3


@inlined
def _four(matrix: Floats, y: Floats) -> Four:
    """Multiply four rows of a block with its components `y`."""
    p = mul4(load4(matrix, 0), splat4(y[0]))
    for j in range(1, COLUMNS):
        p = fma4(load4(matrix, ROWS * j), splat4(y[j]), p)
    return p


@inlined
def _store_sixteen(z: Floats, z0: Four, z1: Four, z2: Four, z3: Four) -> None:
    store4(z, 0, z0)
    store4(z, 4, z1)
    store4(z, 8, z2)
    store4(z, 12, z3)


@inner
def multiply_blocks(matrix: Floats, size: int, y: Floats, blocks: int, products: Floats) -> None:
    """Multiply the blocks of columns that are bits of `blocks` with their components of `y`.

    The product of block b is written to where its turn is among the products of all blocks.
    """
    columns, rows = whole_columns(size), whole_rows(size)
    for b in range(columns // COLUMNS):
        if (blocks >> b) & 1:
            c, tile = b * COLUMNS, matrix
            row = 0
            while row + TILE <= rows:
                p0, p1, p2, p3 = _sixteen(tile + TILE * c, y + c)
                _store_sixteen(products + (b * rows + row), p0, p1, p2, p3)
                row += TILE
                tile = tile + TILE * columns
            while row < rows:
                store4(products, b * rows + row, _four(tile + ROWS * c, y + c))
                row += ROWS
                tile = tile + ROWS * columns


@inner
def rotate(matrix: Floats, size: int, y: Floats, products: Floats, blocks: int, z: Floats) -> None:
    """Multiply a matrix with `y` into `z`; both are padded.

    Only the blocks that are bits of `blocks` are multiplied; the products of the others are at `products`.
    """
    columns, rows = whole_columns(size), whole_rows(size)
    row = 0
    while row + TILE <= rows:
        z0 = z1 = z2 = z3 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                c = b * COLUMNS
                p0, p1, p2, p3 = _sixteen(matrix + TILE * c, y + c)
            else:
                known = products + (b * rows + row)
                p0, p1, p2, p3 = load4(known, 0), load4(known, 4), load4(known, 8), load4(known, 12)
            z0, z1, z2, z3 = add4(z0, p0), add4(z1, p1), add4(z2, p2), add4(z3, p3)
        _store_sixteen(z + row, z0, z1, z2, z3)
        row += TILE
        matrix = matrix + TILE * columns
    while row < rows:
        z0 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                z0 = add4(z0, _four(matrix + ROWS * b * COLUMNS, y + b * COLUMNS))
            else:
                z0 = add4(z0, load4(products, b * rows + row))
        store4(z, row, z0)
        row += ROWS
        matrix = matrix + ROWS * columns


@inlined
def _sixteen_for_two(matrix: Floats, y: Floats, v: Floats) -> tuple[Four, Four, Four, Four, Four, Four, Four, Four]:
    """Multiply sixteen rows of a block with its components of two points."""
    x, w = splat4(y[0]), splat4(v[0])
    m0, m1, m2, m3 = load4(matrix, 0), load4(matrix, 4), load4(matrix, 8), load4(matrix, 12)
    p0, p1, p2, p3 = mul4(m0, x), mul4(m1, x), mul4(m2, x), mul4(m3, x)
    q0, q1, q2, q3 = mul4(m0, w), mul4(m1, w), mul4(m2, w), mul4(m3, w)
    for j in range(1, COLUMNS):
        column = matrix + TILE * j
        x, w = splat4(y[j]), splat4(v[j])
        m0, m1, m2, m3 = load4(column, 0), load4(column, 4), load4(column, 8), load4(column, 12)
        p0, p1, p2, p3 = fma4(m0, x, p0), fma4(m1, x, p1), fma4(m2, x, p2), fma4(m3, x, p3)
        q0, q1, q2, q3 = fma4(m0, w, q0), fma4(m1, w, q1), fma4(m2, w, q2), fma4(m3, w, q3)
    return p0, p1, p2, p3, q0, q1, q2, q3


@inlined
def _four_for_two(matrix: Floats, y: Floats, v: Floats) -> tuple[Four, Four]:
    """Multiply four rows of a block with its components of two points."""
    m = load4(matrix, 0)
    p, q = mul4(m, splat4(y[0])), mul4(m, splat4(v[0]))
    for j in range(1, COLUMNS):
        m = load4(matrix, ROWS * j)
        p, q = fma4(m, splat4(y[j]), p), fma4(m, splat4(v[j]), q)
    return p, q


@inner
def rotate_pair(
    matrix: Floats, size: int, y: Floats, v: Floats, products: Floats, blocks: int, z: Floats, w: Floats
) -> None:
    """Do what `rotate` does for two points at once: `y` into `z` and `v` into `w`."""
    columns, rows = whole_columns(size), whole_rows(size)
    row = 0
    while row + TILE <= rows:
        z0 = z1 = z2 = z3 = w0 = w1 = w2 = w3 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                c = b * COLUMNS
                p0, p1, p2, p3, q0, q1, q2, q3 = _sixteen_for_two(matrix + TILE * c, y + c, v + c)
            else:
                known = products + (b * rows + row)
                q0 = p0 = load4(known, 0)
                q1 = p1 = load4(known, 4)
                q2 = p2 = load4(known, 8)
                q3 = p3 = load4(known, 12)
            z0, z1, z2, z3 = add4(z0, p0), add4(z1, p1), add4(z2, p2), add4(z3, p3)
            w0, w1, w2, w3 = add4(w0, q0), add4(w1, q1), add4(w2, q2), add4(w3, q3)
        _store_sixteen(z + row, z0, z1, z2, z3)
        _store_sixteen(w + row, w0, w1, w2, w3)
        row += TILE
        matrix = matrix + TILE * columns
    while row < rows:
        z0 = w0 = splat4(0.0)
        for b in range(columns // COLUMNS):
            if (blocks >> b) & 1:
                c = b * COLUMNS
                p0, q0 = _four_for_two(matrix + ROWS * c, y + c, v + c)
            else:
                q0 = p0 = load4(products, b * rows + row)
            z0, w0 = add4(z0, p0), add4(w0, q0)
        store4(z, row, z0)
        store4(w, row, w0)
        row += ROWS
        matrix = matrix + ROWS * columns
