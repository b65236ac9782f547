"""Evaluations on a real Dask cluster: a scheduler and workers in processes of their own, which may be killed."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np
import pytest

import ter
from tests.experiment.processes import Cluster, kill, wait_until

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="kill -9")]

BOX = ter.box(-5, 5, dimension=12)
OPTIONS = {"budget": 250, "rng": 1, "heuristics": ["ls1", "cc", "gs"]}


def made():
    """Return the objective; a function in a function is sent by value, and the cluster does not know this module."""

    def sphere(x):
        return float((x * x).sum())

    return sphere


sphere = made()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.workers = [cluster.worker(), cluster.worker()]
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def serial():
    return ter.minimize(sphere, BOX, **OPTIONS)


def test_an_address_gives_the_bits_of_the_serial_run(cluster, serial):
    result = ter.minimize(sphere, BOX, workers=cluster.address, **OPTIONS)
    assert result.x.tobytes() == serial.x.tobytes() and result.curve.tobytes() == serial.curve.tobytes()
    assert 0 < result.workers_busy <= 1


def test_a_client_of_the_users_stays_open(cluster, serial):
    client = distributed.Client(cluster.address, set_as_default=False)
    try:
        result = ter.minimize(sphere, BOX, workers=client, **OPTIONS)
        assert client.status == "running" and client.submit(sum, [1, 2]).result() == 3
    finally:
        client.close()
    assert result.x.tobytes() == serial.x.tobytes()


def test_exceptions_come_from_there_with_their_place(cluster):
    def broken(x):
        raise KeyError("no mesh")

    with pytest.raises(KeyError, match="no mesh") as caught:
        ter.minimize(broken, BOX, workers=cluster.address, **OPTIONS)
    assert "in broken" in caught.value.__notes__[0] and caught.value.ter_result.nfev >= 1


def test_a_time_budget_does_not_wait_for_the_cluster(cluster):
    def slow(x):
        time.sleep(8.0 if (x != 0).any() else 0.0)
        return 0.0

    started = time.monotonic()
    x0 = np.vstack([np.zeros(12), np.ones((9, 12))])
    result = ter.minimize(slow, BOX, budget="4s", x0=x0, rng=1, workers=cluster.address)
    assert result.status is ter.StopReason.BUDGET and result.nfev <= 3
    assert time.monotonic() - started < 40  # all would take that long


def test_kill_9_of_a_worker_shows_in_nothing(cluster, serial):
    """This test comes near the end: one worker is gone afterwards."""

    def slower(x):
        time.sleep(0.02)
        return float((x * x).sum())

    victim = threading.Timer(2.0, kill, [cluster.workers[0].pid])
    victim.start()
    result = ter.minimize(slower, BOX, workers=cluster.address, **OPTIONS)
    victim.join()
    assert cluster.workers[0].wait() == -9 and result.spent.seconds > 2.0
    assert result.x.tobytes() == serial.x.tobytes() and result.nfev == 250 and result.nfail == 0


def test_two_workers_inside_a_worker_of_dask(cluster, tmp_path):
    """Those with a nanny are daemonic, and may not have children of multiprocessing's kind."""
    worker = cluster.worker("--nanny", "--name", "daemonic")
    client = distributed.Client(cluster.address, set_as_default=False)
    try:
        wait_until(lambda: "daemonic" in {each["name"] for each in client.scheduler_info()["workers"].values()}, worker)

        def inside():
            import multiprocessing

            import ter

            def fun(x):
                return float((x * x).sum())

            result = ter.minimize(fun, ter.box(-5, 5, dimension=4), budget=60, rng=1, workers=2, heuristics=["gs"])
            return multiprocessing.current_process().daemon, result.x.tobytes(), result.workers_busy is not None

        daemonic, x, busy = client.submit(inside, workers=["daemonic"]).result(timeout=200)
    finally:
        client.close()
    expected = ter.minimize(
        lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=4), budget=60, rng=1, heuristics=["gs"]
    )
    assert daemonic and busy and x == expected.x.tobytes()


def test_no_scheduler_is_an_error_with_the_cure(monkeypatch):
    monkeypatch.setattr("ter.engines.dask.CONNECT", 0.2)
    with pytest.raises(
        ter.TerError, match=r"a Dask scheduler must answer at the address, got 'tcp://127.0.0.1:1'.*start"
    ):
        ter.minimize(sphere, BOX, budget=10, workers="tcp://127.0.0.1:1")
