"""A run that died goes on bit for bit, whatever it was made of."""

from __future__ import annotations

import os

import numpy as np
import pytest

import ter
from ter.algorithms import ALGORITHMS
from ter.checkpoint.folder import SNAPSHOTS
from ter.display.archive import whole_file
from ter.heuristics import HEURISTICS
from ter.run.logbook import Logbook
from tests.checkpoint.dying import assert_same, busy, killed_after  # noqa: F401
from tests.spies import ENGINES, CompiledSpy, spy_on

pytestmark = pytest.mark.usefixtures("busy")
BOX = ter.box(-5, 5, dimension=6)


def rugged(x):
    return float((x * x + 0.3 * np.cos(5 * x)).sum() + 0.1 * abs(x).max())


def problem(fun=rugged, box=BOX):
    return ter.Problem(fun, box, name="rugged")


def test_a_run_with_a_checkpoint_is_the_same_run(tmp_path):
    plain = ter.minimize(rugged, BOX, budget=2_000, rng=1)
    assert_same(plain, ter.minimize(rugged, BOX, budget=2_000, rng=1, checkpoint=tmp_path))
    assert all((tmp_path / name).is_file() for name in SNAPSHOTS)


@pytest.mark.parametrize("name", sorted(HEURISTICS))
@pytest.mark.parametrize("snapshots", [True, False])
def test_every_heuristic_goes_on(name, snapshots, tmp_path):
    run = {"budget": 1_500, "rng": 3, "heuristics": [name]}
    plain = ter.minimize(rugged, BOX, **run)
    with killed_after(min(1_100, plain.nfev * 2 // 3)):  # some have nothing left to do before the budget ends
        ter.minimize(rugged, BOX, **run, checkpoint=tmp_path)
    there = [tmp_path / each for each in SNAPSHOTS]
    assert all(each.is_file() for each in there)
    for each in there[:] if not snapshots else []:
        each.unlink()
    assert_same(plain, ter.resume(tmp_path, rugged))


def test_lines_that_left_the_rest_to_middles_go_on(tmp_path):
    def largest(x):
        return float(abs(x - 0.3).max())

    run = {"budget": 1_500, "rng": 3, "heuristics": ["lines"]}
    plain = ter.minimize(largest, ter.box(-5, 5, dimension=20), **run)
    with killed_after(1_300):
        ter.minimize(largest, ter.box(-5, 5, dimension=20), **run, checkpoint=tmp_path)
    assert all((tmp_path / each).is_file() for each in SNAPSHOTS)
    assert_same(plain, ter.resume(tmp_path, largest))


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_goes_on(name, tmp_path):
    plain = ter.algorithm(name).minimize(problem(), budget=3_000, rng=2)
    for values in (700, 600, 10):
        with killed_after(values):
            ter.algorithm(name).minimize(problem(), budget=3_000, rng=2, checkpoint=tmp_path)
    assert any((tmp_path / each).is_file() for each in SNAPSHOTS)
    assert_same(plain, ter.resume(tmp_path, problem()))


@pytest.mark.parametrize("scheduler", ["ter", "random", "round-robin", "participation"])
def test_every_scheduler_goes_on(scheduler, tmp_path):
    plain = ter.minimize(rugged, BOX, budget=1_500, rng=2, scheduler=scheduler)
    with killed_after(800):
        ter.minimize(rugged, BOX, budget=1_500, rng=2, scheduler=scheduler, checkpoint=tmp_path)
    assert_same(plain, ter.resume(tmp_path, rugged))


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine != "numba"])
@pytest.mark.parametrize("snapshots", [True, False])
def test_every_engine_goes_on(engine, snapshots, tmp_path):
    def objective():
        spy = spy_on(engine, BOX, nan_above=3.0)
        return ter.Problem(
            spy.objective if isinstance(spy, CompiledSpy) else spy, BOX, name="spy", vectorized=engine == "vectorized"
        )

    run = {"budget": 4_000, "rng": 3, "heuristics": ["ls1", "cc", "gs", "lbfgsb"]}
    plain = ter.minimize(objective(), **run)
    with killed_after(1_700):
        ter.minimize(objective(), **run, checkpoint=tmp_path)
    if not snapshots:
        for each in SNAPSHOTS:
            (tmp_path / each).unlink(missing_ok=True)
    assert_same(plain, ter.resume(tmp_path, objective()))


def test_only_what_was_in_flight_is_evaluated_again(tmp_path):
    calls = 0

    def rugged(x):
        nonlocal calls
        calls += 1
        return float((x * x).sum())

    with killed_after(1_234):
        ter.minimize(rugged, BOX, budget=2_000, rng=1, checkpoint=tmp_path)
    before = calls
    ter.resume(tmp_path, rugged)
    assert calls - before == 2_000 - 1_234


@pytest.mark.parametrize("workers", [(1, 2), (2, 1)])
def test_the_number_of_workers_may_change(workers, tmp_path):
    plain = ter.minimize(rugged, BOX, budget=1_200, rng=2, heuristics=["gs", "lbfgsb", "ls1"])
    with killed_after(700):
        ter.minimize(
            rugged,
            BOX,
            budget=1_200,
            rng=2,
            heuristics=["gs", "lbfgsb", "ls1"],
            workers=workers[0],
            checkpoint=tmp_path,
        )
    assert_same(plain, ter.resume(tmp_path, rugged, workers=workers[1]))


@pytest.mark.parametrize("heuristics", [["volleys"], ["lines"], ["lbfgsb"], ["quasi-newton"], ["ls1"], None])
@pytest.mark.parametrize("workers", [(1, map), (map, 1)])
def test_a_run_may_go_on_with_workers_that_began_without_and_the_other_way_round(workers, heuristics, tmp_path):
    """Workers are asked for batches where a run without them asks for one move after the other."""
    run = {"budget": 1_200, "rng": 2, "heuristics": heuristics}
    plain = ter.minimize(rugged, BOX, **run)
    with killed_after(min(700, plain.nfev * 2 // 3)):  # some have nothing left to do before the budget ends
        ter.minimize(rugged, BOX, **run, workers=workers[0], checkpoint=tmp_path)
    for each in SNAPSHOTS:  # so that all is repeated from the journal
        (tmp_path / each).unlink(missing_ok=True)
    assert_same(plain, ter.resume(tmp_path, rugged, workers=workers[1]))


def test_the_same_call_again_goes_on_with_what_a_file_cannot_name(tmp_path):
    def walk(fun, x0, bounds, rng):
        for _ in range(10_000):
            fun(rng.uniform(bounds.lb, bounds.ub))

    run = {"budget": 1_000, "rng": 2, "heuristics": ["ls1", ter.wrap(walk, cost=40)]}
    plain = ter.minimize(rugged, BOX, **run)
    with killed_after(600):
        ter.minimize(rugged, BOX, **run, checkpoint=tmp_path)
    with pytest.raises(ter.CheckpointError, match=r"call ter\.minimize again with the same arguments"):
        ter.resume(tmp_path, rugged)
    assert_same(plain, ter.minimize(rugged, BOX, **run, checkpoint=tmp_path))


def test_failures_are_remembered(tmp_path):
    def failing(x):
        if x[0] > 2.5:
            raise ValueError("too far")
        return rugged(x)

    run = {"budget": 1_500, "rng": 2, "on_error": "worst"}
    plain = ter.minimize(failing, BOX, **run)
    with killed_after(700):
        ter.minimize(failing, BOX, **run, checkpoint=tmp_path)
    for each in SNAPSHOTS:
        (tmp_path / each).unlink(missing_ok=True)
    resumed = ter.resume(tmp_path, failing)
    assert_same(plain, resumed)
    assert plain.nfail > 0 and [f.reason for f in plain.failures] == [f.reason for f in resumed.failures]


def test_costs_are_remembered(tmp_path):
    def costly(x):
        return ter.Value(rugged(x), cost=0.5 + abs(float(x[0])))

    run = {"budget": ter.Budget(cost=3_000.0, unit="cost"), "rng": 2}
    plain = ter.minimize(costly, BOX, **run)
    with killed_after(500):
        ter.minimize(costly, BOX, **run, checkpoint=tmp_path)
    assert_same(plain, ter.resume(tmp_path, costly))


def test_an_objective_that_raised_may_be_repaired(tmp_path):
    broken = True

    def rugged(x):
        if broken and x[1] > 4:
            raise RuntimeError("a mistake in the simulator")
        return float((x * x).sum())

    with pytest.raises(RuntimeError, match=r"a mistake"):
        ter.minimize(rugged, BOX, budget=1_000, rng=1, checkpoint=tmp_path)
    broken = False
    assert_same(ter.minimize(rugged, BOX, budget=1_000, rng=1), ter.resume(tmp_path, rugged))


@pytest.mark.parametrize("engine", ["python", "compiled moving"])
@pytest.mark.parametrize("first", [700, 1_111])
def test_a_larger_budget_gives_the_run_of_that_budget(first, engine, tmp_path):
    spy = spy_on(engine, BOX)
    objective = ter.Problem(spy.objective if isinstance(spy, CompiledSpy) else spy, BOX, name="spy")
    paper = ter.algorithm("ter")
    plain = paper.minimize(objective, budget=4_000, rng=3)
    assert paper.minimize(objective, budget=first, rng=3, checkpoint=tmp_path).nfev == first
    with killed_after(1_500):
        ter.resume(tmp_path, objective, budget=4_000)
    assert ter.resume(tmp_path, objective).nfev == 4_000
    assert_same(plain, ter.resume(tmp_path, objective))


def test_a_run_that_is_over_gives_its_result_without_evaluations(tmp_path):
    plain = ter.minimize(rugged, BOX, budget=1_000, rng=1, checkpoint=tmp_path)

    def never(x):
        raise AssertionError

    never.__name__ = "rugged"
    assert_same(plain, ter.resume(tmp_path, never))


@pytest.mark.parametrize("name", ["manifest.json", "arguments", "snapshot.0"])
def test_a_disk_that_is_full_is_told_whatever_was_to_be_written(name, tmp_path, monkeypatch):
    def full(path):
        if path.name == name:
            raise OSError(28, "No space left on device")
        return whole_file(path)

    with monkeypatch.context() as patch:
        patch.setattr("ter.checkpoint.folder.whole_file", full)
        with pytest.raises(ter.CheckpointError, match=r"must be written to the disk, got .* No space left") as caught:
            ter.minimize(rugged, BOX, budget=500, rng=1, checkpoint=tmp_path)
    assert name != "snapshot.0" or caught.value.ter_result.nfev > 0
    assert_same(
        ter.minimize(rugged, BOX, budget=500, rng=1), ter.minimize(rugged, BOX, budget=500, rng=1, checkpoint=tmp_path)
    )


@pytest.mark.parametrize("kind", ["write", "fsync"])
def test_a_disk_that_is_full_at_the_end_does_not_cost_the_result(kind, tmp_path, monkeypatch):
    """Nor does it hide what the objective has raised."""
    plain = ter.minimize(rugged, BOX, budget=300, rng=1)

    def full(*args):
        raise OSError(28, "No space left on device")

    def closed(self, ending):
        with monkeypatch.context() as patch:
            patch.setattr(os, kind, full)
            close(self, ending)

    def fails(x):
        raise ZeroDivisionError("mine")

    close = Logbook.close
    monkeypatch.setattr(Logbook, "close", closed)
    with pytest.raises(ter.CheckpointError, match="No space left on device") as caught:
        ter.minimize(rugged, BOX, budget=300, rng=1, checkpoint=tmp_path / "one")
    assert caught.value.ter_result.fun == plain.fun and caught.value.ter_result.nfev == 300
    with pytest.raises(ZeroDivisionError, match="mine") as raised:
        ter.minimize(fails, BOX, budget=300, rng=1, checkpoint=tmp_path / "two")
    assert raised.value.ter_result.nfev == 1
    monkeypatch.setattr(Logbook, "close", close)
    assert_same(plain, ter.resume(tmp_path / "one", rugged))  # nobody holds the folder any more
