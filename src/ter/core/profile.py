"""A profile: which heuristics, with which settings, under which scheduler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ter.core.errors import InvalidArgument
from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler

__all__ = ["Profile"]

MOST_POINTS = 10**9


@dataclass(frozen=True)
class Profile:
    """A complete setting of the method.

    Parameters
    ----------
    heuristics : tuple of Heuristic
        The portfolio.
    scheduler : Scheduler
        Who chooses.
    start_points : int
        Uniform points of which the best is the start; they count.
    share : float
        No initiation gets more than this share of the seconds and of the cost in the budget.
    looks_around : bool
        Find out on which scale to search if the user gives points to start from and no `step`.
    """

    heuristics: tuple[Heuristic, ...]
    scheduler: Scheduler
    start_points: int = 50
    share: float = 1.0
    looks_around: bool = False

    def __post_init__(self) -> None:
        whole = isinstance(self.start_points, (int, np.integer)) and not isinstance(self.start_points, bool)
        if not (whole and 1 <= self.start_points <= MOST_POINTS):
            rule = f"a whole number of points, from 1 to {MOST_POINTS}"
            raise InvalidArgument(f"start_points must be {rule}, got {self.start_points!r}")
        if not (isinstance(self.share, (int, float)) and 0 < self.share <= 1):
            raise InvalidArgument(f"share must lie in (0, 1], got {self.share!r}; it is a share of the budget")
