"""Regret of schedulers to the best single heuristic, from stores of experiments.

For a budget of B evaluations: what the best heuristic alone reaches in B / 2 (the lowest value among all of them), and
the evaluations after which a run of a scheduler with the budget B is there, divided by B / 2. Up to 2 it got there
within its budget; a dash says that it did not.

    python studies/beyond/regret.py ARMS.sqlite B SCHEDULERS.sqlite
"""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ter.experiment.store import Store

EQUAL = 1e-20  # values below are equal


def value_at(curve: np.ndarray, evaluations: float, *, least: float = EQUAL) -> float:
    """Return the best value after so many evaluations, or the least one that counts."""
    at = int(np.searchsorted(curve[:, 0], evaluations, side="right")) - 1
    return max(least, float(curve[at, 1])) if at >= 0 else float("inf")


def evaluations_to(curve: np.ndarray, value: float) -> float:
    """Return after how many evaluations a value was reached; infinite if never."""
    reached = np.flatnonzero(curve[:, 1] <= max(EQUAL, value))
    return float(curve[reached[0], 0]) if reached.size else float("inf")


def curves_of(path: str, budget: str | None = None) -> dict[str, dict[str, list[np.ndarray]]]:
    """Return the curves of a store by problem and label, of one budget if it is named."""
    found: dict[str, dict[str, list[np.ndarray]]] = defaultdict(lambda: defaultdict(list))
    with Store(path) as store:
        for record in store.records():
            if budget is None or record.key.budget == budget:
                name = f"{record.key.problem} {record.key.dimension}"
                found[name][record.label].append(np.asarray(record.curve))
    return found


def number_of(name: str) -> tuple[str, int]:
    """Sort f2 before f10."""
    suite, _, number = name.split()[0].rpartition("/f")
    return (suite, int(number)) if number.isdigit() else (name, 0)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    arms, budget = curves_of(arguments[0]), int(float(arguments[1]))
    runs = curves_of(arguments[2], str(budget)) if len(arguments) > 2 else {}
    labels = sorted({label for each in runs.values() for label in each})
    ratios: dict[str, list[float]] = defaultdict(list)
    print(f"| function | best arm | at {budget / 2:g} | {' | '.join(f'{label} | ratio' for label in labels)} |")
    print(f"|---|---|---|{'---|---|' * len(labels)}")
    for name in sorted(arms, key=number_of):
        halves = {
            label: statistics.median(value_at(curve, budget / 2) for curve in found)
            for label, found in arms[name].items()
        }
        best = min(halves, key=lambda label: halves[label])
        cells = []
        for label in labels:
            found = runs.get(name, {}).get(label, [])
            if not found:
                cells.append(" | ")
                continue
            end = statistics.median(value_at(curve, budget) for curve in found)
            ratio = statistics.median(evaluations_to(curve, halves[best]) for curve in found) / (budget / 2)
            ratios[label].append(ratio)
            cells.append(f"{end:.2e} | {f'{ratio:.2f}' if ratio < 10 else '-'}")
        print(f"| {name} | {best} | {halves[best]:.2e} | {' | '.join(cells)} |")
    for label, each in ratios.items():
        within = sum(ratio <= 2 for ratio in each)
        print(f"{label}: {within} of {len(each)} within 2, median ratio {statistics.median(each):.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
