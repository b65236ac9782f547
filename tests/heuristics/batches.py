"""A subspace for tests of evolutions: an allowance without a run behind it."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

import ter
from ter.core.ledger import INTEGER_FIELDS, LIMIT, PAUSE
from ter.heuristics.subspace import Subspace


class Batches:
    """An allowance that only evaluates batches, without limit, and keeps their sizes and the lowest value."""

    remaining = 1

    def __init__(self, rows: Callable[[np.ndarray], np.ndarray], box: ter.Box, y: float) -> None:
        self.box, self.y, self.x = box, y, np.zeros(box.dimension)
        self.sizes: list[int] = []
        self.lowest = math.inf
        self._rows = rows

    def evaluate(self, rows: np.ndarray) -> np.ndarray:
        self.sizes.append(len(rows))
        values = self._rows(rows)
        self.lowest = min(self.lowest, values.min())
        return values

    def run_batches(self, kernel: Any, coordinates: np.ndarray, rows: np.ndarray, values: np.ndarray, *args: Any):
        ledger = np.zeros(INTEGER_FIELDS, dtype=np.int64)
        ledger[[LIMIT, PAUSE]] = np.iinfo(np.int64).max

        def batch(walk: Any, coordinates: np.ndarray, rows: np.ndarray, values: np.ndarray) -> int:
            values[:] = self.evaluate(rows)
            return len(rows)

        kernel.py_func(batch, SimpleNamespace(ledger=ledger), coordinates, rows, values, *args)


def squares(rows: np.ndarray) -> np.ndarray:
    return (rows * rows).sum(axis=1)


def subspace_of(rows: Callable[[np.ndarray], np.ndarray], box: ter.Box, y: float = 5.0) -> tuple[Batches, Subspace]:
    allowance = Batches(rows, box, y)
    return allowance, Subspace.of(allowance)
