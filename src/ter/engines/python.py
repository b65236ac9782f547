"""Engines of Python objectives: one point at a time, rows of points, or moves that the objective evaluates itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.core.values import Value
from ter.engines.calls import Mistake, Outcome, call_block, call_points, cost_of, joined, moved_rows
from ter.engines.copies import Copies
from ter.engines.engine import GoOn, Matrix, Position

__all__ = ["CHUNK_BYTES", "MovingEngine", "PythonEngine", "VectorizedEngine", "single_value"]

# A vectorized objective gets at most this many bytes of points at a time, so that memory stays linear in D.
CHUNK_BYTES = 64 * 2**20


class PythonEngine:
    """A Python callable, called point by point with a fresh copy each time."""

    compiled: None = None
    moving = False
    batched = False

    def __init__(self, fun: Callable[[Vector], Any], *, stop_at_failure: bool) -> None:
        self._fun = fun
        self._stop_at_failure = stop_at_failure
        self._copies = Copies()

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Call the function on a copy of each row."""
        points = map(self._copies.copy_of, X)
        return call_points(self._fun, points, len(X), stop_at_failure=self._stop_at_failure, go_on=go_on)

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Call the function on the walk's point with replaced coordinates."""
        points = self._moved_points(position.walk.x, coordinates, V)
        return call_points(self._fun, points, len(V), stop_at_failure=self._stop_at_failure, go_on=go_on)

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Call the function on the walk's point with one coordinate replaced."""
        point = self._copies.copy_of(position.walk.x)
        point[i] = v
        return self._fun(point)

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Write the move into the walk's point."""
        position.walk.x[coordinates] = values

    def replace(self, position: Position, x: Vector) -> None:
        """Write the walk's point."""
        position.walk.x[:] = x
        position.prepared = False

    def _moved_points(self, x: Vector, coordinates: Integers, V: Matrix) -> Iterator[Vector]:
        for values in V:
            point = self._copies.copy_of(x)
            point[coordinates] = values
            yield point
            del point  # so that its memory is free again


class MovingEngine(PythonEngine):
    """A Python objective that evaluates moves itself.

    It offers ``start(x) -> base``, ``move(base, coordinates, values) -> value`` and
    ``commit(base, coordinates, values)`` beside being callable on a point.
    """

    moving = True

    def __init__(self, fun: Any, *, stop_at_failure: bool) -> None:
        super().__init__(fun, stop_at_failure=stop_at_failure)
        self._moving = fun

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Ask the objective for each move."""
        base = self._base_at(position)
        return call_points(
            lambda values: self._moving.move(base, coordinates.copy(), values),
            (row.copy() for row in V),
            len(V),
            stop_at_failure=self._stop_at_failure,
            go_on=go_on,
        )

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Ask the objective for one coordinate's move."""
        return self._moving.move(self._base_at(position), np.array([i]), np.array([v]))

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Let the objective move its base, too."""
        move = np.array(coordinates), np.array(values)  # copies: it may keep them, or write to them
        self._moving.commit(self._base_at(position), *move)
        super().commit(position, coordinates, values)

    def _base_at(self, position: Position) -> Any:
        if not position.prepared:
            position.base = self._moving.start(position.walk.x.copy())
            position.prepared = True
        return position.base


class VectorizedEngine(PythonEngine):
    """A Python callable that takes rows of points."""

    batched = True

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Call the function on blocks of rows."""
        return self._blocks(len(X), X.shape[1], lambda a, b: X[a:b].copy(), go_on)

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Call the function on blocks of moved points."""
        x = position.walk.x
        return self._blocks(len(V), x.size, lambda a, b: moved_rows(x, coordinates, V[a:b]), go_on)

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Call the function on one row."""
        point = moved_rows(position.walk.x, np.array([i]), np.array([[v]]))
        return single_value(call_block(self._fun, point, True, True))

    def _blocks(self, n: int, dimension: int, block: Callable[[int, int], Matrix], go_on: GoOn) -> Outcome:
        size = max(1, CHUNK_BYTES // (8 * dimension))
        outcomes: list[Outcome] = []
        for a in range(0, n, size):
            if a and not go_on(sum(cost_of(outcome) for outcome in outcomes)):
                break
            outcomes.append(call_block(self._fun, block(a, min(a + size, n)), True, self._stop_at_failure))
            last = outcomes[-1]
            if last.mistake or any(self._stop_at_failure or failure.fatal for failure in last.failures):
                break
        return joined(outcomes)


def single_value(outcome: Outcome) -> Any:
    """Return what an objective returned for the one point of a batch, or raise what it raised, or a `Mistake`."""
    if outcome.mistake is not None:
        raise Mistake(outcome.mistake)
    if outcome.failures:
        raise outcome.failures[0].error
    y = float(outcome.values[0])
    return y if outcome.costs is None else Value(y, float(outcome.costs[0]))
