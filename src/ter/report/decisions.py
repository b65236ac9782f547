"""What the schedulers of a study decided: probabilities over time, and the shares of the heuristics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.analysis.samples import Matrix
from ter.core.box import Vector
from ter.display.shares import shares_of
from ter.display.trace import blocks_of
from ter.experiment.record import Record

__all__ = ["Chances", "MeanShare", "chances_of", "mean_shares"]


@dataclass(frozen=True)
class Chances:
    """How probable each heuristic was, averaged over runs.

    Attributes
    ----------
    evaluations : array of shape (m,)
        Where the runs are read.
    probabilities : array of shape (m, heuristics)
        Mean over the runs that had a choice to make there; the rows add up to 1.
    """

    evaluations: Vector
    probabilities: Matrix


@dataclass(frozen=True)
class MeanShare:
    """What a heuristic used and brought, averaged over runs.

    Attributes
    ----------
    heuristic : str
        Its name.
    starts : float
        Initiations per run.
    of_evaluations, of_improvement : float
        Shares of the evaluations and of the improvement of the best value.
    of_magnitude : float or None
        Share of the orders of magnitude gained; None if they are not defined in any run.
    """

    heuristic: str
    starts: float
    of_evaluations: float
    of_improvement: float
    of_magnitude: float | None


def chances_of(records: Sequence[Record], heuristics: Sequence[str], points: int = 200) -> Chances | None:
    """Return the mean probabilities over runs; None if no run has probabilities that ever leave 0 and 1."""
    uncertain = [record for record in records if any(0 < p < 1 for a in record.actions for p in a.probabilities)]
    last = max((record.nfev for record in uncertain), default=0)
    if last < 1:
        return None
    evaluations = np.linspace(0, last, points + 1)[1:]
    sums = np.zeros((points, len(heuristics)))
    counts = np.zeros((points, 1))
    for record in uncertain:
        blocks = [block for block in blocks_of(record) if len(block.action.probabilities) == len(record.heuristics)]
        places = np.array([list(heuristics).index(name) for name in record.heuristics])
        position = np.searchsorted([block.last for block in blocks], evaluations, side="left")
        inside = (position < len(blocks)) & (evaluations > (blocks[0].first if blocks else np.inf))
        rows = np.array([block.action.probabilities for block in blocks])
        sums[np.ix_(np.flatnonzero(inside), places)] += rows[position[inside]]
        counts[inside] += 1
    seen = counts[:, 0] > 0
    rows = sums[seen] / counts[seen]
    # Between two decisions nothing changes: the ends of such a stretch say all.
    same = np.all(np.isclose(rows[1:], rows[:-1]), axis=1)
    inner = np.zeros(len(rows), dtype=bool)
    inner[1:-1] = same[:-1] & same[1:]
    return Chances(evaluations[seen][~inner], rows[~inner])


def mean_shares(records: Sequence[Record], heuristics: Sequence[str]) -> list[MeanShare]:
    """Return the shares of the heuristics, averaged over the runs that made decisions; empty without one."""
    each = [
        {share.heuristic: share for share in shares_of(record, record.f_opt)} for record in records if record.actions
    ]
    if not each:
        return []
    found = []
    for name in heuristics:
        own = [shares[name] for shares in each if name in shares]
        orders = [share.of_magnitude for share in own if share.of_magnitude is not None]
        found.append(
            MeanShare(
                heuristic=name,
                starts=sum(share.initiations for share in own) / len(each),
                of_evaluations=sum(share.of_evaluations for share in own) / len(each),
                of_improvement=sum(share.of_improvement for share in own) / len(each),
                of_magnitude=sum(orders) / len(orders) if orders else None,
            )
        )
    return found
