"""The numbers behind the displays: who was started when, what it used and what it brought. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ter.core.action import Action

__all__ = ["Block", "Run", "Share", "blocks_of", "cells_of", "curve_of", "shares_of", "thinned"]


class Run(Protocol):
    """What is read of a run: a :class:`ter.Result`, or the record that an experiment keeps of it."""

    @property
    def nfev(self) -> int:
        """Evaluations."""

    @property
    def heuristics(self) -> tuple[str, ...]:
        """The portfolio."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every initiation, in order."""

    @property
    def curve(self) -> NDArray[np.float64]:
        """Rows (evaluations, best value)."""


@dataclass(frozen=True)
class Share:
    """What one heuristic used and brought.

    Attributes
    ----------
    heuristic : str
        Its name.
    initiations, nfev : int
        How often it was started, and its evaluations.
    of_evaluations : float
        Its share of all evaluations, the start points included.
    of_improvement : float
        Its share of the improvement of the best value since the start points.
    of_magnitude : float or None
        The same on a log scale: its share of the orders of magnitude gained; None unless all values are > 0.
    """

    heuristic: str
    initiations: int
    nfev: int
    of_evaluations: float
    of_improvement: float
    of_magnitude: float | None


def shares_of(result: Run, f_opt: float | None = None) -> list[Share]:
    """Return each heuristic's share, in portfolio order.

    Parameters
    ----------
    result : Result or Record
        A run.
    f_opt : float, optional
        The optimum's value; magnitudes are those of the error then.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> round(sum(share.of_improvement for share in shares_of(result)), 6)
    1.0
    """
    own = {name: [a for a in result.actions if a.heuristic == name] for name in result.heuristics}
    gains = {name: sum(map(_gain, actions)) for name, actions in own.items()}
    steps = {name: [_magnitudes(a, f_opt or 0.0) for a in actions] for name, actions in own.items()}
    defined = all(step is not None for listed in steps.values() for step in listed)
    orders = {name: sum(step or 0.0 for step in listed) for name, listed in steps.items()}
    return [
        Share(
            heuristic=name,
            initiations=len(own[name]),
            nfev=(nfev := sum(a.nfev for a in own[name])),
            of_evaluations=_ratio(nfev, result.nfev),
            of_improvement=_ratio(gains[name], sum(gains.values())),
            of_magnitude=_ratio(orders[name], sum(orders.values())) if defined else None,
        )
        for name in result.heuristics
    ]


def _gain(action: Action) -> float:
    # The first finite value of a run has no finite improvement; it counts for nobody.
    return action.before - action.after if math.isfinite(action.before) else 0.0


def _magnitudes(action: Action, f_opt: float) -> float | None:
    before, after = action.before - f_opt, action.after - f_opt
    if math.isinf(before):
        return 0.0
    return math.log(before / after) if after > 0 else None


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


@dataclass(frozen=True)
class Block:
    """One action as a stretch of evaluations: from `first` (exclusive) to `last` (inclusive)."""

    action: Action
    first: int
    last: int


def blocks_of(result: Run) -> list[Block]:
    """Return the actions as stretches of evaluations; before the first one lie the start points.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> blocks_of(result)[0].first, blocks_of(result)[-1].last
    (4, 400)
    """
    ends = result.nfev - sum(a.nfev for a in result.actions) + np.cumsum([a.nfev for a in result.actions], dtype=int)
    return [Block(a, int(end) - a.nfev, int(end)) for a, end in zip(result.actions, ends, strict=True)]


def cells_of(blocks: Sequence[Block], n: int) -> list[Block]:
    """Return at most `n` blocks: of more, the longest in each of `n` equal stretches stands for all of them.

    Examples
    --------
    >>> one, two = Action(0, "ls1", 9, 9, 3, 2), Action(1, "cc", 1, 1, 2, 1)
    >>> cells_of([Block(one, 0, 9), Block(two, 9, 10)], 1)[0].action.heuristic
    'ls1'
    """
    if len(blocks) <= n:
        return list(blocks)
    edges = np.linspace(blocks[0].first, blocks[-1].last, n + 1)
    lasts = np.array([block.last for block in blocks])
    firsts = np.array([block.first for block in blocks])
    cells = []
    for low, high in pairwise(edges.tolist()):
        i, j = np.searchsorted(lasts, low, side="right"), np.searchsorted(firsts, high, side="left")
        if i >= j:
            continue
        overlap = np.minimum(lasts[i:j], high) - np.maximum(firsts[i:j], low)
        cells.append(Block(blocks[int(i + overlap.argmax())].action, round(low), round(high)))
    return cells


def curve_of(result: Run, f_opt: float | None = None) -> NDArray[np.float64]:
    """Return rows (evaluations, best value or error), drawn out to the end of the run; empty without a finite value.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> float(curve_of(result)[-1, 0])
    400.0
    """
    curve: NDArray[np.float64] = np.asarray(result.curve, dtype=np.float64).reshape(-1, 2)
    if len(curve) and curve[-1, 0] < result.nfev:
        curve = np.vstack([curve, [result.nfev, curve[-1, 1]]])
    if f_opt is not None:
        curve = np.column_stack([curve[:, 0], curve[:, 1] - f_opt])
    return curve


def thinned(curve: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return the first and the last row of each of `n` equal stretches of evaluations.

    Examples
    --------
    >>> thinned(np.column_stack([np.arange(1000.0), -np.arange(1000.0)]), 10).shape
    (20, 2)
    """
    if len(curve) <= 2 * n:
        return curve
    low, high = curve[0, 0], curve[-1, 0]
    cell = np.minimum((curve[:, 0] - low) / (high - low) * n, n - 1).astype(int)
    change = np.flatnonzero(np.diff(cell)) + 1
    keep = np.union1d(np.concatenate([[0], change]), np.concatenate([change - 1, [len(curve) - 1]]))
    kept: NDArray[np.float64] = curve[keep]
    return kept
