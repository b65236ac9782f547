"""What single heuristics reach alone: ``python studies/beyond/batches.py out.csv lines,groups f1,f2 1,2 1000 [label]``.

Heuristics by name, functions of LSO10 (``f1``), of ``functions.py`` at 320 variables, of ``own_functions.py`` and the
two below, seeds, the budget in evaluations per variable, and what to call these rows. ``lso10``, ``functions``, ``own``
and ``multimodal`` stand for all functions of their kind. Rows are appended to the file.
"""

from __future__ import annotations

import csv
import itertools
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import functions
import numpy as np
import own_functions

import ter
from ter.heuristics.catalogue import HEURISTICS

DIMENSION = 320
MILESTONES = (30, 60, 100, 300, 1000)  # evaluations per variable
FLOOR = 1e-9  # smaller values are as good as 0


def schwefel(dimension: int = DIMENSION) -> ter.Problem:
    """Return Schwefel's function with scales that differ: separable, the best minimum far from the next best ones."""
    scale = np.random.default_rng(5).uniform(0.7, 1.3, dimension)

    def values(X: np.ndarray) -> np.ndarray:
        Z = 500.0 * (X * scale) / 1.3
        return (418.9828872724338 - Z * np.sin(np.sqrt(np.abs(Z)))).sum(axis=1)

    return ter.Problem(values, ter.box(-1.3, 1.3, dimension=dimension), vectorized=True)


def griewank(dimension: int = DIMENSION) -> ter.Problem:
    """Return Griewank's function with a shift: nearly separable far away, with a product of cosines."""
    shift = np.random.default_rng(6).uniform(-300, 300, dimension)

    def values(X: np.ndarray) -> np.ndarray:
        Z = X - shift
        return (Z * Z).sum(axis=1) / 4000 - np.cos(Z / np.sqrt(np.arange(1, dimension + 1))).prod(axis=1) + 1

    return ter.Problem(values, ter.box(-600, 600, dimension=dimension), vectorized=True)


MULTIMODAL = {"schwefel": schwefel, "griewank": griewank}
KINDS: dict[str, Sequence[str]] = {
    "lso10": [f"f{i}" for i in range(1, 21)],
    "functions": list(functions.FUNCTIONS),
    "own": list(own_functions.FUNCTIONS),
    "multimodal": list(MULTIMODAL),
}


def problem_named(name: str) -> ter.Problem:
    """Return a function of the tuning set."""
    if name in MULTIMODAL:
        return MULTIMODAL[name]()
    if name in own_functions.FUNCTIONS:
        return own_functions.FUNCTIONS[name]()
    if name in functions.FUNCTIONS:
        return ter.Problem(functions.make_value(name, DIMENSION), ter.box(-5, 5, dimension=DIMENSION))
    return ter.problem(f"lso10/{name}")


def main(path: str, arms: str, names: str, seeds: str, budget: str, label: str = "") -> None:
    """Run all, and append the rows."""
    chosen = [name for part in names.split(",") for name in KINDS.get(part, [part])]
    for name, arm, seed in itertools.product(chosen, arms.split(","), map(int, seeds.split(","))):
        problem = problem_named(name)
        began = time.process_time()
        count = int(budget) * problem.dimension
        result = ter.minimize(problem, budget=count, rng=seed, heuristics=[HEURISTICS[arm]()])
        curve = np.array(result.curve)
        kept = [curve[curve[:, 0] <= m * problem.dimension][-1, 1] for m in MILESTONES if m <= int(budget)]
        row = [label, arm, name, seed, *(f"{y:.3e}" for y in kept)]
        with Path(path).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow([*row, round(time.process_time() - began, 1)])
        print(*row, round(time.process_time() - began, 1), flush=True)


def compare(path: str, first: str, second: str) -> None:
    """Print, function by function, the values of two kinds of rows (``label:heuristic``), and the ratios in decades."""
    with Path(path).open(encoding="utf-8") as file:
        found = {(f"{row[0]}:{row[1]}", row[2], row[3]): [float(v) for v in row[4:-1]] for row in csv.reader(file)}
    decades = []
    for (kind, name, seed), ends in found.items():
        other = found.get((second, name, seed))
        if kind != first or other is None:
            continue
        logs = [
            math.log10((b + FLOOR) / (a + FLOOR)) if min(a, b) >= 0 else 0.0 for a, b in zip(ends, other, strict=False)
        ]
        decades.append(np.clip(logs, -2, 2))
        pairs = " | ".join(f"{a:.2e} {b:.2e}" for a, b in zip(ends, other, strict=False))
        print(f"| {name} | {pairs} |")
    for column in itertools.zip_longest(*decades):
        values = np.array([v for v in column if v is not None])
        better, worse = (values < -0.02).sum(), (values > 0.02).sum()
        print(f"mean {values.mean():+.3f}, better {better}, worse {worse} of {values.size}")


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
