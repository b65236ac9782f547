"""``evaluation_timeout`` on a real Dask cluster: evaluations are killed, workers and their nannies stay as they are."""

from __future__ import annotations

import os
import sys
import time
import zlib
from pathlib import Path

import pytest

import ter
from tests.experiment.processes import Cluster, is_alive, kill, wait_until

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")]

BOX = ter.box(-5, 5, dimension=4)
OPTIONS = {"rng": 1, "on_error": "worst", "heuristics": ["ls1", "gs"]}


def made(misbehave=None):
    """Return the objective, which does something at some points.

    A function in a function is sent by value: the cluster does not know this module, and needs no time to import it.
    """

    def fun(x):
        if misbehave is not None and zlib.crc32(x.tobytes()) % 20 == 0:
            misbehave()
        return float((x * x).sum())

    return fun


def broken():
    raise ValueError("the simulator broke")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.workers = [cluster.worker("--nanny", "--name", "with"), cluster.worker("--no-nanny", "--name", "without")]
    yield cluster
    cluster.close()


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        yield client


def children_of(pids):
    """Return the processes of ours that these have started."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in pids and b"popen_loky" in (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except (OSError, IndexError):  # it has just ended
            continue
    return found


def failed(result):
    return [failure.evaluation for failure in result.failures]


def test_evaluations_that_hang_count_as_failed_and_the_workers_go_on(cluster, client):
    pids = sorted(client.run(os.getpid).values())
    hanging = made(lambda: time.sleep(1000.0))
    result = ter.minimize(hanging, BOX, budget=80, workers=client, evaluation_timeout="1500ms", **OPTIONS)
    serial = ter.minimize(made(broken), BOX, budget=80, **OPTIONS)
    assert result.nfail > 1 and failed(result) == failed(serial) and result.nfev == 80
    assert all(isinstance(failure.error, ter.EvaluationTimeout) for failure in result.failures)
    assert result.x.tobytes() == serial.x.tobytes() and result.curve.tobytes() == serial.curve.tobytes()
    assert sorted(client.run(os.getpid).values()) == pids  # nobody was started again
    wait_until(lambda: not children_of(pids))


def test_evaluations_that_crash_leave_the_workers_alone(cluster, client):
    pids = sorted(client.run(os.getpid).values())
    crashing = made(lambda: os._exit(3))
    result = ter.minimize(crashing, BOX, budget=60, workers=cluster.address, evaluation_timeout=60.0, **OPTIONS)
    serial = ter.minimize(made(broken), BOX, budget=60, **OPTIONS)
    assert result.nfail > 1 and failed(result) == failed(serial)
    assert result.x.tobytes() == serial.x.tobytes()
    assert sorted(client.run(os.getpid).values()) == pids
    wait_until(lambda: not children_of(pids))


def test_a_timeout_without_on_error_ends_the_run_with_the_result_so_far(client):
    def fun(x):
        time.sleep(100.0 if x[0] == 3 else 0.0)
        return float((x * x).sum())

    x0 = [[0.0] * 4, [3.0] * 4]
    with pytest.raises(ter.EvaluationTimeout, match=r"must end within evaluation_timeout, got one .* 0.5 s") as raised:
        ter.minimize(fun, BOX, budget=50, x0=x0, rng=1, workers=client, evaluation_timeout=0.5)
    assert raised.value.ter_result.fun == 0


def test_a_run_that_ends_early_leaves_nothing_that_hangs(cluster, client):
    """Its evaluations under way are left alone, and end when their time is over."""

    def fun(x):
        time.sleep(1000.0 if (x != 0).any() else 0.0)
        return 0.0

    pids = sorted(client.run(os.getpid).values())
    x0 = [[0.0] * 4] + [[1.0] * 4] * 6
    result = ter.minimize(fun, BOX, budget="4s", x0=x0, rng=1, workers=cluster.address, evaluation_timeout="8s")
    assert result.status is ter.StopReason.BUDGET and result.nfev <= 3
    wait_until(lambda: not children_of(pids))
    assert [client.submit(sum, [1, 2], pure=False).result(timeout=60) for _ in range(3)] == [3, 3, 3]


def test_processes_end_with_a_worker_that_is_killed(cluster, client):
    """This test comes last: a worker is killed, and its nanny starts another one."""

    def slower(x):
        time.sleep(0.02)
        return float((x * x).sum())

    (pid,) = (pid for pid in client.run(os.getpid).values() if pid != cluster.workers[1].pid)
    left = []

    def once(result):
        if not left and children_of([pid]):
            left.extend(children_of([pid]))
            kill(pid)

    options = {**OPTIONS, "budget": 300, "callback": once}
    result = ter.minimize(slower, BOX, workers=client, evaluation_timeout=60.0, **options)
    assert left and result.nfail == 0
    wait_until(lambda: not any(map(is_alive, left)))
    assert result.x.tobytes() == ter.minimize(made(), BOX, budget=300, **OPTIONS).x.tobytes()
