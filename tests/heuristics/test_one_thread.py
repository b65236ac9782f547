"""Linear algebra of a solver has one thread, whatever the machine has."""

from __future__ import annotations

import numpy as np
import scipy.optimize
import threadpoolctl

import ter
from ter.heuristics.one_thread import one_thread


def threads():
    return {library["num_threads"] for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"}


def test_the_number_of_threads_comes_back():
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        before = threads()
        with one_thread():
            assert threads() == {1}
        assert threads() == before


def test_lbfgsb_works_with_one_thread_and_the_objective_with_all(monkeypatch):
    inside, outside = [], []
    really = scipy.optimize.minimize

    def watched(fun, x0, **settings):
        def seen(x):
            inside.append(threads())
            answer = fun(x)
            inside.append(threads())
            return answer

        return really(seen, x0, **settings)

    def objective(x):
        outside.append(threads())
        return float(np.sum((x - 0.3) ** 4))

    monkeypatch.setattr(scipy.optimize, "minimize", watched)
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        before = threads()
        ter.minimize(objective, ter.box(-1, 1, dimension=3), budget=60, rng=1, heuristics=["lbfgsb"])
    assert len(inside) > 4 and all(each == {1} for each in inside)
    assert len(outside) == 60 and all(each == before for each in outside)
