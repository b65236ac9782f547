"""Runs whose number of evaluations nobody knows before: the tables of docs/beyond.md about budgets in cost and seconds.

python -m studies.beyond.seconds             # in cost: each evaluation costs one, which the run has to find out
python -m studies.beyond.seconds --clock 4   # so many seconds; stop everything else

Beside the default are the one for so many evaluations, which is told how long the run will be, and TER over heuristics
that get to work at once, which does not care. The functions are those of LSO10, whose least value is 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import ter
from ter.algorithms.profiles import _short

FUNCTIONS = ("f2", "f4", "f8", "f10", "f13", "f14", "f18", "f20")
PER_VARIABLE = (30, 100, 1000)


def paying(problem: ter.Problem) -> ter.Problem:
    """Return a problem each evaluation of which costs one."""
    return ter.Problem(lambda x: ter.Value(float(problem(x)), cost=1.0), problem.box)


def ready_ones(problem: ter.Problem, budget: ter.Budget) -> float:
    """Return what TER finds over heuristics that get to work at once."""
    profile = _short(problem.dimension, None)
    parts = {"heuristics": list(profile.heuristics), "scheduler": profile.scheduler}
    return ter.minimize(problem, budget=budget, rng=1, **parts).fun


def in_cost(function: str) -> str:
    """Return a row of the table for budgets in cost."""
    problem = ter.problem(f"lso10/{function}")
    cells = []
    for per_variable in PER_VARIABLE:
        evaluations = per_variable * problem.dimension
        budget = ter.Budget(cost=evaluations, unit="cost")
        metered = ter.minimize(paying(problem), budget=budget, rng=1)
        told = ter.minimize(problem, budget=evaluations, rng=1)
        ready = ready_ones(paying(problem), budget)
        cells += [f"{value:.2g}" for value in (metered.fun, told.fun, ready)]
    return f"| {function} | {' | '.join(cells)} |"


def in_seconds(function: str, seconds: float) -> str:
    """Return a row of the table for budgets in seconds."""
    problem = ter.problem(f"lso10/{function}")
    budget = ter.Budget(seconds=seconds, unit="seconds")
    result = ter.minimize(problem, budget=budget, rng=1)
    ready = ready_ones(problem, budget)
    values = " | ".join(f"{value:.2g}" for value in (result.fun, ready))
    return f"| {function} | {result.nfev} | {values} |"


def main(words: Sequence[str] | None = None) -> None:
    """Write a table."""
    parser = argparse.ArgumentParser(description="The default where cost or seconds end a run.")
    parser.add_argument("--clock", type=float, metavar="SECONDS", help="budgets in seconds instead of cost")
    clock = parser.parse_args(words).clock
    if clock is None:
        head = [f"{n} D, {kind}" for n in PER_VARIABLE for kind in ("default", "told how long", "TER")]
    else:
        head = ["evaluations", "default", "TER"]
    sys.stdout.write(f"| | {' | '.join(head)} |\n|{'---|' * (len(head) + 1)}\n")
    for function in FUNCTIONS:
        row = in_cost(function) if clock is None else in_seconds(function, clock)
        sys.stdout.write(row + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
