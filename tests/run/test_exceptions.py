"""Whatever the objective raises comes out as it is, with the result so far in its attribute ``ter_result``."""

from __future__ import annotations

import asyncio
import math
import pickle
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
import scipy.optimize

import ter
from ter.algorithms import algorithm
from ter.core.errors import attributes_of

BOX = ter.box(-5, 5, dimension=3)


@dataclass(frozen=True)
class Frozen(Exception):
    code: int


class Stubborn(Exception):
    """Nothing can be added to it."""

    __slots__ = ("code",)

    def __init__(self, code):
        super().__init__(code)
        object.__setattr__(self, "code", code)

    def __setattr__(self, name, value):
        raise AttributeError(f"no {name} here")


class Locked(Exception):
    """It cannot be pickled."""

    def __init__(self, code, *, place):
        super().__init__(f"code {code} at {place}")
        self.code, self.lock = code, threading.Lock()


class Hiding(Exception):
    """What seems to be its dictionary is none of its own."""

    @property
    def __dict__(self):
        return {"code": 3}


class Ending(BaseException):
    """Neither an Exception nor one of Python's own."""


MAKERS = {
    "exit": lambda: SystemExit(3),
    "interrupt": lambda: KeyboardInterrupt("mine"),
    "cancelled": lambda: asyncio.CancelledError("mine"),
    "ending": lambda: Ending("mine"),
    "frozen": lambda: Frozen(3),
    "stubborn": lambda: Stubborn(3),
    "hiding": lambda: Hiding(3),
    "locked": lambda: Locked(3, place="home"),
    "group": lambda: ExceptionGroup("mine", [ValueError("one"), Locked(3, place="home"), Frozen(3)]),
}
ENDS_ANY_RUN = ("exit", "interrupt", "cancelled", "ending")


class Breaking:
    """An objective that raises at one call."""

    def __init__(self, error, at):
        self.error, self.at, self.values = error, at, []

    def __call__(self, x):
        if len(self.values) == self.at - 1:
            self.values.append(math.inf)
            raise self.error
        self.values.append(float((x * x).sum()))
        return self.values[-1]


def assert_carries(error, fun):
    result = error.ter_result
    assert error is fun.error
    assert (result.nfev, result.fun, result.nfail) == (len(fun.values), min(fun.values), 1)
    interrupted = isinstance(error, KeyboardInterrupt)
    assert result.status == (ter.StopReason.INTERRUPTED if interrupted else ter.StopReason.ERROR)
    assert result.failures[0].evaluation == fun.at and "in __call__" in result.failures[0].traceback


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(("heuristic", "at"), [("ls1", 1), ("ls1", 77), ("gs", 77)])
def test_it_carries_the_result_so_far(name, heuristic, at):
    fun = Breaking(MAKERS[name](), at)
    with pytest.raises(type(fun.error)) as caught:
        ter.minimize(fun, BOX, budget=300, rng=1, heuristics=[heuristic])
    assert len(fun.values) == at
    assert_carries(caught.value, fun)


@pytest.mark.parametrize("name", ENDS_ANY_RUN)
@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_what_is_no_plain_exception_ends_a_run_that_goes_on_after_failures(name, heuristic):
    fun = Breaking(MAKERS[name](), 77)
    with pytest.raises(type(fun.error)) as caught:
        ter.minimize(fun, BOX, budget=300, rng=1, heuristics=[heuristic], on_error="worst")
    assert len(fun.values) == 77
    assert_carries(caught.value, fun)


class Guarded(Exception):
    """It has an attribute of that name, which cannot be written."""

    @property
    def ter_result(self):
        return "mine"


class Unreadable(Exception):
    def __getattribute__(self, name):
        raise RuntimeError(f"{name} is not for you")


class Noteless(Exception):
    @property
    def __notes__(self):
        raise SystemExit(3)


@pytest.mark.parametrize("kind", [Guarded, Unreadable, Noteless])
@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
@pytest.mark.parametrize("threads", [0, 1])
def test_what_does_not_let_itself_be_read_or_written_comes_out_all_the_same(kind, heuristic, threads):
    fun = Breaking(kind("mine"), 77)
    with ThreadPoolExecutor(1) as pool:
        try:
            ter.minimize(fun, BOX, budget=300, rng=1, heuristics=[heuristic], workers=pool if threads else 1)
        except BaseException as error:
            caught = error
    assert caught is fun.error
    result = attributes_of(caught)["ter_result"]
    assert result.nfail == 1 and result.fun == min(fun.values) and "in __call__" in result.failures[0].traceback
    assert kind.__name__ in result.failures[0].reason


@pytest.mark.parametrize("workers", [1, map])
@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_an_error_of_ours_that_an_objective_raises_is_a_failed_evaluation(heuristic, workers, tmp_path):
    """It may have a run of its own inside; only a value that is no number ends the run."""

    def fun(x):
        if x[0] > 1:
            raise ter.ObjectiveError("the run inside returned None")
        return float((x * x).sum())

    options = {"budget": 300, "x0": [0.5, 1, 1], "rng": 1, "heuristics": [heuristic], "on_error": "worst"}
    result = ter.minimize(fun, BOX, workers=workers, **options)
    assert result.nfev == 300 and result.nfail > 0
    kept = ter.minimize(fun, BOX, workers=workers, checkpoint=tmp_path, **options)
    assert (kept.nfail, kept.fun) == (result.nfail, result.fun)
    with pytest.raises(ter.ObjectiveError, match="one number per point, got None"):
        ter.minimize(lambda x: None if x[0] > 1 else fun(x), BOX, workers=workers, **options)


@pytest.mark.parametrize("name", MAKERS)
def test_it_comes_out_of_wrapped_solvers(name):
    def lbfgs(fun, x0, bounds):
        scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B")

    fun = Breaking(MAKERS[name](), 30)
    with pytest.raises(type(fun.error)) as caught:
        ter.minimize(fun, BOX, budget=300, rng=1, heuristics=[ter.wrap(lbfgs)])
    assert_carries(caught.value, fun)


@pytest.mark.parametrize("name", ["frozen", "stubborn"])
def test_an_exception_of_a_wrapped_solver_that_takes_no_notes_is_noted_all_the_same(name):
    def broken(fun, x0, bounds):
        raise MAKERS[name]()

    with pytest.raises((Frozen, Stubborn)) as caught:
        ter.minimize(lambda x: 1.0, BOX, budget=300, rng=1, heuristics=[ter.wrap(broken)])
    assert caught.value.__notes__ == ["raised by the solver wrapped as 'broken', not by the objective"]
    assert caught.value.ter_result.fun == 1.0


@pytest.mark.parametrize("name", MAKERS)
def test_it_comes_out_of_scipy_and_of_algorithms(name):
    fun = Breaking(MAKERS[name](), 20)
    with pytest.raises(type(fun.error)) as caught:
        scipy.optimize.minimize(
            fun, [1.0] * 3, bounds=[(-5, 5)] * 3, method=ter.scipy_method, options={"maxfev": 99, "rng": 1}
        )
    assert_carries(caught.value, fun)
    fun = Breaking(MAKERS[name](), 20)
    with pytest.raises(type(fun.error)) as caught:
        algorithm("ls").minimize(ter.Problem(fun, BOX), budget=99, rng=1)
    assert_carries(caught.value, fun)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_it_comes_out_of_threads_as_it_is(name, heuristic):
    fun = Breaking(MAKERS[name](), 20)
    with ThreadPoolExecutor(1) as pool, pytest.raises(type(fun.error)) as caught:
        ter.minimize(fun, BOX, budget=300, rng=1, workers=pool, heuristics=[heuristic])
    assert caught.value is fun.error
    result = caught.value.ter_result
    assert result.nfev == len(fun.values) and result.fun == min(fun.values)


@pytest.mark.parametrize("name", MAKERS)
def test_it_comes_out_of_processes_with_the_traceback_there(name):
    def simulation(x):
        if x[0] > 4:
            raise MAKERS[name]()
        return float((x * x).sum())

    x0 = np.zeros((4, 3))
    x0[2, 0] = 5
    expected = MAKERS[name]()
    with pytest.raises(type(expected)) as caught:
        ter.minimize(simulation, BOX, budget=50, x0=x0, rng=1, workers=2)
    error = caught.value
    assert str(error) == str(expected) and error.args[:1] == expected.args[:1]
    assert getattr(error, "code", None) == getattr(expected, "code", None)
    assert (error.ter_result.nfev, error.ter_result.fun) == (4, 0)
    shown = "".join(traceback.format_exception(error))
    assert f'File "{__file__}", line ' in shown and ", in simulation" in shown
    if isinstance(expected, ExceptionGroup):
        assert [str(each) for each in error.exceptions] == [str(each) for each in expected.exceptions]


def test_rows_of_points_carry_it_too():
    def fun(X):
        raise SystemExit(3)

    with pytest.raises(SystemExit) as caught:
        ter.minimize(fun, BOX, budget=50, rng=1, vectorized=True, on_error="worst")
    assert caught.value.ter_result.nfail == caught.value.ter_result.nfev > 0


def test_a_callback_that_exits_carries_it_too():
    with pytest.raises(SystemExit) as caught:
        ter.minimize(lambda x: float((x * x).sum()), BOX, budget=500, rng=1, callback=lambda now: sys.exit(3))
    assert math.isfinite(caught.value.ter_result.fun)


class InParts:
    """It evaluates in a part of its allowance."""

    name = "in parts"

    def cost(self, dimension):
        return 30

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        with allowance.part(10):
            allowance.evaluate(rng.uniform(-5, 5, (20, 3)))


@pytest.mark.parametrize("name", MAKERS)
def test_it_comes_out_of_a_part_of_an_allowance(name):
    fun = Breaking(MAKERS[name](), 30)
    with pytest.raises(type(fun.error)) as caught:
        ter.minimize(fun, BOX, budget=99, rng=1, heuristics=[InParts()])
    assert_carries(caught.value, fun)


class Exiting:
    name = "exiting"

    def cost(self, dimension):
        return 10

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        allowance.evaluate_point(allowance.x)
        raise SystemExit(3)


def test_an_exit_in_the_loop_of_an_optimizer_surfaces_in_every_call():
    opt = ter.Optimizer(BOX, budget=500, rng=1, heuristics=[Exiting()])
    with pytest.raises(SystemExit) as caught:
        while batch := opt.ask():
            opt.tell(batch.ids, (batch.X**2).sum(axis=1))
    assert caught.value.ter_result.nfev > 1 and math.isfinite(caught.value.ter_result.fun)
    with pytest.raises(SystemExit):
        _ = opt.result
    opt.close()


class Silent(Locked):
    """Its text is made of what cannot be sent."""

    def __str__(self):
        return f"held by {type(self.lock).__name__}"


@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_one_that_cannot_be_sent_is_a_failed_evaluation_like_any_other(heuristic):
    def fun(x):
        if x[0] > 1:
            raise Silent(3, place="home")
        return float((x * x).sum())

    def away(task, blocks):
        return [pickle.loads(pickle.dumps(task(block))) for block in blocks]

    options = {"budget": 300, "x0": [0.5, 1, 1], "rng": 1, "heuristics": [heuristic], "on_error": "worst"}
    sent, serial = ter.minimize(fun, BOX, workers=away, **options), ter.minimize(fun, BOX, **options)
    assert sent.nfail == serial.nfail > 0 and sent.x.tobytes() == serial.x.tobytes()
    assert "Silent: held by lock" in sent.failures[0].reason and ", in fun" in sent.failures[0].traceback
