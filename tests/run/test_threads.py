"""A run is one thread's: others are refused, since two at a time would both be granted what is left."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.optimize import differential_evolution

import ter

BOX = ter.box(-5, 5, dimension=5)


class Counted:
    def __init__(self) -> None:
        self.calls, self._lock = 0, threading.Lock()

    def __call__(self, x):
        with self._lock:
            self.calls += 1
        return float((x * x).sum())


class Threaded:
    """A heuristic that evaluates from many threads at once."""

    name = "threaded"

    def __init__(self, use) -> None:
        self.use = use

    def cost(self, dimension):
        return 200

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        points = rng.uniform(-5, 5, (300, 5))
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda x: self.use(allowance, x), points))
        return state


@pytest.mark.parametrize(
    "use",
    [
        lambda allowance, x: allowance.evaluate_point(x),
        lambda allowance, x: allowance.evaluate_moves([0], x[None, :1]),
        lambda allowance, x: allowance.accept([0], x[:1], 1.0),
        lambda allowance, x: allowance.branch(x),
        lambda allowance, x: allowance.jump(x, 1.0),
    ],
    ids=["evaluate", "moves", "accept", "branch", "jump"],
)
def test_a_second_thread_is_refused(use):
    fun = Counted()
    with pytest.raises(ter.InvalidArgument, match="allowance must be used in the thread") as caught:
        ter.minimize(fun, BOX, budget=400, rng=1, heuristics=[Threaded(use)])
    result = caught.value.ter_result
    assert fun.calls == result.nfev <= 400 and result.fun == Counted()(result.x)


def parallel_evolution(fun, x0, bounds):
    with ThreadPoolExecutor(4) as pool:
        differential_evolution(fun, bounds, workers=pool.map, updating="deferred", maxiter=30, rng=1)


def hides_all(fun, x0, bounds):
    """A solver that goes on whatever its pool says."""
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(fun, x0 + k) for k in range(20)]
    assert all(future.exception() for future in futures)
    for _ in range(10):
        fun(x0)


@pytest.mark.parametrize("solver", [parallel_evolution, hides_all])
def test_a_wrapped_solver_with_threads_is_told_so_even_if_it_hides_the_error(solver):
    fun = Counted()
    with pytest.raises(ter.InvalidArgument, match="must call fun from the thread in which it was started") as caught:
        ter.minimize(fun, BOX, budget=400, rng=1, heuristics=[ter.wrap(solver, cost=200)])
    assert fun.calls == caught.value.ter_result.nfev <= 400


def test_runs_in_several_threads_do_not_meet():
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda seed: ter.minimize(Counted(), BOX, budget=300, rng=seed % 2), range(8)))
    assert len({run.x.tobytes() for run in runs}) == 2 and all(np.isfinite(run.fun) for run in runs)
