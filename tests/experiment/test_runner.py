from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from ter.core.errors import InvalidArgument
from ter.experiment.pool import EngineError, Lost
from ter.experiment.pools import choose_engine
from ter.experiment.pools.processes import ProcessEngine
from ter.experiment.pools.serial import SerialEngine
from ter.experiment.runner import ATTEMPTS, run_plan
from ter.experiment.store import Store, StoreLocked
from ter.experiment.watch import Silent
from ter.experiment.work import OtherCode, failed_record, run_one
from tests.experiment.helpers import record, results, small_plan


class FakeEngine:
    """Gives back made-up records, the last one submitted first, after whatever `trouble` does."""

    ready = True

    def __init__(self, slots=3, trouble=lambda spec, attempt: None):
        self.slots, self.trouble = slots, trouble
        self.submitted, self.under_way, self.most, self.closed, self.prepared = [], [], 0, 0, []

    def prepare(self, specs):
        self.prepared = list(specs)

    def submit(self, spec):
        self.submitted.append(spec)
        self.under_way.append(spec)
        self.most = max(self.most, len(self.under_way))

    def wait(self, seconds):
        if not self.under_way:
            return []
        spec = self.under_way.pop()
        trouble = self.trouble(spec, self.submitted.count(spec))
        if isinstance(trouble, BaseException):
            raise trouble
        return [(spec, trouble or replace(record(), key=spec.key, label=spec.label, run=spec.run))]

    def close(self):
        self.closed += 1


class Listener(Silent):
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
    plan, engine = small_plan(runs=5), FakeEngine(slots=3)
    assert run_plan(plan, path, workers=engine).new == 10
    assert keys(path) == {spec.key for spec in plan.specs()} == {spec.key for spec in engine.submitted}
    assert len(engine.submitted) == 10 and engine.most == 3 and engine.closed == 1


def test_starting_again_does_what_is_missing(path):
    run_plan(small_plan(runs=2), path, workers=FakeEngine())
    engine = FakeEngine()
    tally = run_plan(small_plan(runs=3), path, workers=engine)
    assert (tally.total, tally.finished, tally.new, tally.done) == (6, 6, 2, True)
    assert {spec.run for spec in engine.submitted} == {3}
    engine = FakeEngine()
    assert run_plan(small_plan(runs=3), path, workers=engine).new == 0 and not engine.submitted


def test_one_run_of_each_kind_is_compiled_first(path):
    engine = FakeEngine()
    run_plan(small_plan(problems=["lso08/f1", "lso08/f2"]), path, workers=engine)
    assert [spec.label for spec in engine.prepared] == ["ter", "ls"]


def test_a_run_whose_worker_died_is_done_again(path):
    engine = FakeEngine(trouble=lambda spec, attempt: Lost("it died") if attempt < ATTEMPTS else None)
    listener = Listener()
    assert run_plan(small_plan(runs=1), path, workers=engine, progress=listener).done
    assert listener.seen.count(("lost", "it died")) == 2 * (ATTEMPTS - 1)
    assert len(engine.submitted) == 2 * ATTEMPTS and listener.seen[-1] == ("closed", None)


@pytest.mark.parametrize(("lost", "attempts"), [(Lost("it died"), ATTEMPTS), (Lost("it died", final=True), 1)])
def test_a_run_that_always_kills_its_worker_is_recorded_as_failed_and_the_others_go_on(path, lost, attempts):
    engine = FakeEngine(trouble=lambda spec, attempt: lost if spec.label == "ls" and spec.run == 1 else None)
    tally = run_plan(small_plan(), path, workers=engine)
    assert (tally.finished, tally.failed, tally.new, tally.done) == (3, 1, 4, False)
    assert len(engine.submitted) == 3 + attempts
    with Store(path) as store:
        (wrong,) = store.records(failed=True)
    assert (wrong.label, wrong.run) == ("ls", 1) and wrong.traceback.splitlines()[-1] == "it died"


def test_failed_runs_are_done_again_on_request_only(path):
    broken = FakeEngine(trouble=lambda spec, attempt: failed_record(spec, "Boom: it did\n"))
    assert run_plan(small_plan(), path, workers=broken).failed == 4
    assert run_plan(small_plan(), path, workers=FakeEngine()).failed == 4
    tally = run_plan(small_plan(), path, workers=FakeEngine(), retry_failed=True)
    assert (tally.finished, tally.failed, tally.new) == (4, 0, 4)
    assert run_plan(small_plan(), path, workers=FakeEngine(), retry_failed=True).new == 0


def test_runs_of_other_code_count_on_request_only(path, monkeypatch):
    run_plan(small_plan(), path, workers=FakeEngine())
    monkeypatch.setattr("ter.experiment.plan.code_of", lambda modules: "changed")
    tally = run_plan(small_plan(), path, workers=FakeEngine(), any_code=True)
    assert (tally.finished, tally.new) == (4, 0)
    assert run_plan(small_plan(), path, workers=FakeEngine()).new == 4
    assert len(keys(path)) == 8


def test_new_labels_of_a_plan_are_given_to_the_runs_that_are_there(path):
    run_plan(small_plan(), path, workers=FakeEngine())
    relabelled = small_plan(algorithms=[{"name": "ter", "label": "ls"}, {"name": "ls", "label": "ter"}])
    assert run_plan(relabelled, path, workers=FakeEngine()).new == 0
    with Store(path) as store:
        assert store.labels() == {"ls": {("ter", "{}")}, "ter": {("ls", "{}")}}


def test_a_label_that_means_something_else_in_the_store_is_refused(path):
    run_plan(small_plan(), path, workers=FakeEngine())
    other = small_plan(algorithms=[{"name": "gs", "label": "ter"}])
    with pytest.raises(
        InvalidArgument, match="a label must mean one thing in a store, got 'ter', which stands for ter"
    ):
        run_plan(other, path, workers=FakeEngine())


@pytest.mark.parametrize("error", [EngineError("no scheduler"), OtherCode("other code"), KeyboardInterrupt()])
def test_trouble_of_the_engine_comes_out_and_what_ended_is_kept(path, error):
    engine = FakeEngine(slots=1, trouble=lambda spec, attempt: error if spec.run == 2 else None)
    with pytest.raises(type(error)):
        run_plan(small_plan(), path, workers=engine)
    assert len(keys(path)) == 2 and engine.closed == 1
    assert run_plan(small_plan(), path, workers=FakeEngine()).new == 2  # the lock was given back


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_has_ended_and_stops(path, number):
    engine = FakeEngine(slots=2, trouble=lambda spec, attempt: spec.label == "ls" and signal.raise_signal(number))
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        run_plan(small_plan(), path, workers=engine)
    assert len(keys(path)) == 2 and engine.closed == 1 and len(engine.submitted) == 2  # nothing more was handed out
    assert signal.getsignal(number) is before


def test_a_signal_during_the_last_run_does_no_harm(path):
    engine = FakeEngine(slots=1, trouble=lambda spec, attempt: signal.raise_signal(signal.SIGINT))
    assert run_plan(small_plan(runs=1, algorithms=["ls"]), path, workers=engine).done


def test_two_coordinators_are_refused(path):
    with Store(path, write=True), pytest.raises(StoreLocked):
        run_plan(small_plan(), path, workers=FakeEngine())


def test_a_store_of_the_users_stays_open(path):
    with Store(path, write=True) as store:
        assert run_plan(small_plan(), store, workers=FakeEngine()).done
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
        choose_engine(workers)


def test_engines_by_number(monkeypatch):
    assert isinstance(choose_engine(1), SerialEngine)
    monkeypatch.setattr("ter.experiment.pools.choose.usable_cores", lambda: 3)
    engine = choose_engine(-1)
    assert isinstance(engine, ProcessEngine) and engine.slots == 3
    engine.close()
