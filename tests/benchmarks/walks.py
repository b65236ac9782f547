"""Walks through a compiled objective that check what its functions promise at every step."""

from __future__ import annotations

from itertools import cycle

import numpy as np

import ter
from ter.benchmarks.layout import SCRATCH

MARGIN = 64  # numbers on both sides of the memory that nobody may touch
UNTOUCHED = -987.654
# What lies in the memory before it is written. No sum hides a NaN, no maximum hides an infinity.
RUBBISH = (np.nan, np.inf)


def same_bits(a: np.ndarray | float, b: np.ndarray | float) -> bool:
    return np.asarray(a, dtype=np.float64).tobytes() == np.asarray(b, dtype=np.float64).tobytes()


class Walk:
    """A point that moves, with the memory of its objective."""

    def __init__(self, objective: ter.CompiledObjective, x: np.ndarray) -> None:
        self.objective = objective
        self.data = objective.data
        self.x = np.array(x, dtype=np.float64)
        self._kept = int(self.data[1][SCRATCH])
        self._rubbish = cycle(RUBBISH)
        self._whole, self.memory = self._started()

    def _started(self) -> tuple[np.ndarray, np.ndarray]:
        """Memory at the present point, within its margins."""
        whole = np.full(self.objective.memory + 2 * MARGIN, UNTOUCHED)
        memory = whole[MARGIN:-MARGIN]
        memory[:] = RUBBISH[0]
        self.objective.start(self.x, memory, *self.data)
        return whole, memory

    def _spoil(self) -> None:
        """Fill the space to work in with rubbish: no result may depend on it."""
        self.memory[self._kept :] = next(self._rubbish)

    def full(self, coordinates: np.ndarray, values: np.ndarray) -> float:
        """The value after a move, by evaluating the whole point."""
        point = self.x.copy()
        point[coordinates] = values
        return float(self.objective.value(point, *self.data))

    def move(self, coordinates: np.ndarray, values: np.ndarray) -> float:
        """The value after a move, by the objective's own way."""
        self._spoil()
        return float(self.objective.move(self.x, self.memory, *self.data, coordinates, values))

    def checked_move(self, coordinates: np.ndarray, values: np.ndarray) -> None:
        """A move has the bits of a full evaluation, and leaves everything as it was."""
        x, kept = self.x.copy(), self.memory[: self._kept].copy()
        found, wanted = self.move(coordinates, values), self.full(coordinates, values)
        assert same_bits(found, wanted), f"{found!r} instead of {wanted!r} after a move of {len(coordinates)}"
        self._checked_moves(coordinates, values)
        assert same_bits(self.x, x)
        assert same_bits(self.memory[: self._kept], kept)

    def _checked_moves(self, coordinates: np.ndarray, values: np.ndarray) -> None:
        """Moves made together have these bits as well."""
        self._spoil()
        here = self.x[coordinates]
        V = np.array([values, here, 0.5 * (values + here)])[: 2 + len(coordinates) % 2]
        out = np.full(len(V), np.nan)
        self.objective.moves(self.x, self.memory, *self.data, coordinates, V, out)
        assert same_bits(out, [self.full(coordinates, row) for row in V])

    def commit(self, coordinates: np.ndarray, values: np.ndarray) -> None:
        """Make a move, as engines do it."""
        self._spoil()
        x = self.x.copy()
        self.objective.commit(self.x, self.memory, *self.data, coordinates, values)
        assert same_bits(self.x, x)
        self.x[coordinates] = values

    def assert_like_new(self) -> None:
        """The memory has the bits of one started at this point, and nothing was written outside of it."""
        fresh = self._started()[1]
        assert same_bits(self.memory[: self._kept], fresh[: self._kept])
        assert (self._whole[:MARGIN] == UNTOUCHED).all() and (self._whole[-MARGIN:] == UNTOUCHED).all()
