"""Exceptions of compiled objectives come out as they were raised, and no point is called twice for it."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import ter
from tests.spies import minimize_spied, spy_on

BOX = ter.box(-5, 5, dimension=3)


class Mine(Exception):
    """Wants two arguments."""

    def __init__(self, code, place):
        super().__init__(code, place)
        self.code, self.place = code, place


@numba.njit
def constant(x):
    if x[0] > 1:
        raise ValueError("no mesh", 3)
    return (x**2).sum()


@numba.njit
def computed(x):
    if x[0] > 1:
        raise KeyError("at", x[0])
    return (x**2).sum()


@numba.njit
def bare(x):
    if x[0] > 1:
        raise ZeroDivisionError
    return (x**2).sum()


@numba.njit
def own(x):
    if x[0] > 1:
        raise Mine(7, "wing")
    return (x**2).sum()


@numba.njit
def deep(x):
    return np.linalg.inv(np.zeros((2, 2)))[0, 0] if x[0] > 1 else (x**2).sum()


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ["ls1", "cc", "gs"])
@pytest.mark.parametrize("fun", [constant, computed, bare, own, deep], ids=lambda fun: fun.__name__)
def test_the_exception_is_the_one_that_a_call_from_python_raises(fun, heuristic):
    with pytest.raises((ValueError, KeyError, ZeroDivisionError, Mine, np.linalg.LinAlgError)) as caught:
        ter.minimize(fun, BOX, budget=3_000, rng=1, x0=[0.9, 2, 2], heuristics=[heuristic])
    failure = caught.value.ter_result.failures[0]
    assert failure.error is caught.value and failure.evaluation <= caught.value.ter_result.nfev
    first = np.array([1.5, 2, 2])
    if fun is computed:
        assert caught.value.args[0] == "at" and caught.value.args[1] > 1
        first[0] = caught.value.args[1]
    with pytest.raises(type(caught.value)) as called:
        fun(first)
    assert caught.value.args == called.value.args and vars(caught.value).keys() >= vars(called.value).keys()
    assert fun is deep or f"{__file__}" in failure.traceback


@pytest.mark.parametrize("heuristics", [["ls1"], ["cc"], ["gs"], None], ids=str)
@pytest.mark.parametrize("engine", ["compiled", "compiled moving"])
def test_no_point_is_called_twice(engine, heuristics):
    spy = spy_on(engine, BOX, raise_below=-1.0)
    options = {"budget": 5_000, "rng": 1, "on_error": "worst", "max_failures": 10**6, "heuristics": heuristics}
    result = minimize_spied(spy, BOX, **options)
    assert spy.calls == result.nfev == 5_000 and result.nfail > 0
    assert {failure.reason for failure in result.failures} == {"ValueError: the simulator broke"}
    assert len({failure.evaluation for failure in result.failures}) == len(result.failures)


@pytest.mark.parametrize("engine", ["compiled", "compiled moving"])
def test_the_last_evaluation_of_the_budget_may_be_the_one_that_raises(engine):
    spy = spy_on(engine, BOX, raise_below=-1.0)
    x0 = np.zeros((3, 3))
    x0[2, 0] = -2.0
    with pytest.raises(ValueError, match="the simulator broke") as caught:
        minimize_spied(spy, BOX, budget=3, rng=1, x0=x0)
    assert spy.calls == caught.value.ter_result.nfev == 3
