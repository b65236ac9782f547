"""Block objectives: moves beside full evaluations, the same function written by hand, whole runs, start-up."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from scipy.spatial import cKDTree

import ter
from bench.report import save, table
from bench.suites import at_random, full_clock, in_groups, in_order, move_clock
from bench.timing import in_turn, timed

__all__ = ["main"]

SIZES = (1_000, 10_000, 100_000)
ROUNDS = 15
RUN_SIZE, EVALUATIONS = 10_000, 50_000
STARTS = 5
REACH = 25.0  # longest distance measured


@numba.njit(cache=True)
def rosenbrock(z, k, data):
    """One link of Rosenbrock's function."""
    return 100.0 * (z[1] - z[0] * z[0]) ** 2 + (1.0 - z[0]) ** 2


@numba.njit(cache=True)
def rosenbrock_by_hand(x):
    """Rosenbrock's function as one loop."""
    total = 0.0
    for i in range(x.size - 1):
        total += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2
    return total


@numba.njit(cache=True)
def distance(z, k, data):
    """A measured distance between two sensors; `data` holds these only."""
    misfit = np.sqrt((z[0] - z[2]) ** 2 + (z[1] - z[3]) ** 2) - data[k]
    return np.log1p(misfit * misfit)


@numba.njit(cache=True)
def network_by_hand(x, pairs, lengths):
    """All measured distances as one loop."""
    total = 0.0
    for k in range(lengths.size):
        a, b = pairs[k]
        misfit = np.sqrt((x[2 * a] - x[2 * b]) ** 2 + (x[2 * a + 1] - x[2 * b + 1]) ** 2) - lengths[k]
        total += np.log1p(misfit * misfit)
    return total


@dataclass(frozen=True)
class Case:
    """An objective, and the same function written by hand."""

    name: str
    problem: ter.Problem
    by_hand: Callable[[np.ndarray], float]
    terms: float  # that a coordinate is in, on average


def chain(dimension: int) -> Case:
    """Rosenbrock's function: cheap terms of two variables."""
    groups = np.stack([np.arange(dimension - 1), np.arange(1, dimension)], axis=1)
    problem = ter.Problem(ter.BlockObjective(rosenbrock, groups), ter.box(-2, 2, dimension=dimension))
    return Case("chain", problem, rosenbrock_by_hand, groups.size / dimension)


def network(dimension: int) -> Case:
    """Positions of sensors from distances: each pair of neighbours is a term of four variables."""
    rng = np.random.default_rng(1)
    side = REACH * np.sqrt(dimension / 2 * np.pi / 10)  # ten neighbours for each
    places = rng.uniform(0, side, (dimension // 2, 2))
    pairs = cKDTree(places).query_pairs(REACH, output_type="ndarray")
    lengths = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    groups = np.stack([2 * pairs[:, 0], 2 * pairs[:, 0] + 1, 2 * pairs[:, 1], 2 * pairs[:, 1] + 1], axis=1)

    @numba.njit
    def by_hand(x):
        return network_by_hand(x, pairs, lengths)

    objective = ter.BlockObjective(distance, groups, lengths)
    problem = ter.Problem(objective, (places.ravel() - 20, places.ravel() + 20))
    return Case("network", problem, by_hand, groups.size / dimension)


@numba.njit
def _calls(n, function, X):
    total = 0.0
    for k in range(n):
        total += function(X[k % X.shape[0]])
    return total


def evaluations() -> tuple[str, list[dict[str, object]]]:
    """Full evaluations and moves at each size."""
    rows, figures = [], []
    for make in (chain, network):
        for dimension in SIZES:
            case = make(dimension)
            X = np.random.default_rng(2).uniform(case.problem.lower, case.problem.upper, (4, dimension))
            clocks = {
                "by_hand": timed(lambda n, f=case.by_hand, X=X: _calls(n, f, X)),
                "full": full_clock(case.problem),
                "random": move_clock(case.problem, at_random(dimension)),
                "in_order": move_clock(case.problem, in_order(dimension)),
                "group": move_clock(case.problem, in_groups(dimension)),
            }
            own = in_turn(clocks, ROUNDS)
            figures.append({"case": case.name, "dimension": dimension, "terms": case.terms} | own)
            ratios = [own["full"] / own[key] for key in ("random", "in_order", "group")]
            cells = [f"{own[key]:.4g}" for key in clocks] + [f"{ratio:.0f}" for ratio in ratios]
            rows.append([case.name, f"{dimension:,}", f"{case.terms:.1f}", *cells])
            print(f"{case.name} {dimension}: {own}", flush=True)
    head = ["objective", "D", "terms per variable", "full, by hand", "full", "move, random", "move, in order"]
    return table([*head, "move of 50", "full / random", "full / in order", "full / move of 50"], rows), figures


def runs() -> tuple[str, list[dict[str, object]]]:
    """Whole runs around the block objective and around the function written by hand."""
    rows, figures = [], []
    for make in (chain, network):
        case = make(RUN_SIZE)
        seconds = {}
        for name, fun in (("blocks", case.problem.fun), ("by hand", case.by_hand)):
            for budget in (2_000, EVALUATIONS):  # the first one compiles
                started = time.process_time()
                ter.minimize(fun, case.problem.box, budget=budget, rng=1, heuristics=["ls1", "cc"])
                seconds[name] = time.process_time() - started
        figures.append({"case": case.name} | seconds)
        ratio = seconds["by hand"] / seconds["blocks"]
        rows.append([case.name, *(f"{value:.2f}" for value in seconds.values()), f"{ratio:.0f}"])
        print(f"{case.name}: {seconds}", flush=True)
    return table(["objective", "as blocks", "by hand", "ratio"], rows), figures


PROGRAM = """
import numba, ter
@numba.njit(cache={cache})
def term(z, k, data):
    return (z[0] - z[1]) ** 2
f = ter.BlockObjective(term, [[0, 1], [1, 2]])
f.rows([[0.0, 1.0, 2.0]])
ter.minimize(f, ter.box(-1, 1, dimension=3), budget=100, rng=1, heuristics=["ls1"])
"""


def starts() -> tuple[str, dict[str, float]]:
    """Time new processes: with nothing compiled, and later, with the term cached and not."""
    times: dict[bool, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for cache in (False, True):
            script = Path(folder) / f"cached_{cache}.py"
            script.write_text(PROGRAM.format(cache=cache))
            times[cache] = [_child_seconds(script, folder) for _ in range(1 + STARTS)]
    first, plain, cached = times[False][0], statistics.median(times[False][1:]), statistics.median(times[True][1:])
    text = (
        f"Seconds of a program that makes a block objective and runs LS1 for 100 evaluations: {first:.1f} when nothing "
        f"was ever compiled, then {plain:.2f} (median of {STARTS}), or {cached:.2f} if the term is cached as well."
    )
    return text, {"first": first, "later": plain, "later_cached": cached}


def _child_seconds(script: Path, cache: str) -> float:
    """Run a program and return the seconds it took of the processor."""
    before = os.times()
    subprocess.run([sys.executable, script], check=True, env=os.environ | {"NUMBA_CACHE_DIR": cache})
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    before = os.getloadavg()[0]
    first, figures = evaluations()
    second, whole = runs()
    third, start = starts()
    text = (
        "All times are those of the processor. Microseconds inside compiled code, the least of several measurements. A "
        "chain is Rosenbrock's function; a network has a term for each pair of neighbouring sensors. Every coordinate "
        f"has its turn, in random order or one after the other.\n\n{first}\n\n"
        f"Seconds of runs of LS1 and CC with {EVALUATIONS:,} evaluations, D = {RUN_SIZE:,}.\n\n{second}\n\n{third}\n\n"
        f"Load of the machine (1 minute): {before:.1f} before, {os.getloadavg()[0]:.1f} after."
    )
    print(f"\n{text}\n")
    save("blocks", "Block objectives", text, {"evaluations": figures, "runs": whole, "starts": start})
