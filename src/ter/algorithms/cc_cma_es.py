"""CC-CMA-ES: cooperative coevolution with evolution strategies, alone."""

from __future__ import annotations

from ter.core.profile import Profile
from ter.heuristics.cc_cma_es import CCCMAES
from ter.schedulers.fixed import Only

__all__ = ["cc_cma_es"]


def cc_cma_es(parameters: CCCMAES | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    The mean begins at the best of 200 uniform points.

    Examples
    --------
    >>> cc_cma_es().heuristics[0].name
    'cc-cma-es'
    """
    heuristic = CCCMAES() if parameters is None else parameters
    return Profile((heuristic,), Only(heuristic.name), start_points=200)
