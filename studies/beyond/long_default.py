"""Variants of the default of long runs: ``python studies/beyond/long_default.py out.csv 1,2 100 f1,f2 [ls1,volleys]``.

Seeds, the budget in evaluations per variable, functions as in ``batches.py``, and variants: with LS1 or with volleys,
and with races of other lengths (``race/200`` is one of a 200th of the budget for each heuristic). Rows are appended to
the file: variant, function, seed, budget, and the value at the end.
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
from ter.core.profile import Profile
from ter.heuristics import LS1, Volleys


def variant(name: str, profile: Profile, evaluations: int) -> Profile:
    """Return a variant of the default."""
    kind, _, part = name.partition("/")
    if kind == "race":
        return replace(profile, scheduler=replace(profile.scheduler, race=evaluations // int(part)))
    return replace(profile, heuristics=({"ls1": LS1(), "volleys": Volleys()}[name], *profile.heuristics[1:]))


def main(path: str, seeds: str, budget: str, names: str, variants: str = "ls1,volleys") -> None:
    """Run all, and append the rows."""
    chosen = [name for part in names.split(",") for name in KINDS.get(part, [part])]
    for name, seed, kind in itertools.product(chosen, map(int, seeds.split(",")), variants.split(",")):
        problem = problem_named(name)
        count = int(budget) * problem.dimension
        changed = variant(kind, default_profile(problem.dimension, Budget(evaluations=count)), count)
        algorithm = Algorithm("long", "the default of long runs", lambda d, b, changed=changed: changed)
        result = algorithm.minimize(problem, budget=count, rng=seed)
        row = [kind, name, seed, budget, f"{result.fun:.3e}"]
        with Path(path).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(row)
        print(*row, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
