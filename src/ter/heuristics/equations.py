"""Solving linear equations, compiled in half a second."""

from __future__ import annotations

from ter._jit import inner
from ter.heuristics.subspace import Matrix

__all__ = ["solve"]


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
