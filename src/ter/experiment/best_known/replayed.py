"""The portfolios of algorithms with a fixed sequence of decisions instead of their scheduler.

Workers make algorithms from names. The algorithm ``ter.experiment.best_known.replayed:ter`` is ``ter`` with the
scheduler :class:`ter.schedulers.Replay`, and so for every name of the catalogue; the sequence is a parameter of it, so
that such a run is a run like any other, in plans too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.experiment.names import algorithm_named
from ter.experiment.parameters import tuned
from ter.schedulers.fixed import Replay
from ter.user_code import is_user_code

if TYPE_CHECKING:
    from ter.algorithms import Algorithm
    from ter.core.profile import Profile

__all__ = ["replayed_name", "replayed_profile"]

TAKEN = ("scheduler", "sequence", "cycle")


def __getattr__(name: str) -> Algorithm:
    from ter.algorithms import ALGORITHMS, Algorithm

    if name not in ALGORITHMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    base = ALGORITHMS[name]
    return Algorithm(name, f"{base.about}, in a fixed sequence", lambda d, b: _fixed(base.make(d, b)))


def replayed_name(algorithm: str) -> str:
    """Return the name under which plans and workers find an algorithm with a fixed sequence.

    Parameters
    ----------
    algorithm : str
        As :func:`ter.algorithm` reads it; or ``module:attribute`` of your own, which has the scheduler
        :class:`ter.schedulers.Replay` already.

    Examples
    --------
    >>> replayed_name("ter"), replayed_name("mine:portfolio")
    ('ter.experiment.best_known.replayed:ter', 'mine:portfolio')
    """
    from ter.algorithms import algorithm as catalogued

    return algorithm if is_user_code(algorithm) else f"{__name__}:{catalogued(algorithm).name}"


def replayed_profile(
    algorithm: str, parameters: Mapping[str, Any], dimension: int, budget: Budget, folder: str = "."
) -> Profile:
    """Make the profile of an algorithm with a fixed sequence.

    Parameters
    ----------
    algorithm : str
        As :func:`replayed_name` reads it.
    parameters : mapping
        What differs from the algorithm's own settings; ``sequence`` among them.
    dimension, budget : int, Budget
        Of the run.
    folder : str
        Where modules of yours are looked for.

    Examples
    --------
    >>> made = replayed_profile("ter", {"sequence": ["cc", "gs"]}, 1000, Budget(evaluations=100_000))
    >>> made.scheduler
    Replay(sequence=('cc', 'gs'), cycle=True)
    """
    made = algorithm_named(replayed_name(algorithm), folder).make(dimension, budget)
    if not isinstance(made.scheduler, Replay):
        raise InvalidArgument(
            f"an algorithm of yours must have the scheduler ter.schedulers.Replay(..., cycle=True), whose sequence is "
            f"searched for, got {made.scheduler!r} in {algorithm!r}"
        )
    return tuned(made, parameters, algorithm)


def _fixed(profile: Profile) -> Profile:
    names = [heuristic.name for heuristic in profile.heuristics]
    return replace(profile, scheduler=Replay(names, cycle=True))
