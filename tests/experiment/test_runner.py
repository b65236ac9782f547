from __future__ import annotations

import signal
import sys
from dataclasses import replace

import pytest

from ter.core.errors import InvalidArgument
from ter.experiment.coordinator import ATTEMPTS
from ter.experiment.pool import Lost, PoolError
from ter.experiment.pools import choose_pool
from ter.experiment.pools.processes import ProcessPool
from ter.experiment.pools.serial import SerialPool
from ter.experiment.runner import run_plan
from ter.experiment.store import Store, StoreLocked
from ter.experiment.watch import Watch
from ter.experiment.work import OtherCode, failed_record, run_one
from tests.experiment.fake_pool import FakePool
from tests.experiment.helpers import results, small_plan


class Listener(Watch):
    def __init__(self):
        self.seen = []

    def ended(self, record):
        self.seen.append(("ended", record.failed))

    def lost(self, spec, reason):
        self.seen.append(("lost", reason))

    def close(self):
        self.seen.append(("closed", None))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def keys(path):
    with Store(path) as store:
        return store.keys()


def test_every_run_is_done_once_and_as_many_at_a_time_as_there_are_slots(path):
    plan, pool = small_plan(runs=5), FakePool(slots=3)
    assert run_plan(plan, path, workers=pool).new == 10
    assert keys(path) == {spec.key for spec in plan.specs()} == {spec.key for spec in pool.submitted}
    assert len(pool.submitted) == 10 and pool.most == 3 and pool.closed == 1


def test_starting_again_does_what_is_missing(path):
    run_plan(small_plan(runs=2), path, workers=FakePool())
    pool = FakePool()
    progress = run_plan(small_plan(runs=3), path, workers=pool)
    assert (progress.total, progress.finished, progress.new, progress.done) == (6, 6, 2, True)
    assert {spec.run for spec in pool.submitted} == {3}
    pool = FakePool()
    assert run_plan(small_plan(runs=3), path, workers=pool).new == 0 and not pool.submitted


def test_one_run_of_each_kind_is_compiled_first(path):
    pool = FakePool()
    run_plan(small_plan(problems=["lso08/f1", "lso08/f2"]), path, workers=pool)
    assert [spec.label for spec in pool.prepared] == ["ter", "ls"]


def test_a_run_whose_worker_died_is_done_again(path):
    pool = FakePool(trouble=lambda spec, attempt: Lost("it died") if attempt < ATTEMPTS else None)
    listener = Listener()
    assert run_plan(small_plan(runs=1), path, workers=pool, progress=listener).done
    assert listener.seen.count(("lost", "it died")) == 2 * (ATTEMPTS - 1)
    assert len(pool.submitted) == 2 * ATTEMPTS and listener.seen[-1] == ("closed", None)


@pytest.mark.parametrize(("lost", "attempts"), [(Lost("it died"), ATTEMPTS), (Lost("it died", final=True), 1)])
def test_a_run_that_always_kills_its_worker_is_recorded_as_failed_and_the_others_go_on(path, lost, attempts):
    pool = FakePool(trouble=lambda spec, attempt: lost if spec.label == "ls" and spec.run == 1 else None)
    progress = run_plan(small_plan(), path, workers=pool)
    assert (progress.finished, progress.failed, progress.new, progress.done) == (3, 1, 4, False)
    assert len(pool.submitted) == 3 + attempts
    with Store(path) as store:
        (wrong,) = store.records(failed=True)
    assert (wrong.label, wrong.run) == ("ls", 1) and wrong.traceback.splitlines()[-1] == "it died"


def test_failed_runs_are_done_again_on_request_only(path):
    broken = FakePool(trouble=lambda spec, attempt: failed_record(spec, "Boom: it did\n"))
    assert run_plan(small_plan(), path, workers=broken).failed == 4
    assert run_plan(small_plan(), path, workers=FakePool()).failed == 4
    progress = run_plan(small_plan(), path, workers=FakePool(), retry_failed=True)
    assert (progress.finished, progress.failed, progress.new) == (4, 0, 4)
    assert run_plan(small_plan(), path, workers=FakePool(), retry_failed=True).new == 0


def test_runs_of_other_code_count_on_request_only(path, monkeypatch):
    run_plan(small_plan(), path, workers=FakePool())
    monkeypatch.setattr("ter.experiment.plan.code_of", lambda *names: "changed")
    progress = run_plan(small_plan(), path, workers=FakePool(), any_code=True)
    assert (progress.finished, progress.new) == (4, 0)
    assert run_plan(small_plan(), path, workers=FakePool()).new == 4
    assert len(keys(path)) == 8


def test_new_labels_of_a_plan_are_given_to_the_runs_that_are_there(path):
    run_plan(small_plan(), path, workers=FakePool())
    relabelled = small_plan(algorithms=[{"name": "ter", "label": "ls"}, {"name": "ls", "label": "ter"}])
    assert run_plan(relabelled, path, workers=FakePool()).new == 0
    with Store(path) as store:
        assert store.labels() == {"ls": {("ter", "{}")}, "ter": {("ls", "{}")}}


def test_a_label_that_means_something_else_in_the_store_is_refused(path):
    run_plan(small_plan(), path, workers=FakePool())
    other = small_plan(algorithms=[{"name": "gs", "label": "ter"}])
    with pytest.raises(
        InvalidArgument, match="a label must mean one thing in a store, got 'ter', which stands for ter"
    ):
        run_plan(other, path, workers=FakePool())


@pytest.mark.parametrize("error", [PoolError("no scheduler"), OtherCode("other code"), KeyboardInterrupt()])
def test_trouble_of_the_pool_comes_out_and_what_ended_is_kept(path, error):
    pool = FakePool(slots=1, trouble=lambda spec, attempt: error if spec.run == 2 else None)
    with pytest.raises(type(error)):
        run_plan(small_plan(), path, workers=pool)
    assert len(keys(path)) == 2 and pool.closed == 1
    assert run_plan(small_plan(), path, workers=FakePool()).new == 2  # the lock was given back


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_has_ended_and_stops(path, number):
    pool = FakePool(slots=2, trouble=lambda spec, attempt: spec.label == "ls" and signal.raise_signal(number))
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        run_plan(small_plan(), path, workers=pool)
    assert len(keys(path)) == 2 and pool.closed == 1 and len(pool.submitted) == 2  # nothing more was handed out
    assert signal.getsignal(number) is before


def test_a_signal_during_the_last_run_does_no_harm(path):
    pool = FakePool(slots=1, trouble=lambda spec, attempt: signal.raise_signal(signal.SIGINT))
    assert run_plan(small_plan(runs=1, algorithms=["ls"]), path, workers=pool).done


def test_two_coordinators_are_refused(path):
    with Store(path, write=True), pytest.raises(StoreLocked):
        run_plan(small_plan(), path, workers=FakePool())


def test_a_store_of_the_users_stays_open(path):
    with Store(path, write=True) as store:
        assert run_plan(small_plan(), store, workers=FakePool()).done
        assert len(store) == 4


def test_a_run_is_the_same_whenever_it_is_done():
    first, *_, last = small_plan().specs()
    once, other, again = run_one(first), run_one(last), run_one(first)
    assert results([once]) == results([again]) and once.fun != other.fun
    assert once.curve.flags.owndata and once.facts["numpy"] and once.wall > 0 and once.started < again.started


def test_values_at_milestones_are_those_of_shorter_runs():
    """The paper's profile does not look at the budget, so that a short run is the beginning of a long one."""
    (long,) = small_plan(algorithms=["ter"], runs=1, budget=3_000, milestones=[10, 700, 2_000]).specs()
    found = run_one(long).milestones
    for count, value in found.items():
        short = replace(long, key=replace(long.key, budget=str(count)), milestones=())
        assert run_one(short).fun == value
    assert list(found) == [10, 700, 2_000, 3_000]


def test_parameters_reach_the_run():
    plain, tuned = small_plan(algorithms=["ter", {"name": "ter", "heuristics": ["cc"]}], runs=1).specs()
    assert set(run_one(plain).sequence) > {"ls1"} and set(run_one(tuned).sequence) == {"cc"}


def test_a_worker_with_other_code_refuses():
    spec = small_plan().specs()[0]
    with pytest.raises(OtherCode, match="all workers must run the code that the plan was read with, abc, got"):
        run_one(replace(spec, key=replace(spec.key, code="abc")))


def leaving_plan(folder, monkeypatch, statement, **changes):
    """A plan whose first problem does something bad at each call, and whose second one is well."""
    name = f"leaving_{abs(hash((statement, folder)))}"
    (folder / f"{name}.py").write_text(
        f"import signal, sys, ter\ndef fun(x):\n    {statement}\n"
        "problem = ter.Problem(fun, ter.box(-1, 1, dimension=10))\n"
    )
    monkeypatch.setattr("sys.path", [*sys.path])
    return small_plan(problems=[f"{name}:problem", "lso08/f1"], folder=folder, **changes)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("sys.exit(0)", "SystemExit: 0"),
        ("raise KeyboardInterrupt('mine')", "KeyboardInterrupt: mine"),
        ("raise GeneratorExit", "GeneratorExit"),
        (r"raise RuntimeError('caf\xe9 \udcff')", r"RuntimeError: café \udcff"),
        ("raise ExceptionGroup('two', [ValueError('one'), KeyError('other')])", "KeyError: 'other'"),
        (
            "raise type('Mute', (Exception,), {'__getattribute__': lambda self, name: 1 / 0})()",
            "Mute: <an exception that cannot be read>",
        ),
        ("raise RuntimeError('long' * 1_000_000)", f"RuntimeError: {'long' * 121}lo…"),
    ],
)
def test_whatever_an_objective_raises_is_recorded_and_the_others_go_on(
    path, tmp_path, monkeypatch, workers, statement, told
):
    plan = leaving_plan(tmp_path, monkeypatch, statement, algorithms=["ls"])
    progress = run_plan(plan, path, workers=workers)
    assert (progress.finished, progress.failed) == (2, 2)
    with Store(path) as store:
        failures = list(store.records(failed=True))
    assert {record.reason for record in failures} == {told}
    assert all(", in fun" in record.traceback for record in failures)
    assert run_plan(plan, path, workers=workers).new == 0


def test_the_second_ctrl_c_aborts_an_experiment_in_this_process(path, tmp_path, monkeypatch):
    plan = leaving_plan(tmp_path, monkeypatch, "signal.raise_signal(2); signal.raise_signal(2)")
    with pytest.raises(KeyboardInterrupt):
        run_plan(plan, path, workers=1)
    assert not keys(path)


def test_an_interrupted_run_leaves_no_record(path, tmp_path, monkeypatch):
    (tmp_path / "interrupting.py").write_text(
        "import signal, ter\n"
        "calls = 0\n"
        "def fun(x):\n"
        "    global calls\n"
        "    calls += 1\n"
        "    if calls == 1_500:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    return float((x**2).sum())\n"
        "problem = ter.Problem(fun, ter.box(-1, 1, dimension=3))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plan = small_plan(problems=["interrupting:problem"], dimensions=[], folder=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_plan(plan, path, workers=1)
    assert len(keys(path)) == 1  # a run has 1000 evaluations


@pytest.mark.parametrize("workers", [0, -2, True, 2.0, None, [2]])
def test_bad_workers_are_refused(workers):
    with pytest.raises(
        InvalidArgument, match="workers must be a number of processes >= 1, -1 for one per core, a Dask"
    ):
        choose_pool(workers)


def test_pools_by_number(monkeypatch):
    assert isinstance(choose_pool(1), SerialPool)
    monkeypatch.setattr("ter.experiment.pools.choose.usable_cores", lambda: 3)
    pool = choose_pool(-1)
    assert isinstance(pool, ProcessPool) and pool.slots == 3
    pool.close()
