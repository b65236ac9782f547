"""Runs on a real Dask cluster: a scheduler and workers in processes of their own, which may be killed."""

from __future__ import annotations

import signal
import sys

import pytest

from ter.core.errors import MissingExtra
from ter.experiment.pool import PoolError
from ter.experiment.pools.dask import DaskPool
from ter.experiment.runner import run_plan
from tests.experiment.helpers import results, small_plan
from tests.experiment.processes import Cluster, count, kill, started, stored, wait_until

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="kill -9")]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.workers = [cluster.worker(), cluster.worker()]
    yield cluster
    cluster.close()


def test_kill_9_of_a_worker_and_of_the_coordinator_loses_nothing(cluster, plan_file, tmp_path, serial):
    path = tmp_path / "results.sqlite"
    first, second = cluster.workers
    command = ("ter", "experiment", "run", str(plan_file), "--store", str(path), "--dask", cluster.address, "--quiet")
    with started(*command) as coordinator:
        wait_until(lambda: count(path) >= 3, coordinator)
        kill(first.pid)
        before = count(path)
        wait_until(lambda: count(path) > before + 2, coordinator)
        kill(coordinator.pid)
        assert coordinator.wait() == -signal.SIGKILL
    begun = count(path)
    assert 3 < begun < 24
    with started(*command) as coordinator:
        output, _ = coordinator.communicate()
        assert coordinator.returncode == 0, output
    records = stored(path)
    assert len(records) == 24 and results(records) == serial
    pids = {int(record.facts["process"]) for record in records}
    assert pids <= {first.pid, second.pid} and second.pid in pids


def test_a_client_of_the_users_stays_open(cluster, tmp_path):
    client = distributed.Client(cluster.address, set_as_default=False)
    try:
        plan = small_plan()
        assert run_plan(plan, tmp_path / "one.sqlite", workers=client).done
        assert client.status == "running" and client.submit(sum, [1, 2]).result() == 3
        assert run_plan(plan, tmp_path / "two.sqlite", workers=1).done
        assert results(stored(tmp_path / "one.sqlite")) == results(stored(tmp_path / "two.sqlite"))
    finally:
        client.close()


def test_no_scheduler_is_an_error_with_the_cure(monkeypatch, tmp_path):
    monkeypatch.setattr("ter.engines.dask.CONNECT", 0.2)
    with pytest.raises(PoolError, match=r"a Dask scheduler must answer at the address, got 'tcp://127.0.0.1:1'.*start"):
        run_plan(small_plan(), tmp_path / "results.sqlite", workers="tcp://127.0.0.1:1")


def test_without_distributed_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ter\[dask\]'"):
        DaskPool("tcp://127.0.0.1:1")
