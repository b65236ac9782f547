"""Runs in processes of this machine, which may be killed."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace

import pytest

from ter.experiment.runner import run_plan
from ter.experiment.store import Store
from tests.experiment.helpers import results, small_plan
from tests.experiment.processes import count, is_alive, kill, started, stored, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="kill -9")]


def test_kill_9_of_a_worker_and_of_the_coordinator_loses_nothing(plan_file, tmp_path, serial):
    path = tmp_path / "results.sqlite"
    command = ("ter", "experiment", "run", str(plan_file), "--store", str(path), "--workers", "2", "--quiet")
    with started(*command) as coordinator:
        wait_until(lambda: count(path) >= 3, coordinator)
        first = int(stored(path)[0].facts["process"])
        kill(first)
        wait_until(lambda: any(int(r.facts["process"]) != first for r in stored(path)[3:]), coordinator)
        kill(coordinator.pid)
        assert coordinator.wait() == -signal.SIGKILL
    begun = stored(path)
    assert 3 < len(begun) < 24
    wait_until(lambda: not any(is_alive(int(record.facts["process"])) for record in begun))  # workers do not outlive it
    with started(*command) as coordinator:
        output, _ = coordinator.communicate()
        assert coordinator.returncode == 0, output
    records = stored(path)
    assert len(records) == 24 and results(records) == serial
    assert output == f"24 of 24 runs are in {path}, {24 - len(begun)} of them new\n"
    assert len({record.facts["process"] for record in records}) >= 4


def test_ctrl_c_stops_and_says_how_to_go_on(plan_file, tmp_path):
    path = tmp_path / "results.sqlite"
    command = ("ter", "experiment", "run", str(plan_file), "--store", str(path), "--workers", "2")
    with started(*command) as coordinator:
        wait_until(lambda: count(path) >= 1, coordinator)
        os.kill(coordinator.pid, signal.SIGINT)
        output, _ = coordinator.communicate()
    assert coordinator.returncode == 4
    assert output.endswith(
        f"ter: interrupted; every run that has ended is kept\nter: go on with  ter {' '.join(command[1:])}\n"
    )
    assert 1 <= count(path) < 24
    with Store(path) as store:
        assert store.writer() is None


MODULE = """
import os

import numpy as np
import threadpoolctl

import ter


def fatal(x):
    os.kill(os.getpid(), 9)


def threads(x):
    np.ones((8, 8)) @ np.ones((8, 8))
    return float(max([1, *(library["num_threads"] for library in threadpoolctl.threadpool_info())]))


box = ter.box(-1, 1, dimension=3)
deadly, counting = ter.Problem(fatal, box), ter.Problem(threads, box)
"""


@pytest.fixture
def own_problems(tmp_path, monkeypatch):
    """A plan with an objective that kills its process, and one that counts the threads of numerical libraries."""
    (tmp_path / "own_problems.py").write_text(MODULE)
    monkeypatch.setattr("sys.path", [*sys.path])
    problems = ["own_problems:deadly", "own_problems:counting"]
    return small_plan(problems=problems, dimensions=[], algorithms=["ls"], runs=1, budget=20, folder=tmp_path)


def test_a_run_that_kills_its_worker_is_recorded_and_the_others_are_done(own_problems, tmp_path, monkeypatch):
    monkeypatch.setattr("ter.experiment.coordinator.ATTEMPTS", 1)
    progress = run_plan(own_problems, tmp_path / "results.sqlite", workers=2)
    assert (progress.finished, progress.failed) == (1, 1)
    right, wrong = sorted(stored(tmp_path / "results.sqlite"), key=lambda record: record.failed)
    assert wrong.key.problem == "own_problems:deadly"
    assert "the worker process died" in wrong.traceback and "SIGKILL" in wrong.traceback
    assert right.fun == 1.0  # one thread


def test_in_this_process_numerical_libraries_keep_to_one_thread_too(own_problems, tmp_path):
    counting = replace(own_problems, problems=["own_problems:counting"])
    assert run_plan(counting, tmp_path / "results.sqlite", workers=1).done
    assert [record.fun for record in stored(tmp_path / "results.sqlite")] == [1.0]
