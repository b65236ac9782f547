"""DECC-DG2: cooperative coevolution on the groups that DG2 finds, alone."""

from __future__ import annotations

from ter.core.profile import Profile
from ter.heuristics.decc_dg2 import DECCDG2
from ter.schedulers.fixed import Only

__all__ = ["decc_dg2"]


def decc_dg2(parameters: DECCDG2 | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    Examples
    --------
    >>> decc_dg2().heuristics[0].name
    'decc-dg2'
    """
    heuristic = DECCDG2() if parameters is None else parameters
    return Profile((heuristic,), Only(heuristic.name), start_points=1)
