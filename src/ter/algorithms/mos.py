"""MOS, multiple offspring sampling, as it won the competition of 2013: a genetic algorithm and two local searches.

References
----------
.. [1] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013.
"""

from __future__ import annotations

from ter.core.profile import Profile
from ter.heuristics.ga import GA
from ter.heuristics.ls1 import LS1
from ter.heuristics.solis_wets import SolisWets
from ter.schedulers.participation import Participation

__all__ = ["mos"]


def mos(parameters: Participation | None = None) -> Profile:
    """Return the profile, with the published parameters or others.

    The genetic algorithm has 400 members; both local searches work on the best point and keep what they know for the
    whole run.

    Examples
    --------
    >>> [heuristic.name for heuristic in mos().heuristics]
    ['ga', 'solis-wets', 'ls1-reduced']
    """
    return Profile(
        heuristics=(
            GA(),
            SolisWets(),
            LS1(
                order="reduced",
                scalar=True,
                step=(0.5, 0.5),
                reset=(0.4, 0.4),
                smallest=1e-14,
                name="ls1-reduced",
            ),
        ),
        scheduler=Participation() if parameters is None else parameters,
        start_points=1,
    )
