"""A batch: points that were handed out to be evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["Batch"]


def _no_ids() -> Integers:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Batch:
    """Points to evaluate.

    A batch without points is false. Then either the run is over, or values must be told before there is more to do:
    `over` and `waiting` tell which, and `reason` says it in words.

    Attributes
    ----------
    ids : array of shape (n,)
        One number per point, unique in the run.
    X : array of shape (n, D)
        The points, a copy.
    over : bool
        Whether the run is over.
    waiting_for : array of int
        If there are no points: the ids whose values are needed before there are any. They are under way.
    reason : str
        Why there are no points; empty if there are.

    Examples
    --------
    >>> batch = Batch(np.array([7]), np.array([[0.5, 0.5]]))
    >>> len(batch), bool(batch), batch.waiting
    (1, True, False)
    """

    ids: Integers
    X: NDArray[np.float64]
    over: bool = False
    waiting_for: Integers = field(default_factory=_no_ids)
    reason: str = ""

    @property
    def waiting(self) -> bool:
        """Whether nothing can be handed out before more values are told."""
        return not self.over and len(self.ids) == 0

    def __len__(self) -> int:
        return len(self.ids)

    def __bool__(self) -> bool:
        return len(self.ids) > 0

    def __iter__(self) -> Iterator[tuple[int, Vector]]:
        return ((int(i), x) for i, x in zip(self.ids, self.X, strict=True))
