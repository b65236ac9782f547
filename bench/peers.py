"""Overhead per evaluation of other libraries beyond the same plain Python objective, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

import ter
from bench.algorithms import EVALUATIONS as ALGORITHM_EVALUATIONS
from bench.algorithms import LENGTHS, WHO, warm
from bench.overhead import plain_sphere
from bench.report import save, table
from bench.solvers import SOLVERS, Counted, Solver, run_solver

__all__ = ["main"]

DIMENSION = 1000
EVALUATIONS = 5_000
TER_EVALUATIONS = 130_000  # the paper's profile needs as many to give each heuristic a turn
REPEATS = 3


@dataclass(frozen=True)
class Figure:
    """Medians, in microseconds per evaluation."""

    name: str
    evaluations: int
    whole: float
    own: float
    beyond: float


def baseline(evaluations: int) -> float:
    """Time the counted objective alone."""
    fun = Counted(plain_sphere, evaluations)
    rows = list(np.random.default_rng(0).random((4, DIMENSION)))
    started = time.perf_counter()
    for r in range(evaluations):
        fun(rows[r % 4])
    return (time.perf_counter() - started) / evaluations


def measure(name: str, run: Callable[[Counted, int], object], evaluations: int) -> Figure:
    """Measure a solver and the objective alone in turn."""
    own, whole, used = [], [], 0
    for seed in range(1, REPEATS + 1):
        own.append(baseline(evaluations))
        fun = Counted(plain_sphere, evaluations)
        started = time.perf_counter()
        run(fun, seed)
        whole.append((time.perf_counter() - started) / fun.count)
        used = fun.count
    alone, total = 1e6 * statistics.median(own), 1e6 * statistics.median(whole)
    return Figure(name, used, total, alone, total - alone)


def ter_run(name: str) -> Callable[[Counted, int], object]:
    """Return a run of one of our algorithms."""
    box = ter.box(-5, 5, dimension=DIMENSION)
    return lambda fun, seed: ter.algorithm(name).minimize(ter.Problem(fun, box), budget=fun.budget, rng=seed)


def peer_run(solver: Solver) -> Callable[[Counted, int], object]:
    """Return a run of another library's solver."""
    lower, upper = np.full(DIMENSION, -5.0), np.full(DIMENSION, 5.0)
    return lambda fun, seed: run_solver(solver, fun, lower, upper, seed)


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    runs: list[tuple[str, Callable[[Counted, int], object] | None, int]] = [
        ("ter default", ter_run("default"), EVALUATIONS),
        ("ter paper", ter_run("ter"), TER_EVALUATIONS),
    ]
    runs += [
        (f"ter {name}", ter_run(name), LENGTHS.get(name, ALGORITHM_EVALUATIONS))
        for name in WHO
        if name not in ("ter", "default")
    ]
    runs += [(name, peer_run(s) if s.installed else None, EVALUATIONS) for name, s in SOLVERS.items()]
    for name in WHO:
        warm(name)
    figures: list[Figure] = []
    rows: list[list[str]] = []
    for name, run, evaluations in runs:
        if run is None:
            print(f"{name:18} not installed", flush=True)
            rows.append([name, "not installed", "", "", ""])
            continue
        one = measure(name, run, evaluations)
        figures.append(one)
        ratio = one.beyond / figures[0].beyond
        rows.append([name, str(one.evaluations), f"{one.whole:.1f}", f"{one.beyond:.1f}", f"{ratio:.1f}"])
        print(f"{name:18} {one.beyond:8.1f} us beyond the objective, {ratio:6.1f} times ter default", flush=True)
    text = (
        f"Plain Python objective (`float(np.dot(x, x))`, {figures[0].own:.1f} us), D = {DIMENSION}, microseconds per "
        f"evaluation, medians of {REPEATS} runs. Ours run long enough for each of their parts.\n\n"
        + table(["library", "evaluations", "whole", "beyond the objective", "relative to ter"], rows)
    )
    print(f"\n{text}\n")
    save("peers", "Overhead beside other libraries", text, [asdict(figure) for figure in figures])
