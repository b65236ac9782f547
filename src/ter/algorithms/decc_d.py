"""DECC-D: cooperative coevolution with delta grouping, alone."""

from __future__ import annotations

from ter.core.profile import Profile
from ter.heuristics.decc_d import DECCD
from ter.schedulers.fixed import Only

__all__ = ["decc_d"]


def decc_d(parameters: DECCD | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    The first member is the point that a run begins with, so that all are uniform as published.

    Examples
    --------
    >>> decc_d().heuristics[0].name
    'decc-d'
    """
    heuristic = DECCD() if parameters is None else parameters
    return Profile((heuristic,), Only(heuristic.name), start_points=1)
