"""Best value at equal evaluations: profiles of ``ter`` beside other libraries on functions of 1000 variables."""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import ter
from bench.functions import FUNCTIONS, make_function
from bench.report import save, table
from bench.solvers import SOLVERS, Counted, run_solver
from ter.algorithms import ALGORITHMS

__all__ = ["main"]

SLOW = ("nevergrad-de",)  # minutes per run; still there by name


@dataclass(frozen=True)
class Outcome:
    """One run."""

    function: str
    algorithm: str
    seed: int
    best: float
    evaluations: int
    seconds: float
    shares: str  # of the evaluations, per heuristic


def run_ter(name: str, problem: ter.Problem, budget: int, seed: int) -> Outcome:
    started = time.perf_counter()
    result = ter.algorithm(name).minimize(problem, budget=budget, rng=seed)
    seconds = time.perf_counter() - started
    used: Counter[str] = Counter()
    for action in result.actions:
        used[action.heuristic] += action.nfev
    shares = " ".join(f"{member} {100 * used[member] / result.nfev:.0f}%" for member in result.heuristics)
    return Outcome(problem.name, name, seed, result.fun, result.nfev, seconds, shares)


def run_peer(name: str, problem: ter.Problem, budget: int, seed: int) -> Outcome:
    objective: Any = problem.fun
    floats, ints = objective.data
    fun = Counted(lambda x: objective.value(np.ascontiguousarray(x), floats, ints), budget)
    started = time.perf_counter()
    run_solver(SOLVERS[name], fun, problem.lower, problem.upper, seed)
    return Outcome(problem.name, name, seed, float(fun.best), fun.count, time.perf_counter() - started, "")


def compare(
    functions: Sequence[str], algorithms: Sequence[str], dimension: int, budget: int, seeds: int
) -> list[Outcome]:
    """Run everything, printing as it goes."""
    outcomes: list[Outcome] = []
    for function in functions:
        problem = make_function(function, dimension)
        ter.minimize(problem, budget=500, rng=0)  # compile
        for algorithm in algorithms:
            if algorithm in SOLVERS and not SOLVERS[algorithm].installed:
                print(f"{function:15} {algorithm:16} not installed")
                continue
            run = run_ter if algorithm in ALGORITHMS else run_peer
            runs = [run(algorithm, problem, budget, seed) for seed in range(1, seeds + 1)]
            outcomes += runs
            values = " ".join(f"{one.best:10.3e}" for one in runs)
            seconds = statistics.median(one.seconds for one in runs)
            print(f"{function:15} {algorithm:16} {values}  {seconds:6.1f} s  {runs[0].shares}", flush=True)
    return outcomes


def summarise(outcomes: Sequence[Outcome], functions: Sequence[str], algorithms: Sequence[str]) -> str:
    """Lay out medians: a row per algorithm, a column per function."""
    rows = []
    for algorithm in algorithms:
        row = [algorithm]
        for function in functions:
            best = [one.best for one in outcomes if (one.algorithm, one.function) == (algorithm, function)]
            row.append(f"{statistics.median(best):.2e}" if best else "not installed")
        rows.append(row)
    return table(["algorithm", *functions], rows)


def describe(dimension: int, budget: int, seeds: int) -> str:
    """Say what the table shows, and what it cannot show."""
    return (
        f"Median best value of {seeds} runs after at most {budget} evaluations, D = {dimension}; the optimum is 0 "
        "everywhere. Some solvers end earlier by their own criteria.\n\n"
        "Not an independent comparison: the defaults of `ter` were chosen with these functions in view, while other "
        "libraries run with the untuned settings of `bench/solvers.py`. The row `ter` is the paper's profile, made for "
        "budgets of some 3000 D: its first initiation of LS1 alone takes 25 D.\n\n"
    )


def main(arguments: Sequence[str] = ()) -> None:
    """Read the command line, run, print; save if nothing was left out."""
    everyone = ["default", "ter", *(name for name in SOLVERS if name not in SLOW)]
    parser = argparse.ArgumentParser(prog="python -m bench quality", description=__doc__)
    parser.add_argument("--budget", type=float, default=30_000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--dimension", type=int, default=1000)
    parser.add_argument("--only", default=",".join(FUNCTIONS), help="functions, separated by commas")
    parser.add_argument("--algorithms", default=",".join(everyone), help="algorithms, separated by commas")
    options = parser.parse_args(arguments)
    functions, algorithms = options.only.split(","), options.algorithms.split(",")
    unknown = [name for name in functions if name not in FUNCTIONS]
    unknown += [name for name in algorithms if name not in ALGORITHMS and name not in SOLVERS]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join([*FUNCTIONS, *ALGORITHMS, *SOLVERS])}")
    outcomes = compare(functions, algorithms, options.dimension, int(options.budget), options.seeds)
    text = summarise(outcomes, functions, algorithms)
    print(f"\n{text}\n")
    if (functions, algorithms) == (list(FUNCTIONS), everyone):
        about = describe(options.dimension, int(options.budget), options.seeds)
        save("quality", "Quality at equal evaluations", about + text, [asdict(one) for one in outcomes])


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
