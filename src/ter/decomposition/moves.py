"""What the procedures share: a base point, and moves of it in batches that may be cut."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import Integers

__all__ = ["evaluated", "middle_of", "rows_per_batch"]

BATCH_BYTES = 32 * 2**20


def middle_of(box: Box) -> Vector:
    """Return the middle of each range; no overflow, wherever the bounds are.

    Examples
    --------
    >>> middle_of(Box([-4.0], [6.0]))
    array([1.])
    """
    middle: Vector = 0.5 * box.lower + 0.5 * box.upper
    return middle


def rows_per_batch(width: int) -> int:
    """Return how many rows of this width are evaluated together; three at least, which are a test.

    Examples
    --------
    >>> rows_per_batch(2**20)
    4
    """
    return max(3, BATCH_BYTES // (8 * width))


def evaluated(allowance: Allowance, coordinates: Integers, V: NDArray[np.float64]) -> Vector:
    """Evaluate moves and return the values that are known: fewer than asked for if the allowance, or the run, ends."""
    before = allowance.count
    values = allowance.evaluate_moves(coordinates, V[: allowance.remaining])
    return values[: allowance.count - before]
