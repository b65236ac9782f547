"""The engine that spreads batches over workers through a backend."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ter.core.allowance import Chain
from ter.core.backend import Backend
from ter.core.box import Vector
from ter.core.errors import AllowanceSpent
from ter.core.ledger import COUNT, Integers
from ter.engines.ahead import LookAhead
from ter.engines.calls import Outcome, cost_of, joined
from ter.engines.engine import Engine, GoOn, Matrix, Position
from ter.engines.posting import Block, Task
from ter.engines.python import CHUNK_BYTES, single_value
from ter.engines.rounds import evaluated

__all__ = ["WorkersEngine"]

SECONDS_PER_TASK = 0.02  # work that makes the transport's cost small
IDLE = 0.5  # of the workers' time: from here on people want to know why
SHORT = 0.01  # seconds; sending a point takes about one, and waiting for the next some more
AT_HOME = 2e-4  # seconds; points that come one by one are evaluated here, if so many in a row took less
QUICK_ONES = 100

Cut = Callable[[int, int, int], Block]  # the block with a number, of the rows from one to another


class WorkersEngine:
    """Sends blocks of points to a backend; values are taken by their block's number, so they equal the serial run's.

    Parameters
    ----------
    fun : callable
        The objective.
    home : Engine
        Evaluates here what is not worth sending, unless the backend wants to see every point: points that come one by
        one, if evaluations take hardly any time, or if the objective evaluates moves itself.
    backend : Backend
        Has the workers.
    vectorized : bool
        Whether the objective takes rows.
    """

    def __init__(self, fun: Callable[..., Any], home: Engine, backend: Backend, *, vectorized: bool) -> None:
        self._home = home
        self._backend = LookAhead(backend)
        self._task = Task(fun, vectorized)
        self._seconds_per_point = math.inf
        self._quick = 0  # points in a row that took hardly any time
        self._base = np.empty(0)
        self.compiled = None if backend.takes_single_points else home.compiled
        self.moving = home.moving
        self.batched = self.compiled is None  # moves in a compiled kernel are faster than whole points elsewhere
        if self.compiled is None:
            backend.prepare(self._task)
        self.tell: Callable[[Outcome], None] | None = None  # gets the outcomes of a batch in order, as they come
        self.busy = 0.0
        self.available = 0.0
        self._points = 0
        self._started: float | None = None  # what workers had no work for in the first batch, while they started
        self._narrow = 0.0  # and in batches with fewer points than workers

    @property
    def utilisation(self) -> float | None:
        """Share of the workers' time that was spent inside the objective, while batches were under way."""
        return min(1.0, self.busy / self.available) if self.available > 0 else None

    @property
    def idle_because(self) -> str:
        """Why workers were idle for more than half of that time; empty if they were not."""
        if self.utilisation is None or self.utilisation >= IDLE:
            return ""
        half = 0.5 * (self.available - self.busy)
        if (self._started or 0.0) >= half:
            return "starting them took most of the time"
        if self._narrow >= half:
            return (
                "many batches had fewer points than there are workers, as those of heuristics that evaluate point by "
                "point; heuristics=['volleys', 'gs', 'lbfgsb'] has larger ones"
            )
        mean = self.busy / max(1, self._points)
        if mean < SHORT:
            return f"an evaluation took {1000 * mean:.2g} ms, which is little beside sending its point"
        return "evaluations took different times, and a batch waits for its slowest"

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Spread rows over the workers."""
        if len(X) == 1 and self._stays:
            return self._home.rows(position, X, go_on)
        return self._evaluate(len(X), X.shape[1], lambda k, a, b: Block(k, X[a:b].copy()), go_on)

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Spread moved points over the workers."""
        if len(V) == 1 and self._stays:
            return self._home.moves(position, coordinates, V, go_on)
        return self._evaluate(len(V), position.walk.x.size, self._moved(position.walk.x, coordinates, V), go_on)

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Evaluate one moved point, at home or away."""
        if self._stays:
            return self._home.probe(position, i, v, go_on)
        walk = position.walk
        outcome = self._evaluate(1, walk.x.size, self._moved(walk.x, np.array([i]), np.array([[v]])), go_on)
        if outcome.values.size == 0:  # given up: take the count back and end the action
            walk.ledger[COUNT] -= 1
            raise AllowanceSpent
        return single_value(outcome)

    def look_ahead(self, position: Position, chains: Sequence[Chain]) -> None:
        """Let idle workers go ahead with these chains, if an evaluation is worth sending alone."""
        worth = self._points > 0 and self.busy >= SHORT * self._points and not self._task.vectorized
        x = position.walk.x
        self._backend.offer([(chain, self._singles(x, chain.coordinates)) for chain in chains if worth])

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Write the move at home."""
        self._home.commit(position, coordinates, values)

    def replace(self, position: Position, x: Vector) -> None:
        """Write the walk's point at home."""
        self._home.replace(position, x)

    @property
    def _stays(self) -> bool:
        """Whether points that come one by one are evaluated here."""
        if self._backend.takes_single_points:
            return False
        return self.moving or self.compiled is not None or self._quick >= QUICK_ONES

    def _moved(self, x: Vector, coordinates: Integers, V: Matrix) -> Cut:
        """Return how to cut moves into blocks."""
        base, where = self._base_at(x), coordinates.copy()
        return lambda k, a, b: self._block(k, base, where, V[a:b])

    def _singles(self, x: Vector, coordinates: Integers) -> Callable[[Matrix], list[Block]]:
        """Return how to cut points, or moves of a point, into blocks of one row each."""
        if not coordinates.size:
            return lambda V: [Block(0, row[None].copy()) for row in V]
        base, where = self._base_at(x), coordinates.copy()
        return lambda V: [self._block(0, base, where, row[None]) for row in V]

    def _base_at(self, x: Vector) -> Vector:
        """Return the point that moves start from, the same array as before if it is the same: it is sent only once."""
        if not np.array_equal(self._base.view(np.int64), x.view(np.int64)):  # bits: 0.0 equals -0.0
            self._base = x.copy()
        return self._base

    def _block(self, k: int, base: Vector, where: Integers, V: Matrix) -> Block:
        block = Block(k, V.copy(), where, base)
        smaller = self._backend.keeps_base or V.size + where.size + base.size < len(V) * base.size
        return block if smaller else Block(k, block.points())

    def _evaluate(self, n: int, dimension: int, cut: Cut, go_on: GoOn) -> Outcome:
        """Evaluate a batch; memory stays bounded, since not all of its points are written out at a time."""
        outcomes: list[Outcome] = []
        wave = max(self._backend.width, CHUNK_BYTES // (8 * dimension))
        for a in range(0, n, wave):
            pending = sum(map(cost_of, outcomes))
            if a and not go_on(pending):
                break
            end = min(a + wave, n)
            outcomes.append(self._wave(a, end, cut, lambda pending=pending: go_on(pending)))  # type: ignore[misc]
            if outcomes[-1].mistake or len(outcomes[-1].values) < end - a:
                break
        return joined(outcomes)

    def _wave(self, first: int, end: int, cut: Cut, go_on: Callable[[], bool]) -> Outcome:
        size = self._block_size(end - first)
        blocks = [cut(k, a, min(a + size, end)) for k, a in enumerate(range(first, end, size))]
        started = time.perf_counter()
        outcome = evaluated(self._backend, self._task, blocks, go_on, self.tell)
        wall = time.perf_counter() - started
        width = self._backend.width
        self.busy += outcome.busy
        self.available += wall * width
        self._points += len(outcome.values)
        if self._started is None:
            self._started = max(0.0, wall * width - outcome.busy)
        else:
            self._narrow += wall * max(0, width - (end - first))
        if len(outcome.values):
            self._seconds_per_point = outcome.busy / len(outcome.values)
            self._quick = self._quick + len(outcome.values) if self._seconds_per_point < AT_HOME else 0
        return outcome

    def _block_size(self, n: int) -> int:
        even = max(1, math.ceil(n / self._backend.width))
        # The value of a row may depend on its block if the objective is vectorized (BLAS rounds by the shape), and then
        # the same seed gives the same result only if blocks do not depend on time.
        if self._task.vectorized:
            return even
        if self._backend.ahead:  # what was evaluated ahead is there point by point
            return 1
        # Small blocks: a worker that is done gets the next one. But each must be worth sending.
        return min(even, max(1, math.ceil(SECONDS_PER_TASK / max(self._seconds_per_point, 1e-9))))
