"""The profiles that this package brings: the paper's, and the one for users."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ter.core.aliases import name_among
from ter.core.budget import Budget
from ter.core.errors import InvalidArgument, UnknownName
from ter.core.heuristic import Heuristic
from ter.core.profile import Profile
from ter.core.scheduler import Scheduler
from ter.heuristics.catalogue import HEURISTICS, portfolio
from ter.heuristics.cc import CC
from ter.heuristics.decomposed_es import DecomposedES
from ter.heuristics.line_search import GlobalLineSearch
from ter.heuristics.ls1 import LS1
from ter.heuristics.quasi_newton import QuasiNewton
from ter.heuristics.rm_es import RmES
from ter.heuristics.shade import SHADE
from ter.heuristics.volleys import Volleys
from ter.heuristics.wide_es import WideES
from ter.schedulers.catalogue import scheduler_named
from ter.schedulers.halving import PATIENT_PER_VARIABLE, VOLLEYS, Halving
from ter.schedulers.metered import Metered
from ter.schedulers.opening import Opening
from ter.schedulers.plunge import HURRIED_PER_VARIABLE, Plunge
from ter.schedulers.ter import TER

__all__ = ["chosen_profile", "default_profile", "paper", "with_opening", "with_parts"]

INITIATIONS = 40
GENERATION = 32  # points of an evolution strategy in short runs, so that as many workers have something to do
LONG, LONG_PER_VARIABLE = 2_000, 30  # evaluations from which a race of many heuristics pays
POLISHED_PER_VARIABLE = 60  # evaluations below which a good start is polished before anything else
WIDE = 50  # evaluations per variable in which a wide strategy with a generation of the usual size has converged
GRADIENTS = 3  # in runs with fewer of them, quasi-Newton steps have no place
FITTED = 100  # variables from which it pays to look whether they interact before a good start is polished
OPENING, OPENING_GRADIENTS = 4, 12  # the opening has a quarter of the evaluations, and at least so many gradients


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
    *,
    x0_given: bool = False,
) -> Profile:
    """Return the default profile, or one with the portfolio or the scheduler that somebody has chosen.

    A scheduler that was chosen has the portfolio of short runs, or LS1, CC and SHADE if it names others. A portfolio
    has TER with relative rewards. In both cases initiations fit the budget.

    Examples
    --------
    >>> [h.name for h in chosen_profile(1000, Budget(evaluations=100_000), scheduler="random").heuristics]
    ['volleys', 'rm-es', 'quasi-newton']
    >>> chosen_profile(1000, Budget(evaluations=4_000), heuristics=["ls1"]).heuristics[0].cost(1000)
    100
    """
    if heuristics is None and scheduler is None:
        profile = default_profile(dimension, budget)
        return with_opening(profile, dimension, budget) if x0_given else profile
    fitted = _fitted(dimension, budget.evaluations)
    if heuristics is None:
        short = with_parts(_short(dimension, budget.evaluations), scheduler=scheduler)
        return short if _accepts(short.scheduler, short.heuristics) else with_parts(fitted, scheduler=scheduler)
    known = (*fitted.heuristics, *_short(dimension, budget.evaluations).heuristics)
    return with_parts(replace(fitted, heuristics=known), heuristics, scheduler)


def _accepts(scheduler: Scheduler, heuristics: Sequence[Heuristic]) -> bool:
    """Tell whether a scheduler knows what to do with a portfolio."""
    check = getattr(scheduler, "check", None)
    try:
        if check is not None:
            check([heuristic.name for heuristic in heuristics])
    except (InvalidArgument, UnknownName):
        return False
    return True


def default_profile(dimension: int, budget: Budget) -> Profile:
    """Return the settings for users, fitted to budgets of any size.

    With at least `LONG` evaluations, and `LONG_PER_VARIABLE` for each variable, six heuristics race, and most of the
    budget is left for the winner. Shorter runs have too little to find out who fits: they are TER over heuristics that
    get to work at once. Where seconds or cost are all there is, or what heuristics are judged by, the first evaluations
    tell which of the two it is. A limit of evaluations with a clock beside it is a run of so many evaluations that the
    clock may cut.

    Examples
    --------
    >>> default_profile(1000, Budget(evaluations=100)).start_points
    1
    >>> [heuristic.name for heuristic in default_profile(1000, Budget(evaluations=100_000)).heuristics]
    ['volleys', 'lines', 'groups', 'rm-es', 'quasi-newton', 'wide-es']
    >>> default_profile(1000, Budget.read("10min")).scheduler.least
    30000
    """
    evaluations, least = budget.evaluations, max(LONG, LONG_PER_VARIABLE * dimension)
    if evaluations is not None and evaluations < least:
        return _short(dimension, evaluations)
    measured = budget.seconds is not None or budget.unit == "cost"  # otherwise actions do not say what they have cost
    if measured and (evaluations is None or budget.unit != "evaluations"):
        return _metered(dimension, budget, least)
    return _short(dimension, None) if evaluations is None else _long(dimension, evaluations)


def with_opening(profile: Profile, dimension: int, budget: Budget) -> Profile:
    """Return the profile for a run from a point that a user gives: if it is a good one, it is polished first.

    A look around it tells whether it is. Then quasi-Newton steps have the first word, for as long as they have work to
    do. Otherwise they are idle, and the run is that of the profile. In long runs all that is left to the race.

    Examples
    --------
    >>> profile = with_opening(paper(), 1000, Budget(evaluations=10_000))
    >>> [heuristic.name for heuristic in profile.heuristics], profile.scheduler.evaluations
    (['polish', 'ls1', 'cc', 'gs'], 12012)
    """
    long = max(LONG, POLISHED_PER_VARIABLE * dimension)
    if budget.unit == "evaluations" and budget.evaluations is not None and budget.evaluations >= long:
        return profile
    gradients = OPENING_GRADIENTS * (dimension + 1)
    evaluations = gradients if budget.evaluations is None else max(gradients, budget.evaluations // OPENING)
    polish = QuasiNewton(evaluations=2.0, fitted=dimension >= FITTED, only_near=True, name="polish")
    return replace(
        profile,
        heuristics=(polish, *profile.heuristics),
        scheduler=Opening(profile.scheduler, evaluations),
    )


def _long(dimension: int, evaluations: int) -> Profile:
    """Return a race of heuristics that fit different kinds of functions, then the winner's run."""
    race = Plunge if evaluations < HURRIED_PER_VARIABLE * dimension else Halving
    return Profile(
        heuristics=_racers(dimension, evaluations),
        scheduler=race.fitted(dimension, evaluations),
        start_points=50,
        looks_around=True,
    )


def _metered(dimension: int, budget: Budget, least: int) -> Profile:
    """Return a race whose lengths are known when the first evaluations have shown what the budget is enough for.

    The heuristics are those of a run that has some patience.
    """
    patient = PATIENT_PER_VARIABLE * dimension
    racers = _racers(dimension, patient if budget.evaluations is None else min(patient, budget.evaluations))
    quick = QuasiNewton(fitted=False, name="quick-newton")  # a gradient less to begin with, for short runs
    scheduler = Metered(
        budget,
        dimension,
        opening=VOLLEYS * dimension,
        least=least,
        racing=tuple(heuristic.name for heuristic in racers),
        ready=(("volleys", 1), ("rm-es", 1), (quick.name, 2 * (dimension + 1))),  # these get to work at once
        turn=1 / INITIATIONS,
    )
    return Profile(heuristics=(*racers, quick), scheduler=scheduler, start_points=10, looks_around=True)


def _racers(dimension: int, evaluations: int) -> tuple[Heuristic, ...]:
    """Return the heuristics of a race; see ``studies/beyond/schedulers.md`` for what else was tried."""
    patient = evaluations >= PATIENT_PER_VARIABLE * dimension
    doublings = (evaluations // (WIDE * dimension)).bit_length() - 1
    return (
        Volleys(looks_later=True, invests_while_falling=not patient),
        GlobalLineSearch(looks_first=True),
        DecomposedES(looks_first=True, few_only=not patient),
        RmES(looks_first=True),
        QuasiNewton(looks_first=True),
        WideES(population=WideES().size(dimension, doublings), looks_first=True, interacting_only=not patient),
    )


def _short(dimension: int, evaluations: int | None) -> Profile:
    """Return TER, as the paper has it, over heuristics that need no time to get ready and keep many workers busy.

    See ``studies/beyond/schedulers.md`` for what else was tried.
    """
    start, per_variable = _sizes(dimension, evaluations)
    generation = max(4 + int(3 * math.log(dimension)), min(GENERATION, dimension // 3))
    heuristics: tuple[Heuristic, ...] = (
        Volleys(evaluations=min(25.0, per_variable)),
        RmES(population=generation, evaluations=min(75.0, per_variable)),
    )
    if evaluations is None or evaluations >= GRADIENTS * dimension:
        heuristics += (QuasiNewton(fitted=False, evaluations=min(25.0, per_variable)),)  # a gradient less to begin with
    return Profile(
        heuristics=heuristics,
        scheduler=TER(temperature=1 / 5, window=5, reward="improvement"),
        start_points=start,
        share=1 / INITIATIONS,
        looks_around=True,
    )


def _fitted(dimension: int, evaluations: int | None) -> Profile:
    """Return TER over the paper's heuristics, with initiations that fit the budget."""
    start, per_variable = _sizes(dimension, evaluations)
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


def _sizes(dimension: int, evaluations: int | None) -> tuple[int, float]:
    """Return the points to start from, and the evaluations of an initiation per variable.

    A run has at least `INITIATIONS` initiations, so that there is something to learn from: with few evaluations per
    variable each initiation is shorter than the paper's.
    """
    if evaluations is None:
        return 10, 75.0
    return max(1, min(50, evaluations // 100)), evaluations / INITIATIONS / dimension
