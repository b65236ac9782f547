"""Worker processes: those that die are replaced, those that hang are killed, and none outlives the run."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import ter
from ter.core.errors import TerError
from ter.engines import processes
from ter.engines.posting import Block, Task
from ter.engines.processes import ProcessBackend
from ter.testing import FlakySimulator
from tests.experiment.processes import is_alive, wait_until

BOX = ter.box(-5, 5, dimension=4)
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups")


def sphere(x):
    return float((x * x).sum())


def blocks_of(X):
    return [Block(k, X[k : k + 1]) for k in range(len(X))]


def always():
    return True


@pytest.fixture
def backend():
    made = ProcessBackend(2)
    yield made
    made.close()


def values_of(answers):
    return [answer.outcome.values[0] for answer in sorted(answers, key=lambda answer: answer.index)]


def test_blocks_are_handed_out_as_workers_become_free(backend):
    """One slow point does not keep the other worker from the rest."""

    def fun(x):
        time.sleep(1.5 * (x[0] == 0))
        return float(os.getpid())

    answers = backend.run(Task(fun, vectorized=False), blocks_of(np.arange(12.0)[:, None]), always)
    pids = values_of(answers)
    assert len(pids) == 12 and pids.count(pids[0]) < 4 and os.getpid() not in pids


def test_a_plain_objective_finds_one_thread_and_no_compiler_in_its_worker(backend):
    def fun(x):
        return float(("numba" in sys.modules) + 10 * (os.environ["OMP_NUM_THREADS"] == "1"))

    assert values_of(backend.run(Task(fun, vectorized=False), blocks_of(np.zeros((2, 3))), always)) == [10.0, 10.0]


@pytest.mark.parametrize("heuristics", [["gs"], ["ls1", "cc", "gs"]])
@pytest.mark.slow
def test_workers_that_die_are_replaced_and_nothing_shows(tmp_path, heuristics):
    options = {"budget": 150, "rng": 1, "heuristics": heuristics}
    flaky = FlakySimulator(sphere, crash=0.015, once_in=tmp_path)
    result, serial = ter.minimize(flaky, BOX, workers=2, **options), ter.minimize(sphere, BOX, **options)
    assert list(tmp_path.iterdir()), "nothing has crashed"
    assert result.x.tobytes() == serial.x.tobytes() and result.nfev == 150 and result.nfail == 0
    assert result.curve.tobytes() == serial.curve.tobytes()


@pytest.mark.slow
def test_points_that_crash_each_time_count_as_failed_and_their_neighbours_do_not():
    options = {"budget": 40, "rng": 1, "heuristics": ["gs"], "on_error": "worst"}
    flaky = FlakySimulator(sphere, crash=0.03)
    result, serial = ter.minimize(flaky, BOX, workers=2, **options), ter.minimize(flaky, BOX, **options)
    assert [f.evaluation for f in result.failures] == [f.evaluation for f in serial.failures]
    assert result.nfail > 0 and result.x.tobytes() == serial.x.tobytes()
    assert isinstance(result.failures[0].error, ter.EvaluationLost) and "exit code 42" in result.failures[0].reason


@pytest.mark.slow
def test_a_crash_comes_out_with_the_result_so_far():
    x0 = np.zeros((4, 4))
    x0[2] = 3
    with pytest.raises(
        ter.EvaluationLost, match=r"must not end its worker process, got SIGSEGV, after 3 tries"
    ) as raised:
        ter.minimize(die_at_three, BOX, budget=50, x0=x0, rng=1, workers=2)
    assert raised.value.ter_result.nfev == 4 and raised.value.ter_result.fun == 0


def die_at_three(x):
    if x[0] == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    return sphere(x)


@posix
def test_a_vectorized_block_that_crashes_is_tried_again_as_it_is(tmp_path):
    note = tmp_path / "died"

    def fun(X):
        if not note.exists():
            note.touch()
            os._exit(1)
        return (X * X).sum(axis=1) + len(X)  # its value depends on the block

    options = {"budget": 40, "rng": 1, "vectorized": True, "heuristics": ["gs"], "workers": 2}
    disturbed = ter.minimize(fun, BOX, **options)
    assert note.exists()
    assert disturbed.x.tobytes() == ter.minimize(fun, BOX, **options).x.tobytes()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.slow
def test_evaluations_that_take_too_long_are_killed_and_count_as_failed(workers):
    options = {"budget": 40, "rng": 1, "on_error": "worst", "heuristics": ["ls1"]}
    flaky, broken = FlakySimulator(sphere, hang=0.04), FlakySimulator(sphere, exception=0.04)
    result = ter.minimize(flaky, BOX, workers=workers, evaluation_timeout="700ms", **options)
    serial = ter.minimize(broken, BOX, **options)
    assert [f.evaluation for f in result.failures] == [f.evaluation for f in serial.failures]
    assert result.nfail > 0 and result.x.tobytes() == serial.x.tobytes() and result.nfev == 40
    assert all(isinstance(f.error, ter.EvaluationTimeout) for f in result.failures)


def test_a_block_of_quick_points_is_searched_for_the_one_that_hangs():
    backend = ProcessBackend(1, timeout=0.5)
    engine_blocks = [Block(0, np.arange(5.0)[:, None])]

    def fun(x):
        time.sleep(100 * (x[0] == 3))
        return float(x[0])

    from ter.engines.rounds import evaluated

    try:
        outcome = evaluated(backend, Task(fun, vectorized=False), engine_blocks, always)
    finally:
        backend.close()
    assert outcome.values.tolist() == [0, 1, 2, math.inf, 4] and [f.evaluation for f in outcome.failures] == [3]


@pytest.mark.parametrize("workers", [map, "executor"])
def test_who_cannot_be_killed_gets_no_timeout(workers):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool, pytest.raises(ter.InvalidArgument, match="evaluation_timeout must go with a"):
        ter.minimize(sphere, BOX, budget=5, workers=pool if workers == "executor" else map, evaluation_timeout=1.0)


@pytest.mark.parametrize("timeout", [0, -1.0, math.nan, "soon", "0s", []])
def test_wrong_timeouts_are_refused(timeout):
    with pytest.raises(ter.InvalidArgument, match="evaluation_timeout must be a number of seconds > 0 or a text like"):
        ter.minimize(sphere, BOX, budget=5, evaluation_timeout=timeout)


def test_what_cannot_be_sent_is_refused_with_the_cure():
    lock = threading.Lock()
    with pytest.raises(ter.InvalidArgument, match="fun must be picklable to be sent to worker processes"):
        ter.minimize(lambda x: float(lock.locked()), BOX, budget=50, workers=2)


class Unloadable:
    def __call__(self, x):
        return sphere(x)

    def __reduce__(self):
        return int, ("no number",)


def test_what_cannot_be_loaded_there_is_refused_too():
    with pytest.raises(TerError, match=r"worker processes can load it, got ValueError: invalid literal"):
        ter.minimize(Unloadable(), BOX, budget=50, workers=2)


class Heavy:
    """Notes how often it is made again in a process."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, x):
        return sphere(x)

    def __setstate__(self, state):
        self.__dict__.update(state)
        (Path(self.folder) / f"{os.getpid()}-{time.time_ns()}").touch()


def test_the_objective_is_sent_once_to_each_worker(tmp_path):
    ter.minimize(Heavy(str(tmp_path)), BOX, budget=300, rng=1, workers=2, heuristics=["gs"])
    assert 1 <= len(list(tmp_path.iterdir())) <= 2


@pytest.mark.slow
def test_moves_travel_as_what_has_changed(monkeypatch):
    sent = []
    original = ProcessBackend.run

    def run(self, task, blocks, go_on):
        sent.extend(blocks)
        return original(self, task, blocks, go_on)

    monkeypatch.setattr(ProcessBackend, "run", run)
    box = ter.box(-5, 5, dimension=300)
    options = {"budget": 600, "rng": 1, "heuristics": ["cc"]}
    result = ter.minimize(sphere, box, workers=2, **options)
    moved = [block for block in sent if block.coordinates is not None]
    assert moved and all(block.rows.shape[1] == block.coordinates.size < 300 for block in moved)
    assert result.x.tobytes() == ter.minimize(sphere, box, **options).x.tobytes()


@pytest.mark.slow
def test_a_time_budget_does_not_wait_for_evaluations_under_way():
    def fun(x):
        time.sleep(600 if (x != 0).any() else 0)
        return sphere(x)

    started = time.monotonic()
    x0 = np.vstack([np.zeros(4), np.ones((9, 4))])
    result = ter.minimize(fun, BOX, budget="15s", x0=x0, rng=1, workers=2)  # most of it for slow machines to start
    assert time.monotonic() - started < 100
    assert result.status is ter.StopReason.BUDGET and (result.fun, result.nfev) == (0, 1)


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("heuristic", ["gs", "ls1"])
def test_signals_do_not_wait_for_evaluations_under_way(number, heuristic, tmp_path):
    def fun(x):
        if (x == 0).all():
            return 0.0
        (tmp_path / "slow").touch()
        time.sleep(600)
        return 1.0

    def interrupt():
        wait_until((tmp_path / "slow").exists)
        os.kill(os.getpid(), number)

    killer = threading.Thread(target=interrupt)
    killer.start()
    result = ter.minimize(fun, BOX, budget=500, x0=np.zeros(4), rng=1, workers=2, heuristics=[heuristic])
    killer.join()
    assert result.status is ter.StopReason.INTERRUPTED and (result.fun, result.nfev) == (0, 1)


@posix
def test_what_an_objective_has_started_ends_with_its_evaluation(tmp_path):
    def fun(x):
        simulator = subprocess.Popen(["sleep", "600"])
        (tmp_path / str(simulator.pid)).touch()
        return float(simulator.wait())

    result = ter.minimize(
        fun, BOX, budget=2, rng=1, workers=2, heuristics=["gs"], on_error="worst", evaluation_timeout=0.7
    )
    assert result.nfail == 2
    simulators = [int(path.name) for path in tmp_path.iterdir()]
    assert simulators
    wait_until(lambda: not any(map(is_alive, simulators)))


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
@pytest.mark.parametrize("objective", ["time.sleep(600)", "subprocess.run(['sleep', '600'])"])
@pytest.mark.slow
def test_workers_end_with_their_parent_however_it_ends(tmp_path, objective):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
            import os, subprocess, time
            from pathlib import Path
            import ter

            def fun(x):
                Path({str(tmp_path)!r}, f"{{os.getpid()}}.pid").touch()
                {objective}
                return 0.0

            ter.minimize(fun, ter.box(-1, 1, dimension=3), budget=100, x0=[[0, 0, 0]] * 4, rng=1, workers=2)
        """)
    )
    parent = subprocess.Popen([sys.executable, str(script)])
    try:
        wait_until(lambda: len(list(tmp_path.glob("*.pid"))) == 2)
    finally:
        parent.kill()
        parent.wait()
    workers = [int(path.stem) for path in tmp_path.glob("*.pid")]
    try:
        wait_until(lambda: not any(map(is_alive, workers)))
    finally:
        for pid in workers:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)


def test_no_process_is_left_when_a_run_ends(backend):
    pids = [
        int(pid) for pid in values_of(backend.run(Task(pid_of, vectorized=False), blocks_of(np.zeros((6, 1))), always))
    ]
    backend.close()
    backend.close()
    wait_until(lambda: not any(map(is_alive, pids)))


def pid_of(x):
    time.sleep(0.05)
    return float(os.getpid())


@posix
def test_workers_that_were_killed_while_idle_are_replaced(backend):
    task, blocks = Task(pid_of, vectorized=False), blocks_of(np.zeros((6, 1)))
    first = {int(pid) for pid in values_of(backend.run(task, blocks, always))}
    for pid in first:
        os.kill(pid, signal.SIGKILL)
    second = {int(pid) for pid in values_of(backend.run(task, blocks, always))}
    assert first and second and not first & second


@posix
@pytest.mark.slow
def test_daemonic_processes_may_have_workers():
    """The workers of Dask are daemonic, and so are those of multiprocessing's pools."""
    from multiprocessing import get_context

    with get_context("spawn").Pool(1) as pool:
        x, fun = pool.apply(minimize_with_two_workers)
    serial = ter.minimize(sphere, BOX, budget=80, rng=1, heuristics=["gs"])
    assert x == serial.x.tobytes() and fun == serial.fun


def minimize_with_two_workers():
    result = ter.minimize(sphere, BOX, budget=80, rng=1, heuristics=["gs"], workers=2)
    assert result.workers_busy is not None
    return result.x.tobytes(), result.fun


@pytest.mark.slow
def test_a_run_in_a_thread_does_not_keep_the_interpreter_from_ending(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
            import threading, time
            from pathlib import Path
            import ter

            note = Path({str(tmp_path / "note")!r})

            def fun(x):
                note.touch()
                time.sleep(600)

            options = {{"budget": 100, "x0": [[0, 0, 0]] * 4, "workers": 2}}
            run = {{"target": ter.minimize, "args": (fun, ter.box(-1, 1, dimension=3)), "kwargs": options}}
            threading.Thread(**run, daemon=True).start()
            while not note.exists():
                time.sleep(0.05)
        """)
    )
    assert subprocess.run([sys.executable, script], timeout=120, check=False).returncode == 0


@pytest.mark.slow
def test_of_a_vectorized_batch_that_is_given_up_nothing_is_kept():
    def fun(X):
        time.sleep(600 if (X != 0).any() else 0)
        return (X * X).sum(axis=1)

    x0 = np.vstack([np.zeros((2, 4)), np.ones((2, 4))])
    result = ter.minimize(fun, BOX, budget="8s", x0=x0, rng=1, workers=2, vectorized=True)
    assert result.status is ter.StopReason.BUDGET and result.nfev == 0


@pytest.fixture
def queueing(monkeypatch):
    """Let a block wait in each busy worker, though evaluations take no time worth mentioning."""
    monkeypatch.setattr(processes._Pace, "even", True)


def test_a_block_that_waits_in_a_worker_is_not_lost_with_it_and_not_blamed(queueing):
    flaky = FlakySimulator(lambda x: float((x * x).sum()), crash=0.01, rng=1)
    found = []
    for workers in (2, 1):
        result = ter.minimize(
            flaky, ter.box(-5, 5, dimension=6), budget=200, rng=1, workers=workers, heuristics=["gs"], on_error="worst"
        )
        found.append((result.x.tobytes(), result.nfev, [failure.evaluation for failure in result.failures]))
    assert found[0] == found[1] and found[0][2]


def test_the_time_of_a_block_that_waits_in_a_worker_begins_when_it_is_evaluated(queueing):
    def slow(x):
        time.sleep(0.6)
        return float((x * x).sum())

    box, options = ter.box(-5, 5, dimension=6), {"budget": 10, "rng": 1, "workers": 1, "heuristics": ["gs"]}
    result = ter.minimize(slow, box, evaluation_timeout=1.1, x0=np.ones((10, 6)), **options)
    assert result.nfev == 10 and result.nfail == 0


def test_a_block_waits_in_a_worker_only_where_evaluations_take_the_same_time():
    pace = processes._Pace()
    assert not pace.even
    for seconds in (1.0, 1.1, 0.9, 1.0):
        pace.learn(seconds)
    assert pace.even
    pace.learn(5.0)
    assert not pace.even
