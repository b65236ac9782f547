"""Plunge: a strategy goes down first, and how it falls tells whether slopes are worth their price.

In a wide box a function may have walls that are higher by orders of magnitude than all that lies between them. Slopes
measured there say where the wall is steepest, which hardly ever is the way to go. In a run that has time for twenty or
thirty gradients, steps along slopes come too late. A strategy that only ranks its points is at the foot of the walls
after less than one evaluation per variable. What it gains by then, and what it gains afterwards, tells that there are
walls; both are differences of values, so no constant that is added to the function matters, and no factor either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ter.core.action import Action
from ter.core.errors import InvalidArgument
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.schedulers.halving import Halving

__all__ = ["HURRIED_PER_VARIABLE", "Plunge"]

HURRIED_PER_VARIABLE = 60  # evaluations below which slopes come too late on a function with walls


@dataclass(frozen=True)
class Plunge(Script):
    """Let a strategy go down in two initiations, the second twice as long; if nearly all came first, few race.

    Parameters
    ----------
    race : Halving
        What comes then, from where the strategy has arrived. It says who races on a function with walls.
    diver : str
        The strategy.
    evaluations : int
        Of its first initiation.
    steep : float
        A function has walls if the first initiation gains more than so many times what the second one gains, > 0.

    Examples
    --------
    >>> import ter
    >>> race = ter.schedulers.Halving(race=50, slice=50, stretch=500, racers=("rm-es", "ls1"))
    >>> scheduler = ter.schedulers.Plunge(race, "rm-es", 100)
    >>> for function in (lambda x: float((x**2).sum()), lambda x: float((x**16).sum())):
    ...     result = ter.minimize(function, ter.box(-9, 9, dimension=20), budget=2_000, rng=1,
    ...                           heuristics=["gs", "ls1", "rm-es"], scheduler=scheduler)
    ...     print(result.sequence[:4])
    ('rm-es', 'rm-es', 'gs', 'ls1')
    ('rm-es', 'rm-es', 'ls1', 'rm-es')
    """

    race: Halving
    diver: str
    evaluations: int
    steep: float = 5.0

    def __post_init__(self) -> None:
        if not isinstance(self.race, Halving):
            raise InvalidArgument(f"race must be a Halving, got {self.race!r}; pass ter.schedulers.Halving()")
        require_whole("evaluations", self.evaluations, low=1)
        require_in("steep", self.steep, low=0.0, high=math.inf, open_low=True)

    @classmethod
    def fitted(cls, dimension: int, evaluations: int) -> Plunge:
        """Return the race of the default for hurried runs of so many evaluations.

        The sizes were tuned on LSO10 and other functions; see ``studies/beyond/schedulers.md``.

        Examples
        --------
        >>> Plunge.fitted(1000, 30_000).evaluations
        500
        """
        return cls(Halving.fitted(dimension, evaluations), "rm-es", max(1, dimension // 2))

    def check(self, names: Sequence[str]) -> None:
        """Refuse a portfolio without the strategy."""
        if self.diver not in names:
            raise InvalidArgument(
                f"diver must be among the heuristics, got {self.diver!r} among {', '.join(names)}; add it"
            )

    def story(self, names: Sequence[str]) -> Story:
        """Go down, and race."""
        diver, race = names.index(self.diver), self.race
        first = yield self.choice(diver, names, evaluations=self.evaluations)
        if first.nfev == self.evaluations:  # otherwise the function is not of its kind
            second = yield self.choice(diver, names, evaluations=2 * self.evaluations)
            race = replace(race, walls=self.has_walls(first, second))
        yield from race.story(names)

    def has_walls(self, first: Action, second: Action) -> bool:
        """Tell whether nearly all that was gained was gained at first."""
        return self.steep * (second.before - second.after) < first.before - first.after < math.inf
