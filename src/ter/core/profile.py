"""A profile: which heuristics, with which settings, under which scheduler."""

from __future__ import annotations

from dataclasses import dataclass

from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler

__all__ = ["Profile"]


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
