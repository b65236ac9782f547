"""Fronts: where a descent creeps along, a few neighbouring variables do all the work.

In a chain of variables, each of which waits for the one before, a descent gets on by one variable after the other, and
all others are at rest. A gradient of all of them is then waste: a hundred steps of those at the front cost as much. So
if a descent gains about the same with each gradient, and most of the slope is in a window of neighbours, they go down
alone, as long as that gains more per evaluation than the descent of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["creeps", "front_of"]

STEADY = 0.7  # of what was gained with as many gradients before
OVER = 8.0  # times its share of the variables is what a front has of the squares of the slopes


def creeps(trail: Sequence[float], gradients: int) -> bool:
    """Tell whether a descent gains about the same with so many gradients as with as many before.

    Parameters
    ----------
    trail : sequence of float
        The best value at each gradient.
    gradients : int
        How many are compared.

    Examples
    --------
    >>> creeps([9.0, 8.0, 7.0, 6.1, 5.2], 2), creeps([9.0, 5.0, 3.0, 2.0, 1.5], 2), creeps([9.0, 8.0, 7.0], 2)
    (True, False, False)
    """
    if len(trail) < 2 * gradients + 1:
        return False
    first, middle, last = trail[-2 * gradients - 1], trail[-gradients - 1], trail[-1]
    return STEADY * (first - middle) <= middle - last


def front_of(gradient: Vector) -> Integers | None:
    """Return the variables at the front, neighbours around the steepest slopes; None if slopes are not gathered so.

    With n variables a front has the square root of n, so there is none with fewer than 56.

    Examples
    --------
    >>> slopes = np.full(100, 0.01)
    >>> slopes[40:43] = 1.0
    >>> front_of(slopes)
    array([36, 37, 38, 39, 40, 41, 42, 43, 44, 45])
    >>> front_of(np.ones(100))
    """
    n = gradient.size
    width = math.isqrt(n)
    squares = np.square(gradient / np.abs(gradient).max(initial=np.finfo(float).tiny))
    sums = np.concatenate([[0.0], np.cumsum(squares)])
    windows = sums[width:] - sums[:-width]
    at = int(np.argmax(windows))
    if not windows[at] >= OVER * width / n * sums[-1] > 0.0:
        return None
    window = squares[at : at + width]
    centre = at + float(np.einsum("i,i->", np.arange(width), window)) / float(window.sum())
    first = min(max(0, round(centre) - width // 2), n - width)
    return np.arange(first, first + width)
