"""Elimination: a race in rounds from which the worst leaves, then fixed shares by rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ter.core.script import Script, Story
from ter.heuristics.checks import require_whole
from ter.schedulers.race import raced, shares_by_rank

__all__ = ["Elimination"]


@dataclass(frozen=True)
class Elimination(Script):
    """Race in rounds that double, the worst heuristic leaving after each; then share the effort by rank for good.

    Nothing is learned afterwards: shares are 1 to 1/2 to 1/4 and so on in the order of the last places.

    Parameters
    ----------
    race : int
        Evaluations of each heuristic in the first round.
    slice : int
        Evaluations of one initiation after the race.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=3_000, rng=1,
    ...                       heuristics=["gs", "ls1", "cc"], scheduler=Elimination(race=100, slice=50))
    >>> [action.nfev for action in result.actions][:6]
    [100, 100, 100, 200, 200, 50]
    """

    race: int = 20_000
    slice: int = 5_000

    def __post_init__(self) -> None:
        require_whole("race", self.race, low=1)
        require_whole("slice", self.slice, low=1)

    def story(self, names: Sequence[str]) -> Story:
        """Race, then go on by rank."""
        racing, evaluations = list(range(len(names))), self.race
        places = [float("inf") for _ in names]  # the smaller, the better
        while len(racing) > 1:
            ends = yield from raced(names, evaluations, racing)
            racing.sort(key=ends.__getitem__)
            places[racing.pop()] = float(len(racing))
            evaluations *= 2
        for last in racing:
            places[last] = -1.0
        shares, used = shares_by_rank(places), [0.0 for _ in names]
        while True:
            index = max(range(len(names)), key=lambda i: shares[i] * (sum(used) + self.slice) - used[i])
            action = yield self.choice(index, names, evaluations=self.slice)
            used[index] += max(1, action.nfev)
