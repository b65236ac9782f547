"""Quasi-Newton steps beside SciPy's L-BFGS-B, each alone.

python -m studies.beyond.descents [EVALUATIONS PER VARIABLE]

On the problems for tuning of `choices.py`. Both have the same differences and remember fifty steps. One seed, so both
begin at the same point. Writes descents.csv (errors after 30 % and all of the evaluations), and prints how often each
is within a factor of 1.5 of the other, and the geometric mean of the quotients, each cut at 1e4.
"""

from __future__ import annotations

import csv
import math
import sys
from pathlib import Path

import numpy as np

import ter
from studies.beyond.choices import SETS, SOLVED
from studies.beyond.regret import value_at
from ter.core.heuristic import Heuristic
from ter.heuristics import LBFGSB, QuasiNewton

FILE = Path(__file__).with_name("descents.csv")
WHO: tuple[Heuristic, ...] = (LBFGSB(), QuasiNewton())
SHARES = (0.3, 1.0)
CUT = 4.0  # decades


def errors_of(problem: ter.Problem, who: Heuristic, budget: int) -> list[float]:
    """Return the errors of a run after shares of its budget."""
    result = ter.minimize(problem, budget=budget, rng=1, heuristics=[who], scheduler="round-robin")
    curve, least = np.asarray(result.curve), problem.f_opt or 0.0
    return [max(SOLVED, value_at(curve, share * budget, least=-math.inf) - least) for share in SHARES]


def main(per_variable: int) -> None:
    """Do the runs, write them, and print what they say."""
    rows = []
    for title in ("chosen", "composed"):
        for name, made in SETS[title]().items():
            problem = made()
            errors = [errors_of(problem, who, per_variable * problem.dimension) for who in WHO]
            rows.append((name, problem.dimension, *(f"{error:.4g}" for each in errors for error in each)))
    with FILE.open("w", newline="", encoding="utf-8") as file:
        columns = [f"{who.name} {share:.0%}" for who in WHO for share in SHARES]
        csv.writer(file, lineterminator="\n").writerows([("problem", "D", *columns), *rows])
    for k, share in enumerate(SHARES):
        quotients = [math.log10(float(row[2 + k]) / float(row[4 + k])) for row in rows]
        mean = np.mean(np.clip(quotients, -CUT, CUT))
        near = [np.mean(np.array(signed) < math.log10(1.5)) for signed in (quotients, [-q for q in quotients])]
        sys.stdout.write(
            f"after {share:.0%} of {per_variable} evaluations per variable, {len(rows)} problems: quasi-newton is "
            f"better by a factor of {10**mean:.2g} on the mean; within 1.5 of the better one: "
            f"{WHO[0].name} {near[0]:.0%}, {WHO[1].name} {near[1]:.0%}\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
