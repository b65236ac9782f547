"""Values of a point with one coordinate moved at a time, as many as the allowance grants and going on later."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Branch, Chain
from ter.core.box import Vector
from ter.core.ledger import BEST, COUNT, LIMIT, PAUSE, Integers, Walk
from ter.decomposition.moves import rows_per_batch
from ter.engines.compiled import compile_sequential
from ter.heuristics.subspace import EVERYTHING, Matrix

__all__ = ["compile_probes", "evaluate_each", "probe_each"]

ROWS = 128  # points of a batch at least, if batches are faster than points one by one: memory stays linear in D


def evaluate_each(branch: Branch, where: Integers, moved: Vector, values: Vector, cursor: Integers) -> None:
    """Evaluate the point with ``x[where[k]] = moved[k]`` for each `k` from ``cursor[0]`` on.

    They are moves, one by one, unless batches of whole points are faster. Not all need be done on return. Batches are
    as large as memory allows, and whoever has nothing left to do in one goes ahead with the next.
    """
    if not branch.batched:
        branch.run(probe_each, where, moved, values, cursor)
        return
    first = int(cursor[0])
    size, last = max(ROWS, rows_per_batch(branch.dimension)), min(where.size, first + branch.remaining)
    end, x = min(first + size, last), branch.x
    if end < last:
        batches = partial(_batches, x, where[:last], moved[:last], end, size)
        branch.look_ahead([Chain(EVERYTHING, next(_batches(x, where, moved, end, 1))[0], batches)])
    values[first:end] = branch.evaluate(next(_batches(x, where[:end], moved[:end], first, size)))
    cursor[0] = end


def _batches(x: Vector, where: Integers, moved: Vector, first: int, size: int) -> Generator[Matrix, Vector, None]:
    """Yield the moved points from one on, so many at a time."""
    for a in range(first, where.size, size):
        chosen = where[a : a + size]
        rows = np.repeat(x[None, :], chosen.size, axis=0)
        rows[np.arange(chosen.size), chosen] = moved[a : a + size]
        yield rows


def compile_probes() -> None:
    """Compile the moves, for any compiled objective."""
    compile_sequential(probe_each, (np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1), np.zeros(2, dtype=np.int64)))


@kernel
def probe_each(
    probe: Callable[[Walk, int, float], float],
    accept: Callable[[Walk, int, float, float], None],
    walk: Walk,
    where: Integers,
    moved: Vector,
    values: Vector,
    cursor: Integers,
) -> None:
    """Evaluate moves from ``cursor[0]`` on, and count new bests of the run in ``cursor[1]``."""
    ledger = walk.ledger
    while cursor[0] < where.shape[0] and ledger[COUNT] < ledger[LIMIT] and ledger[COUNT] < ledger[PAUSE]:
        k, best = cursor[0], walk.marks[BEST]
        values[k] = probe(walk, where[k], moved[k])
        cursor[0] += 1
        cursor[1] += walk.marks[BEST] < best
