"""CSO: the competitive swarm optimiser, alone."""

from __future__ import annotations

from ter.core.profile import Profile
from ter.heuristics.cso import CSO
from ter.schedulers.fixed import Only

__all__ = ["cso"]


def cso(parameters: CSO | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    The first particle is the point that a run begins with, so that all are uniform as published.

    Examples
    --------
    >>> cso().heuristics[0].name
    'cso'
    """
    heuristic = CSO() if parameters is None else parameters
    return Profile((heuristic,), Only(heuristic.name), start_points=1)
