"""Unions: moves that were found side by side around one point are tried together.

Where variables do not interact, a union gains what the moves gained one by one. If it gains less, smaller ones are
tried: half of the moves, a quarter and so on, those that gained most first.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from ter.core.allowance import Allowance, Branch
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.decomposition.moves import evaluated

__all__ = ["KEPT", "bring_along", "keeps", "sizes_of", "try_unions"]

KEPT = 0.95  # of what moves gained one by one: a union that gains less says that variables interact


def sizes_of(moves: int, least: int) -> list[int]:
    """Return how many moves are tried together: all, half of them, a quarter and so on.

    Examples
    --------
    >>> sizes_of(9, 2), sizes_of(9, 1), sizes_of(1, 2)
    ([9, 4, 2], [9, 4, 2, 1], [])
    """
    sizes = [moves >> halvings for halvings in range(moves.bit_length())]
    return [size for size in sizes if size >= least]


def keeps(y: float, union: float, promised: float) -> bool:
    """Tell whether a union gains what its moves promised.

    Examples
    --------
    >>> keeps(10.0, 4.1, promised=6.0), keeps(10.0, 9.0, promised=6.0), keeps(np.inf, 9.0, promised=np.inf)
    (True, False, True)
    """
    return y - union >= KEPT * promised


def try_unions(
    base: Branch, who: Integers, where: Vector, ends: Integers, sizes: list[int], known: list[float], promised: float
) -> bool:
    """Evaluate the union of all moves, and smaller ones if it does not keep its promise.

    Parameters
    ----------
    base : Branch
        Moves start from its point; it stays there.
    who, where : array
        The coordinates of all moves, one move after the other, and their values.
    ends : array of int
        Where each move ends in them.
    sizes : list of int
        How many moves a union has, for each of them.
    known : list of float
        Values of unions; more are appended.
    promised : float
        What the moves gained one by one, in all.

    Returns
    -------
    bool
        Whether all is known; otherwise the allowance is at its end.
    """
    while len(known) < len(sizes) and not (known and keeps(base.y, known[0], promised)):
        if not base.remaining:
            return False
        tried = sizes[len(known) :] if known else sizes[:1]
        rows = np.tile(base.x[who], (len(tried), 1))
        for row, size in zip(rows, tried, strict=True):
            row[: ends[size - 1]] = where[: ends[size - 1]]
        known += evaluated(base, who, rows).tolist()
    return True


def bring_along(allowance: Allowance, x: Vector, y: float) -> None:
    """Let the allowance's point be this one if it is better.

    The incumbent is there already, since it follows whatever is evaluated. A trajectory of a heuristic's own does not
    follow what its branches have found.
    """
    if y < allowance.y:
        cast("Branch", allowance).jump(x, y)
