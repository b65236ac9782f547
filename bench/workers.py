"""How much faster runs are with workers: ``python -m bench workers``.

The objective sleeps, so that many workers fit on a small machine. The throughput is that of the run, from its first
evaluation to its last one, relative to one evaluation after the other. Long runs have 60 evaluations per variable; with
few workers they have fewer variables, since they would take hours.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np

import ter
from bench.report import save, table

__all__ = ["main"]

DIMENSION = 1000
PORTFOLIOS: dict[str, list[str] | None] = {
    "default": None,
    "default, long runs": None,
    "volleys, gs, lbfgsb": ["volleys", "gs", "lbfgsb"],
    "volleys": ["volleys"],
    "lbfgsb": ["lbfgsb"],
    "gs": ["gs"],
    "ls1": ["ls1"],
}
SETTINGS = (("2 processes", 2, 0.020, 1_000), ("16 threads", 16, 0.050, 4_000), ("64 threads", 64, 0.050, 12_000))
LONG = {2: 100, 16: 300, 64: 1000}  # variables of a long run with so many workers
LONG_PER_VARIABLE = 60


def throughput(
    heuristics: list[str] | None, workers: int, delay: float, evaluations: int, threads: bool, dimension: int
) -> float:
    """Return evaluations per second, relative to 1 / delay."""

    def fun(x: np.ndarray) -> float:
        time.sleep(delay)
        return float((x * x).sum())

    with ExitStack() as stack:
        who: Any = stack.enter_context(ThreadPoolExecutor(workers)) if threads else workers
        result = ter.minimize(
            fun, ter.box(-5, 5, dimension=dimension), budget=evaluations, rng=1, workers=who, heuristics=heuristics
        )
    assert evaluations // 3 < result.nfev <= evaluations  # a long run may end when nobody finds anything better
    return result.nfev * delay / result.spent.seconds


def main(arguments: Sequence[str]) -> None:
    """Measure all portfolios, or those whose names are given."""
    head = ["portfolio", *(f"{title}, {1000 * delay:.0f} ms" for title, _, delay, _ in SETTINGS)]
    rows, figures = [], {}
    for name, heuristics in PORTFOLIOS.items():
        if arguments and name not in arguments:
            continue
        measured = []
        for title, workers, delay, evaluations in SETTINGS:
            count, dimension = 200 if name == "ls1" else evaluations, DIMENSION  # it waits, and would take minutes
            if name == "default, long runs":
                count, dimension = LONG_PER_VARIABLE * LONG[workers], LONG[workers]
            measured.append(throughput(heuristics, workers, delay, count, title.endswith("threads"), dimension))
        print(name, measured, flush=True)
        figures[name] = dict(zip(head[1:], measured, strict=True))
        rows.append([name, *(f"{each:.1f}" for each in measured)])
    if not arguments:
        about = "Evaluations per second of a function that sleeps, relative to one evaluation after the other; D = "
        long = f"Long runs have {LONG_PER_VARIABLE} evaluations per variable, and 100, 300 and 1000 variables."
        save("workers", "Workers", f"{about}{DIMENSION}.\n{long}\n\n{table(head, rows)}", figures)
