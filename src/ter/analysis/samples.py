"""How the statistics read their arguments: final errors of runs, smaller is better, no result is the worst result."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.box import Vector
from ter.core.errors import InvalidArgument

__all__ = ["Matrix", "average_ranks", "check_level", "difference", "pairs", "sample", "scaled", "table_of"]

Matrix = NDArray[np.float64]


def sample(name: str, values: ArrayLike, *, least: int = 1) -> Vector:
    """Read the final errors of the runs of one algorithm on one problem; NaN (no result) becomes +inf.

    Raises
    ------
    InvalidArgument
        If it is not a flat list of at least `least` numbers, or if one of them is -inf.
    """
    read = np.array(values, dtype=np.float64)
    if read.ndim != 1 or read.size < least:
        raise InvalidArgument(f"{name} must be a flat list of at least {least} numbers, got shape {read.shape}")
    return _without_nan(name, read)


def table_of(name: str, values: ArrayLike) -> Matrix:
    """Read a table with one row per problem and one column per algorithm; NaN becomes +inf."""
    read = np.array(values, dtype=np.float64)
    if read.ndim != 2 or read.shape[0] < 1 or read.shape[1] < 2:
        raise InvalidArgument(
            f"{name} must have one row per problem and one column per algorithm, at least 1 row and 2 columns, "
            f"got shape {read.shape}"
        )
    return _without_nan(name, read)


def check_level(alpha: float) -> None:
    """Refuse a level of significance outside (0, 1)."""
    if not 0 < alpha < 1:
        raise InvalidArgument(f"alpha must lie in (0, 1), got {alpha!r}; it is a level of significance such as 0.05")


def scaled(values: Vector) -> tuple[Vector, int]:
    """Split finite values into numbers in [-1, 1] and a power of two, so that squares neither overflow nor vanish.

    Examples
    --------
    >>> import numpy as np
    >>> scaled(np.array([3.0, -8.0]))
    (array([ 0.1875, -0.5   ]), 4)
    """
    exponent = int(np.frexp(np.max(np.abs(values), initial=0.0))[1])
    return np.ldexp(values, -exponent), exponent


def difference(a: Vector, b: Vector) -> Vector:
    """Return a - b run by run, where two runs without a result do not differ.

    Examples
    --------
    >>> import numpy as np
    >>> difference(np.array([3.0, np.inf, np.inf]), np.array([1.0, 2.0, np.inf]))
    array([ 2., inf,  0.])
    """
    neither = np.isinf(a) & np.isinf(b)
    with np.errstate(over="ignore"):
        return np.asarray(np.where(neither, 0.0, a) - np.where(neither, 0.0, b))


def average_ranks(values: Vector) -> Vector:
    """Rank values from 1; equal ones share their mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> average_ranks(np.array([2.0, 1.0, 2.0]))
    array([2.5, 1. , 2.5])
    """
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    upto = np.searchsorted(ordered, values, side="right")
    return np.asarray(0.5 * (below + upto + 1))


def pairs(a: ArrayLike, b: ArrayLike, *, least: int = 1) -> tuple[Vector, Vector]:
    """Read two samples whose runs belong together: run i of `a` with run i of `b`."""
    first, second = sample("a", a, least=least), sample("b", b, least=least)
    if first.size != second.size:
        raise InvalidArgument(
            f"a and b must hold the same runs, got {first.size} and {second.size}; "
            "for unequal numbers of runs use welch_t on their summaries"
        )
    return first, second


def _without_nan(name: str, values: Matrix) -> Matrix:
    if np.any(values == -np.inf):
        raise InvalidArgument(f"{name} must not hold -inf: no run ends infinitely far below the optimum")
    values[np.isnan(values)] = np.inf
    return values
