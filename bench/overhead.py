"""What a run costs per evaluation beyond the objective itself, and how that grows with the dimension."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numba
import numpy as np

import ter
from bench.functions import sphere
from bench.report import save, table

__all__ = ["compiled_sphere", "main", "plain_sphere", "seconds_per_call"]

HEADLINE = 1000  # variables
EVALUATIONS = 130_000  # enough for each heuristic's turn in the paper's profile
GROWTH = (1_000, 10_000, 100_000)
GROWTH_EVALUATIONS = 8_000
WHO = ("default", "ter", "ls1", "cc", "gs")


@dataclass(frozen=True)
class Figure:
    """Medians over repetitions, in microseconds per evaluation."""

    who: str
    objective: str
    dimension: int
    evaluations: int
    whole: float
    own: float  # of the objective alone, in the same run

    @property
    def beyond(self) -> float:
        """What the run costs beyond the objective."""
        return self.whole - self.own


@numba.njit(error_model="numpy", nogil=True)
def _value(x: np.ndarray, floats: np.ndarray, ints: np.ndarray) -> float:
    return sphere(x)


@numba.njit(error_model="numpy", nogil=True)
def _loop(X: np.ndarray, n: int, out: np.ndarray) -> None:
    for r in range(n):
        out[r % out.shape[0]] = sphere(X[r % X.shape[0]])


def compiled_sphere() -> ter.CompiledObjective:
    """Return the sphere as a compiled objective; its wrappers are compiled once per object."""
    return ter.CompiledObjective(_value)


def plain_sphere(x: np.ndarray) -> float:
    """Return the sphere as users without Numba write it."""
    return float(np.dot(x, x))


def seconds_per_call(objective: str, dimension: int, n: int) -> float:
    """Time the objective alone on four points that stay in the cache: compiled loop or Python loop."""
    X, out = np.random.default_rng(0).random((4, dimension)), np.empty(4)
    started = time.perf_counter()
    if objective == "compiled":
        _loop(X, n, out)
    else:
        rows = list(X)
        for r in range(n):
            plain_sphere(rows[r % 4])
    return (time.perf_counter() - started) / n


def run(who: str, fun: Callable[..., float], dimension: int, evaluations: int, seed: int) -> float:
    """Run once and return the seconds."""
    box = ter.box(-5, 5, dimension=dimension)
    started = time.perf_counter()
    if who in ("default", "ter"):
        ter.algorithm(who).minimize(ter.Problem(fun, box), budget=evaluations, rng=seed)
    else:
        ter.minimize(fun, box, budget=evaluations, rng=seed, heuristics=[who])
    return time.perf_counter() - started


def measure(who: str, objective: str, dimension: int, evaluations: int, repeats: int) -> Figure:
    """Measure the run and the objective alone in turn, and take medians of both."""
    fun: Callable[..., float] = _SHARED if objective == "compiled" else plain_sphere
    whole, own = [], []
    for seed in range(repeats):
        own.append(seconds_per_call(objective, dimension, evaluations))
        whole.append(run(who, fun, dimension, evaluations, seed) / evaluations)
    return Figure(who, objective, dimension, evaluations, 1e6 * statistics.median(whole), 1e6 * statistics.median(own))


_SHARED = compiled_sphere()


def warm_up() -> None:
    """Compile everything, untimed."""
    seconds_per_call("compiled", 10, 10)
    for fun in (_SHARED, plain_sphere):
        for who in WHO:
            run(who, fun, 10, 3_000, 0)


def headline() -> tuple[str, list[Figure]]:
    """Measure whole runs at D = 1000."""
    figures, rows = [], []
    for objective in ("compiled", "plain Python"):
        for who in WHO:
            one = measure(who, objective, HEADLINE, EVALUATIONS, 3)
            figures.append(one)
            rows.append([LABELS[who], objective, f"{one.whole:.2f}", f"{one.own:.2f}", f"{one.beyond:.2f}"])
            print(f"{LABELS[who]:22} {objective:13} {one.beyond:8.2f} us beyond {one.own:.2f} us", flush=True)
    return table(["run", "objective", "whole", "objective alone", "beyond"], rows), figures


def growth() -> tuple[str, list[Figure]]:
    """Measure how the overhead grows with D, at equal evaluations."""
    figures, rows = [], []
    for objective in ("compiled", "plain Python"):
        for who in ("default", "ls1", "cc", "gs"):
            own = [measure(who, objective, d, GROWTH_EVALUATIONS, 1 if d > 10_000 else 3) for d in GROWTH]
            figures += own
            first = own[0]
            cells = [f"{one.beyond:.1f}" for one in own]
            ratios = [f"{one.beyond / first.beyond / (one.dimension / first.dimension):.2f}" for one in own[1:]]
            rows.append([LABELS[who], objective, *cells, *ratios])
            print(f"{LABELS[who]:22} {objective:13} {' '.join(cells)} us; relative to D {' '.join(ratios)}", flush=True)
    head = ["run", "objective", *[f"D = {d}" for d in GROWTH], *[f"growth to {d} / growth of D" for d in GROWTH[1:]]]
    return table(head, rows), figures


LABELS = {
    "default": "default profile",
    "ter": "the paper's profile",
    "ls1": "LS1 alone",
    "cc": "CC alone",
    "gs": "SHADE alone",
}


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    warm_up()
    first, figures = headline()
    second, more = growth()
    text = (
        f"Microseconds per evaluation on the sphere, D = {HEADLINE}, {EVALUATIONS} evaluations, medians of 3 runs.\n\n"
        f"{first}\n\nMicroseconds per evaluation beyond the objective, {GROWTH_EVALUATIONS} evaluations at each D. "
        f"A growth of 1 means: proportional to D.\n\n{second}"
    )
    print(f"\n{text}\n")
    save(
        "overhead",
        "Overhead per evaluation",
        text,
        [asdict(figure) | {"beyond": figure.beyond} for figure in figures + more],
    )
