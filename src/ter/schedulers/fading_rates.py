"""Fading rates: the heuristic whose logarithmic progress was fastest lately, for longer and longer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ter.core.action import Action
from ter.core.reward import log
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.schedulers.race import raced

__all__ = ["FadingRates"]


@dataclass(frozen=True)
class FadingRates(Script):
    """Start whoever lowers the logarithm of the value fastest; rates fade with time, and while nobody looks.

    The leader runs for one slice, then two, four and so on, as long as it leads. Probes go to the heuristic that was
    not seen for longest. Logarithms need values whose least is near 0: with an offset this is a bad rule, which is
    here to be compared with.

    Parameters
    ----------
    race : int
        Evaluations of each heuristic in the race at the beginning.
    slice : int
        Evaluations of the leader's first turn.
    probe : int
        Evaluations of a probe.
    longest : int
        Evaluations of the leader's longest turn.
    fading : int
        Evaluations after which what was seen counts 1/e of what it did.
    probing : float
        Probes take at most this part of all evaluations, in [0, 1].

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=2_000, rng=1,
    ...                       heuristics=["gs", "ls1"], scheduler=FadingRates(100, 100, 20, 800, 500, probing=0.0))
    >>> [action.nfev for action in result.actions][:5]
    [100, 100, 100, 200, 400]
    """

    race: int = 20_000
    slice: int = 5_000
    probe: int = 2_000
    longest: int = 150_000
    fading: int = 50_000
    probing: float = 0.05

    def __post_init__(self) -> None:
        for name in ("race", "slice", "probe", "longest", "fading"):
            require_whole(name, getattr(self, name), low=1)
        require_in("probing", self.probing, low=0.0, high=1.0)

    def reward_of(self, action: Action) -> float:
        """Return the fall of the logarithm per resource."""
        return log(action)

    def story(self, names: Sequence[str]) -> Story:
        """Race, then follow the fastest."""
        gained, spent, seen = ([0.0 for _ in names] for _ in range(3))
        total, probed, leader, length = 0.0, 0.0, -1, self.slice

        def note(index: int, gain: float, cost: float) -> None:
            nonlocal total
            total += cost
            fade = math.exp(-cost / self.fading)
            gained[index], spent[index] = gained[index] * fade + gain, spent[index] * fade + cost
            seen[index] = total

        start = yield from raced(names, self.race)
        worst = max(start)
        for index, end in enumerate(start):
            note(index, math.log(worst / end) if 0.0 < end <= worst < math.inf else 0.0, float(self.race))
        while True:
            rates = [g / s * at / total if s else 0.0 for g, s, at in zip(gained, spent, seen, strict=True)]
            best = max(range(len(names)), key=rates.__getitem__)
            length = min(2 * length, self.longest) if best == leader else self.slice
            leader = best
            oldest = min(range(len(names)), key=seen.__getitem__)
            if oldest != leader and probed < self.probing * total:
                action = yield self.choice(oldest, names, evaluations=self.probe)
                probed += action.nfev
                note(oldest, log(action) * action.cost, float(max(1, action.nfev)))
            action = yield self.choice(leader, names, evaluations=length)
            note(leader, log(action) * action.cost, float(max(1, action.nfev)))
