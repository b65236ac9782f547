"""A number for each pair of variables, in half a matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Pairs"]


@dataclass(frozen=True, eq=False)
class Pairs:
    """A number for each pair of variables i < j, row by row.

    Examples
    --------
    >>> pairs = Pairs.of(3)
    >>> pairs.row(0)[:] = [5, 6]
    >>> pairs.row(1)[:] = 7
    >>> pairs.column(2).tolist()
    [6.0, 7.0]
    """

    dimension: int
    numbers: NDArray[np.float32]

    @classmethod
    def of(cls, dimension: int) -> Pairs:
        """Make them, all zero."""
        return cls(dimension, np.zeros(dimension * (dimension - 1) // 2, dtype=np.float32))

    def row(self, i: int) -> NDArray[np.float32]:
        """Return a view of the pairs (i, j) for j > i."""
        first = i * (2 * self.dimension - i - 1) // 2
        return self.numbers[first : first + self.dimension - 1 - i]

    def column(self, j: int) -> NDArray[np.float32]:
        """Return the pairs (i, j) for i < j."""
        i = np.arange(j)
        column: NDArray[np.float32] = self.numbers[i * (2 * self.dimension - i - 1) // 2 + j - i - 1]
        return column
