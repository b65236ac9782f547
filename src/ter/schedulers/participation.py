"""Participation: shares of the evaluations that follow the quality of what each heuristic does (MOS).

References
----------
.. [1] A. LaTorre, S. Muelas, J.-M. Peña, "Multiple offspring sampling in large scale global optimization", CEC 2012.
.. [2] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ter.core.action import Action
from ter.core.script import Script, Story
from ter.heuristics.checks import require_in, require_whole

__all__ = ["Participation", "adjusted", "quality_of"]


@dataclass(frozen=True)
class Participation(Script):
    """Let all heuristics take part in each step, for as many evaluations as their share allows.

    After a step each heuristic gives a part of its share to the best ones: the more, the worse it did. The quality is
    the sum of relative gains per evaluation; for small gains this is the logarithm of how far the best value fell.

    Parameters
    ----------
    step : int
        Evaluations of one step.
    least : float
        The least share of a heuristic; at most one part in as many as there are.
    adjustment : float
        How much of its share a heuristic that gained nothing gives away.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=3_000, rng=1,
    ...                       heuristics=["gs", "ls1"], scheduler=Participation(step=400, least=0.1, adjustment=0.5))
    >>> [action.nfev for action in result.actions][:4]
    [200, 200, 111, 289]
    """

    step: int = 36_000
    least: float = 0.2
    adjustment: float = 0.05

    def __post_init__(self) -> None:
        require_whole("step", self.step, low=1)
        require_in("least", self.least, low=0.0, high=1.0)
        require_in("adjustment", self.adjustment, low=0.0, high=1.0)

    def story(self, names: Sequence[str]) -> Story:
        """Go through the heuristics in their order, step by step."""
        everyone = range(len(names))
        shares = [1.0 / len(names) for _ in everyone]
        while True:
            quality = [0.0 for _ in everyone]
            for j in everyone:
                evaluations = max(1, round(shares[j] * self.step))
                quality[j] = quality_of((yield self.choice(j, names, evaluations=evaluations)))
            shares = adjusted(shares, quality, min(self.least, 1.0 / len(names)), self.adjustment)


def quality_of(action: Action) -> float:
    """Return the sum of relative gains per evaluation.

    Examples
    --------
    >>> quality_of(Action(0, "ls1", cost=10, nfev=10, before=4.0, after=4.0))
    0.0
    """
    gain = action.before - action.after
    if action.nfev == 0 or not 0.0 < gain < math.inf or action.before == 0.0:
        return 0.0
    relative = math.log(action.before / action.after) if action.after > 0.0 else gain / abs(action.before)
    return relative / action.nfev


def adjusted(shares: Sequence[float], quality: Sequence[float], least: float, adjustment: float) -> list[float]:
    """Move shares from the worse to the best.

    Examples
    --------
    >>> adjusted([0.5, 0.5], [1.0, 0.0], least=0.1, adjustment=0.2)
    [0.6, 0.4]
    >>> adjusted([0.8, 0.2], [1.0, 0.0], least=0.2, adjustment=0.2)
    [0.8, 0.2]
    """
    best = max(quality)
    if not best > 0.0:
        return list(shares)
    given = [
        min(adjustment * (best - q) / best * share, max(0.0, share - least))
        for share, q in zip(shares, quality, strict=True)
    ]
    winners = [q == best for q in quality]
    bonus = sum(given) / sum(winners)
    return [share - lost + bonus * won for share, lost, won in zip(shares, given, winners, strict=True)]
