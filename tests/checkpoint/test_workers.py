"""Checkpoints of runs on workers: what a worker has evaluated is safe, and the rest is evaluated again."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import ter
from ter.checkpoint.folder import Folder
from tests.experiment.processes import wait_until

BOX = ter.box(-5, 5, dimension=4)
OPTIONS = {"budget": 120, "rng": 1, "heuristics": ["gs"]}


def same(a, b):
    return a.x.tobytes() == b.x.tobytes() and a.curve.tobytes() == b.curve.tobytes() and a.nfev == b.nfev


def noting(folder, stop_at=None):
    """Return an objective that notes its calls, and sleeps for long at the call that is named."""

    def fun(x):
        calls = len(list(Path(folder).glob("call*")))
        (Path(folder) / f"call {calls}-{time.time_ns()}").touch()
        if stop_at is not None and calls >= stop_at:
            time.sleep(600)
        return float((x * x).sum())

    return fun


def calls_in(folder):
    return len(list(Path(folder).glob("call*")))


@pytest.mark.parametrize("workers", [2, map])
def test_a_run_that_ends_within_a_batch_goes_on_to_the_same_end(tmp_path, workers):
    folder = tmp_path / "run"
    plain = ter.minimize(lambda x: float((x * x).sum()), BOX, **OPTIONS)

    def slow(x):
        time.sleep(0.03)
        return float((x * x).sum())

    stop = {"callback": lambda result: True}  # it is asked after a second
    first = ter.minimize(slow, BOX, workers=workers, checkpoint=folder, **stop, **OPTIONS)
    whole = ter.minimize(slow, BOX, workers=workers, checkpoint=folder, **OPTIONS)
    assert first.nfev < 120 and same(whole, plain)


@pytest.mark.slow
def test_what_workers_have_evaluated_is_written_before_the_batch_ends(tmp_path):
    """Of twenty points, nine are known when time ends the run; only the others are evaluated again."""
    notes, folder = tmp_path / "notes", tmp_path / "run"
    notes.mkdir()
    x0 = np.random.default_rng(1).uniform(-5, 5, (20, 4))
    options = {"x0": x0, "rng": 1, "heuristics": ["gs"], "checkpoint": folder}
    first = ter.minimize(
        noting(notes, stop_at=9), BOX, budget="20 evaluations, 15s", workers=1, evaluation_timeout=900, **options
    )
    assert first.nfev == 9 and calls_in(notes) == 10  # the tenth was given up
    known, _, _ = Folder(folder).known(Folder(folder).manifest()["run"])
    assert known.count == 9
    whole = ter.minimize(noting(notes), BOX, budget="20 evaluations, 10min", **options)
    assert whole.nfev == 20 and calls_in(notes) == 21
    assert whole.fun == min(float((x * x).sum()) for x in x0)


def test_failures_on_workers_are_written_with_their_numbers(tmp_path):
    flaky = ter.testing.FlakySimulator(lambda x: float((x * x).sum()), exception=0.1, rng=3)
    options = {**OPTIONS, "on_error": "worst"}
    plain = ter.minimize(flaky, BOX, **options)
    half = ter.minimize(flaky, BOX, checkpoint=tmp_path / "run", workers=map, **{**options, "budget": 70})
    whole = ter.minimize(flaky, BOX, checkpoint=tmp_path / "run", workers=map, **options)
    assert half.nfail < whole.nfail == plain.nfail and same(whole, plain)
    assert [f.evaluation for f in whole.failures] == [f.evaluation for f in plain.failures]


SCRIPT = """
import subprocess
import sys
import time
from pathlib import Path

import ter

notes = Path({notes!r})

def fun(x):
    (notes / f"call {{time.time_ns()}}").touch()
    time.sleep(0.2 if len(list(notes.iterdir())) < 8 else 600)
    return float((x * x).sum())

x0 = [[0.1 * i, 0, 0, 0] for i in range(20)]
options = {{"checkpoint": {folder!r}, "evaluation_timeout": 900}}
ter.minimize(fun, ter.box(-5, 5, dimension=4), budget=100, x0=x0, rng=1, **options)
"""


@pytest.mark.slow
def test_kill_9_within_a_batch_loses_only_what_is_under_way(tmp_path):
    notes, folder = tmp_path / "notes", tmp_path / "run"
    notes.mkdir()
    (tmp_path / "script.py").write_text(SCRIPT.format(notes=str(notes), folder=str(folder)))
    coordinator = subprocess.Popen([sys.executable, tmp_path / "script.py"])
    try:
        wait_until(lambda: calls_in(notes) >= 8, coordinator)
        time.sleep(0.3)
    finally:
        coordinator.kill()
        coordinator.wait()
    known, _, _ = Folder(folder).known(Folder(folder).manifest()["run"])
    assert known.count == 7
