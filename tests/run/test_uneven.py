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
from ter.engines import choose
from ter.heuristics import DecomposedES
from ter.heuristics.differences import ROWS, evaluate_each
from tests.run.simulated import SimulatedClock, SimulatedPool, SimulatedWorkers

WIDTH = 16


class Uneven:
    """Takes a second on average, and sometimes ten; the point decides."""

    def __init__(self, clock):
        self.clock, self.seconds, self.calls = clock, 0.0, 0

    def __call__(self, x):
        seconds = min(10.0, -math.log((zlib.crc32(x.tobytes()) + 1) / 2**32))
        self.seconds += seconds
        self.calls += 1
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


def on_workers(monkeypatch, box, **options):
    """Run on simulated workers; return the result, and how many of them were busy on average."""
    clock = SimulatedClock()
    fun = Uneven(clock)
    with clock.in_place(), monkeypatch.context() as patch:
        patch.setattr(choose, "choose_backend", lambda *_: SimulatedWorkers(clock, WIDTH))
        result = ter.minimize(fun, box, workers=WIDTH, **options)
    assert fun.calls == result.nfev  # what is begun ahead is asked for, and within the budget
    return result, fun.seconds / clock.now


def test_groups_go_on_when_their_own_points_are_back(monkeypatch):
    """Waiting for all of a round, 7.3 workers were busy on average."""
    options = {"budget": 8_000, "rng": 1, "heuristics": [DecomposedES(block=25)]}
    box = ter.box(-5, 5, dimension=200)
    result, busy = on_workers(monkeypatch, box, **options)
    serial = ter.minimize(Uneven(SimulatedClock()), box, **options)
    assert result.x.tobytes() == serial.x.tobytes() and result.curve.tobytes() == serial.curve.tobytes()
    assert busy > 8.5


def test_the_next_batch_of_a_gradient_begins_before_the_last_one_is_complete(monkeypatch):
    """Waiting for all of a batch, 11.9 workers were busy on average."""
    monkeypatch.setattr(moves, "BATCH_BYTES", 8)  # so that a batch has the fewest points, 128
    options = {"budget": 2_100, "rng": 1, "heuristics": ["lbfgsb"]}
    box = ter.box(-5, 5, dimension=512)
    result, busy = on_workers(monkeypatch, box, **options)
    serial = ter.minimize(Uneven(SimulatedClock()), box, **options)
    assert result.x.tobytes() == serial.x.tobytes() and result.curve.tobytes() == serial.curve.tobytes()
    assert busy > 13.0


class Batches:
    """A branch that notes how many points it is given at a time."""

    batched, remaining = True, 10**6

    def __init__(self, dimension):
        self.dimension, self.x, self.seen = dimension, np.zeros(dimension), []

    def look_ahead(self, chains):
        pass

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
