"""An opening: one heuristic goes ahead as long as it has something to do, then another scheduler has all the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ter.core.action import Action
from ter.core.errors import InvalidArgument
from ter.core.scheduler import Choice, Scheduler
from ter.heuristics.checks import require_whole

__all__ = ["Opening"]


@dataclass(frozen=True)
class Opening:
    """Start the first heuristic until it evaluates nothing or has had its evaluations, and never again.

    Parameters
    ----------
    then : Scheduler
        Who chooses among the other heuristics afterwards. It knows nothing of the opening.
    evaluations : int
        When the first heuristic has used so many, the opening is over.

    Examples
    --------
    >>> import ter
    >>> scheduler = Opening(ter.schedulers.RoundRobin(), 20)
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=300, rng=1,
    ...                       heuristics=["quasi-newton", "ls1", "gs"], scheduler=scheduler)
    >>> result.sequence[:4]
    ('quasi-newton', 'quasi-newton', 'ls1', 'gs')
    """

    then: Scheduler
    evaluations: int

    def __post_init__(self) -> None:
        if not isinstance(self.then, Scheduler) or isinstance(self.then, type):
            raise InvalidArgument(f"then must be a scheduler, got {self.then!r}; pass for example ter.schedulers.TER()")
        require_whole("evaluations", self.evaluations, low=1)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a portfolio with nothing after the opening."""
        if len(names) < 2:
            raise InvalidArgument(
                f"an opening needs a heuristic for it and at least one for afterwards, got {', '.join(names)}; "
                "add heuristics"
            )
        check = getattr(self.then, "check", None)
        if check is not None:
            check(names[1:])

    def reward_of(self, action: Action) -> float:
        """Return what the action is worth to the other scheduler."""
        return self.then.reward_of(action)

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice | None:
        """Choose the first one, or leave the choice to the other scheduler."""
        opening = [action for action in history if action.heuristic == names[0]]
        at_work = all(action.nfev > 0 for action in opening)
        if at_work and sum(action.nfev for action in opening) < self.evaluations:
            return Choice(0, (1.0, *(0.0 for _ in names[1:])))
        began = opening[-1].seconds if opening else 0.0
        later = [replace(action, seconds=action.seconds - began) for action in history[len(opening) :]]
        choice = self.then.choose(later, names[1:], rng)
        if choice is None:
            return None
        return replace(choice, index=choice.index + 1, probabilities=(0.0, *choice.probabilities))
