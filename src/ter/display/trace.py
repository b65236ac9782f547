"""The trace of a run as it is drawn: the strip of its decisions and the curve of its best value. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ter.core.action import Action

__all__ = ["Block", "Trace", "blocks_of", "curve_of", "strip_of", "thinned"]


class Trace(Protocol):
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
class Block:
    """One action as a stretch of evaluations: from `first` (exclusive) to `last` (inclusive)."""

    action: Action
    first: int
    last: int


def blocks_of(trace: Trace) -> list[Block]:
    """Return the actions as stretches of evaluations; before the first one lie the start points.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> blocks_of(result)[0].first, blocks_of(result)[-1].last
    (4, 400)
    """
    ends = trace.nfev - sum(a.nfev for a in trace.actions) + np.cumsum([a.nfev for a in trace.actions], dtype=int)
    return [Block(a, int(end) - a.nfev, int(end)) for a, end in zip(trace.actions, ends, strict=True)]


def strip_of(trace: Trace, n: int) -> list[Block]:
    """Return at most `n` blocks: of more, the longest in each of `n` equal stretches stands for all of them.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> len(strip_of(result, 2)), strip_of(result, 1_000) == blocks_of(result)
    (2, True)
    """
    blocks = blocks_of(trace)
    if len(blocks) <= n:
        return blocks
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


def curve_of(trace: Trace, f_opt: float | None = None) -> NDArray[np.float64]:
    """Return rows (evaluations, best value or error), drawn out to the end of the run; empty without a finite value.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> float(curve_of(result)[-1, 0])
    400.0
    """
    curve: NDArray[np.float64] = np.asarray(trace.curve, dtype=np.float64).reshape(-1, 2)
    if len(curve) and curve[-1, 0] < trace.nfev:
        curve = np.vstack([curve, [trace.nfev, curve[-1, 1]]])
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
