"""Ask and tell: the same run as ``ter.minimize``, with the values coming from outside."""

import gc
import math
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import ter
from ter.core.errors import AllowanceSpent
from ter.interface.batch import Batch

BOX = ter.box(-5, 5, dimension=4)


def cost_of(x):
    return float(((x - 0.5) ** 2).sum())


def values_of(X):
    return [cost_of(x) for x in X]


def drive(opt, *, max_size=None):
    while batch := opt.ask(max_size):
        opt.tell(batch.ids, values_of(batch.X))
    return opt.result


def opened(budget=300, **kwargs):
    return ter.Optimizer(BOX, budget=budget, rng=1, **kwargs)


def first_population():
    """An optimizer whose first batch is the one start point given and whose second has 49 rows."""
    opt = opened(4_000, heuristics=["gs"], x0=np.full(4, 3.0), step=5.0)
    start = opt.ask()
    opt.tell(start.ids, values_of(start.X))
    return opt


# The same run as ter.minimize


@pytest.mark.parametrize("heuristics", [None, ["ls1"], ["cc"], ["gs"]])
def test_the_result_equals_that_of_minimize_bit_for_bit(heuristics):
    expected = ter.minimize(cost_of, BOX, budget=600, rng=1, heuristics=heuristics)
    result = drive(opened(600, heuristics=heuristics))
    assert np.array_equal(result.x, expected.x)
    assert np.array_equal(result.curve, expected.curve)
    assert result.actions == expected.actions
    assert (result.fun, result.nfev, result.status) == (expected.fun, 600, expected.status)


def test_it_does_not_matter_in_which_order_and_pieces_values_are_told(rng):
    expected = drive(opened())
    opt = opened()
    outstanding = {}
    while not opt.done:
        batch = opt.ask(max_size=7)
        outstanding.update(batch)
        for i in rng.permutation(list(outstanding))[: 1 if batch else None]:
            opt.tell(int(i), cost_of(outstanding.pop(i)))
    assert not outstanding
    assert np.array_equal(opt.result.x, expected.x)
    assert opt.result.actions == expected.actions


def test_failed_evaluations_are_those_of_minimize_too():
    def patchy(x):
        return math.nan if x[0] > 1 else cost_of(x)

    expected = ter.minimize(patchy, BOX, budget=300, rng=1)
    opt = opened()
    while batch := opt.ask():
        opt.tell(batch.ids, [None if x[0] > 1 else cost_of(x) for x in batch.X])
    assert np.array_equal(opt.result.x, expected.x)
    assert opt.result.nonfinite == expected.nonfinite > 0


def test_a_wrapped_solver_runs_behind_ask_and_tell():
    def walk(fun, x0, bounds):
        while True:
            fun(x0 + np.random.standard_normal(4))  # noqa: NPY002 - a legacy solver

    solver = ter.wrap(walk, cost=50)
    expected = ter.minimize(cost_of, BOX, budget=120, rng=1, heuristics=[solver])
    assert np.array_equal(drive(opened(120, heuristics=[solver])).x, expected.x)


def test_target_and_stagnation_end_the_run():
    reached = drive(opened(5_000, target=1e-2))
    assert reached.status is ter.StopReason.TARGET
    assert reached.nfev < 5_000
    opt = opened(5_000, stagnation=40)
    while batch := opt.ask():
        opt.tell(batch.ids, np.ones(len(batch)))
    assert opt.result.status is ter.StopReason.STAGNATION


# Batches


def test_a_population_comes_as_one_batch():
    assert len(first_population().ask()) == 49


def test_a_batch_is_handed_out_in_pieces_and_then_waits():
    opt = first_population()
    sizes = [len(opt.ask(max_size=20)) for _ in range(3)]
    batch = opt.ask()
    assert sizes == [20, 20, 9]
    assert (len(batch), bool(batch), batch.waiting, batch.X.shape) == (0, False, True, (0, 4))


def test_ids_are_unique_and_count_the_evaluations():
    opt, ids = opened(), []
    while batch := opt.ask(max_size=5):
        ids.extend(batch.ids.tolist())
        opt.tell(batch.ids, values_of(batch.X))
    assert ids == list(range(300))


def test_the_batch_after_the_last_is_false_and_empty():
    opt = opened()
    drive(opt)
    batch = opt.ask()
    assert (bool(batch), len(batch), batch.waiting, batch.X.shape) == (False, 0, False, (0, 4))
    assert opt.done


def test_points_handed_out_may_be_overwritten():
    opt = opened()
    while batch := opt.ask():
        values = values_of(batch.X)
        batch.X[:] = 99.0
        opt.tell(batch.ids, values)
    assert np.array_equal(opt.result.x, drive(opened()).x)


def test_a_batch_can_be_walked_through():
    batch = Batch(np.array([3, 4]), np.array([[0.0], [1.0]]))
    assert [(i, x.tolist()) for i, x in batch] == [(3, [0.0]), (4, [1.0])]


@pytest.mark.parametrize("max_size", [0, -1, 1.5])
def test_max_size_must_be_positive(max_size):
    with pytest.raises(ter.InvalidArgument, match=r"max_size must be a whole number >= 1, got"):
        opened().ask(max_size=max_size)


# What can be told


def test_an_id_that_was_never_handed_out_is_refused():
    opt = first_population()
    opt.ask(max_size=3)
    for i in (4, -1):
        with pytest.raises(ter.InvalidArgument, match=f"ids must be of points handed out by ask, got {i}"):
            opt.tell(i, 1.0)


def test_an_id_is_told_once():
    opt = first_population()
    opt.ask()
    opt.tell(5, 1.0)
    for ids in ([5], [6, 6], [0]):
        with pytest.raises(ter.InvalidArgument, match=f"each id must be told once, got {ids[0]} again"):
            opt.tell(ids, [1.0] * len(ids))


def test_a_call_with_one_mistake_notes_nothing():
    opt = first_population()
    opt.ask()
    with pytest.raises(ter.InvalidArgument):
        opt.tell([1, 2, 999], [1.0, 1.0, 1.0])
    opt.tell([1, 2], [1.0, 1.0])
    assert opt.result.nfev == 3


@pytest.mark.parametrize(
    ("ids", "values", "costs", "words"),
    [
        ([1, 2], [1.0], None, "values must hold one entry per id, got 1 for 2 ids"),
        ([1, 2], 1.0, None, r"values must hold one entry per id, got 1\.0 for 2 ids"),
        ([1], [1.0], [1.0, 2.0], "costs must hold one entry per id, got 2 for 1 ids"),
        (1, "low", None, "values must be numbers, None, exceptions or ter.Value, got str for id 1"),
        (1, [1.0, 2.0], None, "values must be numbers, None, exceptions or ter.Value, got list for id 1"),
        (1.5, 1.0, None, r"ids must be whole numbers, got 1\.5"),
        (1, 1.0, -2.0, r"costs must be finite numbers >= 0, got -2\.0 for id 1"),
        (1, ter.Value(1.0, cost=math.nan), None, "costs must be finite numbers >= 0, got nan for id 1"),
    ],
)
def test_what_cannot_be_read_is_refused(ids, values, costs, words):
    opt = first_population()
    opt.ask()
    with pytest.raises(ter.InvalidArgument, match=words):
        opt.tell(ids, values, costs)


def test_costs_are_charged_however_they_are_told():
    budget = ter.Budget(evaluations=300, cost=10.0, unit="cost")
    spent = []
    for tell in (
        lambda opt, i, y: opt.tell(i, y, 0.5),
        lambda opt, i, y: opt.tell([i], [y], costs=[0.5]),
        lambda opt, i, y: opt.tell(i, ter.Value(y, cost=0.5)),
    ):
        opt = opened(budget, heuristics=["ls1"])
        while batch := opt.ask():
            for i, x in batch:
                tell(opt, i, cost_of(x))
        spent.append((opt.result.nfev, opt.result.spent.cost))
    assert spent == [(20, 10.0)] * 3


def test_a_budget_in_cost_needs_costs():
    opt = opened(ter.Budget(cost=10.0, unit="cost"))
    batch = opt.ask()
    with pytest.raises(
        ter.InvalidArgument, match=f"needs the cost of every evaluation, got none for id {batch.ids[0]}"
    ):
        opt.tell(batch.ids, values_of(batch.X))


# The result while it runs


def test_the_result_is_there_at_any_time_and_knows_partly_told_batches():
    opt = first_population()
    batch = opt.ask()
    start = opt.result
    opt.tell(batch.ids[7], ter.Value(-1.0, cost=2.0))
    opt.tell(batch.ids[8], None)
    result = opt.result
    assert (start.status, start.nfev, start.fun) == (ter.StopReason.RUNNING, 1, cost_of(np.full(4, 3.0)))
    assert (result.fun, result.nfev, result.nonfinite, result.spent.cost) == (-1.0, 3, 1, 2.0)
    assert result.spent.evaluations == 3
    assert np.array_equal(result.x, batch.X[7])
    assert not opt.done


def test_without_a_finite_value_the_result_says_so():
    opt = first_population()
    assert opt.result.success
    failing = opened(x0=np.full(4, 3.0), step=5.0)
    failing.tell(failing.ask().ids, [None])
    assert not failing.result.success
    assert "no evaluation gave a finite value" in failing.result.message


# Time


def test_when_the_time_is_up_what_was_handed_out_may_still_be_told(monkeypatch):
    opt = ter.Optimizer(BOX, budget="1h", rng=1, heuristics=["gs"], x0=np.full(4, 3.0), step=5.0)
    start = opt.ask()
    opt.tell(start.ids, values_of(start.X))
    batch = opt.ask(max_size=10)
    clock = opt._run.evaluator.clock
    monkeypatch.setattr(clock, "alarm", -math.inf)
    monkeypatch.setattr(clock, "_seconds", -math.inf)
    assert opt.ask().waiting
    opt.tell(batch.ids, values_of(batch.X))
    assert not opt.ask()
    assert (opt.result.status, opt.result.nfev) == (ter.StopReason.BUDGET, 11)


# Endings


def test_close_ends_the_thread_and_keeps_what_was_told():
    opt = first_population()
    batch = opt.ask(max_size=10)
    opt.tell(batch.ids[3], -1.0)
    opt.close()
    assert not opt._thread.is_alive()
    assert not opt.ask()
    assert (opt.result.status, opt.result.fun) == (ter.StopReason.INTERRUPTED, -1.0)
    assert opt.result.nfev == 11
    with pytest.raises(ter.InvalidArgument, match="values must be told before the optimizer is closed"):
        opt.tell(batch.ids[4], 1.0)
    opt.close()


@pytest.mark.parametrize(("handed", "given_back"), [(True, False), (True, True), (False, False)])
def test_close_during_a_sweep_counts_only_what_is_under_way(handed, given_back):
    opt = opened(heuristics=["ls1"], x0=np.full(4, 3.0), step=5.0)
    opt.tell(opt.ask().ids, [1.0])
    opt.tell(opt.ask().ids, [2.0])
    assert len(opt.ask()) == 1 if handed else not opt.done
    if given_back:
        opt.give_back(opt.outstanding)
    opt.close()
    assert opt.result.nfev == (3 if handed and not given_back else 2)


def test_a_with_block_closes():
    with opened() as opt:
        opt.ask()
    assert not opt._thread.is_alive()


def test_the_thread_of_a_forgotten_optimizer_ends():
    opt = opened()
    opt.ask()
    thread, forgotten = opt._thread, weakref.ref(opt)
    del opt
    gc.collect()
    thread.join(timeout=30)
    assert forgotten() is None
    assert not thread.is_alive()


@pytest.mark.slow
def test_an_open_optimizer_does_not_keep_the_interpreter_alive():
    code = "import ter; opt = ter.Optimizer(ter.box(-1, 1, dimension=2), budget=100); opt.ask()"
    assert subprocess.run([sys.executable, "-W", "error", "-c", code], timeout=60, check=False).returncode == 0


class Failing:
    """A heuristic with a mistake in it."""

    name = "failing"

    def cost(self, dimension):
        return 10

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        allowance.evaluate_point(allowance.x)
        raise LookupError("lost")


def test_an_exception_in_the_loop_surfaces_in_every_call_with_the_result_so_far():
    opt = opened(heuristics=[Failing()])
    with pytest.raises(LookupError, match="lost") as caught:
        drive(opt)
    assert caught.value.ter_result.nfev > 1
    with pytest.raises(LookupError):
        opt.tell(0, 1.0)
    with pytest.raises(LookupError):
        _ = opt.result
    assert opt.done
    opt.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"budget": 0}, "evaluations must be a whole number >= 1"),
        ({"x0": [9.0] * 4}, "x0 must lie in the box"),
        ({"heuristics": ["ls9"]}, "unknown heuristic 'ls9'"),
        ({"scheduler": "tre"}, "unknown scheduler 'tre'"),
        ({"target": math.nan}, "target must be a number"),
        ({"rng": -1}, "rng must be a non-negative integer"),
    ],
)
def test_arguments_are_checked_before_a_thread_is_started(arguments, words):
    before = threading.active_count()
    with pytest.raises(ter.InvalidArgument, match=words):
        ter.Optimizer(BOX, **{"budget": 100, **arguments})
    assert threading.active_count() == before


def test_the_end_of_an_allowance_never_reaches_the_user():
    opt = opened(3, heuristics=["gs"])
    try:
        drive(opt)
    except AllowanceSpent:
        pytest.fail("AllowanceSpent came out")
    assert opt.result.nfev == 3
