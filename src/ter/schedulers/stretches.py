"""Stretches: shares of the effort that follow what each heuristic gains while the others do.

Improvements of different times cannot be compared: early ones are large whoever makes them. So a run is cut into
stretches, and in each of them every heuristic gets a share of the effort. At the end of a stretch, what each heuristic
gained per unit of effort is compared with what the others gained in the same stretch, and the shares move towards that.
Only quotients of improvements are used, so neither the scale of the values nor an offset matters. No share falls below
a floor: whoever needs patience is not given up, and exploring has a bounded price.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.schedulers.race import raced, shares_by_rank

__all__ = ["Stretches", "Stretching", "entitled", "in_stretches", "learned"]


@dataclass(frozen=True)
class Stretches(Script):
    """Share the effort among the heuristics by what they gain in stretches of a run.

    It begins with a race, in which each heuristic runs alone from the start. Its ranking gives the first shares, 1 to
    1/2 to 1/4 and so on. Whoever is farthest behind its share is next.

    Parameters
    ----------
    race : int
        Evaluations of each heuristic in the race; 0 for none, with equal shares in the beginning.
    slice : int
        Evaluations of one initiation.
    stretch : int
        Evaluations of a stretch, at least.
    growth : float
        A stretch is at least this part of all evaluations before it.
    memory : float
        How much of the shares stays when new ones are learned, in [0, 1].
    floor : float
        The least share, in [0, 1]; at most one part in as many as there are.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=3_000, rng=1,
    ...                       heuristics=["gs", "ls1"], scheduler=Stretches(race=100, slice=50, stretch=500))
    >>> result.sequence[:2], result.actions[0].origin
    (('gs', 'ls1'), 'own')
    """

    race: int = 20_000
    slice: int = 5_000
    stretch: int = 50_000
    growth: float = 0.05
    memory: float = 0.6
    floor: float = 0.04

    def __post_init__(self) -> None:
        require_whole("race", self.race, low=0)
        require_whole("slice", self.slice, low=1)
        require_whole("stretch", self.stretch, low=1)
        for name in ("growth", "memory", "floor"):
            require_in(name, getattr(self, name), low=0.0, high=1.0)

    def story(self, names: Sequence[str]) -> Story:
        """Race, then go from stretch to stretch."""
        shares, total = [1.0 / len(names) for _ in names], 0
        if self.race:
            shares = shares_by_rank((yield from raced(names, self.race)))
            total = self.race * len(names)
        yield from in_stretches(self, names, shares, lambda done: max(self.stretch, self.growth * (total + done)))


class Stretching(Protocol):
    """Settings of shares that are learned in stretches."""

    @property
    def slice(self) -> int:
        """Evaluations of one initiation."""

    @property
    def memory(self) -> float:
        """How much of the shares stays."""

    @property
    def floor(self) -> float:
        """The least share."""


def in_stretches(
    settings: Stretching,
    names: Sequence[str],
    shares: Sequence[float],
    length: Callable[[int], float],
    leader: int | None = None,
) -> Story:
    """Share the effort, and learn the shares anew after each stretch.

    Parameters
    ----------
    settings : Stretching
        Evaluations of an initiation, memory and floor.
    names : sequence of str
        All heuristics.
    shares : sequence of float
        Those of the first stretch.
    length : callable
        Returns the evaluations of the next stretch, given those of all stretches before.
    leader : int, optional
        The stretches end when this heuristic has nothing left to do; without it they never do.
    """
    everyone, total = range(len(names)), 0
    idle: set[int] = set()  # who had nothing to do since somebody else did something
    owed = [0.0 for _ in everyone]  # evaluations; kept from stretch to stretch, so that small shares get their turn
    while True:
        gains, costs = ([0.0 for _ in everyone] for _ in range(2))
        due = entitled(shares, settings.floor)
        end = total + length(total)
        while total < end:
            index = max((i for i in everyone if i not in idle), key=lambda i: owed[i] + due[i] * settings.slice)
            action = yield Script.choice(index, names, evaluations=settings.slice)
            if index == leader and not action.nfev:
                return
            idle.add(index)  # whoever had nothing to do lets another one go first
            if action.nfev or len(idle) == len(names):
                idle.clear()
            used = action.nfev
            owed = [debt + share * used for debt, share in zip(owed, due, strict=True)]
            owed[index] -= used
            total += used
            costs[index] += action.cost
            if action.after < action.before:
                gains[index] += action.before - action.after
        shares = learned(shares, gains, costs, settings.memory)


def entitled(shares: Sequence[float], floor: float) -> list[float]:
    """Return the shares with nobody below the floor.

    Examples
    --------
    >>> entitled([1.0, 0.0], floor=0.1)
    [0.9, 0.1]
    """
    least = min(floor, 1.0 / len(shares))
    return [least + (1.0 - least * len(shares)) * share for share in shares]


def learned(shares: Sequence[float], gains: Sequence[float], costs: Sequence[float], memory: float) -> list[float]:
    """Move the shares towards the gains per cost; they stay as they are if nobody gained anything.

    Examples
    --------
    >>> learned([0.5, 0.5], gains=[3.0, 1.0], costs=[1.0, 1.0], memory=0.5)
    [0.625, 0.375]
    """
    rates = [gain / cost if cost > 0.0 else 0.0 for gain, cost in zip(gains, costs, strict=True)]
    best = max(rates)
    if not best > 0.0:
        return list(shares)
    # The first finite value of a run is an infinite gain; large ones must not overflow when they are added.
    parts = [float(rate == best) if math.isinf(best) else rate / best for rate in rates]
    return [memory * share + (1.0 - memory) * part / sum(parts) for share, part in zip(shares, parts, strict=True)]
