"""Halving: short rounds of a race from which most leave, patience for those who invest, and the winner goes on.

Heuristics for functions of many variables differ by orders of magnitude, and which one fits shows early, as long as
each is seen on a trajectory of its own and nobody is judged in the middle of an investment: a decomposition, or the
first pass over the variables. So a race in a few rounds is enough [1]_, and most of the effort is left for its winner.

Whoever is behind, but would soon overtake who leads at the pace of the last round, stays: good descents begin slowly.
Whoever stops early and has gained nothing has seen that the function is not of its kind, and steps aside.

A winner that is still investing goes on alone until it is ready, or as long as patience lasts. Then the effort is
shared in stretches, as in :class:`~ter.schedulers.stretches.Stretches`, with nearly all of it for the winner at first;
nobody is dropped for good, and if the winner runs dry the shares move to those who still gain something.

When the winner has converged, the function may have wide basins that a first look does not see, and the run is in one
of them. In short runs the others then have a turn each, those with the widest view first, and whoever says that it
invests goes on alone until it is ready. After that there are many local minima, and no heuristic is as good alone as
all are together: they begin with equal shares.

References
----------
.. [1] Z. Karnin, T. Koren, O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from ter.core.action import Action
from ter.core.errors import InvalidArgument
from ter.core.scheduler import Choice
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.schedulers.stretches import Stretches, in_stretches

__all__ = ["PATIENT_PER_VARIABLE", "VOLLEYS", "Halving"]

SOON = 0.25  # of the patience
VOLLEYS = 5  # evaluations per variable before the race: it begins where all variables have found their scales
PATIENT_PER_VARIABLE = 200  # evaluations from which there is time to find many groups, and to race twice


@dataclass(frozen=True)
class Halving(Script):
    """Race in rounds that get longer, most leaving after each; then share the effort by gains, the winner first.

    Parameters
    ----------
    opening : int
        Evaluations of the first heuristic before the race, which begins where it ends; 0 for none.
    prolonged : int
        Evaluations that the opening lasts longer, if the first heuristic still says that it invests when it ends.
    race : int
        Evaluations of each heuristic in the first round.
    growth : float
        By how much rounds get longer, >= 1.
    stay : float
        The share of the heuristics that stay after a round, in (0, 1]; at least one leaves.
    rematch : bool
        Whether the two best of the first round meet again in the next one in any case.
    patience : int
        Evaluations that a heuristic gets at most before it is judged for the first time, while it says that it invests,
        and that a winner who still does has alone at most. Who would overtake within a quarter as many, at the pace of
        the last round, is not out yet.
    second : int
        Evaluations that each of the others gets alone at most, while it invests, when the winner has converged; 0 for
        no such turns.
    racers : tuple of str
        Who races; by default all do. The others have their share afterwards.
    slice : int
        Evaluations of one initiation after the race.
    stretch : int
        Evaluations of a stretch after the race.
    memory, floor : float
        How much of the shares stays from stretch to stretch, and the least share, in [0, 1].

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=3_000, rng=1,
    ...                       heuristics=["gs", "ls1", "cc"], scheduler=Halving(race=50, slice=50, stretch=500))
    >>> [action.heuristic for action in result.actions][:6]
    ['gs', 'ls1', 'cc', 'ls1', 'ls1', 'ls1']
    """

    race: int = 5_000
    growth: float = 2.0
    stay: float = 1 / 3
    patience: int = 120_000
    slice: int = 10_000
    stretch: int = 50_000
    memory: float = 0.9
    floor: float = 0.02
    opening: int = 0
    prolonged: int = 0
    second: int = 0
    rematch: bool = False
    racers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("race", "slice", "stretch"):
            require_whole(name, getattr(self, name), low=1)
        for name in ("patience", "opening", "prolonged", "second"):
            require_whole(name, getattr(self, name), low=0)
        require_in("growth", self.growth, low=1.0, high=math.inf)
        require_in("stay", self.stay, low=0.0, high=1.0, open_low=True)
        for name in ("memory", "floor"):
            require_in(name, getattr(self, name), low=0.0, high=1.0)

    @classmethod
    def fitted(cls, dimension: int, evaluations: int) -> Halving:
        """Return the race of the default for runs of so many evaluations.

        The sizes were tuned on LSO10 and other functions; see ``studies/beyond/schedulers.md``.

        Examples
        --------
        >>> Halving.fitted(1000, 100_000).race
        2000
        """
        generation = 4 + int(3 * math.log(dimension))  # of an evolution strategy
        opening, patient = VOLLEYS * dimension, evaluations >= PATIENT_PER_VARIABLE * dimension
        return cls(
            opening=min(opening, evaluations // 20),
            prolonged=3 * opening if evaluations >= 20 * opening and not patient else 0,
            race=max(evaluations // 50, 2 * generation),
            patience=evaluations // 6,
            second=0 if patient else evaluations // 2,  # with more, a share is enough for whoever invests
            rematch=patient,
            slice=max(evaluations // 100, 2 * generation, dimension + 1),  # a gradient is not cut
            stretch=max(evaluations // 20, 10 * generation),
        )

    def check(self, names: Sequence[str]) -> None:
        """Refuse a portfolio without those who race."""
        if not set(self.racers) <= set(names):
            raise InvalidArgument(
                f"racers must be among the heuristics, got {', '.join(self.racers)} among {', '.join(names)}; "
                "add what is missing"
            )

    def story(self, names: Sequence[str]) -> Story:
        """Race, go on with the winner until it has converged, then with who invests, and then with all of them."""
        if self.opening:
            action = yield self.choice(0, names, evaluations=self.opening)
            if self.prolonged and action.investing:
                yield self.choice(0, names, evaluations=self.prolonged)
        winner = yield from self._race(names)
        idle = yield from self._alone(winner, names, self.patience)  # others would only take what it is after
        if not idle:
            shares = [float(index == winner) for index in range(len(names))]
            yield from in_stretches(self, names, shares, lambda done: self.stretch, leader=winner)
        others = [index for index in range(len(names)) if index != winner] if self.second else []
        for index in reversed(others):  # portfolios name those first that get to work at once
            yield from self._alone(index, names, self.second)
        yield from Stretches(race=0, slice=self.slice, stretch=self.stretch).story(names)

    def _alone(self, index: int, names: Sequence[str], patience: int) -> Generator[Choice, Action, bool]:
        """Let a heuristic run, and alone while it invests and patience lasts; return whether it had nothing to do."""
        used = 0
        while True:
            action = yield self.choice(index, names, evaluations=self.slice)
            used += action.nfev
            if not action.investing or not action.nfev or used >= patience:
                return action.nfev == 0

    def _race(self, names: Sequence[str]) -> Generator[Choice, Action, int]:
        """Let the heuristics run in rounds; return who wins."""
        racing = [index for index, name in enumerate(names) if not self.racers or name in self.racers]
        evaluations, patience = float(self.race), self.patience
        ends = dict.fromkeys(racing, math.inf)  # the value where each of them is
        while len(racing) > 1:
            begins, first = dict(ends), min(ends.values()) == math.inf
            for index in racing:
                ends[index] = yield from self._run(index, names, int(evaluations), patience)
            racing = [index for index in racing if ends[index] < math.inf] or racing
            racing.sort(key=ends.__getitem__)
            stay = self._staying(len(racing), first=first)
            soon = SOON * self.patience
            gains = {index: (begins[index] - ends[index]) * soon / evaluations for index in racing}
            evaluations, patience = self.growth * evaluations, 0
            lead, value = gains[racing[0]], ends[racing[0]]
            late = [index for index in racing[stay:] if gains[index] - lead > ends[index] - value]
            racing = racing[:stay] + (late if evaluations <= soon else [])
        return racing[0]

    def _staying(self, racing: int, *, first: bool) -> int:
        """Return how many stay after a round; at least one leaves, unless two are to meet again."""
        least = 2 if first and self.rematch else 1
        return max(least, min(racing - 1, math.ceil(self.stay * racing)))

    def _run(
        self, index: int, names: Sequence[str], evaluations: int, patience: int
    ) -> Generator[Choice, Action, float]:
        """Let a heuristic run on its own trajectory, for longer while it invests; return the value where it ends.

        Whoever stops early and has gained nothing steps aside: it ends at infinity.
        """
        used = 0
        while True:
            asked = evaluations
            action = yield self.choice(index, names, evaluations=asked, origin="own")
            used += max(1, action.nfev)
            evaluations = max(evaluations, self.slice)
            if not action.investing or used + evaluations > patience:
                before, after = action.own if action.own is not None else (action.before, action.after)
                return after if after < before or action.nfev >= asked else math.inf
