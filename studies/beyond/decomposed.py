"""What the heuristic "groups" reaches alone: ``python studies/beyond/decomposed.py f4,f9 1,2 1000 [depth=20 ...]``.

Functions are those of LSO10, or of ``own_functions.py``; then seeds, the budget in evaluations per variable, and
settings of the heuristic. Rows are appended to ``decomposed.csv`` beside this file.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

import numpy as np
from own_functions import FUNCTIONS

import ter
from ter.heuristics import DecomposedES

MILESTONES = (30, 100, 300, 1000, 3000)  # evaluations per variable
ROWS = Path(__file__).with_suffix(".csv")


def best_at(curve: np.ndarray, count: int) -> float:
    """Return the best value after so many evaluations."""
    seen = curve[curve[:, 0] <= count]
    return float(seen[-1, 1]) if len(seen) else float("inf")


def run(name: str, seed: int, budget: int, settings: dict[str, float]) -> dict[str, object]:
    """Run once and return a row of the table."""
    problem = FUNCTIONS[name]() if name in FUNCTIONS else ter.problem(f"lso10/{name}")
    began = time.process_time()
    result = ter.minimize(problem, budget=budget * problem.dimension, rng=seed, heuristics=[DecomposedES(**settings)])
    row: dict[str, object] = {"function": name, "seed": seed}
    row["settings"] = " ".join(f"{key}={value}" for key, value in settings.items())
    for milestone in MILESTONES:
        known = milestone <= budget
        row[f"{milestone} D"] = f"{best_at(result.curve, milestone * problem.dimension):.2e}" if known else ""
    row["cpu seconds"] = round(time.process_time() - began, 1)
    row["end"] = result.actions[-1].remark
    return row


def main(functions: str, seeds: str, budget: str, *settings: str) -> None:
    """Run all, and append the rows."""
    values = {key: float(value) for key, value in (setting.split("=") for setting in settings)}
    for name in functions.split(","):
        for seed in seeds.split(","):
            row = run(name, int(seed), int(budget), values)
            new = not ROWS.exists()
            with ROWS.open("a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, row, lineterminator="\n")
                if new:
                    writer.writeheader()
                writer.writerow(row)
            print(*row.values(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
