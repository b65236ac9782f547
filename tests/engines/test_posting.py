"""Answers of workers belong to their blocks, or are refused."""

from __future__ import annotations

import pickle
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

import ter
from ter.engines.calls import Outcome
from ter.engines.posting import Answer, Block, InOrder

BOX = ter.box(-5, 5, dimension=4)


def sphere(x):
    return float((x * x).sum())


@pytest.mark.parametrize("returned", [None, "text", 1j, np.ma.masked])
@pytest.mark.parametrize("workers", ["map", "threads"])
@pytest.mark.parametrize("seed", range(6))
def test_after_a_mistake_the_answer_still_belongs_to_its_value(workers, seed, returned):
    """Some points of several blocks have no number; what the others returned must stay with them."""
    calls = []

    def fun(x):
        calls.append(x.copy())
        return returned if x[0] > 2 else sphere(x)

    with ThreadPoolExecutor(4) as pool, pytest.raises(ter.ObjectiveError, match="one number per point") as caught:
        way = pool if workers == "threads" else map
        ter.minimize(fun, BOX, budget=500, rng=seed, workers=way, heuristics=["gs", "cc"])
    result = caught.value.ter_result
    assert np.isfinite(result.fun) and result.fun == sphere(result.x) == min(sphere(x) for x in calls if x[0] <= 2)
    assert result.nfev == len(calls)


def test_a_map_in_any_order_gives_the_bits_of_the_serial_run():
    def backwards(task, blocks):
        return [task(block) for block in reversed(list(blocks))]

    options = {"budget": 400, "rng": 1, "heuristics": ["gs", "cc"]}
    mapped, serial = ter.minimize(sphere, BOX, workers=backwards, **options), ter.minimize(sphere, BOX, **options)
    assert mapped.x.tobytes() == serial.x.tobytes() and mapped.fun == sphere(mapped.x)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (lambda answers: answers[:-1], r"once for each of \d+ blocks, got \d+"),
        (lambda answers: answers * 2, r"blocks, got \d+"),
        (lambda answers: [answers[0]] * len(answers), "several for the same block"),
        (lambda answers: [1.0] * len(answers), "got float for a block"),
        (lambda answers: [answer.outcome for answer in answers], "got Outcome for a block"),
        (lambda answers: None, "an answer for each block, as map does, got NoneType"),
    ],
)
def test_answers_that_are_missing_doubled_or_of_something_else_are_refused(broken, words):
    calls = []

    def fun(x):
        calls.append(1)
        return sphere(x)

    with pytest.raises(ter.InvalidArgument, match=words) as caught:
        ter.minimize(fun, BOX, budget=200, rng=1, workers=lambda task, blocks: broken([*map(task, blocks)]))
    assert caught.value.ter_result.nfev == len(calls) <= 200


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("way", ["one by one", "threads", "away"])
def test_a_task_that_is_called_twice_evaluates_its_points_once(way, vectorized):
    calls = []

    def fun(x):
        calls.extend(x if vectorized else [x])
        return (x * x).sum(axis=-1)

    def twice(task, blocks):
        if way == "threads":
            with ThreadPoolExecutor(4) as pool:
                return [*pool.map(task, [*blocks, *blocks])][: len(blocks)]
        copies = [pickle.loads(pickle.dumps((task, block))) if way == "away" else (task, block) for block in blocks]
        return [(do(block), do(block))[1] for do, block in copies]

    options = {"budget": 400, "rng": 1, "heuristics": ["gs", "cc"], "vectorized": vectorized}
    serial = ter.minimize(lambda x: (x * x).sum(axis=-1), BOX, **options)
    calls.clear()
    noted.clear()
    result = ter.minimize(Noted() if way == "away" else fun, BOX, workers=twice, **options)
    made = sum(noted) if way == "away" else len(calls)
    assert made == result.nfev == 400 and result.x.tobytes() == serial.x.tobytes()


noted = []


class Noted:
    """An objective whose copies note their calls in the same place."""

    def __call__(self, x):
        noted.append(len(x) if x.ndim == 2 else 1)
        return (x * x).sum(axis=-1)


def test_an_executor_that_mixes_up_its_futures_is_noticed():
    class Mixed(Executor):
        first = None

        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            self.first = self.first or fn(*args, **kwargs)
            future.set_result(self.first)
            return future

    with pytest.raises(ter.InvalidArgument, match="workers must return what the task returned"):
        ter.minimize(sphere, BOX, budget=200, rng=1, workers=Mixed())


def test_an_answer_that_was_cut_short_is_refused():
    block = Block(0, np.zeros((3, 2)))
    with pytest.raises(ter.InvalidArgument, match="got 2 values for a block of 3 points"):
        InOrder([block]).take(Answer(0, 3, Outcome(np.zeros(2))))


def test_blocks_of_a_vectorized_objective_do_not_depend_on_measured_time():
    """The value of a row may depend on its block; then equal seeds need equal blocks."""
    from time import sleep

    sizes: dict[bool, list[int]] = {False: [], True: []}
    for slow, seen in sizes.items():

        def fun(X, slow=slow, seen=seen):
            sleep(0.002 * slow * len(X))
            seen.append(len(X))
            return (X * X).sum(axis=1)

        ter.minimize(fun, BOX, budget=150, rng=1, workers=map, vectorized=True, heuristics=["gs"])
    assert sizes[False] == sizes[True]
