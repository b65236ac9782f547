"""The race with which several schedulers begin: each heuristic alone, from the same point, for the same effort.

A warm-up in turn on one incumbent makes the last heuristic look useless: the others have taken the easy gains. So each
one runs on a trajectory of its own, and the best trajectory becomes the incumbent by itself. What the heuristics have
learned they keep.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import TypeAlias

from ter.core.action import Action
from ter.core.scheduler import Choice
from ter.core.script import Script

__all__ = ["Racing", "raced", "shares_by_rank"]

Racing: TypeAlias = Generator[Choice, Action, list[float]]


def raced(names: Sequence[str], evaluations: int, among: Iterable[int] | None = None) -> Racing:
    """Run heuristics on their own trajectories; return the values at the ends of these, +inf for others.

    Parameters
    ----------
    names : sequence of str
        All heuristics.
    evaluations : int
        For how long each of them runs.
    among : iterable of int, optional
        Those that take part; all by default.
    """
    ends = [float("inf") for _ in names]
    for index in range(len(names)) if among is None else among:
        action = yield Script.choice(index, names, evaluations=evaluations, origin="own")
        ends[index] = action.own[1] if action.own is not None else action.after
    return ends


def shares_by_rank(ends: Sequence[float]) -> list[float]:
    """Return shares 1, 1/2, 1/4, ... by rank, the best end first; equal ends stay in their order.

    Examples
    --------
    >>> shares_by_rank([3.0, 1.0])
    [0.3333333333333333, 0.6666666666666666]
    """
    ranking = sorted(range(len(ends)), key=ends.__getitem__)
    weights = [0.5 ** ranking.index(index) for index in range(len(ends))]
    return [weight / sum(weights) for weight in weights]
