"""All schedulers, by name."""

from __future__ import annotations

from collections.abc import Callable

from ter.core.errors import InvalidArgument, UnknownName
from ter.core.scheduler import Scheduler
from ter.schedulers.bandits import EXP3S, DiscountedThompson, SlidingWindowUCB
from ter.schedulers.duels import Duels
from ter.schedulers.elimination import Elimination
from ter.schedulers.fading_rates import FadingRates
from ter.schedulers.fixed import Only, RandomChoice, Replay, RoundRobin
from ter.schedulers.halving import Halving
from ter.schedulers.metered import Metered
from ter.schedulers.opening import Opening
from ter.schedulers.participation import Participation
from ter.schedulers.plunge import Plunge
from ter.schedulers.stretches import Stretches
from ter.schedulers.ter import TER

__all__ = ["SCHEDULERS", "scheduler_named"]

SCHEDULERS: dict[str, Callable[..., Scheduler]] = {
    "ter": TER,
    "random": RandomChoice,
    "round-robin": RoundRobin,
    "participation": Participation,
    "stretches": Stretches,
    "duels": Duels,
    "elimination": Elimination,
    "halving": Halving,
    "fading-rates": FadingRates,
    "sliding-window-ucb": SlidingWindowUCB,
    "exp3s": EXP3S,
    "discounted-thompson": DiscountedThompson,
    "metered": Metered,
    "opening": Opening,
    "plunge": Plunge,
    "only": Only,
    "replay": Replay,
}


def scheduler_named(scheduler: Scheduler | str) -> Scheduler:
    """Look a scheduler up by its name; a scheduler is returned as it is.

    Examples
    --------
    >>> scheduler_named("random")
    RandomChoice()
    """
    if isinstance(scheduler, str):
        if scheduler not in SCHEDULERS:
            raise UnknownName.among("scheduler", scheduler, SCHEDULERS)
        if scheduler in ("metered", "opening", "plunge", "only", "replay"):
            factory = SCHEDULERS[scheduler].__name__
            raise InvalidArgument(
                f"scheduler {scheduler!r} must be told what to start; pass ter.schedulers.{factory}(...)"
            )
        return SCHEDULERS[scheduler]()
    if isinstance(scheduler, Scheduler) and not isinstance(scheduler, type):
        return scheduler
    raise InvalidArgument(
        f"scheduler must be a name or have the methods choose and reward_of, got {scheduler!r}; "
        "pass for example ter.schedulers.TER()"
    )
