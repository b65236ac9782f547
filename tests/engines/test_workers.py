"""Who evaluates batches: processes, the user's executor, or something like ``map``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

import ter
from ter.core.backend import Backend
from ter.engines.backends import ExecutorBackend, MapBackend, choose_backend
from ter.engines.processes import ProcessBackend
from ter.engines.python import PythonEngine
from ter.engines.workers import WorkersEngine
from tests.spies import minimize_on, same_run

BOX = ter.box(-5, 5, dimension=3)


def test_workers_are_read_from_numbers_executors_and_callables():
    assert choose_backend(1) is None
    assert isinstance(choose_backend(3), ProcessBackend) and choose_backend(3).width == 3
    assert isinstance(choose_backend(map), MapBackend)
    with ThreadPoolExecutor(4) as pool:
        assert isinstance(choose_backend(pool), ExecutorBackend) and choose_backend(pool).width == 4
    every_core = choose_backend(-1)
    assert (1 if every_core is None else every_core.width) == (os.cpu_count() or 1)
    assert all(isinstance(backend, Backend) for backend in (choose_backend(2), choose_backend(map)))


def test_lambdas_run_in_other_processes():
    home = os.getpid()
    x0 = np.random.default_rng(1).uniform(-5, 5, (6, 3))
    result = ter.minimize(lambda x: float(os.getpid() != home), BOX, budget=6, x0=x0, rng=1, workers=2)
    assert result.fun == 1.0 and result.nfev == 6
    assert 0 < result.workers_busy <= 1


def test_the_users_executor_sees_every_point_and_is_not_shut_down():
    threads = set()

    def fun(x):
        threads.add(threading.current_thread().name)
        return float((x * x).sum())

    with ThreadPoolExecutor(2, thread_name_prefix="mine") as pool:
        result = ter.minimize(fun, BOX, budget=300, rng=1, workers=pool, heuristics=["ls1", "gs"])
        assert pool.submit(lambda: 5).result() == 5
    assert all(name.startswith("mine") for name in threads)
    assert result.nfev == 300 and 0 < result.workers_busy <= 1


def test_workers_that_get_one_point_at_a_time_are_said_to_be_idle_and_why():
    def slow(x):
        time.sleep(0.005)
        return float((x * x).sum())

    with ThreadPoolExecutor(4) as pool:
        result = ter.minimize(slow, BOX, budget=80, rng=1, workers=pool, heuristics=["ls1"])
    assert result.workers_busy < 0.5
    assert result.workers_idle.startswith("many batches had fewer points than there are workers")
    assert f"% busy: {result.workers_idle}" in str(result) and result.workers_idle in result._repr_html_().replace(
        "&#x27;", "'"
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        ({"busy": 6.0}, ""),
        ({"_started": 5.0}, "starting them took most of the time"),
        ({"_narrow": 5.0}, "many batches had fewer points than there are workers"),
        ({"_points": 1000}, "an evaluation took 2 ms, which is little beside sending its point"),
        ({"_points": 20}, "evaluations took different times, and a batch waits for its slowest"),
    ],
)
def test_the_reason_is_what_most_of_the_idle_time_went_into(seconds, words):
    engine = WorkersEngine(sum, PythonEngine(sum, stop_at_failure=True), MapBackend(map), vectorized=False)
    assert engine.utilisation is None and engine.idle_because == ""
    for name, value in {"busy": 2.0, "available": 10.0, "_points": 20, "_started": 1.0, **seconds}.items():
        setattr(engine, name, value)
    assert engine.idle_because.startswith(words) and bool(engine.idle_because) == bool(words)


def test_any_executor_will_do():
    class Immediate(Executor):
        calls = 0

        def submit(self, fn, /, *args, **kwargs):
            Immediate.calls += 1
            future = Future()
            future.set_result(fn(*args, **kwargs))
            return future

    result = ter.minimize(lambda x: float((x * x).sum()), BOX, budget=200, rng=1, workers=Immediate())
    serial = ter.minimize(lambda x: float((x * x).sum()), BOX, budget=200, rng=1)
    assert result.x.tobytes() == serial.x.tobytes() and Immediate.calls > 0


def test_map_like_callables_get_tasks_and_blocks():
    blocks = []

    def my_map(task, items):
        items = list(items)
        blocks.extend(len(item) for item in items)
        return map(task, items)

    result = ter.minimize(lambda x: float((x * x).sum()), BOX, budget=200, rng=1, workers=my_map)
    assert result.nfev == sum(blocks) == 200


@pytest.mark.parametrize("kind", ["plain", "odd"])
def test_exceptions_come_out_of_processes_as_they_are(kind):
    class Odd(Exception):
        """It cannot be made again from its own arguments, as many exceptions cannot."""

        def __init__(self, code, place):
            super().__init__(f"code {code} at {place}")

    def fun(x):
        if x[0] > 4:
            raise KeyError("mine") if kind == "plain" else Odd(3, "home")
        return float((x * x).sum())

    x0 = np.zeros((4, 3))
    x0[2, 0] = 5
    with pytest.raises(Exception, match="mine" if kind == "plain" else "code 3 at home") as caught:
        ter.minimize(fun, BOX, budget=50, x0=x0, rng=1, workers=2)
    assert type(caught.value).__name__ == ("KeyError" if kind == "plain" else "Odd")
    assert caught.value.ter_result.nfev == 4 and caught.value.ter_result.fun == 0
    assert "in fun" in caught.value.ter_result.failures[0].traceback


@pytest.mark.parametrize("workers", ["threads", "map"])
@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_failures_are_recorded_through_workers(workers, heuristic):
    def fun(x):
        if x[0] > 1:
            raise RuntimeError("no")
        return float((x * x).sum())

    with ThreadPoolExecutor(2) as pool:
        options = {"budget": 400, "x0": [0.5, 1, 1], "rng": 1, "heuristics": [heuristic], "on_error": "worst"}
        result = ter.minimize(fun, BOX, workers=pool if workers == "threads" else map, **options)
    serial = ter.minimize(fun, BOX, **options)
    assert result.nfev == 400 and result.nfail == serial.nfail > 0
    assert [f.evaluation for f in result.failures] == [f.evaluation for f in serial.failures]
    assert result.x.tobytes() == serial.x.tobytes()


@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("engine", ["moving", "compiled", "compiled moving"])
def test_objectives_with_moves_give_the_serial_bits_wherever_single_points_are_evaluated(monkeypatch, engine, away):
    monkeypatch.setattr(MapBackend, "takes_single_points", away)
    runs = [minimize_on(engine, BOX, budget=1200, rng=1, workers=way) for way in (1, map)]
    assert same_run(*runs)


def test_mistakes_come_out_of_workers():
    with pytest.raises(ter.ObjectiveError, match="one number per point"):
        ter.minimize(lambda x: None, BOX, budget=50, x0=np.zeros((4, 3)), rng=1, workers=map)


def test_vectorized_objectives_get_blocks_from_workers():
    def fun(X):
        assert X.ndim == 2
        return (X * X).sum(axis=1)

    result = ter.minimize(fun, BOX, budget=300, rng=1, workers=map, vectorized=True)
    serial = ter.minimize(fun, BOX, budget=300, rng=1, vectorized=True)
    assert result.x.tobytes() == serial.x.tobytes()


SCRIPT = """
import os, signal, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import ter

NOTE = Path({note!r})

def fun(x):
    if (x == 0).all():
        return 0.0
    NOTE.touch()
    time.sleep(600)
    return 1.0

def interrupt():
    while not NOTE.exists():
        time.sleep(0.02)
    time.sleep(0.3)
    os.killpg(0, {signal})  # as a terminal does

if __name__ == "__main__":
    os.setpgid(0, 0)
    pool = get_context("fork").Pool(2) if {kind!r} == "map" else ThreadPoolExecutor(2)
    threading.Thread(target=interrupt, daemon=True).start()
    workers = pool.map if {kind!r} == "map" else pool
    result = ter.minimize(fun, ter.box(-5, 5, dimension=3), budget=200, x0=[0, 0, 0], rng=1, workers=workers)
    print(result.status.name, result.fun, result.nfev, flush=True)
    os.killpg(0, signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
@pytest.mark.parametrize(
    ("kind", "number"), [("map", "signal.SIGINT"), ("map", "signal.SIGTERM"), ("threads", "signal.SIGINT")]
)
def test_signals_to_the_group_return_the_result_whoever_evaluates(kind, number, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(note=str(tmp_path / "note"), kind=kind, signal=number))
    with (tmp_path / "output").open("w+") as output:  # workers that are left behind would keep a pipe open
        process = subprocess.Popen([sys.executable, script], stdout=output)
        try:
            process.wait(timeout=150)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert (tmp_path / "output").read_text() == "INTERRUPTED 0.0 1\n"


def test_a_time_budget_does_not_wait_for_an_executor():
    free = threading.Event()

    def fun(x):
        if (x != 0).any():
            free.wait(60)
        return float((x * x).sum())

    started = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        result = ter.minimize(fun, BOX, budget="500ms", x0=[[0, 0, 0]] + 20 * [[1, 1, 1]], rng=1, workers=pool)
        assert time.monotonic() - started < 30
        free.set()
        assert pool.submit(lambda: 5).result() == 5
    assert result.status is ter.StopReason.BUDGET and (result.fun, result.nfev) == (0, 1)


def test_an_executor_whose_workers_died_says_what_would_help():
    def fun(x):
        os._exit(1)

    from loky import ProcessPoolExecutor

    with ProcessPoolExecutor(1) as pool, pytest.raises(BrokenExecutor) as caught:
        ter.minimize(fun, BOX, budget=20, rng=1, workers=pool)
    assert "are replaced with workers=n" in caught.value.__notes__[0] and caught.value.ter_result.nfev <= 20
