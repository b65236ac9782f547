from __future__ import annotations

import math

import pytest

from ter.experiment.forecast import Forecast
from ter.experiment.record import RunKey


def key(problem="f1", algorithm="ter", seed=1):
    return RunKey(problem, 1000, algorithm, "{}", "3000", seed, "")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_nothing_is_known_at_first():
    forecast = Forecast()
    forecast.wait_for([key()])
    assert math.isinf(forecast.left(2)) and Forecast().left(2) == 0.0


def test_the_nearest_runs_tell():
    forecast = Forecast()
    forecast.add(key("f1", "ter"), 10.0)
    forecast.add(key("f1", "ter"), 20.0)
    forecast.add(key("f2", "ls"), 3.0)
    assert forecast.expected(key("f1", "ter", 7)) == 15.0  # the same problem and algorithm
    assert forecast.expected(key("f1", "gs")) == 15.0  # the same problem
    assert forecast.expected(key("f3", "ls")) == 3.0  # the same algorithm
    assert forecast.expected(key("f3", "gs")) == 11.0  # any


def test_workers_share_what_is_left_but_not_a_single_run():
    forecast = Forecast()
    forecast.add(key("f1"), 10.0)
    forecast.add(key("f2"), 2.0)
    forecast.wait_for([key("f1", seed=seed) for seed in range(3)])
    forecast.wait_for([key("f2")])
    assert forecast.left(2) == 16.0
    assert forecast.left(100) == 10.0  # the longest


def test_runs_under_way_count_with_what_is_left_of_them():
    clock = Clock()
    forecast = Forecast(clock)
    forecast.add(key(), 10.0)
    forecast.wait_for([key(seed=1), key(seed=2)])
    forecast.begin(key(seed=1))
    clock.now += 4.0
    assert forecast.left(1) == pytest.approx(16.0)
    clock.now += 100.0  # it takes longer than expected
    assert forecast.left(1) == pytest.approx(10.0)
    forecast.end(key(seed=1))
    assert forecast.left(1) == pytest.approx(10.0)


def test_a_run_that_was_lost_waits_again():
    forecast = Forecast()
    forecast.add(key(), 10.0)
    forecast.wait_for([key()])
    forecast.begin(key())
    forecast.end(key())
    assert forecast.left(1) == 0.0
    forecast.wait_for([key()])
    assert forecast.left(1) == 10.0


def test_runs_that_will_follow_count_like_others_on_the_problem():
    forecast = Forecast()
    forecast.add(key("f1", "ter"), 10.0)
    forecast.add(key("f1", "ls"), 2.0)
    forecast.wait_for([key("f1", "ls")])
    forecast.expect(key("f1", "ls"), 3)
    assert forecast.runs == 4 and forecast.left(1) == 2.0 + 3 * 6.0
    forecast.expect(key("f1", "ls"), 1)  # not in addition
    forecast.begin(key("f1", "ls"))
    assert forecast.runs == 2
    forecast.end(key("f1", "ls"))
    forecast.expect(key("f1", "ls"), 0)
    assert forecast.runs == 0 and forecast.left(1) == 0.0
