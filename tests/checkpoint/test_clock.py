"""Budgets in seconds: the time spent is restored, and what the clock decided is repeated."""

from __future__ import annotations

import time

import numpy as np
import pytest

import ter
from ter.checkpoint.folder import SNAPSHOTS, Folder
from tests.checkpoint.dying import busy, killed_after  # noqa: F401
from tests.spies import CompiledSpy, spy_on

pytestmark = pytest.mark.usefixtures("busy")
BOX = ter.box(-5, 5, dimension=6)
LONG = [ter.heuristics.SHADE(evaluations=1e6), ter.heuristics.LS1(evaluations=1e6)]


def known(folder):
    place = Folder(folder)
    return place.known(place.manifest()["run"])[0]


def slow(x):
    time.sleep(2e-4)
    return float((x * x).sum())


@pytest.mark.parametrize("snapshots", [True, False])
@pytest.mark.parametrize("engine", ["python", "vectorized", "compiled"])
def test_what_the_clock_decided_is_repeated(engine, snapshots, tmp_path):
    """Each action has a fortieth of the seconds, and ends where the clock says; the rewards are per second."""
    spy = spy_on(engine, BOX)
    fun = spy.objective if isinstance(spy, CompiledSpy) else spy
    problem = ter.Problem(fun, BOX, name="spy", vectorized=engine == "vectorized")
    budget = ter.Budget(seconds=2.0, unit="seconds")
    with killed_after(50, ends=3):
        ter.minimize(problem, budget=budget, rng=1, heuristics=LONG, checkpoint=tmp_path)
    before = known(tmp_path)
    assert before.actions and before.ends and before.times[-1][1] > 0
    if not snapshots:
        for each in SNAPSHOTS:
            (tmp_path / each).unlink(missing_ok=True)
    resumed = ter.resume(tmp_path, problem)
    after = known(tmp_path)
    n = before.count
    np.testing.assert_array_equal(after.values[:n], before.values)
    assert after.actions[: len(before.actions)] == before.actions == list(resumed.actions[: len(before.actions)])
    assert [a.cost for a in resumed.actions[: len(before.actions)]] == [a.cost for a in before.actions]
    assert list(after.ends)[: len(before.ends)] == list(before.ends)


def test_what_the_clock_ended_between_single_evaluations_is_not_taken_for_a_batch_of_workers(tmp_path):
    run = {"budget": ter.Budget(seconds=2.0), "rng": 1, "heuristics": [ter.heuristics.Volleys(evaluations=1e6)]}
    with killed_after(50, ends=12):
        ter.minimize(slow, BOX, **run, checkpoint=tmp_path)
    for each in SNAPSHOTS:
        (tmp_path / each).unlink(missing_ok=True)
    with pytest.raises(ter.CheckpointError, match="with workers if and only if it began with some, since its budget"):
        ter.minimize(slow, BOX, **run, checkpoint=tmp_path, workers=map)


def test_the_time_that_was_spent_counts(tmp_path):
    ter.minimize(slow, BOX, budget="0.4 s", rng=1, checkpoint=tmp_path)
    began = time.perf_counter()
    again = ter.resume(tmp_path, slow)
    assert again.spent.seconds >= 0.39 and again.status is ter.StopReason.BUDGET
    longer = ter.resume(tmp_path, slow, budget="0.5 s")
    assert longer.nfev > again.nfev and longer.spent.seconds >= 0.49
    assert time.perf_counter() - began < 60


def test_a_callback_and_a_stop_leave_a_run_that_goes_on(tmp_path):
    plain = ter.minimize(slow, BOX, budget=1_500, rng=1)
    stopped = ter.minimize(
        slow, BOX, budget=1_500, rng=1, callback=lambda result: result.nfev > 400, checkpoint=tmp_path
    )
    assert stopped.status is ter.StopReason.CALLBACK
    asked = []

    def ask(result):
        if not asked:
            Folder(tmp_path).ask_to_stop()
        asked.append(result.nfev)

    ended = ter.resume(tmp_path, slow, callback=ask)
    assert ended.status is ter.StopReason.INTERRUPTED and 400 < ended.nfev < 1_500
    assert not Folder(tmp_path).stop_wanted
    resumed = ter.resume(tmp_path, slow)
    assert resumed.fun == plain.fun and resumed.actions == plain.actions
