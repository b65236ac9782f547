"""Ask and tell with a checkpoint."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ter
from ter.checkpoint import journal as journals
from ter.checkpoint.status import status_of
from ter.run import logbook as records
from tests.checkpoint.dying import assert_same

BOX = ter.box(-5, 5, dimension=4)
RUN = {"budget": 600, "rng": 2, "heuristics": ["gs", "ls1", "lbfgsb"]}


def values(X):
    return (X * X).sum(axis=1) + 0.1 * np.abs(X[:, 0])


def to_the_end(opt):
    while batch := opt.ask():
        opt.tell(batch.ids, values(batch.X))
    return opt.result


@pytest.mark.parametrize("again", ["call", "resume"])
@pytest.mark.parametrize("told", [0, 3, 50, 333])
def test_an_optimizer_goes_on_where_it_was(told, again, tmp_path):
    plain = to_the_end(ter.Optimizer(BOX, **RUN))
    opt = ter.Optimizer(BOX, **RUN, checkpoint=tmp_path)
    count, asked = 0, {}
    while count < told:
        batch = opt.ask(max_size=7)
        order = np.random.default_rng(count).permutation(len(batch))[: max(1, told - count)]
        asked.update(zip(batch.ids.tolist(), batch.X, strict=True))
        opt.tell(batch.ids[order], values(batch.X)[order])
        count += len(order)
        if len(order) < len(batch):
            break
    die(opt)
    go_on = ter.Optimizer.resume(tmp_path) if again == "resume" else ter.Optimizer(BOX, **RUN, checkpoint=tmp_path)
    batch = go_on.ask()
    assert min(batch.ids, default=told) >= 0 and len(set(batch.ids.tolist()) & set(asked)) <= 7
    go_on.tell(batch.ids, values(batch.X))
    assert_same(plain, to_the_end(go_on))


def die(opt):
    """Leave the folder as it is: nothing that waits is written any more, and the lock is gone with the process."""
    opt._run._record._journal.abandoned = True
    opt._run._record.folder._lock.release()


def test_what_was_told_is_not_asked_again(tmp_path):
    run = {"budget": 600, "rng": 2, "heuristics": ["gs"], "x0": np.ones((5, 4))}
    opt = ter.Optimizer(BOX, **run, checkpoint=tmp_path)
    batch = opt.ask()
    assert batch.ids.tolist() == [0, 1, 2, 3, 4]
    opt.tell([3, 1], values(batch.X[[3, 1]]))
    die(opt)
    again = ter.Optimizer.resume(tmp_path)
    left = again.ask()
    assert left.ids.tolist() == [0, 2, 4]
    np.testing.assert_array_equal(left.X, batch.X[[0, 2, 4]])
    again.tell(left.ids, values(left.X))
    assert_same(to_the_end(ter.Optimizer(BOX, **run)), to_the_end(again))


def test_each_kind_of_run_goes_on_in_its_own_way(tmp_path):
    with ter.Optimizer(BOX, **RUN, checkpoint=tmp_path / "ask"):
        pass
    ter.minimize(np.linalg.norm, BOX, budget=50, rng=1, checkpoint=tmp_path / "minimize")
    with pytest.raises(ter.CheckpointError, match=r"must go on with ter\.Optimizer\.resume"):
        ter.resume(tmp_path / "ask", np.linalg.norm)
    with pytest.raises(ter.CheckpointError, match=r"must go on with ter\.resume"):
        ter.Optimizer.resume(tmp_path / "minimize")


FIVE = {"budget": 600, "rng": 2, "heuristics": ["gs"], "x0": np.arange(20.0).reshape(5, 4) / 5}


def five_points(folder):
    opt = ter.Optimizer(BOX, **FIVE, checkpoint=folder)
    return opt, opt.ask()


def plain_five():
    return to_the_end(ter.Optimizer(BOX, **FIVE))


def test_a_closed_optimizer_asks_again_for_what_was_not_told(tmp_path):
    opt, batch = five_points(tmp_path)
    opt.tell([3, 1], values(batch.X[[3, 1]]))
    opt.close()
    assert opt.result.nfev == 5  # those not told count as failed in this result
    again = ter.Optimizer.resume(tmp_path)
    assert again.result.nfev == 2
    assert again.ask().ids.tolist() == [0, 2, 4]
    again.give_back(again.outstanding)
    assert_same(plain_five(), to_the_end(again))


def test_a_probe_that_was_not_told_when_the_optimizer_was_closed_is_asked_for_again(tmp_path):
    run = {"budget": 60, "rng": 2, "heuristics": ["ls1"]}
    opt = ter.Optimizer(BOX, **run, checkpoint=tmp_path)
    while (batch := opt.ask()).ids[0] < 31:
        opt.tell(batch, values(batch.X))
    with opt:
        pass
    again = ter.Optimizer.resume(tmp_path)
    left = again.ask()
    assert left.ids.tolist() == batch.ids.tolist()
    np.testing.assert_array_equal(left.X, batch.X)
    again.give_back(left)
    assert_same(to_the_end(ter.Optimizer(BOX, **run)), to_the_end(again))


def test_what_was_lost_when_the_time_was_up_is_asked_for_again_with_more_time(tmp_path, monkeypatch):
    opt = ter.Optimizer(BOX, **{**FIVE, "budget": "1h"}, checkpoint=tmp_path)
    batch = opt.ask(4)
    opt.give_back([1, 3])
    with monkeypatch.context() as patch:
        patch.setattr(opt._run.evaluator.clock, "alarm", -np.inf)
        patch.setattr(opt._run.evaluator.clock, "_seconds", -np.inf)
        assert opt.ask().waiting_for.tolist() == [0, 2]
        opt.tell([2, 0], values(batch.X[[2, 0]]))
        assert opt.ask().over
    assert (opt.result.nfev, opt.result.nonfinite, opt.result.status) == (3, 1, ter.StopReason.BUDGET)
    again = ter.Optimizer.resume(tmp_path, budget="2h")
    assert (again.result.nfev, again.result.nonfinite) == (2, 0)
    left = again.ask()
    assert left.ids.tolist() == [1, 3, 4]
    np.testing.assert_array_equal(left.X[:2], batch.X[[1, 3]])


def test_the_last_value_of_a_batch_is_on_the_disk_when_it_was_told(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "PATIENCE", 3600.0)  # values of whole batches stay in memory
    opt, batch = five_points(tmp_path)
    opt.tell(batch, values(batch.X))
    following = opt.ask()
    die(opt)
    again = ter.Optimizer.resume(tmp_path)
    left = again.ask()
    assert left.ids.tolist() == following.ids.tolist()
    np.testing.assert_array_equal(left.X, following.X)


def test_values_for_points_of_the_process_before_are_taken_once(tmp_path):
    opt, _ = five_points(tmp_path)
    opt.tell(2, 1.0)
    die(opt)
    again = ter.Optimizer.resume(tmp_path)
    again.tell(3, 0.5)  # its worker has outlived the process that asked it
    again.tell([3, 2], [0.1, 0.1])  # and so has another one's; the first values count
    assert again.result.fun == 0.5
    left = again.ask(2)
    assert left.ids.tolist() == [0, 1]
    again.tell(0, 2.0)
    again.tell(0, 0.2)
    assert (again.result.fun, again.result.nfev) == (0.5, 3)
    with pytest.raises(ter.InvalidArgument, match="ids must be of points handed out by ask, got 5"):
        again.tell(5, 1.0)
    again.tell([1, 4], [3.0, 3.0])
    more = again.ask(1)
    again.tell([0, 4], [0.1, 0.1])
    again.tell(more, [7.0])
    with pytest.raises(ter.InvalidArgument, match=f"each id must be told once, got {more.ids[0]} again"):
        again.tell(more, [7.0])
    with pytest.raises(ter.InvalidArgument, match="ids must be of points handed out by ask"):
        again.tell(more.ids + 1, [7.0])
    assert again.result.fun == 0.5


def test_values_that_come_again_after_the_end_are_ignored(tmp_path):
    result = to_the_end(ter.Optimizer(BOX, **FIVE, checkpoint=tmp_path))
    again = ter.Optimizer.resume(tmp_path)
    again.tell([3, 599], [-1.0, -1.0])
    again.give_back(7)
    assert again.done
    assert_same(result, again.result)
    with pytest.raises(ter.InvalidArgument, match="ids must be of points handed out by ask, got 600"):
        again.tell(600, 1.0)


def test_exceptions_of_a_batch_under_way_survive(tmp_path):
    opt, _ = five_points(tmp_path)
    opt.tell([4, 0], [ValueError("no mesh"), np.nan])
    die(opt)
    again = ter.Optimizer.resume(tmp_path)
    assert (again.result.nfail, again.result.nonfinite) == (1, 2)
    left = again.ask()
    again.tell(left, values(left.X))
    again.ask()
    assert [(f.evaluation, f.reason) for f in again.result.failures] == [(5, "ValueError: no mesh")]


@pytest.mark.parametrize("patience", [0.0, 3600.0])
def test_an_exception_whose_point_was_told_another_value_later_is_forgotten(patience, tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "PATIENCE", patience)
    opt, batch = five_points(tmp_path)
    with monkeypatch.context() as patch:  # the process is killed between the exception and the value
        patch.setattr(journals.Journal, "told", lambda *_: die(opt))
        opt.tell(0, ValueError("no mesh"))
    again = ter.Optimizer.resume(tmp_path)
    again.tell(again.ask(), values(batch.X))
    again.ask()
    die(again)
    assert_same(plain_five(), to_the_end(ter.Optimizer.resume(tmp_path)))


def test_the_status_counts_what_was_told_of_the_batch_under_way(tmp_path):
    opt, _ = five_points(tmp_path)
    opt.tell([4, 1], [ter.Value(0.25, cost=2.0), None])
    now = status_of(tmp_path)
    assert (now.spent.evaluations, now.spent.cost, now.best, now.nonfinite) == (2, 2.0, 0.25, 1)
    opt.tell([0, 2, 3], [1.0, 1.0, ter.Value(2.0, cost=1.0)])
    opt.ask()
    opt.close()
    now = status_of(tmp_path)
    assert (now.spent.evaluations, now.spent.cost, now.best, now.nonfinite) == (5, 3.0, 0.25, 1)


def test_a_journal_that_cannot_be_written_ends_the_run(tmp_path, monkeypatch):
    opt, batch = five_points(tmp_path)

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(ter.CheckpointError, match="No space left on device"):
            opt.tell(batch.ids[:2], [1.0, 2.0])
        with pytest.raises(ter.CheckpointError, match="No space left on device"):
            opt.ask()
    again = ter.Optimizer.resume(tmp_path)
    assert again.ask().ids.tolist() == [0, 1, 2, 3, 4]
    again.give_back(again.outstanding)
    assert_same(plain_five(), to_the_end(again))


def told_with_costs(opt, ids, X):
    opt.tell(ids, values(X), costs=np.abs(X[:, 1]))


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 2**16)), min_size=1, max_size=4), st.booleans())
def test_killed_again_and_again_with_batches_out_it_is_the_same_run(lives, busy):
    plain, known, dead = ter.Optimizer(BOX, **FIVE), set(), []
    while batch := plain.ask():
        told_with_costs(plain, batch, batch.X)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if busy:  # a snapshot at every decision
            patch.setattr(records, "SOONEST", 0.0)
            patch.setattr(records, "SHARE", 0.0)
            patch.setattr(os, "fsync", lambda descriptor: None)
        for steps, seed in lives:
            rng = np.random.default_rng(seed)
            opt, out = ter.Optimizer(BOX, **FIVE, checkpoint=folder), {}
            for _ in range(steps):
                out.update(opt.ask(int(rng.integers(1, 20))))
                told = rng.permutation(sorted(out))[: rng.integers(0, 1 + len(out))].tolist()
                assert not known & set(told)
                told_with_costs(opt, told, np.array([out.pop(i) for i in told]).reshape(-1, 4))
                known.update(told)
            die(opt)
            dead.append(opt)
        last = ter.Optimizer.resume(folder)
        while batch := last.ask(9):
            assert not known & set(batch.ids.tolist())
            known.update(batch.ids.tolist())
            told_with_costs(last, batch, batch.X)
        assert known == set(range(600))
        assert_same(plain.result, last.result)


def test_with_a_larger_budget_only_points_handed_out_again_are_taken(tmp_path):
    opt, batch = five_points(tmp_path / "run")
    opt.tell([3, 1], values(batch.X[[3, 1]]))
    die(opt)
    again = ter.Optimizer.resume(tmp_path / "run", budget=900)
    left = again.ask(2)
    assert left.ids.tolist() == [0, 2]
    with pytest.raises(ter.InvalidArgument, match="ids must be of points handed out by ask, got 4"):
        again.tell(4, 1.0)
    again.give_back(left)
    with ter.Optimizer(BOX, **FIVE, checkpoint=tmp_path / "twin"):
        pass
    assert_same(to_the_end(ter.Optimizer.resume(tmp_path / "twin", budget=900)), to_the_end(again))


KILLED = """
import os, signal, sys
import numpy as np
import ter
opt = ter.Optimizer(ter.box(-5, 5, dimension=4), budget=600, rng=2, heuristics=["gs", "ls1"], checkpoint=sys.argv[1])
out, rng, told = {}, np.random.default_rng(1), []
while len(told) < 150:
    out.update(opt.ask(11))
    for i in rng.permutation(sorted(out))[:6].tolist():
        x = out.pop(i)
        opt.tell(i, float((x * x).sum() + 0.1 * abs(x[0])))
        told.append(i)
print(told, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_after_sigkill_nothing_that_was_told_is_asked_again(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    told = set(json.loads(ended.stdout))
    assert len(told) >= 150
    opt, asked = ter.Optimizer.resume(tmp_path), set()
    while batch := opt.ask():
        asked |= set(batch.ids.tolist())
        opt.tell(batch, values(batch.X))
    assert asked == set(range(600)) - told
    assert_same(to_the_end(ter.Optimizer(BOX, budget=600, rng=2, heuristics=["gs", "ls1"])), opt.result)


def test_the_journal_stays_small_and_is_read_in_little_memory(tmp_path):
    with ter.Optimizer(BOX, budget=2_000, rng=2, heuristics=["ls1"], checkpoint=tmp_path) as opt:
        to_the_end(opt)
    assert (tmp_path / "journal").stat().st_size < 80 * 2_000
    known, _, _ = opt._run._record.folder.known(json.loads((tmp_path / "manifest.json").read_text())["run"])
    assert (known.count, known.told) == (2_000, {})
