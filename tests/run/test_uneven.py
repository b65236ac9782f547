"""Evaluations that take different times: no worker waits for the slowest point where the next ones are known.

The clock and the workers are simulated, so nothing here depends on the machine.
"""

from __future__ import annotations

import math
import zlib

import numpy as np
import pytest

import ter
from ter.decomposition import moves
from ter.heuristics.differences import ROWS, evaluate_each
from tests.run.simulated import SimulatedClock, SimulatedPool

WIDTH = 16


class Uneven:
    """Takes a second on average, and sometimes ten; the point decides."""

    def __init__(self, clock):
        self.clock, self.seconds = clock, 0.0

    def __call__(self, x):
        seconds = min(10.0, -math.log((zlib.crc32(x.tobytes()) + 1) / 2**32))
        self.seconds += seconds
        self.clock.work(seconds)
        return float((x * x).sum() + x[0] * x[1])


def test_workers_wait_once_for_each_gradient():
    """Four gradients with 512 differences; waiting after each 128, they were busy for 0.76 of the time."""
    options = {"budget": 2_060, "rng": 1, "heuristics": ["lbfgsb"]}
    clock, box = SimulatedClock(), ter.box(-5, 5, dimension=512)
    with clock.in_place():
        result = ter.minimize(Uneven(clock), box, workers=SimulatedPool(clock, WIDTH), **options)
    serial = ter.minimize(Uneven(SimulatedClock()), box, **options)
    assert result.x.tobytes() == serial.x.tobytes() and result.nfev == serial.nfev == 2_060
    assert result.workers_busy > 0.83


def test_workers_do_not_wait_at_the_ends_of_rows_of_pairs():
    clock, box = SimulatedClock(), ter.box(-5, 5, dimension=40)
    fun = Uneven(clock)
    with clock.in_place():
        found = ter.decompose(fun, box, method="dg2", workers=SimulatedPool(clock, WIDTH))
    serial = ter.decompose(Uneven(SimulatedClock()), box, method="dg2")
    assert [group.tolist() for group in found.groups] == [group.tolist() for group in serial.groups] == [[0, 1]]
    assert found.nfev == serial.nfev == 40 * 41 // 2 + 1
    assert fun.seconds / clock.now > 0.8 * WIDTH


class Batches:
    """A branch that notes how many points it is given at a time."""

    batched, remaining = True, 10**6

    def __init__(self, dimension):
        self.dimension, self.x, self.seen = dimension, np.zeros(dimension), []

    def evaluate(self, X):
        self.seen.append(X.shape)
        return X.sum(axis=1)


@pytest.mark.parametrize(("memory", "rows"), [(1 << 30, 500), (8 * 500 * 200, 200), (8, ROWS)])
def test_batches_of_differences_are_as_large_as_memory_allows(memory, rows, monkeypatch):
    monkeypatch.setattr(moves, "BATCH_BYTES", memory)
    branch, values, cursor = Batches(500), np.zeros(500), np.zeros(2, dtype=np.int64)
    while cursor[0] < 500:
        evaluate_each(branch, np.arange(500), np.arange(500.0), values, cursor)
    assert max(branch.seen) == (rows, 500) and sum(shape[0] for shape in branch.seen) == 500
    assert values.tolist() == list(range(500))
