"""Everything that ends a run, and the callback."""

from __future__ import annotations

import math
import signal
import threading
import time

import numba
import numpy as np
import pytest

import ter
from ter.core.streams import stream
from tests.spies import minimize_on, minimize_spied, spy_on

BOX = ter.box(-5, 5, dimension=3)
SEQUENTIAL = ("python", "moving", "vectorized", "compiled", "compiled moving")
CONFIRMED = {"moving": 1}  # evaluations after the search, which confirm what moves gave


def sphere(x):
    return float((x * x).sum())


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_the_target_ends_a_sweep_at_the_very_evaluation(engine):
    whole = minimize_on(engine, BOX, budget=400, x0=[4, 4, 4], rng=1, heuristics=["ls1"])
    evaluations, value = whole.curve[10]
    result = minimize_on(engine, BOX, budget=400, x0=[4, 4, 4], rng=1, heuristics=["ls1"], target=value)
    ended = evaluations + CONFIRMED.get(engine, 0)
    assert (result.nfev, result.fun, result.status) == (ended, value, ter.StopReason.TARGET)
    assert result.success and result.curve[-1, 0] == evaluations


@pytest.mark.parametrize("heuristic", ["cc", "gs"])
def test_the_target_ends_a_batch(heuristic):
    result = ter.minimize(sphere, BOX, budget=3000, rng=1, heuristics=[heuristic], target=1.0)
    assert result.status == ter.StopReason.TARGET and result.fun <= 1.0 and result.nfev < 3000
    assert result.nfev - result.curve[-1, 0] < 50


def test_a_target_at_the_start_point_ends_the_run_there():
    result = ter.minimize(sphere, BOX, budget=100, x0=[0, 0, 0], rng=1, target=0.0)
    assert (result.nfev, result.nit, result.status) == (1, 0, ter.StopReason.TARGET)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "the budget is used up; the target 1e-300 was not reached"),
        ({"stagnation": 1}, "no improvement within the stagnation limit; the target 1e-300 was not reached"),
        ({"callback": lambda now: True}, "the callback asked to stop; the target 1e-300 was not reached"),
        ({"scheduler": ter.schedulers.Replay(["cc"])}, "the sequence to replay is used up; the target 1e-300 was not"),
    ],
)
def test_a_run_that_ends_before_its_target_is_no_success(options, message):
    result = ter.minimize(sphere, BOX, budget=300, rng=1, target=1e-300, **options)
    assert not result.success and result.message.startswith(message)
    assert ter.minimize(sphere, BOX, budget=300, rng=1, **options).success


def test_a_run_on_its_way_to_a_target_has_not_missed_it_yet():
    seen = []
    ter.minimize(sphere, BOX, budget=300, rng=1, target=1e-300, callback=seen.append)
    assert {(now.success, now.message) for now in seen} == {(True, "the run is under way")}


def test_where_no_value_is_finite_the_target_is_not_mentioned():
    result = ter.minimize(lambda x: np.nan, BOX, budget=30, rng=1, target=0.0)
    assert not result.success and result.message == "the budget is used up; no evaluation gave a finite value"


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_stagnation_ends_a_sweep_at_the_very_evaluation(engine):
    # From a point near the optimum the sweep cannot improve with its first steps, which are 3 to 4 units long.
    box = ter.box(-5, 5, dimension=8)
    x0 = [0.25 * (i % 5) + 0.125 for i in range(8)]
    spy = spy_on(engine, box)
    result = minimize_spied(spy, box, budget=400, x0=x0, rng=1, heuristics=["ls1"], stagnation=13)
    ended = 14 + CONFIRMED.get(engine, 0)
    assert (result.nfev, spy.calls, result.status) == (ended, ended, ter.StopReason.STAGNATION)


def test_stagnation_ends_batches():
    result = ter.minimize(lambda x: 1.0, BOX, budget=3000, x0=[1, 1, 1], rng=1, heuristics=["gs"], stagnation=60)
    assert result.status == ter.StopReason.STAGNATION
    assert 61 <= result.nfev <= 111
    assert result.message == "no improvement within the stagnation limit"


@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_budget_in_seconds_ends(engine, heuristic):
    started = time.perf_counter()
    result = minimize_on(engine, BOX, budget="0.1s", rng=1, heuristics=[heuristic])
    assert result.status == ter.StopReason.BUDGET and result.success
    assert result.spent.seconds >= 0.1
    assert time.perf_counter() - started < 60


def test_the_first_of_combined_limits_ends_the_run():
    assert ter.minimize(sphere, BOX, budget="50 evaluations, 1h", rng=1).nfev == 50
    slow = ter.minimize(lambda x: time.sleep(0.01) or sphere(x), BOX, budget="100000 evaluations, 50ms", rng=1)
    assert slow.nfev < 100 and slow.status == ter.StopReason.BUDGET


def priced(x):
    return ter.Value(sphere(x), cost=0.5)


@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
def test_a_budget_in_cost_is_charged_by_the_values(heuristic):
    result = ter.minimize(priced, BOX, budget="100 cost", x0=[1, 1, 1], step=5, rng=1, heuristics=[heuristic])
    assert result.status == ter.StopReason.BUDGET
    assert (result.nfev, result.spent.cost) == (200, 100)  # within a batch, too
    assert sum(action.cost for action in result.actions) == result.spent.cost - 0.5
    assert all(action.cost == 0.5 * action.nfev for action in result.actions)


@pytest.mark.parametrize("cost", [lambda n: np.full(n, 0.5), lambda n: 0.5 * n])
def test_vectorized_objectives_charge_per_row_or_per_batch(cost):
    def fun(X):
        return ter.Value((X * X).sum(axis=1), cost=cost(len(X)))

    free = ter.minimize(fun, BOX, budget=500, rng=1, vectorized=True)
    assert free.spent.cost == pytest.approx(250)
    limited = ter.minimize(fun, BOX, budget="100 cost", rng=1, vectorized=True)
    assert limited.status == ter.StopReason.BUDGET
    assert limited.spent.cost == pytest.approx(0.5 * limited.nfev)


@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_a_budget_in_cost_needs_an_objective_that_names_it(heuristic):
    with pytest.raises(ter.ObjectiveError, match=r"needs an objective that names its cost.*return ter.Value"):
        ter.minimize(sphere, BOX, budget="100 cost", rng=1, heuristics=[heuristic])


def test_a_failed_evaluation_does_not_count_as_an_objective_without_cost():
    calls = []

    def fun(x):
        calls.append(1)
        if len(calls) < 5:
            raise RuntimeError("not yet")
        return priced(x)

    result = ter.minimize(fun, BOX, budget="10 cost", x0=[1, 1, 1], rng=1, on_error="worst")
    assert result.nfail == 4 and result.spent.cost >= 10


def test_costs_are_charged_with_workers_that_see_every_point():
    result = ter.minimize(priced, BOX, budget="100 cost", x0=[1, 1, 1], rng=1, heuristics=["ls1"], workers=map)
    assert (result.nfev, result.spent.cost) == (200, 100)


def test_the_callback_sees_intermediate_results_after_every_action():
    seen = []
    result = ter.minimize(sphere, BOX, budget=2000, rng=1, callback=lambda r: seen.append(r))
    assert len(seen) >= result.nit > 5
    assert [r.nit for r in seen if r.nit][-1] == result.nit
    counts = [r.nfev for r in seen]
    assert counts == sorted(counts) and len(set(counts)) > 5 and counts[-1] == 2000
    assert all(r.status == ter.StopReason.RUNNING for r in seen)
    values = [r.fun for r in seen]
    assert values == sorted(values, reverse=True) and values[-1] == result.fun
    assert all(sphere(r.x) == r.fun for r in seen)


@pytest.mark.parametrize("by", ["True", "StopIteration"])
def test_the_callback_can_stop_the_run(by):
    def callback(r):
        if r.nit == 3 and by == "StopIteration":
            raise StopIteration
        return r.nit == 3

    result = ter.minimize(sphere, BOX, budget=5000, rng=1, callback=callback)
    assert (result.nit, result.status) == (3, ter.StopReason.CALLBACK) and result.success


def test_an_exception_in_the_callback_comes_out():
    def callback(r):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine") as caught:
        ter.minimize(sphere, BOX, budget=500, rng=1, callback=callback)
    assert caught.value.ter_result.nfev > 0


def test_a_callback_that_returns_an_array_or_none_does_not_stop():
    assert ter.minimize(sphere, BOX, budget=300, rng=1, callback=lambda r: None).nfev == 300
    assert ter.minimize(sphere, BOX, budget=300, rng=1, callback=lambda r: False).nfev == 300


class Idle:
    """A heuristic with nothing to evaluate."""

    def __init__(self, name):
        self.name = name

    def cost(self, dimension):
        return 10

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        return state


def stop_after(n):
    return lambda r: r.nit >= n


def test_a_run_ends_when_no_heuristic_has_anything_to_evaluate():
    result = ter.minimize(sphere, BOX, budget=500, rng=1, heuristics=[Idle("a"), Idle("b")], callback=stop_after(1000))
    assert result.status == ter.StopReason.IDLE and result.nfev < 500 and result.success


def test_one_idle_heuristic_does_not_end_the_run():
    result = ter.minimize(sphere, BOX, budget=500, rng=1, heuristics=[Idle("a"), "gs"], callback=stop_after(1000))
    assert (result.nfev, result.status) == (500, ter.StopReason.BUDGET)


@pytest.mark.parametrize(
    "scheduler", [ter.schedulers.Only("a"), ter.schedulers.Replay(["a"], cycle=True)], ids=["only", "replay"]
)
def test_a_run_ends_when_the_only_heuristic_that_is_started_is_idle(scheduler):
    result = ter.minimize(
        sphere, BOX, budget=500, rng=1, heuristics=[Idle("a"), "gs"], scheduler=scheduler, callback=stop_after(1000)
    )
    assert result.status == ter.StopReason.IDLE


def test_fixed_variables_leave_a_sweep_nothing_to_do():
    result = ter.minimize(sphere, [(1, 1), (2, 2)], budget=500, rng=1, heuristics=["ls1"], callback=stop_after(1000))
    assert result.status == ter.StopReason.IDLE and result.x.tolist() == [1, 2]


def test_replay_ends_with_its_sequence():
    sequence = ["gs", "ls1", "ls1", "cc"]
    result = ter.minimize(sphere, BOX, budget=100_000, rng=1, scheduler=ter.schedulers.Replay(sequence))
    assert result.sequence == tuple(sequence) and result.status == ter.StopReason.SEQUENCE and result.success


def test_a_replayed_run_is_the_run():
    first = ter.minimize(sphere, BOX, budget=1500, rng=1)
    again = ter.minimize(sphere, BOX, budget=1500, rng=1, scheduler=ter.schedulers.Replay(first.sequence))
    assert again.x.tobytes() == first.x.tobytes() and again.nfev == first.nfev


def test_streams_are_by_name_so_another_heuristic_leaves_the_start_alone():
    alone = ter.minimize(sphere, BOX, budget=5, rng=3, heuristics=["ls1"])
    together = ter.minimize(sphere, BOX, budget=5, rng=3, heuristics=["gs", "ls1"])
    assert alone.curve[0].tolist() == together.curve[0].tolist()
    X = stream(3, "start").random((1, 3)) * 10 - 5
    assert alone.curve[0, 1] == sphere(X[0])


@numba.njit
def slow_and_counting(x, floats, ints):
    ints[0] += 1
    total = 0.0
    for i in range(ints[1]):
        total += math.sin(total + i)
    return (x * x).sum() + 0.0 * total


@pytest.mark.slow
@pytest.mark.parametrize("ended_by", ["time", "signal"])
@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
def test_a_slow_compiled_objective_ends_after_a_few_evaluations(heuristic, ended_by):
    """Nobody knows how long an evaluation takes before the first one: a thousand at once took 13 seconds."""
    fun = ter.CompiledObjective(slow_and_counting, ints=[0, 1])
    box = ter.box(-5, 5, dimension=3)
    ter.minimize(fun, box, budget=5, rng=1, heuristics=[heuristic])  # compiled before the clock runs
    fun.data[1][:] = 0, 1_000_000
    started = time.perf_counter()
    fun(np.ones(3))
    one = time.perf_counter() - started
    fun.data[1][0] = 0
    limits = ter.Budget(evaluations=10_000, seconds=5 * one)
    if ended_by == "time":
        result = ter.minimize(fun, box, budget=limits, rng=1, heuristics=[heuristic])
    else:
        timer = threading.Timer(5 * one, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        result = ter.minimize(fun, box, budget=10_000, rng=1, heuristics=[heuristic])
        timer.join()
    # Five, or somewhat more where the first one took longer; the points to start from are 50.
    assert result.nfev <= fun.data[1][0] < 50
