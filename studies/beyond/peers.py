"""Peers on the functions of this study: ``python peers.py out.csv``, where pypop7, cma, scipy and numba are installed.

Each run is started at a uniform point with a first step of 0.3 of the range and ends after 100 D evaluations; its best
values after 30 D and 100 D evaluations are written. Points outside the box are evaluated where they are
mirrored to, except by solvers that know bounds.
"""

from __future__ import annotations

import contextlib
import csv
import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from functions import FUNCTIONS, make_value

DIMENSION, SEEDS = 320, (1, 2, 3)
MILESTONES = (30, 100)  # evaluations per variable
FIRST_STEP = 3.0


class Spent(Exception):
    """The budget is used up."""


class Counted:
    """A function that keeps the best value at each milestone."""

    def __init__(self, fun: Callable[[np.ndarray], float]) -> None:
        self.fun, self.count, self.best = fun, 0, np.inf
        self.kept: list[float] = []

    def __call__(self, x: np.ndarray, *_: object) -> float:
        if len(self.kept) == len(MILESTONES):
            raise Spent
        y = self.fun(5.0 - np.abs((np.asarray(x, dtype=float) + 5.0) % 20.0 - 10.0))
        self.count += 1
        self.best = min(self.best, y)
        if self.count == MILESTONES[len(self.kept)] * DIMENSION:
            self.kept.append(self.best)
        return y


def pypop7(module: str, name: str) -> Callable[[Counted, np.ndarray, int], None]:
    def solve(fun: Counted, x0: np.ndarray, seed: int) -> None:
        solver = getattr(__import__(f"pypop7.optimizers.es.{module}", fromlist=[name]), name)
        problem = {
            "fitness_function": fun,
            "ndim_problem": DIMENSION,
            "lower_boundary": np.full(DIMENSION, -5.0),
            "upper_boundary": np.full(DIMENSION, 5.0),
        }
        options = {
            "max_function_evaluations": 10 * MILESTONES[-1] * DIMENSION,
            "seed_rng": seed,
            "mean": x0,
            "sigma": FIRST_STEP,
            "verbose": False,
            "is_restart": True,
        }
        solver(problem, options).optimize()

    return solve


def separable(fun: Counted, x0: np.ndarray, seed: int) -> None:
    import cma

    options = {"bounds": [-5.0, 5.0], "seed": seed, "verbose": -9, "CMA_diagonal": True}
    while True:
        cma.fmin(fun, x0, FIRST_STEP, options, restarts=9)


def differences(fun: Counted, x0: np.ndarray, seed: int) -> None:
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    while True:
        minimize(
            fun, x0, bounds=[(-5.0, 5.0)] * DIMENSION, method="L-BFGS-B", options={"maxfun": 10**9, "maxiter": 10**9}
        )
        x0 = rng.uniform(-5.0, 5.0, DIMENSION)


PEERS = {
    "R1-ES (pypop7)": pypop7("r1es", "R1ES"),
    "Rm-ES (pypop7)": pypop7("rmes", "RMES"),
    "LM-MA-ES (pypop7)": pypop7("lmmaes", "LMMAES"),
    "MMES (pypop7)": pypop7("mmes", "MMES"),
    "sep-CMA-ES (cma)": separable,
    "L-BFGS-B (scipy)": differences,
}


def main(path: str) -> None:
    """Do the runs that the file has not got, all functions with one seed before those with the next."""
    there = Path(path)
    done = {tuple(row[:3]) for row in csv.reader(there.open(encoding="utf-8"))} if there.exists() else set()
    values = {name: make_value(name, DIMENSION) for name in FUNCTIONS}
    with there.open("a", newline="", encoding="utf-8") as file:
        for seed, name, who in itertools.product(SEEDS, FUNCTIONS, PEERS):
            if (name, who, str(seed)) in done:
                continue
            fun, started = Counted(values[name]), time.perf_counter()
            with contextlib.suppress(Spent):
                PEERS[who](fun, np.random.default_rng(seed).uniform(-5.0, 5.0, DIMENSION), seed)
            kept = fun.kept + [fun.best] * (len(MILESTONES) - len(fun.kept))
            csv.writer(file).writerow([name, who, seed, *(f"{y:.3e}" for y in kept)])
            file.flush()
            print(name, who, seed, kept, fun.count, f"{time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
