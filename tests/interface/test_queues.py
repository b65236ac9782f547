"""Ask and tell for queues: several batches outstanding, told in parts and in any order, lost and handed out again."""

import concurrent.futures
import math
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter

BOX = ter.box(-5, 5, dimension=4)
START = {"x0": np.full((6, 4), 3.0) - np.arange(6)[:, None], "heuristics": ["gs"]}
BUDGET = 130


def cost_of(x):
    return float(((x - 0.5) ** 2).sum())


def opened(budget=300, **kwargs):
    return ter.Optimizer(BOX, budget=budget, rng=1, **kwargs)


def six_points(**kwargs):
    """An optimizer whose first six points do not depend on each other."""
    return opened(**START, **kwargs)


def assert_same(one, other):
    assert np.array_equal(one.x, other.x)
    assert np.array_equal(one.curve, other.curve)
    assert one.actions == other.actions
    assert (one.fun, one.nfev, one.status, one.nonfinite) == (other.fun, other.nfev, other.status, other.nonfinite)


def to_the_end(opt):
    while batch := opt.ask():
        opt.tell(batch, [cost_of(x) for x in batch.X])
    return opt.result


# Empty batches


def test_an_empty_batch_is_false_and_says_what_it_waits_for():
    opt = six_points()
    first, second = opt.ask(4), opt.ask(4)
    nothing = opt.ask()
    assert (first.ids.tolist(), second.ids.tolist()) == ([0, 1, 2, 3], [4, 5])
    assert (len(nothing), bool(nothing), nothing.over, nothing.waiting) == (0, False, False, True)
    assert nothing.waiting_for.tolist() == [0, 1, 2, 3, 4, 5]
    assert nothing.reason == ("the points to start from must be told before there are more: 6 of them are under way")
    opt.tell([5, 0, 1, 2, 4], [1.0] * 5)
    assert opt.ask().waiting_for.tolist() == opt.outstanding.tolist() == [3]


def test_the_reason_names_the_heuristic_that_waits():
    opt = opened(heuristics=["ls1"], x0=np.full(4, 3.0), step=5.0)
    opt.tell(opt.ask(), [1.0])
    (point,) = opt.ask().ids
    nothing = opt.ask()
    assert nothing.reason == "the points of ls1 must be told before there are more: 1 of them is under way"
    assert nothing.waiting_for.tolist() == [point]


def test_the_reason_of_the_last_batch_is_how_the_run_ended():
    opt = opened()
    to_the_end(opt)
    last = opt.ask()
    assert (last.over, last.waiting, last.waiting_for.size) == (True, False, 0)
    assert last.reason == f"the run is over: {opt.result.message}"


# Points that are lost


def test_points_given_back_are_handed_out_again_before_others():
    opt = six_points()
    lost = opt.ask(3)
    opt.give_back(lost.ids[[2, 0]])
    again = opt.ask(4)
    assert again.ids.tolist() == [0, 2, 3, 4]
    assert np.array_equal(again.X[:2], lost.X[[0, 2]])
    assert opt.outstanding.tolist() == [0, 1, 2, 3, 4]


def test_giving_back_twice_or_after_telling_changes_nothing():
    opt = six_points()
    batch = opt.ask(3)
    opt.tell(1, 7.0)
    opt.give_back(batch)
    opt.give_back(batch)
    opt.give_back(2)
    assert opt.ask().ids.tolist() == [0, 2, 3, 4, 5]
    assert (opt.result.fun, opt.result.nfev) == (7.0, 1)


def test_all_that_is_outstanding_can_be_given_back():
    opt = six_points()
    opt.ask(2), opt.ask(1)
    opt.give_back(opt.outstanding)
    assert opt.outstanding.size == 0
    assert opt.ask().ids.tolist() == [0, 1, 2, 3, 4, 5]


def test_only_what_was_handed_out_can_be_given_back():
    opt = six_points()
    opt.ask(2)
    for ids, words in [(2, "ids must be of points handed out by ask, got 2"), (0.5, "ids must be whole numbers")]:
        with pytest.raises(ter.InvalidArgument, match=words):
            opt.give_back([0, ids])
    assert opt.outstanding.tolist() == [0, 1]  # nothing was taken back


def test_of_two_values_for_a_point_given_back_the_first_counts():
    opt = six_points()
    opt.ask(2)
    opt.give_back(0)
    opt.tell(0, 5.0)  # it came after all: nobody needs to evaluate it again
    again = opt.ask()
    opt.tell(0, 1.0)
    assert again.ids.tolist() == [2, 3, 4, 5]
    assert (opt.result.fun, opt.result.nfev) == (5.0, 1)
    opt.give_back(1)
    (once_more,) = opt.ask().ids
    opt.tell([once_more, 2], [4.0, 6.0])
    opt.tell([1, 3], [2.0, 6.0])  # what is new in a call counts
    assert (opt.result.fun, opt.result.nfev) == (4.0, 4)
    with pytest.raises(ter.InvalidArgument, match="each id must be told once, got 3 again"):
        opt.tell([1, 3], [2.0, 2.0])


def test_a_value_that_comes_when_the_run_is_far_beyond_or_over_is_ignored():
    opt = six_points()
    late = opt.ask(1)
    opt.give_back(late)
    for budget_used in (False, True):
        while (batch := opt.ask()) and (budget_used or batch.ids[0] < 100):
            opt.tell(batch, [cost_of(x) for x in batch.X])
        opt.give_back(batch)
        opt.tell(late, [-1.0])
    assert opt.done
    assert_same(opt.result, to_the_end(six_points()))


# Waiting for others


def test_ask_waits_for_what_others_tell_or_give_back():
    opt = six_points()
    opt.ask()
    got = []
    asking = threading.Thread(target=lambda: got.append(opt.ask(wait=True)), daemon=True)
    asking.start()
    opt.give_back(4)
    asking.join(timeout=60)
    assert got[0].ids.tolist() == [4]
    asking = threading.Thread(target=lambda: got.append(opt.ask(1, wait=True)), daemon=True)
    asking.start()
    opt.tell(range(6), [1.0] * 6)
    asking.join(timeout=60)
    assert got[1].ids.tolist() == [6]


def test_ask_waits_for_so_many_seconds_and_not_for_ever():
    opt = six_points()
    opt.ask()
    began = time.monotonic()
    assert opt.ask(wait=0.2).waiting
    assert time.monotonic() - began >= 0.2


def test_whoever_waits_is_let_go_when_the_optimizer_is_closed():
    opt = six_points()
    opt.ask()
    got = []
    asking = threading.Thread(target=lambda: got.append(opt.ask(wait=True)), daemon=True)
    asking.start()
    opt.close()
    asking.join(timeout=60)
    assert got[0].over and not got[0]


def test_nothing_is_handed_out_while_the_optimizer_is_being_closed():
    opt = six_points()
    opt.ask(2)
    with opt._exchange.changed:  # the loop cannot wake before somebody waits
        opt._run.evaluator.interrupt()
        opt._exchange.close()
        assert opt.ask().over
    assert opt.result.nfev == 2


@pytest.mark.parametrize("wait", [-1, math.nan, "long", None])
def test_what_is_no_time_to_wait_is_refused(wait):
    with pytest.raises(ter.InvalidArgument, match="wait must be True, False or a number of seconds >= 0, got"):
        opened().ask(wait=wait)


@pytest.mark.parametrize("heuristics", [["gs"], None])
def test_a_queue_of_threads_gives_the_result_of_minimize(heuristics):
    opt, names = opened(1_000, heuristics=heuristics), []

    def work(number):
        mine = np.random.default_rng(number)
        while batch := opt.ask(int(mine.integers(1, 4)), wait=True):
            if mine.random() < 0.1:
                opt.give_back(batch)
                continue
            for i, x in batch:
                opt.tell(i, cost_of(x))
        names.append(number)

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert sorted(names) == [0, 1, 2, 3, 4]
    assert_same(opt.result, ter.minimize(cost_of, BOX, budget=1_000, rng=1, heuristics=heuristics))


def test_a_pool_of_the_standard_library_gives_the_result_of_minimize():
    def rough(x):
        if x[1] > 1:
            raise ArithmeticError("no mesh")
        return cost_of(x)

    opt, under_way, most = opened(400), {}, 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        while not opt.done:
            while len(under_way) < 4 and (batch := opt.ask(1)):
                under_way |= {pool.submit(rough, x): i for i, x in batch}
            most = max(most, len(under_way))
            for future in concurrent.futures.wait(under_way, return_when="FIRST_COMPLETED").done:
                opt.tell(under_way.pop(future), future.exception() or future.result())
    expected = ter.minimize(rough, BOX, budget=400, rng=1, on_error="worst")
    assert most == 4
    assert_same(opt.result, expected)
    assert opt.result.nfail == expected.nfail > 0
    assert [f.evaluation for f in opt.result.failures] == [f.evaluation for f in expected.failures]


# Failures


def test_exceptions_are_failures_with_their_text():
    opt = six_points()
    opt.ask()
    try:
        raise ValueError("no mesh")
    except ValueError as error:
        opt.tell([0, 1], [error, TypeError("too thin")])
    assert (opt.result.nfail, opt.result.nonfinite, opt.result.nfev) == (2, 2, 2)
    opt.tell([2, 3, 4, 5], [1.0] * 4)
    opt.ask()
    kept = opt.result.failures
    assert [(f.evaluation, f.reason) for f in kept] == [(1, "ValueError: no mesh"), (2, "TypeError: too thin")]
    assert "test_queues.py" in kept[0].traceback


@pytest.mark.parametrize("heuristics", [["ls1"], ["gs"]])
def test_an_error_of_this_package_is_a_failure_like_others(heuristics):
    opt = opened(40, heuristics=heuristics)
    while batch := opt.ask():
        opt.tell(batch, [ter.ObjectiveError("x") if i % 2 else cost_of(x) for i, x in batch])
    assert (opt.result.nfev, opt.result.nfail, opt.result.status) == (40, 20, ter.StopReason.BUDGET)


def test_a_hundred_exceptions_in_a_row_end_the_run():
    opt = opened()
    while batch := opt.ask(1):
        opt.tell(batch, [OSError("no licence")])
    assert (opt.result.status, opt.result.nfail) == (ter.StopReason.FAILURES, opt.result.nfev)


def test_exceptions_cost_nothing_and_whoever_wants_out_is_refused():
    opt = six_points(budget=ter.Budget(cost=100.0, unit="cost"))
    opt.ask()
    with pytest.raises(
        ter.InvalidArgument, match=r"an exception must cost nothing, as in ter.minimize, got 2.0 for id 0"
    ):
        opt.tell(0, ValueError("no mesh"), 2.0)
    with pytest.raises(ter.InvalidArgument, match=r"values must be numbers, .* got SystemExit for id 0"):
        opt.tell(0, SystemExit())
    opt.tell(0, ValueError("no mesh"))
    opt.tell([1, 2], [ValueError("no mesh"), ter.Value(math.nan, cost=3.0)], costs=[0.0, 3.0])
    assert (opt.result.nfail, opt.result.spent.cost, opt.result.nfev) == (2, 3.0, 3)


# The end of the budget


def ring(opt, monkeypatch):
    """Let the time of an optimizer be over."""
    clock = opt._run.evaluator.clock
    monkeypatch.setattr(clock, "alarm", -math.inf)
    monkeypatch.setattr(clock, "_seconds", -math.inf)


def test_when_the_time_is_up_points_given_back_are_not_waited_for(monkeypatch):
    opt = six_points(budget="1h")
    opt.ask(5)
    opt.give_back([1, 4])
    ring(opt, monkeypatch)
    nothing = opt.ask()
    assert nothing.waiting_for.tolist() == [0, 2, 3]
    assert nothing.reason == "the points to start from must be told before the run ends: 3 of them are under way"
    opt.tell([0, 3], [2.0, 3.0])
    opt.give_back(2)
    assert opt.ask().over
    # Those before the last one told count, as failed; the last one, which nobody has, does not.
    assert (opt.result.nfev, opt.result.nonfinite, opt.result.fun) == (4, 2, 2.0)
    opt.tell(4, 1.0)  # too late


def test_points_count_once_however_often_they_are_handed_out():
    opt, handed = opened(60, heuristics=["gs"]), []
    while batch := opt.ask(7):
        handed.extend(batch.ids.tolist())
        if len(handed) % 3:
            opt.give_back(batch)
        else:
            opt.tell(batch, [cost_of(x) for x in batch.X])
    assert len(handed) > 60
    assert set(handed) == set(range(60))
    assert_same(opt.result, ter.minimize(cost_of, BOX, budget=60, rng=1, heuristics=["gs"]))


def test_a_budget_in_cost_ends_when_what_was_told_has_used_it_up():
    opt = six_points(budget=ter.Budget(cost=3.0, unit="cost"))
    opt.ask(4)
    opt.tell([3, 1], [1.0, 2.0], costs=[1.0, 2.0])
    assert opt.ask().waiting_for.tolist() == [0, 2]
    opt.tell([0, 2], [3.0, 4.0], costs=[1.0, 1.0])
    assert opt.ask().over
    assert (opt.result.nfev, opt.result.spent.cost) == (4, 5.0)


# Any interleaving

STEPS = st.lists(
    st.tuples(st.sampled_from(["ask", "tell", "give back", "late"]), st.integers(1, 30), st.integers(0, 2**16)),
    max_size=60,
)


class Queue:
    """Evaluates what it was handed, does with it what it is told to do, and sees that the books are right."""

    def __init__(self, opt, budget):
        self.opt, self.budget = opt, budget
        self.points, self.out, self.lost, self.told = {}, set(), set(), set()

    def do(self, step, n, seed):
        among = {"tell": self.out, "give back": self.out, "late": self.lost}.get(step, set())
        chosen = np.random.default_rng(seed).permutation(sorted(among))[:n].tolist()
        if step == "ask":
            self.ask(n)
        elif step == "give back":
            self.opt.give_back(chosen)
            self.out.difference_update(chosen)
            self.lost.update(chosen)
        else:
            self.opt.tell(chosen, [cost_of(self.points[i]) for i in chosen])
            self.out.difference_update(chosen)
            self.told.update(chosen)
        assert set(self.opt.outstanding.tolist()) == self.out

    def ask(self, n):
        batch = self.opt.ask(n)
        new = set(batch.ids.tolist())
        assert len(new) == len(batch) <= n
        assert not new & (self.out | self.told)
        for i, x in batch:
            assert np.array_equal(self.points.setdefault(i, x), x)
        assert len(self.points) <= self.budget
        self.out |= new
        if not batch:
            assert batch.over or (self.out and set(batch.waiting_for.tolist()) == self.out)
        return batch

    def finish(self):
        while batch := self.ask(5) or self.out:
            self.do("tell", 50 if isinstance(batch, set) else 2, len(self.told))
        return self.opt.result


EXPECTED = {}


def expected(heuristics):
    if heuristics not in EXPECTED:
        EXPECTED[heuristics] = ter.minimize(
            cost_of, BOX, budget=BUDGET, rng=1, heuristics=None if heuristics is None else [*heuristics]
        )
    return EXPECTED[heuristics]


@given(STEPS, st.sampled_from([None, ("gs",), ("cc", "ls1"), ("lbfgsb",)]))
def test_any_interleaving_gives_the_result_of_minimize(steps, heuristics):
    queue = Queue(opened(BUDGET, heuristics=None if heuristics is None else [*heuristics]), BUDGET)
    for step in steps:
        queue.do(*step)
    result = queue.finish()
    assert queue.told == set(range(result.nfev))
    assert_same(result, expected(heuristics))
