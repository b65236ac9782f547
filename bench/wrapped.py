"""A strong solver of another library in the portfolio: the default alone, the solver alone, both together.

The solver is SciPy's L-BFGS-B on finite differences, wrapped by ``ter.wrap``.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.optimize

import ter
from bench.report import save, table

__all__ = ["main"]

SEEDS = (1, 2, 3)
DIMENSION = 200


def lbfgs(fun: Any, x0: np.ndarray, bounds: scipy.optimize.Bounds) -> None:
    scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B", options={"maxfun": 10**9, "maxiter": 10**9})


def rosenbrock(x: np.ndarray) -> float:
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


class Logistic:
    """Regularised logistic regression on made-up data: smooth, convex, every variable coupled with every other."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self.features = rng.standard_normal((400, DIMENSION))
        self.labels = np.where(self.features @ rng.standard_normal(DIMENSION) > 0, 1.0, -1.0)

    def __call__(self, x: np.ndarray) -> float:
        return float(np.logaddexp(0, -self.labels * (self.features @ x)).mean() + 1e-3 * (x @ x))


def problems() -> dict[str, tuple[ter.Problem, int]]:
    """Return problems and the evaluations per variable: three of the gallery, and two of our own."""
    box = ter.box(-5, 5, dimension=DIMENSION)
    return {
        "deblurring": (ter.problem("deblurring"), 30),
        "dispatch": (ter.problem("dispatch"), 100),
        "trajectory": (ter.problem("trajectory"), 100),
        "Rosenbrock, D = 200": (ter.Problem(rosenbrock, box, name="rosenbrock"), 300),
        "logistic regression, D = 200": (ter.Problem(Logistic(), box, name="logistic"), 100),
    }


def value(problem: ter.Problem, budget: int, seed: int, heuristics: Sequence[Any] | None) -> float:
    return float(ter.minimize(problem, budget=budget, rng=seed, heuristics=heuristics).fun)


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    rows, figures = [], []
    for name, (problem, per_variable) in problems().items():
        if arguments and not any(name.startswith(argument) for argument in arguments):
            continue
        budget = per_variable * problem.dimension
        portfolios = {"default": None, "alone": [ter.wrap(lbfgs)], "together": ["ls1", "cc", "gs", ter.wrap(lbfgs)]}
        medians = {
            kind: statistics.median(value(problem, budget, seed, members) for seed in SEEDS)
            for kind, members in portfolios.items()
        }
        ratio = medians["together"] / min(medians["default"], medians["alone"])
        rows.append([name, f"{budget}", *(f"{medians[kind]:.4g}" for kind in portfolios), f"{ratio:.2f}"])
        figures.append({"problem": name, "budget": budget, "medians": medians, "ratio": ratio})
        print(rows[-1], flush=True)
    text = f"Best values, medians of {len(SEEDS)} seeds; the ratio is that of both together to the better one.\n\n"
    text += table(["problem", "evaluations", "default", "L-BFGS-B alone", "together", "ratio"], rows)
    print(f"{text}\n")
    if not arguments:
        save("wrapped", "A solver of another library in the portfolio", text, {"rows": figures})
