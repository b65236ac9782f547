"""Algorithms of one heuristic."""

from __future__ import annotations

from ter.core.heuristic import Heuristic
from ter.core.profile import Profile
from ter.schedulers.fixed import Only

__all__ = ["alone"]


def alone(heuristic: Heuristic, start_points: int = 1) -> Profile:
    """Return the profile of a heuristic that runs alone.

    Parameters
    ----------
    heuristic : Heuristic
        With the published parameters or others.
    start_points : int
        It begins at the best of so many uniform points. Where a first population holds the point that a run begins
        with, one point makes all of its members uniform, as published.

    Examples
    --------
    >>> from ter.heuristics import CSO
    >>> alone(CSO(phi=0.15)).heuristics[0].name
    'cso'
    """
    return Profile((heuristic,), Only(heuristic.name), start_points=start_points)
