"""Runs from a point close to the optimum: the table of docs/beyond.md.

python studies/beyond/good_start.py
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np
from cma import fmin2
from scipy.optimize import minimize

import ter
from ter.algorithms.profiles import default_profile

D, EVALUATIONS = 1000, 10_000
NOISE = 1e-3  # in each variable; pycma is told
BOX = ter.box(-5, 5, dimension=D)
Function = Callable[[np.ndarray], float]


class Enough(Exception):
    """The evaluations are used up."""


def ellipsoid(condition: float) -> Function:
    """A separable ellipsoid around 0."""
    weights = condition ** (np.arange(D) / (D - 1))
    return lambda x: float((weights * x * x).sum())


FUNCTIONS: dict[str, tuple[Function, float]] = {
    "Rosenbrock": (lambda x: float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()), 1.0),
    "ellipsoid, condition 1e4": (ellipsoid(1e4), 0.0),
    "ellipsoid, condition 1e6": (ellipsoid(1e6), 0.0),
    "Rastrigin": (lambda x: float((x * x - 10 * np.cos(2 * np.pi * x) + 10).sum()), 0.0),
    "sum of absolute values": (lambda x: float(np.abs(x - 0.3).sum()), 0.3),
}


def best_of(solve: Callable[[Function, np.ndarray], object], fun: Function, x0: np.ndarray) -> float:
    """The best value of another program, which is stopped after its evaluations."""
    seen: list[float] = []

    def counted(x: np.ndarray) -> float:
        if len(seen) >= EVALUATIONS:
            raise Enough
        seen.append(fun(x))
        return seen[-1]

    with contextlib.suppress(Enough):
        solve(counted, x0)
    return min(seen)


def scipys(fun: Function, x0: np.ndarray) -> object:
    """SciPy's L-BFGS-B."""
    options = {"maxfun": 10**9, "maxiter": 10**6}
    return minimize(fun, x0, method="L-BFGS-B", bounds=[(-5, 5)] * D, options=options)


def pycmas(fun: Function, x0: np.ndarray) -> object:
    """The separable CMA-ES of pycma; with a full matrix it is slow, and no better in so few evaluations."""
    options = {"bounds": [-5, 5], "seed": 1, "verbose": -9, "CMA_diagonal": True}
    return fmin2(fun, x0, NOISE, options)


if __name__ == "__main__":
    head = ("at the start", "`ter.minimize`", "L-BFGS-B (SciPy)", "sep-CMA-ES (pycma)", "without polishing")
    print(f"| | {' | '.join(head)} |\n|{'---|' * (len(head) + 1)}")
    plain = default_profile(D, ter.Budget(evaluations=EVALUATIONS))
    for name, (fun, optimum) in FUNCTIONS.items():
        x0 = optimum + NOISE * np.random.default_rng(3).standard_normal(D)
        polished = ter.minimize(fun, BOX, budget=EVALUATIONS, rng=1, x0=x0).fun
        without = ter.minimize(
            fun, BOX, budget=EVALUATIONS, rng=1, x0=x0, heuristics=list(plain.heuristics), scheduler=plain.scheduler
        ).fun
        others = " | ".join(f"{best_of(solve, fun, x0):.3g}" for solve in (scipys, pycmas))
        print(f"| {name} | {fun(x0):.2g} | {polished:.3g} | {others} | {without:.2g} |", flush=True)
