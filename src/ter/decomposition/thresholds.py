"""How large a difference may be by rounding alone.

Two sets of variables do not interact if what one of them adds to the value does not depend on the other. Computed
values are rounded, so the two differences are never quite equal; the bounds below say when that may be all.

References
----------
.. [1] M. Omidvar, M. Yang, Y. Mei, X. Li, X. Yao, "DG2: a faster and more accurate differential grouping for
   large-scale black-box optimization", IEEE Transactions on Evolutionary Computation 21, 2017.
.. [2] Y. Sun, M. Omidvar, M. Kirley, X. Li, "Adaptive threshold parameter estimation with recursive differential
   grouping for problem decomposition", GECCO 2018.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.box import Vector

__all__ = ["GREY_END", "gamma", "interacts", "strengths"]

ROUNDING = 2.0**-53  # half the distance between 1 and the next number
GREY_END = np.float32(1.0 - 2.0**-24)  # the largest strength that is in doubt
GREY_BEGIN = np.float32(2.0**-24)  # and the smallest


def gamma(n: float) -> float:
    """Return how large the relative error of `n` operations can be.

    Examples
    --------
    >>> gamma(2) / 2.0**-52
    1.0000000000000002
    """
    return n * ROUNDING / (1.0 - n * ROUNDING)


def strengths(base: float, one: float, other: Vector, both: Vector, dimension: int) -> NDArray[np.float32]:
    """Judge pairs of variables as DG2 does: 0 is separable, 1 interacting, between them is the grey zone.

    Parameters
    ----------
    base : float
        The value at the base point.
    one : float
        The value with the first variable moved.
    other, both : array of shape (n,)
        The values with the second variable moved, and with both.
    dimension : int
        Number of variables, on which the upper bound depends.

    Returns
    -------
    array of shape (n,)
        Where the difference lies between the lower and the upper bound of its rounding error, as a share; NaN where a
        value is not finite. The bounds use absolute values: with signed ones, as in [1]_, they shrink to nothing where
        values cancel.

    Examples
    --------
    >>> strengths(0.0, 1.0, np.array([1.0, 1.0, np.inf]), np.array([2.0, 3.0, 1.0]), dimension=100)
    array([ 0.,  1., nan], dtype=float32)
    """
    with np.errstate(all="ignore"):
        difference = np.abs((one - base) - (both - other))
        low = gamma(2.0) * np.maximum(abs(base) + np.abs(both), abs(one) + np.abs(other))
        largest = np.maximum(max(abs(base), abs(one)), np.maximum(np.abs(other), np.abs(both)))
        high = np.maximum(low, gamma(math.sqrt(dimension)) * largest)
        share = (difference - low) / (high - low)
    found = np.clip(share, GREY_BEGIN, GREY_END).astype(np.float32)
    found[difference >= high] = 1.0
    found[difference <= low] = 0.0  # last: below 16 variables the upper bound may be the smaller one
    found[~np.isfinite(difference + low)] = np.nan
    return found


def interacts(base: float, first: float, second: ArrayLike, both: ArrayLike, dimension: int) -> NDArray[np.float64]:
    """Judge sets of variables as RDG2 and RDG3 do: 1 if they interact, 0 if not, NaN if a value is not finite.

    Examples
    --------
    >>> interacts(0.0, 1.0, [1.0, 1.0, np.inf], [2.0, 3.0, 1.0], 100)
    array([ 0.,  1., nan])
    """
    second, both = np.asarray(second, dtype=np.float64), np.asarray(both, dtype=np.float64)
    with np.errstate(all="ignore"):
        difference = np.abs((base - first) - (second - both))
        size = abs(base) + abs(first) + np.abs(second) + np.abs(both)
    verdicts: NDArray[np.float64] = (difference > gamma(math.sqrt(dimension) + 2.0) * size).astype(np.float64)
    verdicts[~np.isfinite(difference + size)] = np.nan
    return verdicts
