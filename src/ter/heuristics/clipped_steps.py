"""What an evolution strategy learns from steps that were clipped to the box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner
from ter.core.ledger import Integers
from ter.heuristics.subspace import Matrix

__all__ = ["find_normals"]


@inner
def find_normals(
    transposed: Matrix, step: Matrix, moved: NDArray[np.bool_], order: Integers, ranks: int, normal: Matrix
) -> None:
    """Find the normal numbers that lead to the steps of ranked points which clipping changed.

    A singular matrix leaves them as they were drawn.
    """
    n, columns = transposed.shape[0], transposed.shape[0]
    for m in range(ranks):
        columns += moved[order[m]]
    if columns == n:
        return
    a = np.empty((n, columns))  # the matrix M, and the steps as further columns
    for i in range(n):
        for j in range(n):
            a[i, j] = transposed[j, i]
        k = n
        for m in range(ranks):
            if moved[order[m]]:
                a[i, k] = step[order[m], i]
                k += 1
    if solve(a, n, columns):
        k = n
        for m in range(ranks):
            if moved[order[m]]:
                for i in range(n):
                    normal[order[m], i] = a[i, k]
                k += 1


@inner
def solve(a: Matrix, n: int, columns: int) -> bool:
    """Solve `n` equations for each of the columns behind them, by Gaussian elimination; tell whether that worked."""
    for p in range(n):
        best = p
        for i in range(p + 1, n):
            if abs(a[i, p]) > abs(a[best, p]):
                best = i
        if not abs(a[best, p]) > 0.0:
            return False
        for c in range(p, columns):
            kept = a[best, c]
            a[best, c] = a[p, c]
            a[p, c] = kept
        for i in range(p + 1, n):
            f = a[i, p] / a[p, p]
            for c in range(p + 1, columns):
                a[i, c] -= f * a[p, c]
    for p in range(n - 1, -1, -1):
        for c in range(n, columns):
            a[p, c] /= a[p, p]
        for i in range(p):
            f = a[i, p]
            for c in range(n, columns):
                a[i, c] -= f * a[p, c]
    return True
