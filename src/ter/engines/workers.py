"""The engine that spreads batches over workers through a backend."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ter.core.backend import Backend
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.engines.calls import Outcome, cost_of, joined
from ter.engines.engine import Engine, GoOn, Matrix, Position
from ter.engines.posting import Block, Task, in_order
from ter.engines.python import CHUNK_BYTES, moved_rows, single_value

__all__ = ["WorkersEngine"]

# Work per task that makes the transport's cost small.
SECONDS_PER_TASK = 0.02


class WorkersEngine:
    """Sends blocks of points to a backend; values are taken by their block's number, so they equal the serial run's.

    Sequential kernels evaluate one point at a time. These stay with the `home` engine, unless the backend was
    handed over by the user and wants to see every point.
    """

    def __init__(self, fun: Callable[..., Any], home: Engine, backend: Backend, *, vectorized: bool) -> None:
        self._home = home
        self._backend = backend
        self._task = Task(fun, vectorized)
        self._seconds_per_point = math.inf
        self.compiled = None if backend.takes_single_points else home.compiled
        self.moving = home.moving
        self.batched = self.compiled is None  # moves in a compiled kernel are faster than whole points elsewhere
        self.busy = 0.0
        self.available = 0.0

    @property
    def utilisation(self) -> float | None:
        """Share of the workers' time that was spent inside the objective, while batches were under way."""
        return min(1.0, self.busy / self.available) if self.available > 0 else None

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Spread rows over the workers."""
        if len(X) == 1 and not self._backend.takes_single_points:
            return self._home.rows(position, X, go_on)
        outcomes: list[Outcome] = []
        wave = max(self._backend.width, CHUNK_BYTES // (8 * X.shape[1]))
        for a in range(0, len(X), wave):
            if a and not go_on(sum(cost_of(outcome) for outcome in outcomes)):
                break
            outcomes.append(self._wave(X[a : a + wave]))
            if outcomes[-1].mistake:
                break
        return joined(outcomes)

    def _wave(self, X: Matrix) -> Outcome:
        size = self._block_size(len(X))
        blocks = [Block(k, X[a : a + size].copy()) for k, a in enumerate(range(0, len(X), size))]
        started = time.perf_counter()
        outcome = joined(in_order(self._backend.run(self._task, blocks), blocks))
        wall = time.perf_counter() - started
        self.busy += outcome.busy
        self.available += wall * self._backend.width
        self._seconds_per_point = outcome.busy / max(1, len(X))
        return outcome

    def _block_size(self, n: int) -> int:
        size = max(1, math.ceil(n / self._backend.width))
        # The value of a row may depend on its block if the objective is vectorized (BLAS rounds by the shape), and then
        # the same seed gives the same result only if blocks do not depend on time.
        if self._task.vectorized or math.isinf(self._seconds_per_point):
            return size
        # Smaller blocks even out slow points, if a task stays worth it.
        worth = math.ceil(SECONDS_PER_TASK / max(self._seconds_per_point, 1e-9))
        return min(size, max(worth, math.ceil(size / 4)))

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Spread moved points over the workers."""
        if len(V) == 1 and not self._backend.takes_single_points:
            return self._home.moves(position, coordinates, V, go_on)
        return self.rows(position, moved_rows(position.walk.x, coordinates, V), go_on)

    def probe(self, position: Position, i: int, v: float) -> Any:
        """Evaluate one moved point, at home or away."""
        if not self._backend.takes_single_points:
            return self._home.probe(position, i, v)
        return single_value(self._wave(moved_rows(position.walk.x, np.array([i]), np.array([[v]]))))

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Write the move at home."""
        self._home.commit(position, coordinates, values)

    def replace(self, position: Position, x: Vector) -> None:
        """Write the walk's point at home."""
        self._home.replace(position, x)
