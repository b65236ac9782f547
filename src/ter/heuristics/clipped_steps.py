"""What an evolution strategy learns from steps that were clipped to the box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner
from ter.core.ledger import Integers
from ter.heuristics.equations import solve
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
