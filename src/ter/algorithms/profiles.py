"""The profiles that this package brings: the paper's, and the one for users."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ter.core.aliases import name_among
from ter.core.budget import Budget
from ter.core.heuristic import Heuristic
from ter.core.profile import Profile
from ter.core.scheduler import Scheduler
from ter.heuristics.catalogue import HEURISTICS, portfolio
from ter.heuristics.cc import CC
from ter.heuristics.decomposed_es import DecomposedES
from ter.heuristics.lbfgsb import LBFGSB
from ter.heuristics.line_search import GlobalLineSearch
from ter.heuristics.ls1 import LS1
from ter.heuristics.rm_es import RmES
from ter.heuristics.shade import SHADE
from ter.schedulers.catalogue import scheduler_named
from ter.schedulers.halving import Halving
from ter.schedulers.ter import TER

__all__ = ["chosen_profile", "default_profile", "paper", "with_parts"]

INITIATIONS = 40
LONG, LONG_PER_VARIABLE = 20_000, 60  # evaluations from which a race of many heuristics pays


def with_parts(
    profile: Profile, heuristics: Sequence[str | Heuristic] | None = None, scheduler: Scheduler | str | None = None
) -> Profile:
    """Return a profile with another portfolio or scheduler.

    A name stands for the profile's own member, for a heuristic, or for a whole algorithm as a heuristic.

    Examples
    --------
    >>> [heuristic.name for heuristic in with_parts(paper(), ["cc", "ls1"]).heuristics]
    ['cc', 'ls1']
    >>> [heuristic.name for heuristic in with_parts(paper(), ["ls1", "shade-ils"]).heuristics]
    ['ls1', 'shade-ils']
    """
    if heuristics is not None:
        own = {member.name: member for member in profile.heuristics}
        if isinstance(heuristics, Sequence) and not isinstance(heuristics, str):
            heuristics = [_read(named, own) if isinstance(named, str) else named for named in heuristics]
        profile = replace(profile, heuristics=portfolio(heuristics))
    if scheduler is not None:
        profile = replace(profile, scheduler=scheduler_named(scheduler))
    return profile


def _read(name: str, own: Mapping[str, Heuristic]) -> Heuristic | str:
    """Look a name up; what nobody knows is left to those who list the heuristics."""
    from ter.algorithms.catalogue import ALGORITHMS  # which is made of profiles

    if (known := name_among(name, own)) in own:
        return own[known]
    if name_among(name, HEURISTICS) not in HEURISTICS and name in ALGORITHMS:
        return ALGORITHMS[name].as_heuristic()
    return name


def paper() -> Profile:
    """Return the paper's settings, where its text is silent as in the authors' older platform.

    Window 5, temperature 1/5, raw improvement per evaluation; LS1 with one step, 25 D evaluations; CC with groups of
    50, L-SHADE 26 to 4 inside, 75 D evaluations; SHADE with 50 members, 25 D evaluations; first populations Gaussian
    with variance ``0.5 * upper - lower`` around the incumbent; best of 50 uniform points to start from.

    Examples
    --------
    >>> [heuristic.name for heuristic in paper().heuristics]
    ['ls1', 'cc', 'gs']
    """
    return Profile(
        heuristics=(
            LS1(step=(0.3, 0.4), smallest=1e-15, scalar=True, evaluations=25),
            CC(group=50, inner="shade", population=(26, 4), spread="paper", depth=75, evaluations=75),
            SHADE(population=50, spread="paper", evaluations=25),
        ),
        scheduler=TER(temperature=1 / 5, window=5, reward="improvement"),
        start_points=50,
    )


def chosen_profile(
    dimension: int,
    budget: Budget,
    heuristics: Sequence[str | Heuristic] | None = None,
    scheduler: Scheduler | str | None = None,
) -> Profile:
    """Return the default profile, or that of short runs with the portfolio or the scheduler that somebody has chosen.

    Examples
    --------
    >>> [h.name for h in chosen_profile(1000, Budget(evaluations=100_000), scheduler="random").heuristics]
    ['ls1', 'cc', 'gs']
    """
    if heuristics is None and scheduler is None:
        return default_profile(dimension, budget)
    return with_parts(_short(dimension, budget.evaluations), heuristics, scheduler)


def default_profile(dimension: int, budget: Budget) -> Profile:
    """Return the settings for users: scale-invariant, and fitted to budgets of any size.

    With at least `LONG` evaluations, and `LONG_PER_VARIABLE` for each variable, five heuristics race, and most of the
    budget is left for the winner. Shorter runs have too little to find out who fits, and where seconds or cost may end
    a run nobody knows how long it is: they are TER over LS1, CC and SHADE.

    Examples
    --------
    >>> default_profile(1000, Budget(evaluations=100)).start_points
    1
    >>> [heuristic.name for heuristic in default_profile(1000, Budget(evaluations=100_000)).heuristics]
    ['ls1', 'lines', 'groups', 'rm-es', 'lbfgsb']
    """
    evaluations = budget.evaluations
    other_limits = budget.seconds is not None or budget.cost is not None
    if evaluations is not None and not other_limits and evaluations >= max(LONG, LONG_PER_VARIABLE * dimension):
        return _long(dimension, evaluations)
    return _short(dimension, evaluations)


def _long(dimension: int, evaluations: int) -> Profile:
    """Return a race of heuristics that fit different kinds of functions, then the winner's run.

    The sizes were tuned on LSO10; see ``studies/beyond/schedulers.md``.
    """
    generation = 4 + int(3 * math.log(dimension))  # of an evolution strategy
    return Profile(
        heuristics=(LS1(), GlobalLineSearch(), DecomposedES(), RmES(), LBFGSB()),
        scheduler=Halving(
            race=max(evaluations // 200, 2 * generation),
            patience=evaluations // 6,
            slice=max(evaluations // 100, 2 * generation),
            stretch=max(evaluations // 20, 10 * generation),
        ),
        start_points=50,
        looks_around=True,
    )


def _short(dimension: int, evaluations: int | None) -> Profile:
    """Return TER over three heuristics that need no time to get ready.

    A run has at least `INITIATIONS` initiations, so that there is something to learn from: with few evaluations per
    variable each initiation is shorter than the paper's.
    """
    if evaluations is None:
        start, per_variable = 10, 75.0
    else:
        start = max(1, min(50, evaluations // 100))
        per_variable = evaluations / INITIATIONS / dimension
    return Profile(
        heuristics=(
            LS1(evaluations=min(25.0, per_variable)),
            CC(evaluations=min(75.0, per_variable)),
            SHADE(evaluations=min(25.0, per_variable)),
        ),
        scheduler=TER(temperature=1 / 5, window=10, reward="relative"),
        start_points=start,
        share=1 / INITIATIONS,
        looks_around=True,
    )
