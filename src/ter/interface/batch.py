"""A batch: points that were handed out to be evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["Batch"]


@dataclass(frozen=True, eq=False)
class Batch:
    """Points to evaluate.

    A batch is false only when the run is over, so ``while batch := opt.ask():`` ends at the right time. A batch
    without rows that is true means: everything was handed out, tell some values first.

    Attributes
    ----------
    ids : array of shape (n,)
        One number per point, unique in the run.
    X : array of shape (n, D)
        The points, a copy.
    over : bool
        Whether the run is over.

    Examples
    --------
    >>> batch = Batch(np.array([7]), np.array([[0.5, 0.5]]))
    >>> len(batch), bool(batch), batch.waiting
    (1, True, False)
    """

    ids: Integers
    X: NDArray[np.float64]
    over: bool = False

    @property
    def waiting(self) -> bool:
        """Whether nothing can be handed out before more values are told."""
        return not self.over and len(self.ids) == 0

    def __len__(self) -> int:
        return len(self.ids)

    def __bool__(self) -> bool:
        return not self.over

    def __iter__(self) -> Iterator[tuple[int, Vector]]:
        return ((int(i), x) for i, x in zip(self.ids, self.X, strict=True))
