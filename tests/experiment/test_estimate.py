from __future__ import annotations

import math

import pytest

from ter.experiment.estimate import Estimate
from ter.experiment.record import RunKey


def key(problem="f1", algorithm="ter", seed=1):
    return RunKey(problem, 1000, algorithm, "{}", "3000", seed, "")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_nothing_is_known_at_first():
    estimate = Estimate()
    estimate.wait_for([key()])
    assert math.isinf(estimate.left(2)) and Estimate().left(2) == 0.0


def test_the_nearest_runs_tell():
    estimate = Estimate()
    estimate.add(key("f1", "ter"), 10.0)
    estimate.add(key("f1", "ter"), 20.0)
    estimate.add(key("f2", "ls"), 3.0)
    assert estimate.expected(key("f1", "ter", 7)) == 15.0  # the same problem and algorithm
    assert estimate.expected(key("f1", "gs")) == 15.0  # the same problem
    assert estimate.expected(key("f3", "ls")) == 3.0  # the same algorithm
    assert estimate.expected(key("f3", "gs")) == 11.0  # any


def test_workers_share_what_is_left_but_not_a_single_run():
    estimate = Estimate()
    estimate.add(key("f1"), 10.0)
    estimate.add(key("f2"), 2.0)
    estimate.wait_for([key("f1", seed=seed) for seed in range(3)])
    estimate.wait_for([key("f2")])
    assert estimate.left(2) == 16.0
    assert estimate.left(100) == 10.0  # the longest


def test_runs_under_way_count_with_what_is_left_of_them():
    clock = Clock()
    estimate = Estimate(clock)
    estimate.add(key(), 10.0)
    estimate.wait_for([key(seed=1), key(seed=2)])
    estimate.begin(key(seed=1))
    clock.now += 4.0
    assert estimate.left(1) == pytest.approx(16.0)
    clock.now += 100.0  # it takes longer than expected
    assert estimate.left(1) == pytest.approx(10.0)
    estimate.end(key(seed=1))
    assert estimate.left(1) == pytest.approx(10.0)


def test_a_run_that_was_lost_waits_again():
    estimate = Estimate()
    estimate.add(key(), 10.0)
    estimate.wait_for([key()])
    estimate.begin(key())
    estimate.end(key())
    assert estimate.left(1) == 0.0
    estimate.wait_for([key()])
    assert estimate.left(1) == 10.0
