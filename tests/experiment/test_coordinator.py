"""What everybody who wants runs done can rely on; `test_runner` and `best_known/test_finder` have more of it."""

from __future__ import annotations

import signal

import pytest

from ter.experiment.coordinator import ATTEMPTS, Coordinator
from ter.experiment.pool import Lost
from ter.experiment.watch import Watch, Workload
from tests.experiment.fake_pool import FakePool
from tests.experiment.helpers import small_plan


class Listener(Watch):
    def __init__(self):
        self.seen, self.forecast = [], None

    def open(self, progress, forecast):
        self.seen.append(("open", progress))
        self.forecast = forecast

    def update(self, progress, workload):
        self.seen.append((progress, len(workload.under_way), self.forecast.runs))

    def close(self):
        self.seen.append("close")


class Kept:
    """Keeps names of runs."""

    def __init__(self, refuse=()):
        self.names, self._refuse = [], refuse

    def __call__(self, spec, record):
        if record.failed and self._refuse:
            raise self._refuse(record.traceback)
        self.names.append((spec.name, record.failed))

    def number(self):
        return len(self.names)


def coordinator(kept, pool, watch=None):
    return Coordinator(kept, kept.number, pool, watch or Watch())


@pytest.fixture
def specs():
    return small_plan(runs=3).specs()


def test_runs_are_asked_for_step_by_step_and_one_pool_does_all(specs):
    kept, pool, listener = Kept(), FakePool(slots=2), Listener()
    with coordinator(kept, pool, listener) as working:
        working.do(specs[:3], later=2)
        assert kept.number() == 3 and pool.closed == 0
        working.do(specs[3:])
    assert {name for name, _ in kept.names} == {spec.name for spec in specs}
    assert pool.closed == 1 and pool.most == 2 and [spec.label for spec in pool.prepared] == ["ter", "ls"]
    assert listener.seen[0] == ("open", 0) and listener.seen.count("close") == 1
    # Done, under way, and still to come: with the two that were announced, then with the three that came.
    assert listener.seen[1:4] == [(0, 2, 5), (1, 2, 4), (2, 1, 3)]
    assert listener.seen[4:-1] == [(3, 0, 2), (3, 2, 3), (4, 2, 2), (5, 1, 1), (6, 0, 0)]


def test_nothing_is_started_for_nothing():
    pool, listener = FakePool(), Listener()
    with coordinator(Kept(), pool, listener) as working:
        working.do([])
    assert listener.seen == [] and pool.closed == 0 and not pool.prepared


def test_bad_workers_are_refused_when_there_is_something_to_do(specs):
    with coordinator(Kept(), 0) as working, pytest.raises(ValueError, match="workers must be a number"):
        working.do(specs)


def test_what_keeps_records_may_end_everything(specs):
    def trouble(spec, attempt):
        return Lost("it died") if spec is specs[1] else None

    kept, pool = Kept(refuse=RuntimeError), FakePool(slots=1, trouble=trouble)
    with (
        pytest.raises(RuntimeError, match=f"The run was given up, its worker died {ATTEMPTS} times.\nit died"),
        coordinator(kept, pool) as working,
    ):
        working.do(specs)
    assert kept.names == [(specs[0].name, False)] and pool.closed == 1
    assert len(pool.submitted) == 1 + ATTEMPTS


def test_a_lost_run_is_the_next_one_that_is_handed_out(specs):
    pool = FakePool(slots=1, trouble=lambda spec, attempt: Lost("it died") if attempt == 1 else None)
    with coordinator(Kept(), pool) as working:
        working.do(specs[:2])
    assert pool.submitted == [specs[0], specs[0], specs[1], specs[1]]


def test_a_signal_at_the_end_of_a_step_stops_the_next_one_before_it_begins(specs):
    pool = FakePool(slots=1, trouble=lambda spec, attempt: signal.raise_signal(signal.SIGINT))
    kept, before = Kept(), signal.getsignal(signal.SIGINT)
    with coordinator(kept, pool) as working:
        working.do(specs[:1])
        with pytest.raises(KeyboardInterrupt):
            working.do(specs[1:])
    assert kept.number() == 1 and pool.submitted == specs[:1] and signal.getsignal(signal.SIGINT) is before


def test_a_pool_without_workers_is_idle_unless_it_compiles(specs):
    assert Workload().idle and not Workload(compiling=True).idle and not Workload(slots=1).idle
    assert not Workload((specs[0],)).idle  # its worker has gone, but the run is not given up
