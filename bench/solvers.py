"""Other libraries' optimisers under one signature, each run until it has used its evaluations."""

from __future__ import annotations

import contextlib
import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["SOLVERS", "Counted", "Solver", "run_solver"]

Objective = Callable[[np.ndarray], float]


class Enough(Exception):
    """Ends a solver that would go on."""


class Counted:
    """An objective that counts, keeps the best value, and ends the solver after `budget` evaluations."""

    def __init__(self, fun: Objective, budget: int) -> None:
        self.fun = fun
        self.budget = budget
        self.count = 0
        self.best = float("inf")

    def __call__(self, x: np.ndarray) -> float:
        if self.count >= self.budget:
            raise Enough
        self.count += 1
        y = self.fun(x)
        if y < self.best:
            self.best = y
        return y


@dataclass(frozen=True)
class Solver:
    """A solver of another library: ``run(fun, lower, upper, budget, seed)``."""

    name: str
    package: str
    run: Callable[[Counted, np.ndarray, np.ndarray, int, int], Any]

    @property
    def installed(self) -> bool:
        """Whether the library can be imported."""
        return importlib.util.find_spec(self.package) is not None


def run_solver(solver: Solver, fun: Counted, lower: np.ndarray, upper: np.ndarray, seed: int) -> None:
    """Run a solver to the end of the evaluations; some end earlier by their own criteria."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(Enough):
            solver.run(fun, lower, upper, fun.budget, seed)


def _start(lower: np.ndarray, upper: np.ndarray, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(lower, upper)


def _pycma(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    import cma

    options = {
        "bounds": [float(lower[0]), float(upper[0])],
        "CMA_diagonal": True,
        "maxfevals": budget,
        "seed": seed + 1,
        "verbose": -9,
        "tolstagnation": np.inf,
        "tolflatfitness": np.inf,
    }
    cma.fmin2(fun, _start(lower, upper, seed), 0.3 * float(upper[0] - lower[0]), options)


def _pypop7(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    from pypop7.optimizers.es.lmmaes import LMMAES

    problem = {
        "fitness_function": fun,
        "ndim_problem": lower.size,
        "lower_boundary": lower,
        "upper_boundary": upper,
    }
    options = {
        "max_function_evaluations": budget,
        "seed_rng": seed,
        "sigma": 0.3 * float(upper[0] - lower[0]),
        "mean": _start(lower, upper, seed),
        "verbose": 0,
        "saving_fitness": 0,
    }
    LMMAES(problem, options).optimize()


class _PygmoProblem:
    """What pygmo asks of a problem; copies share one objective, so that the count is one."""

    def __init__(self, fun: Counted, lower: np.ndarray, upper: np.ndarray) -> None:
        self._fun, self._lower, self._upper = fun, lower, upper

    def fitness(self, x: np.ndarray) -> list[float]:
        return [float(self._fun(x))]

    def get_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        return self._lower, self._upper

    def __deepcopy__(self, memo: dict[int, Any]) -> _PygmoProblem:
        return self


def _pygmo_sade(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    import pygmo

    size = 50
    population = pygmo.population(pygmo.problem(_PygmoProblem(fun, lower, upper)), size=size, seed=seed)
    algorithm = pygmo.algorithm(pygmo.sade(gen=budget // size + 1, ftol=0.0, xtol=0.0, seed=seed))
    algorithm.evolve(population)


def _pygmo_compass(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    import pygmo

    population = pygmo.population(pygmo.problem(_PygmoProblem(fun, lower, upper)), size=1, seed=seed)
    algorithm = pygmo.algorithm(pygmo.compass_search(max_fevals=budget, start_range=0.3, stop_range=1e-15))
    algorithm.evolve(population)


def _scipy_de(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    from scipy.optimize import differential_evolution

    first = np.random.default_rng(seed).uniform(lower, upper, (50, lower.size))  # SciPy's own would have 15 * D members
    bounds = np.column_stack([lower, upper])
    differential_evolution(fun, bounds, init=first, maxiter=budget, polish=False, tol=0.0, rng=seed)


def _scipy_annealing(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    from scipy.optimize import dual_annealing

    bounds = np.column_stack([lower, upper])
    dual_annealing(fun, bounds, maxiter=budget, maxfun=budget, rng=seed, x0=_start(lower, upper, seed))


def _scipy_lbfgsb(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    from scipy.optimize import minimize

    bounds = np.column_stack([lower, upper])
    options = {"maxfun": budget, "maxiter": budget, "ftol": 0.0, "gtol": 0.0}
    minimize(fun, _start(lower, upper, seed), method="L-BFGS-B", bounds=bounds, options=options)


def _nevergrad(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    import nevergrad

    array = nevergrad.p.Array(init=_start(lower, upper, seed)).set_bounds(lower, upper)
    array.random_state.seed(seed)
    # Not NGOpt, which nevergrad recommends: at 1000 variables it takes minutes for a few thousand evaluations.
    nevergrad.optimizers.registry["TwoPointsDE"](parametrization=array, budget=budget).minimize(fun)


SOLVERS: dict[str, Solver] = {
    solver.name: solver
    for solver in (
        Solver("pycma-diagonal", "cma", _pycma),
        Solver("pypop7-lmmaes", "pypop7", _pypop7),
        Solver("pygmo-sade", "pygmo", _pygmo_sade),
        Solver("pygmo-compass", "pygmo", _pygmo_compass),
        Solver("scipy-de", "scipy", _scipy_de),
        Solver("scipy-annealing", "scipy", _scipy_annealing),
        Solver("scipy-lbfgsb", "scipy", _scipy_lbfgsb),
        Solver("nevergrad-de", "nevergrad", _nevergrad),
    )
}
