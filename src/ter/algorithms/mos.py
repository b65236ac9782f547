"""MOS, multiple offspring sampling, as it won the competition of 2013: a genetic algorithm and two local searches.

References
----------
.. [1] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013.

Two sets of parameters circulate: those that the authors' program has if nothing else is told, and those in the comments
of its configuration file, which were never read by it but were printed since.
"""

from __future__ import annotations

from typing import Literal

from ter.core.errors import UnknownName
from ter.core.heuristic import Heuristic
from ter.core.profile import Profile
from ter.heuristics.ga import GA
from ter.heuristics.ls1 import LS1
from ter.heuristics.solis_wets import SolisWets
from ter.schedulers.participation import Participation

__all__ = ["mos"]


def mos(parameters: Participation | None = None, *, settings: Literal["program", "comments"] = "program") -> Profile:
    """Return the profile, with the published parameters or others.

    The genetic algorithm has 400 members; both local searches work on the best point and keep what they know for the
    whole run.

    Parameters
    ----------
    parameters : Participation, optional
        How evaluations are shared out.
    settings : {"program", "comments"}
        Of the local searches: the defaults of the program, with which the published results can be reached, or the
        comments of its configuration file.

    Examples
    --------
    >>> [heuristic.name for heuristic in mos().heuristics]
    ['ga', 'solis-wets', 'ls1-reduced']
    """
    searches = {"program": _program, "comments": _comments}
    if settings not in searches:
        raise UnknownName.among("settings of mos", settings, searches)
    scheduler = Participation() if parameters is None else parameters
    return Profile((GA(), *searches[settings]()), scheduler, start_points=1)


def _program() -> tuple[Heuristic, ...]:
    return SolisWets(), _reduced(reset=0.4, moves=(1.0, 0.5), others=0.05)


def _comments() -> tuple[Heuristic, ...]:
    solis_wets = SolisWets(delta=2.4, failures=5, longer=4.0, shorter=0.75)
    return solis_wets, _reduced(reset=0.1, moves=(0.25, 0.5), others=0.025)


def _reduced(*, reset: float, moves: tuple[float, float], others: float) -> LS1:
    return LS1(
        order="reduced",
        scalar=True,
        step=(0.5, 0.5),
        reset=(reset, reset),
        smallest=1e-14,
        moves=moves,
        others=others,
        name="ls1-reduced",
    )
