"""The engines: how values come about for each kind of objective. They know nothing of budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.ledger import Integers, Walk
from ter.core.problem import Value
from ter.engines.calls import Outcome, call_block, call_points
from ter.engines.copies import Spare
from ter.engines.loops import Loops, kit_of
from ter.objectives.compiled import CompiledObjective

__all__ = [
    "CompiledEngine",
    "Engine",
    "MovingEngine",
    "PythonEngine",
    "VectorizedEngine",
    "cost_of",
    "joined",
    "moved_points",
]

GoOn = Callable[[float], bool]

# A vectorized objective gets at most this many bytes of points at a time, so that memory stays linear in D.
CHUNK_BYTES = 64 * 2**20


class Engine(Protocol):
    """Evaluates points, and moves of the incumbent."""

    compiled: CompiledObjective | None
    """The compiled objective, if sequential kernels can run around it."""

    def rows(self, X: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Evaluate rows of points."""
        ...

    def moves(self, coordinates: Integers, V: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Evaluate the incumbent ``walk.x`` with ``x[coordinates]`` replaced by each row of `V`."""
        ...

    def probe(self, walk: Walk, i: int, v: float) -> Any:
        """Evaluate the incumbent with ``x[i] = v``; return what the objective returned, or raise what it raised."""
        ...

    def commit(self, walk: Walk, coordinates: Integers, values: Vector) -> None:
        """Make a move the incumbent: write ``walk.x``."""
        ...

    def replace(self, walk: Walk, x: Vector) -> None:
        """Make `x` the incumbent: write ``walk.x``."""
        ...


class PythonEngine:
    """A Python callable, called point by point with a fresh copy each time."""

    compiled: CompiledObjective | None = None

    def __init__(self, fun: Callable[[Vector], Any], *, stop_at_failure: bool) -> None:
        self._fun = fun
        self._stop_at_failure = stop_at_failure
        self._spare = Spare()

    def rows(self, X: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Call the function on a copy of each row."""
        points = map(self._spare.copy_of, X)
        return call_points(self._fun, points, len(X), stop_at_failure=self._stop_at_failure, go_on=go_on)

    def moves(self, coordinates: Integers, V: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Call the function on the incumbent with replaced coordinates."""
        points = moved_points(walk.x, coordinates, V, self._spare)
        return call_points(self._fun, points, len(V), stop_at_failure=self._stop_at_failure, go_on=go_on)

    def probe(self, walk: Walk, i: int, v: float) -> Any:
        """Call the function on the incumbent with one coordinate replaced."""
        point = self._spare.copy_of(walk.x)
        point[i] = v
        return self._fun(point)

    def commit(self, walk: Walk, coordinates: Integers, values: Vector) -> None:
        """Write the move into the incumbent."""
        walk.x[coordinates] = values

    def replace(self, walk: Walk, x: Vector) -> None:
        """Write the incumbent."""
        walk.x[:] = x


class MovingEngine(PythonEngine):
    """A Python objective that evaluates moves itself.

    It offers ``start(x) -> base``, ``move(base, coordinates, values) -> value`` and
    ``commit(base, coordinates, values)`` beside being callable on a point.
    """

    def __init__(self, fun: Any, *, stop_at_failure: bool) -> None:
        super().__init__(fun, stop_at_failure=stop_at_failure)
        self._moving = fun
        self._base: Any = None
        self._stale = True

    def moves(self, coordinates: Integers, V: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Ask the objective for each move."""
        base = self._base_at(walk)
        rows = (row.copy() for row in V)
        return call_points(
            lambda values: self._moving.move(base, coordinates, values),
            rows,
            len(V),
            stop_at_failure=self._stop_at_failure,
            go_on=go_on,
        )

    def probe(self, walk: Walk, i: int, v: float) -> Any:
        """Ask the objective for one coordinate's move."""
        return self._moving.move(self._base_at(walk), np.array([i]), np.array([v]))

    def commit(self, walk: Walk, coordinates: Integers, values: Vector) -> None:
        """Let the objective move its base, too."""
        self._moving.commit(self._base_at(walk), np.asarray(coordinates), np.asarray(values))
        super().commit(walk, coordinates, values)

    def replace(self, walk: Walk, x: Vector) -> None:
        """Write the incumbent; the base is prepared when a move is asked for."""
        super().replace(walk, x)
        self._stale = True

    def _base_at(self, walk: Walk) -> Any:
        if self._stale:
            self._base = self._moving.start(walk.x.copy())
            self._stale = False
        return self._base


class VectorizedEngine(PythonEngine):
    """A Python callable that takes rows of points."""

    def rows(self, X: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Call the function on blocks of rows."""
        return self._blocks(len(X), X.shape[1], lambda a, b: X[a:b].copy(), go_on)

    def moves(self, coordinates: Integers, V: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Call the function on blocks of moved incumbents."""

        def block(a: int, b: int) -> NDArray[np.float64]:
            points = np.repeat(walk.x[None, :], b - a, axis=0)
            points[:, coordinates] = V[a:b]
            return points

        return self._blocks(len(V), walk.x.size, block, go_on)

    def probe(self, walk: Walk, i: int, v: float) -> Any:
        """Call the function on one row."""
        point = walk.x.copy()
        point[i] = v
        outcome = call_block(self._fun, point[None, :], True, True)
        if outcome.mistake or outcome.failures:
            raise outcome.mistake or outcome.failures[0].error
        y = float(outcome.values[0])
        return y if outcome.costs is None else Value(y, float(outcome.costs[0]))

    def _blocks(self, n: int, dimension: int, block: Callable[[int, int], NDArray[np.float64]], go_on: GoOn) -> Outcome:
        size = max(1, CHUNK_BYTES // (8 * dimension))
        outcomes: list[Outcome] = []
        for a in range(0, n, size):
            if a and not go_on(sum(cost_of(outcome) for outcome in outcomes)):
                break
            outcomes.append(call_block(self._fun, block(a, min(a + size, n)), True, self._stop_at_failure))
            if outcomes[-1].mistake or (outcomes[-1].failures and self._stop_at_failure):
                break
        return joined(outcomes)


class CompiledEngine:
    """A Numba objective; batches and sweeps run compiled."""

    def __init__(self, objective: CompiledObjective) -> None:
        self.compiled: CompiledObjective | None = objective
        self._objective = objective
        self._stale = True
        self.loops = Loops(kit_of(objective))

    def rows(self, X: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Evaluate rows in one compiled loop."""
        values = np.empty(len(X))
        self.loops.rows(walk, X, values)
        return Outcome(values)

    def moves(self, coordinates: Integers, V: NDArray[np.float64], walk: Walk, go_on: GoOn) -> Outcome:
        """Evaluate moves in one compiled loop."""
        self.refresh(walk)
        values = np.empty(len(V))
        self.loops.moves(walk, coordinates, V, values)
        return Outcome(values)

    def probe(self, walk: Walk, i: int, v: float) -> Any:
        """Call the objective from Python on one moved point."""
        point = walk.x.copy()
        point[i] = v
        return self._objective(point)

    def commit(self, walk: Walk, coordinates: Integers, values: Vector) -> None:
        """Write the move and update the objective's memory."""
        self.refresh(walk)
        self.loops.commit(walk, coordinates, values)

    def replace(self, walk: Walk, x: Vector) -> None:
        """Write the incumbent."""
        walk.x[:] = x
        self.moved_away()

    def moved_away(self) -> None:
        """Take note that the incumbent is another one: its memory is prepared when a move is asked for."""
        self._stale = True

    def refresh(self, walk: Walk) -> None:
        """Make sure the objective's memory belongs to the incumbent."""
        if self._stale:
            self.loops.start(walk)
            self._stale = False


def cost_of(outcome: Outcome) -> float:
    """Return what a batch cost."""
    return 0.0 if outcome.costs is None else float(outcome.costs.sum())


def moved_points(x: Vector, coordinates: Integers, V: NDArray[np.float64], spare: Spare) -> Iterator[Vector]:
    """Yield copies of `x` with the coordinates replaced by each row of `V`."""
    for values in V:
        point = spare.copy_of(x)
        point[coordinates] = values
        yield point
        del point  # so that its memory is free again


def joined(outcomes: list[Outcome]) -> Outcome:
    """Put the outcomes of consecutive blocks together; failures keep their row in the whole batch."""
    if len(outcomes) == 1:
        return outcomes[0]
    failures = []
    first = 0
    for outcome in outcomes:
        failures += [type(f)(first + f.evaluation, f.error, f.traceback) for f in outcome.failures]
        first += len(outcome.values)
    costs = None
    if any(outcome.costs is not None for outcome in outcomes):
        costs = np.concatenate([np.zeros(len(o.values)) if o.costs is None else o.costs for o in outcomes])
    values = np.concatenate([outcome.values for outcome in outcomes]) if outcomes else np.empty(0)
    mistake = next((outcome.mistake for outcome in outcomes if outcome.mistake is not None), None)
    return Outcome(values, costs, failures, sum(outcome.busy for outcome in outcomes), mistake)
