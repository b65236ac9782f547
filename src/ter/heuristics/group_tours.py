"""Tours: groups that are visited side by side around one base point, and what becomes of what they find."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

import numpy as np

from ter.core.allowance import Allowance, Branch, Chain
from ter.decomposition.moves import evaluated, rows_per_batch
from ter.heuristics.differences import ROWS
from ter.heuristics.group_search import GroupSearch
from ter.heuristics.subspace import Matrix
from ter.heuristics.unions import bring_along, keeps, sizes_of, try_unions

__all__ = ["bring_best", "go_round", "join"]

NOBODY, NOTHING = np.empty(0, dtype=np.int64), np.empty(0)


def go_round(searches: Sequence[GroupSearch], place: int, base: Branch) -> int:
    """Evaluate a generation of each group on the tour: as one batch where that is faster, otherwise in that order.

    Parameters
    ----------
    searches : sequence of GroupSearch
        Those on the tour.
    place : int
        Which of them is next.
    base : Branch
        The point around which they search.

    Returns
    -------
    int
        Which of them is next now; 0 if all had their turn.
    """
    if not base.batched:
        while place < len(searches) and base.remaining:
            search = searches[place]
            rows = search.pending()
            values = evaluated(base, search.members, rows) if len(rows) else np.empty(0)
            search.note(values, rows)
            place += int(values.size == len(rows))
        return place % len(searches)
    generation = sum(search.population for search in searches)  # of all groups on the tour
    searches = searches[place:]
    pending = [search.pending() for search in searches]
    look_ahead(searches, pending, generation, base)
    coordinates = np.concatenate([search.members for search in searches])
    columns = np.cumsum([0, *(search.members.size for search in searches)])
    lines = np.cumsum([0, *map(len, pending)])
    batch = np.tile(base.x[coordinates], (lines[-1], 1))
    for k, rows in enumerate(pending):
        batch[lines[k] : lines[k + 1], columns[k] : columns[k + 1]] = rows
    most = max(ROWS, rows_per_batch(base.dimension))
    values = evaluated(base, coordinates, batch[:most]) if len(batch) else np.empty(0)
    for k, (search, rows) in enumerate(zip(searches, pending, strict=True)):
        search.note(values[lines[k] : lines[k + 1]], rows)
        if values.size < lines[k + 1]:
            return place + k
    return 0


def look_ahead(searches: Sequence[GroupSearch], pending: Sequence[Matrix], generation: int, base: Branch) -> None:
    """Let each of these groups go on by itself when its own values are known, as far as the allowance goes for sure."""
    left = base.remaining - sum(map(len, pending))  # when this round is over
    if left < 0:
        base.look_ahead([])
        return
    generations = 1 + left // generation
    base.look_ahead(
        [
            Chain(search.members, rows[0], partial(search.ahead, generations))
            for search, rows in zip(searches, pending, strict=True)
            if len(rows)
        ]
    )


def bring_best(searches: Sequence[GroupSearch], base: Branch, allowance: Allowance) -> None:
    """Let the allowance's point be the best one that is known, also in the middle of a tour."""
    x, y = base.x, base.y
    for search in searches:
        if search.found is not None and search.lowest < min(y, allowance.y):
            x, y = base.x, search.lowest
            x[search.members] = search.found
    bring_along(allowance, x, y)


def join(searches: Sequence[GroupSearch], unions: list[float], base: Branch, least: int) -> int | None:
    """Try together what the groups have found, and go to the best; None if the allowance ended.

    Otherwise it tells whether what groups found keeps its promise: 1, -1 if it does not, 0 if there is nothing to tell.

    Parameters
    ----------
    searches : sequence of GroupSearch
        Those on the tour.
    unions : list of float
        Values of unions that are known; changed here, and empty when all are.
    base : Branch
        The point around which they searched; it goes to the best.
    least : int
        Groups of the smallest union.
    """
    found = [search for search in searches if search.found is not None]
    found.sort(key=lambda search: search.lowest)
    moves = [search.found for search in found if search.found is not None]
    who = np.concatenate([NOBODY, *(search.members for search in found)])
    where, ends = np.concatenate([NOTHING, *moves]), np.cumsum([search.members.size for search in found])
    sizes = sizes_of(len(found), least)
    promised = sum(search.entered - search.lowest for search in found)
    if not try_unions(base, who, where, ends, sizes, unions, promised):
        return None
    tried = list(zip(unions, sizes, strict=False))
    if found and least > 1:
        tried.append((found[0].lowest, 1))
    y, size = min(tried, default=(math.inf, 0), key=itemgetter(0))
    kept = 0 if not sizes else 1 if keeps(base.y, unions[0], promised) else -1
    if y < base.y:
        base.accept(who[: ends[size - 1]], where[: ends[size - 1]], y)
    unions.clear()
    return kept
