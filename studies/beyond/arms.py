"""Heuristics of ter, each alone, on the functions of this study: ``python studies/beyond/arms.py out.csv [seeds]``."""

from __future__ import annotations

import csv
import itertools
import sys
from pathlib import Path

import numpy as np
from functions import FUNCTIONS, make_value

import ter
from ter.heuristics import LBFGSB, LS1, GlobalLineSearch, RmES, SepCMAES

DIMENSION = 320
MILESTONES = (30, 100)  # evaluations per variable
ARMS = {
    "sep-cma-es": SepCMAES(),
    "rm-es": RmES(),
    "rm-es without scales": RmES(scales=False),
    "lbfgsb": LBFGSB(),
    "lbfgsb, 10 pairs": LBFGSB(pairs=10),
    "lbfgsb, 10 pairs, plain differences": LBFGSB(pairs=10, fitted=False),
    "lines": GlobalLineSearch(),
    "ls1": LS1(),
}


def main(path: str, seeds: int) -> None:
    """Run each of them on each function."""
    box = ter.box(-5, 5, dimension=DIMENSION)
    values = {name: make_value(name, DIMENSION) for name in FUNCTIONS}
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        for seed, name, who in itertools.product(range(1, seeds + 1), FUNCTIONS, ARMS):
            result = ter.minimize(
                values[name], box, budget=MILESTONES[-1] * DIMENSION, rng=seed, heuristics=[ARMS[who]]
            )
            curve = np.array(result.curve)
            kept = [curve[curve[:, 0] <= m * DIMENSION][-1, 1] for m in MILESTONES]
            csv.writer(file).writerow([name, who, seed, *(f"{y:.3e}" for y in kept)])
            file.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
