"""Batches of a compiled objective, from the grant to the books in one compiled call."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from ter._jit import Kernel, entry_of, kernel, merged
from ter.core.box import Vector
from ter.core.ledger import BATCHED, COUNT, IMPROVED_AT, LIMIT, RUNNING, STOP, Integers, Walk, inside, settle_rows
from ter.core.points import into_box
from ter.engines.engine import CompiledEngine, Engine
from ter.engines.loops import (
    WALK,
    Around,
    commit_moving,
    commit_plain,
    compile_around,
    moves_moving,
    moves_plain,
)
from ter.engines.loops import rows as evaluate_rows
from ter.objectives.addresses import HAS_MOVE, INTEGERS, MATRIX, VECTOR, Addressed

__all__ = ["BATCH", "Batches", "Matrix", "compile_batches"]

Matrix: TypeAlias = NDArray[np.float64]

BATCH = Addressed(types.int64(WALK, INTEGERS, MATRIX, VECTOR))
OUTSIDE = -1  # a row lies outside the box; nothing was done


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
    """

    def __init__(self, engine: CompiledEngine, walk: Walk) -> None:
        self._engine, self._walk = engine, walk
        self._book = entry_of(book_batch, BATCH.signature.args)
        self._around = Around([(book_batch, BATCH)])

    @classmethod
    def of(cls, engine: Engine, walk: Walk) -> Batches | None:
        """Return None if the objective is not compiled or its batches go to workers."""
        return cls(engine, walk) if isinstance(engine, CompiledEngine) else None

    def evaluate(self, coordinates: Integers, rows: Matrix, values: Vector) -> tuple[int, Matrix]:
        """Evaluate what the allowance grants of points, or of moves of the incumbent if coordinates are named.

        Returns how many that is, and the rows, moved into the box.
        """
        walk = self._walk
        before = self._begin(coordinates)
        done = self._book(walk, coordinates, rows, values)
        if done == OUTSIDE:
            rows = self._moved_inside(coordinates, rows)
            done = self._book(walk, coordinates, rows, values)
        self._end(coordinates, before)
        return done, rows

    def run(
        self, kernel: Kernel[..., int], coordinates: Integers, rows: Matrix, values: Vector, args: tuple[Any, ...]
    ) -> None:
        """Run a kernel that evaluates batch after batch."""
        run = self._around.compiled(kernel, (coordinates, rows, values, *args))
        before = self._begin(coordinates)
        if run(self._walk) == OUTSIDE:
            rows[:] = self._moved_inside(coordinates, rows)
        self._end(coordinates, before)

    def _begin(self, coordinates: Integers) -> int:
        if coordinates.size:
            self._engine.refresh(self._walk)
        return int(self._walk.ledger[COUNT])

    def _end(self, coordinates: Integers, before: int) -> None:
        if not coordinates.size and self._walk.ledger[IMPROVED_AT] > before:
            self._engine.moved_away()

    def _moved_inside(self, coordinates: Integers, rows: Matrix) -> Matrix:
        walk, where = self._walk, coordinates if coordinates.size else slice(None)
        return into_box(rows, walk.lower[where], walk.upper[where], walk.x[where])


def compile_batches(function: Kernel[..., int], args: tuple[Any, ...]) -> None:
    """Compile a kernel that evaluates batch after batch, for any compiled objective."""
    compile_around((BATCH,), function, args)


@merged
def granted(ledger: Integers, wanted: int) -> int:
    """Count what the allowance grants, before it is evaluated."""
    if ledger[STOP] != RUNNING:
        return 0
    left = ledger[LIMIT] - ledger[COUNT]
    n = int(max(0, min(wanted, left)))
    ledger[COUNT] += n
    return n


@merged
def settled(walk: Walk, values: Vector, n: int) -> int:
    """Book the first `n` values, and call the others infinite; return the row of the new incumbent or -1."""
    best = settle_rows(walk.ledger, walk.marks, walk.curve, values[:n], walk.ledger[COUNT] - n)
    if walk.ledger[STOP] != RUNNING:
        walk.ledger[LIMIT] = walk.ledger[COUNT]
    values[n:] = math.inf
    return best


@kernel
def book_batch(walk: Walk, coordinates: Integers, rows: Matrix, values: Vector) -> int:
    """Evaluate and book points, or moves of the incumbent if coordinates are named; make the best one the incumbent.

    Returns how many were evaluated, or OUTSIDE. A coordinate that does not exist counts as outside, too.
    """
    n = granted(walk.ledger, rows.shape[0])
    if not all_inside(walk, coordinates, rows[:n]):
        walk.ledger[COUNT] -= n
        return OUTSIDE
    walk.ledger[BATCHED] = n
    plain = walk.functions[HAS_MOVE] == 0
    if coordinates.shape[0] == 0:
        evaluate_rows(walk, rows, values[:n])
    elif plain:
        moves_plain(walk, coordinates, rows, values[:n])
    else:
        moves_moving(walk, coordinates, rows, values[:n])
    best = settled(walk, values, n)
    if best >= 0:
        if coordinates.shape[0] == 0:
            walk.x[:] = rows[best]
        elif plain:
            commit_plain(walk, coordinates, rows[best])
        else:
            commit_moving(walk, coordinates, rows[best])
    return n


@merged
def all_inside(walk: Walk, coordinates: Integers, rows: Matrix) -> bool:
    """Tell whether points or moves lie in the box."""
    if coordinates.shape[0] == 0:
        return inside(rows, walk.lower, walk.upper)
    dimension = walk.lower.shape[0]
    for c in coordinates:
        if not -dimension <= c < dimension:
            return False
    return inside(rows, walk.lower[coordinates], walk.upper[coordinates])
