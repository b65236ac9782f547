"""Fresh copies of points without fresh memory."""

from __future__ import annotations

import sys

import numpy as np

from ter.core.box import Vector

__all__ = ["Copies"]

FLOAT64 = np.dtype(np.float64)


class Copies:
    """Hands out copies of points, and uses the memory again if nobody kept the last copy.

    To the objective each point is an array of its own: one that it keeps, or a view of it, never changes. But most
    objectives keep nothing, and asking the system for 800 kB per call costs ten times the copy itself: 0.7 ms instead
    of 0.05 at D = 100 000.

    Examples
    --------
    >>> copies, x = Copies(), np.zeros(3)
    >>> kept = copies.copy_of(x)
    >>> kept is copies.copy_of(x)
    False
    """

    def __init__(self) -> None:
        self._last = np.empty(0)

    def copy_of(self, x: Vector) -> Vector:
        """Return a copy of `x`."""
        unkept = sys.getrefcount(self._last) == 2  # this attribute, and the call's argument
        last = self._last
        # An objective may have changed how the memory is read: its shape, its type, whether it may be written.
        if unkept and last.shape == x.shape and last.flags.carray and last.dtype is FLOAT64:
            np.copyto(last, x)
        else:
            self._last = last = x.copy()
        return last
