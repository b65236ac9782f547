"""What `lines` and the default reach on separable functions, and what becomes of the others.

``python studies/beyond/lines.py rows.csv lines separable,lso10 1,2 200 after`` appends rows: a heuristic or
``default``, functions, seeds, evaluations per variable, and what to call these rows. Functions are those of
``batches.py``, and ``rastrigin-200`` and so on: the functions below with 50, 200 or 1000 variables. ``separable``
stands for all of these. ``python studies/beyond/lines.py table rows.csv lines 200 before after`` prints a table.
"""

from __future__ import annotations

import csv
import itertools
import math
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
from batches import KINDS, problem_named

import ter

SIZES = (50, 200, 1000)
MILESTONES = (5, 10, 16, 30, 60, 100, 200, 500, 1000)  # evaluations per variable
ERRORS = (1.0, 1e-4, 1e-8)

Vector = np.ndarray


@numba.njit
def ripples(z: Vector, weights: Vector) -> float:
    """Rastrigin's function, with weights."""
    total = 0.0
    for i in range(z.shape[0]):
        total += weights[i] * (z[i] * z[i] + 10.0 - 10.0 * math.cos(2.0 * math.pi * z[i]))
    return total


@numba.njit
def ackley(z: Vector, weights: Vector) -> float:
    """Ackley's function of four times as wide a box: not a sum, but each variable has its own best value."""
    squares = cosines = 0.0
    for i in range(z.shape[0]):
        squares += 36.0 * z[i] * z[i]
        cosines += math.cos(12.0 * math.pi * z[i])
    n = z.shape[0]
    return 20.0 + math.e - 20.0 * math.exp(-0.2 * math.sqrt(squares / n)) - math.exp(cosines / n)


@numba.njit
def skewed_ripples(z: Vector, weights: Vector) -> float:
    """Rastrigin's function of variables that are stretched irregularly, each in its own way."""
    n, total = z.shape[0], 0.0
    for i in range(n):
        v = z[i]
        if v != 0.0:
            log, a, b = math.log(abs(v)), 10.0 if v > 0.0 else 5.5, 7.9 if v > 0.0 else 3.1
            v = math.copysign(math.exp(log + 0.049 * (math.sin(a * log) + math.sin(b * log))), v)
        if v > 0.0:
            v = v ** (1.0 + 0.2 * i / (n - 1.0) * math.sqrt(v))
        v *= 10.0 ** (0.5 * i / (n - 1.0))
        total += v * v + 10.0 - 10.0 * math.cos(2.0 * math.pi * v)
    return total


@numba.njit
def periods(z: Vector, weights: Vector) -> float:
    """Ripples whose period differs from variable to variable."""
    total = 0.0
    for i in range(z.shape[0]):
        total += z[i] * z[i] + 10.0 - 10.0 * math.cos(2.0 * math.pi * z[i] * (0.5 + i / z.shape[0]))
    return total


@numba.njit
def folds(z: Vector, weights: Vector) -> float:
    """Ripples with sharp minima on a sum of distances."""
    total = 0.0
    for i in range(z.shape[0]):
        total += abs(z[i]) + 2.0 * abs(math.sin(1.37 * math.pi * z[i]))
    return total


@numba.njit
def sines(z: Vector, weights: Vector) -> float:
    """Schwefel's function: minima further and further apart, the best of them far from the second best."""
    total = 0.0
    for i in range(z.shape[0]):
        v = 500.0 / 8.0 * z[i] + 420.968746
        if abs(v) > 500.0:
            v = math.copysign(500.0, v) + 0.01 * (v - math.copysign(500.0, v))
        total += 418.9828872724338 - v * math.sin(math.sqrt(abs(v))) + 1e-3 * (v - 420.968746) ** 2
    return total


@numba.njit
def ellipsoid(z: Vector, weights: Vector) -> float:
    """Condition 1e6."""
    total = 0.0
    for i in range(z.shape[0]):
        total += 10.0 ** (6.0 * i / (z.shape[0] - 1.0)) * z[i] * z[i]
    return total


@numba.njit
def powers(z: Vector, weights: Vector) -> float:
    """Powers from 1 to 5."""
    total = 0.0
    for i in range(z.shape[0]):
        total += abs(z[i]) ** (1.0 + 4.0 * i / (z.shape[0] - 1.0))
    return total


# The function, and over how many decades its weights go.
FUNCTIONS: dict[str, tuple[Callable[[Vector, Vector], float], float]] = {
    "rastrigin": (ripples, 0.0),
    "weighted rastrigin": (ripples, 10.0),
    "ackley": (ackley, 0.0),
    "skewed rastrigin": (skewed_ripples, 0.0),
    "periods": (periods, 0.0),
    "folds": (folds, 0.0),
    "schwefel sines": (sines, 0.0),
    "separable ellipsoid": (ellipsoid, 0.0),
    "separable powers": (powers, 0.0),
}
SEPARABLE = [f"{name}-{size}" for name in FUNCTIONS for size in SIZES]


def separable(name: str, dimension: int) -> ter.Problem:
    """Return one of the functions above with a random shift, in a box around 0 that no period fits."""
    base, decades = FUNCTIONS[name]
    rng = np.random.default_rng([19, dimension, list(FUNCTIONS).index(name)])
    optimum, weights = rng.uniform(-4.0, 4.0, dimension), 10.0 ** (decades * rng.uniform(-0.5, 0.5, dimension))

    @numba.njit
    def value(x: Vector) -> float:
        return base(x - optimum, weights)

    return ter.Problem(value, ter.box(-5.17, 4.89, dimension=dimension))


def chosen_problem(name: str) -> ter.Problem:
    """Return a function by name."""
    kind, _, size = name.rpartition("-")
    return separable(kind, int(size)) if size.isdigit() else problem_named(name)


def main(path: str, arm: str, names: str, seeds: str, per_variable: str, label: str) -> None:
    """Run all, and append the rows."""
    kinds = {"separable": SEPARABLE, **KINDS}
    chosen = [name for part in names.split(",") for name in kinds.get(part, [part])]
    for name, seed in itertools.product(chosen, map(int, seeds.split(","))):
        problem = chosen_problem(name)
        n, heuristics = problem.dimension, None if arm == "default" else [arm]
        result = ter.minimize(problem, budget=int(per_variable) * n, rng=seed, heuristics=heuristics)
        counts, values = np.array(result.curve).T
        ends = [f"{values[counts <= m * n][-1]:.1e}" for m in MILESTONES if m <= int(per_variable)]
        hits = [f"{counts[values <= error][0] / n:.0f}" if values[-1] <= error else "-" for error in ERRORS]
        row = [label, arm, per_variable, name, seed, *hits, *ends]
        with Path(path).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(row)
        print(*row, flush=True)


def table(path: str, arm: str, per_variable: str, *labels: str) -> None:
    """Print, for each function and seed: evaluations until errors, and errors; of the default the last one."""
    cells: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    with Path(path).open(encoding="utf-8") as file:
        for label, which, budget, name, seed, *numbers in csv.reader(file):
            if (which, budget) == (arm, per_variable):
                hits, ends = ", ".join(numbers[:3]), numbers[3:]
                cells[name, seed][label] = [*ends[-1:]] if arm == "default" else [hits, *ends[1:]]
    for (name, seed), found in cells.items():
        if all(label in found for label in labels):
            columns = zip(*(found[label] for label in labels), strict=True)
            print(f"| {name} | {seed} |", " | ".join(" → ".join(column) for column in columns), "|")


if __name__ == "__main__":
    if sys.argv[1] == "table":
        table(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
