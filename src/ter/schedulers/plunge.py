"""Plunge: a strategy goes down first, and how it falls tells whether slopes are worth their price.

In a wide box a function may have walls that are higher by orders of magnitude than all that lies between them. Slopes
measured there say where the wall is steepest, which hardly ever is the way to go. In a run that has time for twenty or
thirty gradients, steps along slopes come too late. A strategy that only ranks its points is at the foot of the walls
after less than one evaluation per variable. What it gains by then, and what it gains afterwards, tells that there are
walls: nearly all is gained at first. But that is so, too, if the strategy is stuck. Then sweeps over the variables,
which come next, gain more than it did at last, or they are stuck as well. All these are differences of values, so no
constant that is added to the function matters, and no factor either.
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
ON_WALLS = ("volleys", "rm-es", "wide-es")  # they rank points, or move one variable at a time


@dataclass(frozen=True)
class Plunge(Script):
    """Let a strategy go down, then the first heuristic open; if what they gain says that there are walls, few race.

    Parameters
    ----------
    race : Halving
        What comes then, from where they have arrived.
    diver : str
        The strategy.
    evaluations : int
        Of its first initiation; a second one has twice as many.
    opening : int
        Evaluations of the first heuristic after that.
    racers : tuple of str
        Who races on a function with walls.
    steep : float
        A function has walls if the first initiation gains more than so many times what the second one gains, > 0, and
        the opening gains something, but less than the second one.

    Examples
    --------
    >>> import ter
    >>> race = ter.schedulers.Halving(race=50, slice=50, stretch=500)
    >>> scheduler = ter.schedulers.Plunge(race, "rm-es", 100, opening=20, racers=("rm-es", "ls1"))
    >>> for function in (lambda x: float((x**2).sum()), lambda x: float((x**16).sum())):
    ...     result = ter.minimize(function, ter.box(-9, 9, dimension=20), budget=2_000, rng=1,
    ...                           heuristics=["ls1", "gs", "rm-es"], scheduler=scheduler)
    ...     print(result.sequence[:5])
    ('rm-es', 'rm-es', 'ls1', 'ls1', 'gs')
    ('rm-es', 'rm-es', 'ls1', 'ls1', 'rm-es')
    """

    race: Halving
    diver: str
    evaluations: int
    opening: int
    racers: tuple[str, ...]
    steep: float = 5.0

    def __post_init__(self) -> None:
        if not isinstance(self.race, Halving):
            raise InvalidArgument(f"race must be a Halving, got {self.race!r}; pass ter.schedulers.Halving()")
        for name in ("evaluations", "opening"):
            require_whole(name, getattr(self, name), low=1)
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
        race, first = Halving.fitted(dimension, evaluations), max(1, dimension // 2)
        return cls(replace(race, opening=0), "rm-es", first, race.opening, ON_WALLS)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a portfolio without the strategy, or those who race on a function with walls."""
        if self.diver not in names:
            raise InvalidArgument(
                f"diver must be among the heuristics, got {self.diver!r} among {', '.join(names)}; add it"
            )
        replace(self.race, racers=self.racers).check(names)

    def story(self, names: Sequence[str]) -> Story:
        """Go down, open, and race."""
        diver = names.index(self.diver)
        first = yield self.choice(diver, names, evaluations=self.evaluations)
        its_kind = first.nfev == self.evaluations  # of function; otherwise it has stopped after a look
        second = (yield self.choice(diver, names, evaluations=2 * self.evaluations)) if its_kind else None
        opening = yield self.choice(0, names, evaluations=self.opening)
        walls = second is not None and self.has_walls(first, second, opening)
        race = replace(self.race, racers=self.racers) if walls else self.race
        yield from race.story(names)

    def has_walls(self, first: Action, second: Action, opening: Action) -> bool:
        """Tell whether nearly all was gained at first, though nobody was stuck."""
        gains = [action.before - action.after for action in (first, second, opening)]
        return self.steep * gains[1] < gains[0] < math.inf and 0.0 < gains[2] < gains[1]
