"""Batches of a compiled objective, from the grant to the books in one compiled call."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Box, Vector
from ter.core.ledger import COUNT, IMPROVED_AT, LIMIT, RUNNING, STOP, Integers, Walk, inside, settle_rows
from ter.core.points import into_box
from ter.engines.engine import CompiledEngine, Engine
from ter.engines.functions import HAS_MOVE, INTEGERS, MATRIX, VECTOR
from ter.engines.loops import WALK, commit_moving, commit_plain, entry_of, moves_moving, moves_plain, rows

__all__ = ["Batch", "Batches", "Matrix"]

Matrix: TypeAlias = NDArray[np.float64]
Batch: TypeAlias = Callable[[Matrix, Vector], tuple[int, Matrix]]

OUTSIDE = -1  # a row lies outside the box; nothing was done
_BOUND = types.Array(types.float64, 1, "C", readonly=True)


class Batches:
    """Batches of a compiled objective: granted, checked, evaluated and booked in one compiled call.

    A generation of cooperative coevolution has a dozen moves that cost a microsecond each; going through Python for
    each of these steps cost more than the moves.

    Parameters
    ----------
    engine : CompiledEngine
        Of the run.
    walk : Walk
        The run's books and incumbent.
    box : Box
        Where every point lies.
    """

    def __init__(self, engine: CompiledEngine, walk: Walk, box: Box) -> None:
        self._engine, self._walk, self._box = engine, walk, box
        self._rows = entry_of(book_rows, (WALK, _BOUND, _BOUND, MATRIX, VECTOR))
        self._moves = entry_of(book_moves, (WALK, _BOUND, _BOUND, INTEGERS, MATRIX, VECTOR))

    @classmethod
    def of(cls, engine: Engine, walk: Walk, box: Box) -> Batches | None:
        """Return None if the objective is not compiled or its batches go to workers."""
        return cls(engine, walk, box) if isinstance(engine, CompiledEngine) else None

    def rows(self, X: Matrix, values: Vector) -> tuple[int, Matrix]:
        """Evaluate what the allowance grants of the rows; return how many that is, and the points themselves."""
        walk, lower, upper = self._walk, self._box.lower, self._box.upper
        before = int(walk.ledger[COUNT])
        done = self._rows(walk, lower, upper, X, values)
        if done == OUTSIDE:
            X = into_box(X, lower, upper, walk.x)
            done = self._rows(walk, lower, upper, X, values)
        if walk.ledger[IMPROVED_AT] > before:
            self._engine.moved_away()
        return done, X

    def moves(self, coordinates: Integers, V: Matrix, values: Vector) -> tuple[int, Matrix]:
        """Evaluate what the allowance grants of the incumbent's moves, like `rows`."""
        walk, lower, upper = self._walk, self._box.lower, self._box.upper
        self._engine.refresh(walk)
        done = self._moves(walk, lower, upper, coordinates, V, values)
        if done == OUTSIDE:
            V = into_box(V, lower[coordinates], upper[coordinates], walk.x[coordinates])
            done = self._moves(walk, lower, upper, coordinates, V, values)
        return done, V


@kernel
def granted(ledger: Integers, wanted: int) -> int:
    """Count what the allowance grants, before it is evaluated."""
    if ledger[STOP] != RUNNING:
        return 0
    left = ledger[LIMIT] - ledger[COUNT]
    n = int(max(0, min(wanted, left)))
    ledger[COUNT] += n
    return n


@kernel
def settled(walk: Walk, values: Vector, n: int) -> int:
    """Book the first `n` values, and call the others infinite; return the row of the new incumbent or -1."""
    best = settle_rows(walk.ledger, walk.marks, walk.curve, values[:n], walk.ledger[COUNT] - n)
    if walk.ledger[STOP] != RUNNING:
        walk.ledger[LIMIT] = walk.ledger[COUNT]
    values[n:] = math.inf
    return best


@kernel
def book_rows(walk: Walk, lower: Vector, upper: Vector, X: Matrix, values: Vector) -> int:
    """Evaluate and book rows, and make the best one the incumbent; return how many were evaluated, or OUTSIDE."""
    n = granted(walk.ledger, X.shape[0])
    if not inside(X[:n], lower, upper):
        walk.ledger[COUNT] -= n
        return OUTSIDE
    rows(walk, X, values[:n])
    best = settled(walk, values, n)
    if best >= 0:
        walk.x[:] = X[best]
    return n


@kernel
def book_moves(walk: Walk, lower: Vector, upper: Vector, coordinates: Integers, V: Matrix, values: Vector) -> int:
    """Evaluate and book moves, like `book_rows`; a coordinate that does not exist counts as outside."""
    n = granted(walk.ledger, V.shape[0])
    for c in coordinates:
        if not -lower.shape[0] <= c < lower.shape[0]:
            walk.ledger[COUNT] -= n
            return OUTSIDE
    if not inside(V[:n], lower[coordinates], upper[coordinates]):
        walk.ledger[COUNT] -= n
        return OUTSIDE
    plain = walk.functions[HAS_MOVE] == 0
    if plain:
        moves_plain(walk, coordinates, V, values[:n])
    else:
        moves_moving(walk, coordinates, V, values[:n])
    best = settled(walk, values, n)
    if best >= 0:
        if plain:
            commit_plain(walk, coordinates, V[best])
        else:
            commit_moving(walk, coordinates, V[best])
    return n
