"""Going ahead: what comes later is begun while a batch is under way, and nothing of it shows in the result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ter
from ter.core.allowance import Chain
from ter.engines import workers
from ter.engines.ahead import LookAhead
from ter.engines.posting import Block, Task
from ter.engines.rounds import evaluated
from ter.heuristics import DecomposedES

BOX = ter.box(-5, 5, dimension=40)
OPTIONS = {"budget": 1_500, "rng": 1, "heuristics": [DecomposedES(block=5), "lbfgsb"]}


def blocks_of(rows):
    return [Block(k, np.array([row], dtype=float)) for k, row in enumerate(rows)]


class LastComesLast:
    """Answers at once, but the block with the slow point, which is answered when nothing else is left."""

    takes_single_points, keeps_base, width = True, False, 2

    def __init__(self, slow):
        self.slow, self.order, self.given_up = slow, [], 0

    def run(self, task, blocks, go_on):
        seen, late = 0, []
        try:
            while seen < len(blocks) or late:
                block = blocks[seen] if seen < len(blocks) else late.pop()
                seen += seen < len(blocks)
                if block.rows[0, 0] == self.slow and block not in late and self.slow not in self.order:
                    self.order.append(self.slow)
                    late.append(block)
                    continue
                self.order.append(block.rows[0, 0])
                yield task(block)
                if not go_on():
                    return
        finally:
            self.given_up += len(late)

    def prepare(self, task):
        pass

    def close(self):
        pass


def doubled(stages):
    """Return a chain that begins with 1, and whose rows are twice the values of the last ones."""

    def begin():
        rows = np.array([[1.0]])
        for _ in range(stages):
            rows = 2.0 * (yield rows)[:, None]

    return Chain(np.empty(0, dtype=np.int64), np.array([1.0]), begin)


def looking(backend, chain):
    ahead = LookAhead(backend)
    ahead.offer([(chain, lambda V: [Block(0, row[None]) for row in V])])
    return ahead


IDENTITY = Task(lambda x: float(x[0]), vectorized=False)


def test_a_chain_goes_on_while_a_slow_point_is_under_way():
    backend = LastComesLast(slow=7.0)
    ahead = looking(backend, doubled(stages=4))
    first = evaluated(ahead, IDENTITY, blocks_of([[1.0], [7.0]]), lambda: True)
    assert first.values.tolist() == [1.0, 7.0]
    assert backend.order == [1.0, 7.0, 2.0, 4.0, 8.0, 7.0]  # the last one is when it is answered
    second = evaluated(ahead, IDENTITY, blocks_of([[9.0], [4.0], [2.0], [8.0]]), lambda: True)
    assert second.values.tolist() == [9.0, 4.0, 2.0, 8.0] and backend.order[6:] == [9.0]


def test_a_point_that_is_asked_for_twice_is_evaluated_twice():
    backend = LastComesLast(slow=7.0)
    ahead = looking(backend, doubled(stages=2))
    evaluated(ahead, IDENTITY, blocks_of([[1.0], [7.0]]), lambda: True)
    assert evaluated(ahead, IDENTITY, blocks_of([[2.0], [2.0]]), lambda: True).values.tolist() == [2.0, 2.0]
    assert backend.order.count(2.0) == 2


def test_what_other_chains_have_begun_is_there_for_one_more_batch():
    backend = LastComesLast(slow=7.0)
    ahead = looking(backend, doubled(stages=2))
    evaluated(ahead, IDENTITY, blocks_of([[1.0], [7.0]]), lambda: True)
    ahead.offer([])
    assert evaluated(ahead, IDENTITY, blocks_of([[2.0], [3.0]]), lambda: True).values.tolist() == [2.0, 3.0]
    assert backend.order.count(2.0) == 1


def test_when_a_run_ends_nothing_is_left_under_way():
    backend = LastComesLast(slow=7.0)
    ahead = looking(backend, doubled(stages=3))
    outcome = evaluated(ahead, IDENTITY, blocks_of([[1.0], [7.0], [3.0]]), lambda: len(backend.order) < 3)
    assert outcome.values.tolist() == [1.0] and backend.given_up == 1 and not ahead.ahead


@pytest.mark.parametrize("cut", [slice(0, 1), slice(0, 0)])
def test_answers_that_are_missing_are_noticed(cut):
    class Forgetful(LastComesLast):
        def run(self, task, blocks, go_on):
            yield from [task(block) for block in list(blocks)[cut]]

    ahead = looking(Forgetful(slow=7.0), doubled(stages=3))
    with pytest.raises(ter.InvalidArgument, match="once for each of 2 blocks"):
        evaluated(ahead, IDENTITY, blocks_of([[1.0], [7.0]]), lambda: True)


@pytest.mark.parametrize("what", ["something else", None])
def test_answers_that_are_wrong_are_noticed(what):
    class Confused(LastComesLast):
        def run(self, task, blocks, go_on):
            for block in list(blocks):
                yield what or task(block)
                yield what or task(block)

    ahead = looking(Confused(slow=7.0), doubled(stages=3))
    with pytest.raises(ter.InvalidArgument, match="workers must return"):
        evaluated(ahead, IDENTITY, blocks_of([[1.0], [7.0]]), lambda: True)


class Counting:
    """Counts its calls, in this process."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return float((x * x).sum() + abs(x[:-1] * x[1:]).max())


@pytest.fixture
def always(monkeypatch):
    """Go ahead, though evaluations take no time."""
    monkeypatch.setattr(workers, "SHORT", 0.0)


@pytest.mark.parametrize("width", [1, 3, 16])
def test_threads_give_the_serial_bits_and_call_no_more_than_is_counted(always, width):
    fun = Counting()
    with ThreadPoolExecutor(width) as pool:
        result = ter.minimize(fun, BOX, workers=pool, **OPTIONS)
    serial = ter.minimize(Counting(), BOX, **OPTIONS)
    assert result.x.tobytes() == serial.x.tobytes() and result.curve.tobytes() == serial.curve.tobytes()
    assert result.nfev == serial.nfev == 1_500
    assert [action.nfev for action in result.actions] == [action.nfev for action in serial.actions]
    assert fun.calls == 1_500


def test_maps_give_the_serial_bits(always):
    with ThreadPoolExecutor(3) as pool:
        result = ter.minimize(Counting(), BOX, workers=pool.map, **OPTIONS)
    assert result.x.tobytes() == ter.minimize(Counting(), BOX, **OPTIONS).x.tobytes()


def test_processes_that_die_while_they_go_ahead_show_in_nothing(always, tmp_path):
    def fun(x):
        return float((x * x).sum())

    flaky = ter.testing.FlakySimulator(fun, crash=0.003, rng=1, once_in=tmp_path)
    options = {"budget": 700, "rng": 1, "heuristics": [DecomposedES(block=5)]}
    result = ter.minimize(flaky, BOX, workers=2, **options)
    serial = ter.minimize(fun, BOX, **options)
    assert any(tmp_path.iterdir())
    assert result.x.tobytes() == serial.x.tobytes() and result.nfev == 700 and result.nfail == 0


def test_a_target_counts_what_a_run_that_waits_counts(always, monkeypatch):
    found = []
    for short in (0.0, np.inf):
        monkeypatch.setattr(workers, "SHORT", short)
        with ThreadPoolExecutor(4) as pool:
            found.append(ter.minimize(Counting(), BOX, workers=pool, target=30.0, **OPTIONS))
    assert found[0].success and found[0].nfev == found[1].nfev and found[0].x.tobytes() == found[1].x.tobytes()


def test_a_run_that_stops_in_the_middle_of_a_tour_goes_on_bit_for_bit(always, tmp_path):
    with ThreadPoolExecutor(4) as pool:
        options = {"workers": pool, "checkpoint": tmp_path / "run", **OPTIONS}
        part = ter.minimize(Counting(), BOX, callback=lambda state: state.nfev > 700, **options)
        assert 700 < part.nfev < 1_500
        whole = ter.minimize(Counting(), BOX, **options)
    serial = ter.minimize(Counting(), BOX, **OPTIONS)
    assert whole.x.tobytes() == serial.x.tobytes() and whole.curve.tobytes() == serial.curve.tobytes()


def test_failures_of_points_that_were_evaluated_ahead_are_recorded_in_order(always):
    def fun(x):
        if int(abs(x[0]) * 1e6) % 7 == 0:
            raise ValueError(f"{x[0]}")
        return float((x * x).sum())

    found = []
    with ThreadPoolExecutor(4) as pool:
        for who in (pool, 1):
            result = ter.minimize(fun, BOX, workers=who, on_error="worst", **OPTIONS)
            found.append((result.x.tobytes(), result.nfail, [failure.evaluation for failure in result.failures]))
    assert found[0] == found[1] and found[0][1] > 3


def test_nothing_is_begun_ahead_where_evaluations_have_a_price(always):
    fun = Counting()
    options = {**OPTIONS, "budget": ter.Budget(evaluations=1_500, cost=900.0)}
    with ThreadPoolExecutor(4) as pool:
        result = ter.minimize(lambda x: ter.Value(fun(x), cost=1.0), BOX, workers=pool, **options)
    assert result.spent.cost >= 900.0 and fun.calls <= result.nfev + 128
