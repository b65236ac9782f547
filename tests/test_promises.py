"""The promises of the library, as properties of whole runs."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ter
from tests.spies import (
    ENGINES,
    Spy,
    bowl,
    minimize_on,
    minimize_spied,
    same_run,
    spy_on,
)

HEURISTICS = (
    ter.heuristics.LS1(),
    ter.heuristics.LS1(scalar=True, name="scalar"),
    ter.heuristics.CC(),
    ter.heuristics.CC(group=3, name="small groups"),
    ter.heuristics.CC(group=7, inner="sansde", name="sansde"),
    ter.heuristics.SHADE(),
    ter.heuristics.SHADE(population=5, spread="paper", name="tiny"),
    ter.heuristics.CSO(swarm=7),
    ter.heuristics.CCCMAES(group=3, population=6, depth=30),
    ter.heuristics.DECCD(population=5, group=3),
)
SCHEDULERS = (
    ter.schedulers.TER(),
    ter.schedulers.TER(window=3, reward="log"),
    ter.schedulers.RandomChoice(),
    ter.schedulers.RoundRobin(),
)
SPYING = tuple(engine for engine in ENGINES if engine != "numba")
SIDES = (
    (-5.0, 5.0),
    (0.0, 1.0),
    (1.0, 1.0),
    (-0.0, 0.0),
    (-0.0, 3.0),
    (-2.0, -0.0),
    (1.0, math.nextafter(1.0, 2.0)),
    (1e10, 1e10 + 1),
    (-1e300, 1e300),
    (-1e-300, 1e-310),
    (7.0, 700.0),
)

portfolios = st.lists(st.sampled_from(HEURISTICS), min_size=1, max_size=4, unique_by=lambda h: h.name)
schedulers = st.sampled_from(SCHEDULERS)
seeds = st.integers(0, 2**63)
dimensions = st.integers(1, 30)
budgets = st.integers(1, 3000)
boxes = st.lists(st.sampled_from(SIDES), min_size=1, max_size=12).map(ter.Box.read)


def plain_box(dimension: int) -> ter.Box:
    return ter.box(-5, 5, dimension=dimension)


# 1. Never one evaluation over the budget


@pytest.mark.parametrize("engine", SPYING)
@given(budgets, dimensions, portfolios, schedulers, seeds)
def test_the_budget_is_used_up_exactly_and_counts_what_the_objective_saw(
    engine, budget, dimension, heuristics, scheduler, seed
):
    spy = spy_on(engine, plain_box(dimension))
    result = minimize_spied(
        spy, plain_box(dimension), budget=budget, rng=seed, heuristics=heuristics, scheduler=scheduler
    )
    assert spy.calls == result.nfev == result.spent.evaluations == budget
    assert result.status == ter.StopReason.BUDGET
    assert sum(action.nfev for action in result.actions) <= budget
    assert result.fun == spy.lowest


@given(st.integers(1, 60), st.integers(1, 80))
def test_start_points_beyond_the_budget_are_not_evaluated(budget, points):
    spy = Spy(plain_box(3))
    x0 = np.linspace(-5, 5, 3 * points).reshape(points, 3)
    result = ter.minimize(spy, plain_box(3), budget=budget, x0=x0, rng=1)
    assert spy.calls == result.nfev == budget


@given(st.integers(1, 400), st.integers(1, 5), seeds)
def test_the_budget_holds_with_workers_that_see_every_point(budget, dimension, seed):
    spy = Spy(plain_box(dimension))
    result = ter.minimize(spy, plain_box(dimension), budget=budget, rng=seed, workers=map)
    assert spy.calls == result.nfev == budget


def test_a_heuristic_cannot_overspend_whatever_it_asks_for():
    class Greedy:
        name = "greedy"

        def cost(self, dimension):
            return 7

        def start(self, box, rng):
            return None

        def act(self, state, allowance, rng):
            while True:  # only the allowance ends this
                values = allowance.evaluate(rng.random((5, allowance.dimension)))
                assert np.isinf(values[allowance.remaining + 5 :]).all()

    spy = Spy(plain_box(2))
    result = ter.minimize(spy, plain_box(2), budget=101, rng=1, heuristics=[Greedy()])
    assert spy.calls == result.nfev == 101
    assert all(action.nfev <= 7 for action in result.actions)


# 2. Same seed, same result


@settings(max_examples=20)
@given(st.integers(1, 2000), st.integers(1, 20), portfolios, schedulers, seeds)
@pytest.mark.slow
def test_all_engines_give_the_same_bits(budget, dimension, heuristics, scheduler, seed):
    runs = [
        minimize_on(engine, plain_box(dimension), budget=budget, rng=seed, heuristics=heuristics, scheduler=scheduler)
        for engine in ENGINES
    ]
    assert all(same_run(runs[0], run) for run in runs[1:])


@settings(max_examples=15)
@given(st.integers(1, 1500), boxes, portfolios, seeds)
def test_the_same_seed_twice_gives_the_same_bits(budget, box, heuristics, seed):
    runs = [minimize_on("python", box, budget=budget, rng=seed, heuristics=heuristics) for _ in range(2)]
    assert same_run(*runs)


def test_another_seed_gives_another_run():
    runs = [minimize_on("compiled", plain_box(5), budget=300, rng=seed) for seed in (1, 2)]
    assert not same_run(*runs)


@settings(max_examples=10)
@given(st.integers(1, 600), st.integers(1, 8), seeds)
def test_threads_and_map_like_callables_give_the_serial_bits(budget, dimension, seed):
    box = plain_box(dimension)
    serial = ter.minimize(bowl.py_func, box, budget=budget, rng=seed)
    with ThreadPoolExecutor(3) as pool:
        runs = [ter.minimize(bowl.py_func, box, budget=budget, rng=seed, workers=way) for way in (map, pool, pool.map)]
    assert all(same_run(serial, run) for run in runs)


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.slow
def test_processes_give_the_serial_bits(vectorized):
    fun = (lambda X: (X * X)[:, 0] + abs(X[:, 1])) if vectorized else (lambda x: x[0] * x[0] + abs(x[1]))
    runs = [
        ter.minimize(fun, plain_box(2), budget=1500, rng=3, workers=workers, vectorized=vectorized)
        for workers in (1, 2)
    ]
    assert same_run(*runs)
    assert runs[0].workers_busy is None
    assert 0 < runs[1].workers_busy <= 1


@pytest.mark.parametrize("engine", ["numba", "compiled", "compiled moving"])
def test_compiled_objectives_give_the_serial_bits_on_the_users_executor(engine):
    with ThreadPoolExecutor(2) as pool:
        runs = [minimize_on(engine, plain_box(5), budget=1500, rng=2, workers=way) for way in (1, pool)]
    assert same_run(*runs)


@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
def test_engines_agree_when_some_evaluations_raise(heuristic):
    box = plain_box(4)
    runs = [
        minimize_spied(
            spy_on(engine, box, raise_below=0.0, nan_above=3.0),
            box,
            budget=1200,
            x0=[1.0] * 4,
            rng=5,
            heuristics=[heuristic],
            on_error="worst",
            max_failures=10**6,
        )
        for engine in ("python", "moving", "compiled", "compiled moving")
    ]
    assert runs[0].nfail > 0
    for run in runs[1:]:
        assert same_run(runs[0], run)
        assert (run.nfail, run.nonfinite) == (runs[0].nfail, runs[0].nonfinite)
        assert [f.evaluation for f in run.failures] == [f.evaluation for f in runs[0].failures]


# 3. Failures, exceptions and interrupts


@pytest.mark.parametrize("engine", SPYING)
def test_nan_counts_and_never_becomes_best(engine):
    spy = spy_on(engine, plain_box(3), nan_above=0.0)
    result = minimize_spied(spy, plain_box(3), budget=800, rng=1)
    assert result.nfev == spy.calls == 800
    assert result.fun == spy.lowest < math.inf and result.x[0] <= 0.0
    assert 0 < result.nonfinite < 800


@pytest.mark.parametrize("worst", [math.inf, -math.inf])
@pytest.mark.parametrize("vectorized", [False, True])
def test_infinite_values_count_and_never_become_best(worst, vectorized):
    finite = []

    def fun(x: np.ndarray) -> Any:
        values = np.where(x[..., 0] > 0, worst, (x * x).sum(axis=-1))
        finite.extend(values[np.isfinite(values)].ravel().tolist())
        return values

    result = ter.minimize(fun, plain_box(3), budget=800, rng=1, vectorized=vectorized)
    assert result.nfev == 800 and result.nonfinite == 800 - len(finite) > 0
    assert result.fun == min(finite) and result.x[0] <= 0.0


def test_a_run_without_any_finite_value_says_so_and_returns_a_point_of_the_box():
    result = ter.minimize(lambda x: math.nan, plain_box(3), budget=200, rng=1)
    assert (result.nfev, result.nonfinite, result.fun, result.success) == (200, 200, math.inf, False)
    assert "no evaluation gave a finite value" in result.message
    assert plain_box(3).contains(result.x) and len(result.curve) == 0


class Broken(Exception):
    pass


def breaking_at(number: int, error: BaseException) -> Any:
    calls = []

    def fun(x: np.ndarray) -> float:
        calls.append(float((x * x).sum()))
        if len(calls) == number:
            raise error
        return calls[-1]

    fun.calls = calls
    return fun


@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
@pytest.mark.parametrize("number", [1, 2, 57, 300])
def test_the_users_own_exception_comes_out_with_the_best_so_far(heuristic, number):
    error = Broken("mine")
    fun = breaking_at(number, error)
    with pytest.raises(Broken) as caught:
        ter.minimize(fun, plain_box(3), budget=500, rng=1, heuristics=[heuristic])
    result = caught.value.ter_result
    assert caught.value is error
    assert result.nfev == len(fun.calls) == number
    assert result.fun == min([math.inf, *fun.calls[: number - 1]])
    assert result.status == ter.StopReason.ERROR and not result.success and result.nfail == 1


@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
def test_a_failed_evaluation_is_recorded_and_the_run_goes_on(heuristic):
    fun = breaking_at(77, Broken("mine"))
    result = ter.minimize(fun, plain_box(3), budget=500, rng=1, heuristics=[heuristic], on_error="worst")
    assert result.nfev == len(fun.calls) == 500
    assert result.nfail == 1
    (failure,) = result.failures
    assert failure.evaluation == 77 and isinstance(failure.error, Broken)
    assert "Broken: mine" in failure.traceback and "in fun" in failure.traceback


def test_failures_in_a_row_end_the_run():
    def fun(x: np.ndarray) -> float:
        raise Broken("always")

    result = ter.minimize(
        fun, plain_box(3), budget=500, x0=[1, 1, 1], rng=1, heuristics=["ls1"], on_error="worst", max_failures=9
    )
    assert (result.nfev, result.nfail, result.status) == (9, 9, ter.StopReason.FAILURES)
    assert not result.success


@pytest.mark.parametrize("engine", ["python", "compiled", "compiled moving"])
def test_failures_that_are_not_in_a_row_do_not_end_the_run(engine):
    # Only coordinate 0 fails, on one of its two sides: with five coordinates never three times in a row.
    box = plain_box(5)
    spy = spy_on(engine, box, raise_below=1.0)
    result = minimize_spied(
        spy, box, x0=[1.0] * 5, budget=1000, rng=1, heuristics=["ls1"], on_error="worst", max_failures=5
    )
    assert (result.nfev, result.status) == (1000, ter.StopReason.BUDGET)
    assert result.nfail > 5


@pytest.mark.parametrize("engine", ["compiled", "compiled moving"])
@pytest.mark.parametrize(
    ("heuristic", "x0"), [("ls1", [1.0] * 4), ("cc", [1.0] * 4), ("gs", [1.0] * 4), ("ls1", [-1.0] * 4)]
)
def test_exceptions_in_compiled_objectives_come_out_of_probes_moves_and_rows(engine, heuristic, x0):
    box = plain_box(4)
    spy = spy_on(engine, box, raise_below=0.0)
    with pytest.raises(ValueError, match="the simulator broke") as caught:
        minimize_spied(spy, box, budget=2000, x0=x0, rng=1, heuristics=[heuristic])
    result = caught.value.ter_result
    assert result.status == ter.StopReason.ERROR
    assert result.nfail >= 1
    assert result.failures[0].evaluation <= result.nfev
    assert (result.fun == math.inf) == (x0[0] < 0) and (result.nfev == 1) == (x0[0] < 0)
    assert "the simulator broke" in result.failures[0].traceback


@pytest.mark.parametrize("engine", ["compiled", "compiled moving"])
def test_failures_in_compiled_objectives_end_the_run_when_in_a_row(engine):
    box = plain_box(4)
    spy = spy_on(engine, box, raise_below=math.inf)
    result = minimize_spied(
        spy, box, budget=2000, x0=[1.0] * 4, rng=1, heuristics=["ls1"], on_error="worst", max_failures=9
    )
    assert (result.nfev, result.nfail, result.status) == (9, 9, ter.StopReason.FAILURES)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
@pytest.mark.parametrize("at", [1, 33, 300])
def test_a_signal_ends_the_run_with_the_best_so_far(number, heuristic, at):
    handlers = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    calls: list[float] = []

    def fun(x: np.ndarray) -> float:
        calls.append(float((x * x).sum()))
        if len(calls) == at:
            signal.raise_signal(number)
        return calls[-1]

    result = ter.minimize(fun, plain_box(3), budget=500, rng=1, heuristics=[heuristic])
    assert result.status == ter.StopReason.INTERRUPTED and not result.success
    assert result.nfev == len(calls) == at
    assert result.fun == min(calls)
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == handlers


@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_a_second_ctrl_c_aborts_at_once(heuristic):
    handlers = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    calls: list[int] = []

    def fun(x: np.ndarray) -> float:
        calls.append(1)
        if len(calls) == 40:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        return float((x * x).sum())

    with pytest.raises(KeyboardInterrupt):
        ter.minimize(fun, plain_box(3), budget=500, rng=1, heuristics=[heuristic])
    assert len(calls) == 40
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_handlers_are_restored_after_an_exception_too():
    handlers = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(Broken):
        ter.minimize(breaking_at(3, Broken()), plain_box(3), budget=10, rng=1)
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_a_run_outside_the_main_thread_leaves_signals_alone():
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(ter.minimize, bowl.py_func, plain_box(2), budget=50, rng=1).result()
    assert result.nfev == 50


# 4. Every point lies in the box


@pytest.mark.parametrize("engine", SPYING)
@given(boxes, portfolios, schedulers, seeds)
@example(ter.Box.read([(1.0, math.nextafter(1.0, 2.0))]), list(HEURISTICS[:4]), SCHEDULERS[2], 0)
@example(ter.Box.read([(1e10, 1e10 + 1)] * 3), list(HEURISTICS[3:]), SCHEDULERS[2], 0)
def test_every_point_lies_in_the_box(engine, box, heuristics, scheduler, seed):
    spy = spy_on(engine, box)
    result = minimize_spied(spy, box, budget=600, rng=seed, heuristics=heuristics, scheduler=scheduler)
    assert spy.outside == []
    assert box.contains(result.x)
    assert result.nfev == spy.calls


@pytest.mark.parametrize("engine", SPYING)
def test_points_outside_are_moved_to_the_border_and_nan_to_the_incumbent(engine):
    class Wild:
        name = "wild"

        def cost(self, dimension):
            return 6

        def start(self, box, rng):
            return None

        def act(self, state, allowance, rng):
            allowance.evaluate(np.array([[-math.inf, 1e9, math.nan], [math.nan] * 3]))
            allowance.evaluate_moves([2, 0], np.array([[math.inf, -math.inf], [math.nan, math.nan]]))

    box = ter.box([0, 0, -1], [1, 2, 3])
    spy = spy_on(engine, box)
    result = minimize_spied(spy, box, budget=20, rng=1, heuristics=[Wild()])
    assert spy.outside == [] and spy.calls == result.nfev == 20


# 5. Memory is linear in D


MEMORY = """
import json, tracemalloc
import numpy as np
import ter

peaks = {}
for name in ter.heuristics.HEURISTICS:
    dimension = 5_000 if name == "cso" else 100_000  # from 5000 variables on, a swarm has 1500 particles
    box = ter.box(-5, 5, dimension=dimension)
    tracemalloc.start()
    result = ter.minimize(lambda x: float(x @ x), box, budget=150, rng=1, heuristics=[name])
    peaks[name] = tracemalloc.get_traced_memory()[1] / (8 * dimension)
    tracemalloc.stop()
    assert result.nfev == 150
print(json.dumps(peaks))
"""


@pytest.mark.slow
def test_memory_is_linear_in_the_dimension_times_the_population():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    vectors = json.loads(done.stdout)  # peak memory, in vectors of the dimension
    assert set(vectors) == set(ter.heuristics.HEURISTICS)
    assert vectors.pop("cso") < 2 * 1500 + 800  # positions and velocities
    assert all(n < 600 for n in vectors.values()), vectors
    assert vectors["ls1"] < 60 and vectors["cc"] < 60, vectors
