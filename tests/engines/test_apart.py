"""Evaluations beside a worker: they are killed when their time is over, and the worker goes on."""

from __future__ import annotations

import copy
import math
import os
import pickle
import threading
import time
from contextlib import suppress

import numpy as np
import pytest

import ter
from ter.engines import processes
from ter.engines.apart import Apart, Sent
from ter.engines.posting import Block, LostBlock, Task
from tests.experiment.processes import is_alive, wait_until

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are looked at as on Linux")


def apart(fun, timeout=30.0, vectorized=False):
    return Apart(Sent.of(Task(fun, vectorized)), timeout)


def value_of(answer):
    return answer.outcome.values[0]


def test_what_never_lets_go_of_pythons_lock_is_killed_and_the_next_point_is_evaluated():
    def fun(x):
        return float(sum(range(10**15)) if x[0] == 1 else x[0])

    beside = apart(fun, timeout=0.5)
    answers = [beside(Block(k + 7, np.array([[float(k)]]))) for k in range(3)]
    assert [answer.index for answer in answers] == [7, 8, 9]
    assert isinstance(answers[1], LostBlock) and isinstance(answers[1].error, ter.EvaluationTimeout)
    assert "killed after 0.5 s" in str(answers[1].error) and value_of(answers[2]) == 2.0


def test_a_crash_is_tried_again_and_then_lost():
    def fun(x):
        os._exit(9)

    lost = apart(fun)(Block(0, np.zeros((1, 2))))
    assert isinstance(lost, LostBlock) and "exit code 9, after 3 tries" in str(lost.error)
    assert not isinstance(lost.error, ter.EvaluationTimeout)


def test_a_process_is_kept_for_the_next_call_and_ends_with_the_object():
    beside = apart(lambda x: float(os.getpid()))
    first, again = (int(value_of(beside(Block(0, np.zeros((1, 2)))))) for _ in range(2))
    assert first == again != os.getpid() and is_alive(first)
    del beside
    wait_until(lambda: not is_alive(first))


def test_copies_have_processes_of_their_own():
    beside = apart(lambda x: float(os.getpid()))
    there = pickle.loads(pickle.dumps(beside))
    block = Block(0, np.zeros((1, 2)))
    assert len({value_of(each(block)) for each in (beside, there, copy.copy(beside))}) == 3


def test_threads_at_the_same_time_have_a_process_each():
    def fun(x):
        time.sleep(0.5)
        return float(os.getpid())

    beside, found = apart(fun), []
    work = [threading.Thread(target=lambda k=k: found.append(beside(Block(k, np.zeros((1, 2)))))) for k in range(3)]
    for each in work:
        each.start()
    for each in work:
        each.join()
    assert len({value_of(answer) for answer in found}) == 3 and {answer.index for answer in found} == {0, 1, 2}


def test_threads_of_a_daemonic_process_may_start_processes_at_the_same_time(monkeypatch):
    """As the workers of Dask with a nanny: what one thread allows for a moment, the other must not take back."""
    settings, children = {"daemon": True}, threading.Barrier(2, timeout=0.3)
    seen = []

    class Daemonic:
        _config = settings

    monkeypatch.setattr(processes, "current_process", Daemonic)

    def start():
        with processes._children_allowed():
            with suppress(threading.BrokenBarrierError):
                children.wait()  # nobody else gets here meanwhile
            seen.append(settings.get("daemon"))

    work = [threading.Thread(target=start) for _ in range(2)]
    for each in work:
        each.start()
    for each in work:
        each.join()
    assert seen == [None, None] and settings == {"daemon": True} and children.broken


def test_a_vectorized_block_is_lost_as_a_whole():
    def fun(X):
        time.sleep(100.0)
        return X.sum(axis=1)

    assert isinstance(apart(fun, timeout=0.3, vectorized=True)(Block(0, np.zeros((3, 2)))), LostBlock)


def test_what_cannot_be_loaded_there_is_an_error():
    class Unloadable:
        def __call__(self, x):
            return math.nan

        def __reduce__(self):
            return int, ("no number",)

    with pytest.raises(ter.TerError, match=r"worker processes can load it, got ValueError: invalid literal"):
        apart(Unloadable())(Block(0, np.zeros((1, 2))))
