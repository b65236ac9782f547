"""The default of long runs with LS1 or with volleys: ``python studies/beyond/long_default.py out.csv 1,2 100 f1,f2``.

Seeds, the budget in evaluations per variable, and functions as in ``batches.py``. Rows are appended to the file: which
of the two, function, seed, budget, and the value at the end.
"""

from __future__ import annotations

import csv
import itertools
import sys
from dataclasses import replace
from pathlib import Path

from batches import KINDS, problem_named

from ter.algorithms.catalogue import Algorithm
from ter.algorithms.profiles import default_profile
from ter.core.budget import Budget
from ter.heuristics import LS1, Volleys


def main(path: str, seeds: str, budget: str, names: str) -> None:
    """Run both, and append the rows."""
    chosen = [name for part in names.split(",") for name in KINDS.get(part, [part])]
    for name, seed, first in itertools.product(chosen, map(int, seeds.split(",")), (LS1(), Volleys())):
        problem = problem_named(name)
        count = int(budget) * problem.dimension
        profile = default_profile(problem.dimension, Budget(evaluations=count))
        heuristics = (first, *profile.heuristics[1:])
        changed = replace(profile, heuristics=heuristics)
        algorithm = Algorithm("long", "the default of long runs", lambda d, b, changed=changed: changed)
        result = algorithm.minimize(problem, budget=count, rng=seed)
        row = [first.name, name, seed, budget, f"{result.fun:.3e}"]
        with Path(path).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(row)
        print(*row, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
