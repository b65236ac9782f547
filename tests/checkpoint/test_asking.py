"""Ask and tell with a checkpoint."""

from __future__ import annotations

import numpy as np
import pytest

import ter
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
    """Leave the folder as it is: the thread sleeps for ever, and the lock is gone with the process."""
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
