"""The table of the verdict: ``python studies/beyond/verdict.py STORE``.

Best published means on LSO13 (CEC'2013): COSACC-LS1 (f1, f5, f9), TER's paper (f2), CBCC-RDG3 and CCFR2-RDG3 (f4, f7,
f11, f13), CCFR2-IRRG (f8), SHADE-ILS (f12, f14, f15); f3, f6 and f10 are the plateau on which nearly everybody ends.
On LSO08, 1000 variables: the best of other programs, which were run with 100 and 500 evaluations per variable.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path

from ter.experiment.store import Store

LSO13 = (0, 8.7, 20.0, 1.45e4, 1.13e6, 9.96e5, 9e-22, 4.5e-5, 1.25e8, 9.05e7, 7e-18, 41, 2.43e4, 5.76e6, 6.25e5)
LSO08 = {
    "100000": (1.6e-25, 92.7, 1.03e3, 4.3e-12, 1.7e-9, 2.7e-5),
    "500000": (7e-31, 89.6, 879, 0, 4e-15, 2.6e-5),
    "5000000": (0, 4.72e-2, 3.41e-4, 0, 0, 1.24e-11),  # MTS, as published (CEC 2008); the others are programs of today
}
EQUAL = {"lso13": 1e-16, "lso08-unbiased": 1e-20}  # values below are equal


def best_of_others(suite: str, budget: int, number: int) -> float | None:
    """Return the best that others reach with a budget; None if that is not known."""
    if suite == "lso13":
        return LSO13[number - 1] if budget == 3_000_000 else None
    return LSO08[str(budget)][number - 1] if str(budget) in LSO08 else None


def table(path: str | Path) -> str:
    """Return a row for each function and budget."""
    values, winners = defaultdict(list), defaultdict(Counter)
    with Store(path) as store:
        for record in store.records(failed=False, newest=True):
            suite, number = record.key.problem.split("/f")
            key = (suite, int(record.key.budget), int(number))
            values[key].append(record.fun)
            for action in record.actions:
                winners[key][action.heuristic] += action.nfev
    lines = [
        "| function | evaluations | runs | mean | median | others | at or below | most evaluations for |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for key in sorted(values):
        suite, budget, number = key
        others = best_of_others(suite, budget, number)
        mean, median = statistics.fmean(values[key]), statistics.median(values[key])
        ours = mean if suite == "lso13" else median
        known = "–" if others is None else f"{others:.2e}"
        below = "yes" if ours <= max(others or 0.0, EQUAL[suite]) or f"{ours:.2e}" == known else "no"
        (who, most), *_ = winners[key].most_common(1)
        share = f"{who}, {100 * most / sum(winners[key].values()):.0f} %"
        numbers = f"{len(values[key])} | {mean:.2e} | {median:.2e} | {known} | {below if others is not None else '–'}"
        lines.append(f"| {suite}/f{number} | {budget} | {numbers} | {share} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(sys.argv[1]))
