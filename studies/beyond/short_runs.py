"""Short runs: portfolios and schedulers on LSO10 and on `functions.py`, by the mean log10 above the best of them.

python studies/beyond/short_runs.py
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from functions import FUNCTIONS, make_value

import ter
from ter.algorithms.profiles import _fitted, _short
from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler

CUT = 4.0  # of the log10, so that one function does not decide
LEAST = 1e-20


def configurations(dimension: int, evaluations: int) -> dict[str, tuple[list[Heuristic], Scheduler]]:
    """Portfolios with their schedulers, each fitted to the budget."""
    before, now = _fitted(dimension, evaluations), _short(dimension, evaluations)
    ls1, (volleys, strategy, gradients) = before.heuristics[0], now.heuristics
    ter_of = ter.schedulers.TER
    return {
        "LS1, CC, SHADE": ([*before.heuristics], before.scheduler),
        "volleys, rm-es, lbfgsb (the default)": ([*now.heuristics], now.scheduler),
        "the same, relative rewards, window 10": ([*now.heuristics], ter_of(1 / 5, 10, "relative")),
        "the same, logarithmic rewards, window 10": ([*now.heuristics], ter_of(1 / 5, 10, "log")),
        "the same, temperature 1/10": ([*now.heuristics], ter_of(1 / 10, 5, "improvement")),
        "LS1, rm-es, lbfgsb": ([ls1, strategy, gradients], now.scheduler),
        "volleys, rm-es": ([volleys, strategy], now.scheduler),
    }


def final_value(problem: ter.Problem, heuristics: list[Heuristic], scheduler: Scheduler, budget: int) -> float:
    """The geometric mean of two runs."""
    runs = [ter.minimize(problem, budget=budget, rng=k, heuristics=heuristics, scheduler=scheduler) for k in (1, 2)]
    return math.exp(sum(math.log(max(run.fun, LEAST)) for run in runs) / len(runs))


def sets() -> Iterator[tuple[str, list[ter.Problem]]]:
    """The functions that the default is tuned on."""
    for dimension in (20, 100, 320):
        box = ter.box(-5, 5, dimension=dimension)
        yield f"functions, D = {dimension}", [ter.Problem(make_value(name, dimension), box) for name in FUNCTIONS]
    yield "LSO10", [ter.problem(f"lso10/f{k}") for k in range(1, 21)]


if __name__ == "__main__":
    for title, problems in sets():
        for per_variable in (1, 3, 10, 30, 55):
            above: dict[str, list[float]] = {}
            for problem in problems:
                budget = per_variable * problem.dimension
                tried = configurations(problem.dimension, budget)
                values = {name: final_value(problem, *parts, budget) for name, parts in tried.items()}
                for name, value in values.items():
                    above.setdefault(name, []).append(min(CUT, math.log10(value / min(values.values()))))
            print(f"{title}, {per_variable} D")
            for name, logs in above.items():
                print(f"    {np.mean(logs):.2f}  {name}", flush=True)
