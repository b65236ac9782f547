"""Points as kernels want them: contiguous, writable, in the box."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.box import Vector
from ter.core.ledger import inside

__all__ = ["are_coordinates", "into_box", "writable"]


def writable(values: ArrayLike, kind: type[np.generic]) -> NDArray[Any]:
    """Return a contiguous array that kernels accept: those of one type know no read-only arrays.

    Examples
    --------
    >>> writable([1, 2], np.float64)
    array([1., 2.])
    """
    array = np.ascontiguousarray(values, dtype=kind)
    return array if array.flags.writeable else array.copy()


def are_coordinates(where: NDArray[np.int64], dimension: int) -> bool:
    """Tell whether these are coordinates of a point, counted from 0.

    Examples
    --------
    >>> are_coordinates(np.array([0, 2]), 3), are_coordinates(np.array([-1, 2]), 3)
    (True, False)
    """
    return bool(where.size == 0 or where.view(np.uint64).max() < dimension)  # negative ones look huge


def into_box(rows: NDArray[np.float64], lower: Vector, upper: Vector, base: Vector) -> NDArray[np.float64]:
    """Move rows to the border of the box where they are outside; a coordinate that is NaN is taken from `base`.

    Examples
    --------
    >>> zero, one = np.zeros(2), np.ones(2)
    >>> into_box(np.array([[2.0, np.nan]]), zero, one, 0.5 * one)
    array([[1. , 0.5]])
    """
    if inside(rows, lower, upper):
        return rows
    return np.clip(np.where(np.isnan(rows), base, rows), lower, upper)
