"""Duels: a leader, and challengers that are compared with what the leader gained just before."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from ter.core.action import Action
from ter.core.reward import improvement
from ter.core.scheduler import Choice
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole
from ter.schedulers.race import raced

__all__ = ["Duels"]


@dataclass(frozen=True)
class Duels(Script):
    """Let a leader run, and now and then the heuristic that was not seen for longest challenge it.

    Only raw gains made at about the same time are compared. A challenger that gains faster in its probe than the leader
    did in the second half of its slice gets a trial as long as a slice, and becomes the leader if it is still faster in
    the second half of that. If the leader gained nothing, the next heuristic takes over, with probes that double.

    Parameters
    ----------
    race : int
        Evaluations of each heuristic in the race at the beginning, whose winner leads first.
    slice : int
        Evaluations of the leader between two probes, and of a trial; >= 2.
    probe : int
        Evaluations of a probe.
    probing : float
        Probes take at most this part of all evaluations, in [0, 1].

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=3_000, rng=1,
    ...                       heuristics=["gs", "ls1"], scheduler=Duels(race=100, slice=200, probe=40))
    >>> [action.nfev for action in result.actions][:5]
    [100, 100, 100, 100, 40]
    """

    race: int = 20_000
    slice: int = 5_000
    probe: int = 2_000
    probing: float = 0.05

    def __post_init__(self) -> None:
        require_whole("race", self.race, low=1)
        require_whole("slice", self.slice, low=2)
        require_whole("probe", self.probe, low=1)
        require_in("probing", self.probing, low=0.0, high=1.0)

    def story(self, names: Sequence[str]) -> Story:
        """Race, then duel after duel."""
        ends = yield from raced(names, self.race)
        leader = min(range(len(names)), key=ends.__getitem__)
        unseen = [index for index in range(len(names)) if index != leader]  # the one not seen for longest first
        total, probed, probe = float(self.race * len(names)), 0.0, self.probe

        def go(index: int, evaluations: int) -> Generator[Choice, Action, float]:
            nonlocal total
            action = yield self.choice(index, names, evaluations=evaluations)
            total += max(1, action.nfev)
            return improvement(action)

        while True:
            first = yield from go(leader, self.slice // 2)
            rate = yield from go(leader, self.slice - self.slice // 2)
            if not unseen:
                continue
            stuck = max(first, rate) <= 0.0
            if not stuck and probed > self.probing * total:
                continue
            challenger = unseen.pop(0)
            unseen.append(challenger)
            probed += probe
            gained = yield from go(challenger, probe)
            probe = 2 * probe if stuck and gained <= 0.0 else self.probe
            if gained > rate and not stuck:
                yield from go(challenger, self.slice // 2)
                gained = yield from go(challenger, self.slice - self.slice // 2)
            if gained > rate or stuck:
                unseen[-1], leader = leader, challenger
