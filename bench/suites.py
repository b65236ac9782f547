"""The benchmark suites: evaluations and moves beside the official C++ code, whole runs, large dimensions, start-up.

``python -m bench suites`` measures everything, ``python -m bench suites moves sizes`` only what is named; the results
of the other parts stay as they are. With ``--quick`` everything is shorter, and nothing is saved.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

import numba
import numpy as np

import ter
from bench.official import Official, is_there
from bench.parts import NUMBERS, Effort, Part, measure_parts
from bench.report import table
from bench.timing import geometric_mean, in_turn, timed
from ter.objectives.addresses import move_at, moves_at, start_at, value_at

__all__ = ["main", "whole_runs"]

POINTS = 8  # all stay in the processor's cache
BATCH = 100
GROUP = 50
GROUPS = 500
CANDIDATES = 16  # moves of one group that are evaluated together, as in a generation of CC
SIZES = (1_000, 10_000, 100_000)
SEED = 1
MISSING = (
    "The official C++ code is not installed (`python -m tools.build_reference` does it), so this was not measured."
)


@numba.njit(error_model="numpy")
def _values(n, addresses, floats, ints, X):
    value = value_at(addresses)
    total = 0.0
    for k in range(n):
        total += value(X[k % X.shape[0]], floats, ints)
    return total


@numba.njit(error_model="numpy")
def _start(addresses, floats, ints, x, memory):
    start = start_at(addresses)
    start(x, memory, floats, ints)


@numba.njit(error_model="numpy")
def _group_moves(n, addresses, floats, ints, x, memory, coordinates, values, out):
    moves = moves_at(addresses)
    total = 0.0
    for k in range(-(-n // CANDIDATES)):
        row = k % coordinates.shape[0]
        moves(x, memory, floats, ints, coordinates[row], values[row], out)
        total += out[0]
    return total


@numba.njit(error_model="numpy")
def _moves(n, addresses, floats, ints, x, memory, coordinates, values):
    move = move_at(addresses)
    total = 0.0
    for k in range(n):
        row = k % coordinates.shape[0]
        total += move(x, memory, floats, ints, coordinates[row], values[row])
    return total


def _points(problem: ter.Problem, n: int) -> np.ndarray:
    return np.random.default_rng(SEED).uniform(problem.lower, problem.upper, (n, problem.dimension))


def full_clock(problem: ter.Problem) -> Callable[[int], float]:
    """Return a clock for full evaluations inside compiled code."""
    X = _points(problem, POINTS)
    return timed(lambda n: _values(n, problem.fun.functions.addresses, *problem.fun.data, X))


def _started(problem: ter.Problem) -> tuple[np.ndarray, np.ndarray]:
    objective = problem.fun
    x, memory = _points(problem, 1)[0], np.zeros(objective.memory)
    _start(objective.functions.addresses, *objective.data, x, memory)
    return x, memory


def move_clock(problem: ter.Problem, coordinates: np.ndarray) -> Callable[[int], float]:
    """Return a clock for moves inside compiled code; each row of coordinates is a move, and they are taken in turn."""
    addresses, data, (x, memory) = problem.fun.functions.addresses, problem.fun.data, _started(problem)
    values = np.random.default_rng(SEED).uniform(problem.lower[coordinates], problem.upper[coordinates])
    return timed(lambda n: _moves(n, addresses, *data, x, memory, coordinates, values))


def group_clock(problem: ter.Problem, groups: np.ndarray) -> Callable[[int], float]:
    """Return a clock for moves of groups of coordinates, several moves of one group together."""
    addresses, data, (x, memory) = problem.fun.functions.addresses, problem.fun.data, _started(problem)
    shape = (len(groups), CANDIDATES, groups.shape[1])
    values = np.random.default_rng(SEED).uniform(problem.lower[0], problem.upper[0], shape)
    out = np.empty(CANDIDATES)
    return timed(lambda n: _group_moves(n, addresses, *data, x, memory, groups, values, out))


def in_order(dimension: int) -> np.ndarray:
    """Return a sweep: every coordinate once."""
    return np.arange(dimension)[:, None]


def at_random(dimension: int) -> np.ndarray:
    """Return every coordinate once, in random order."""
    return np.random.default_rng(SEED).permutation(dimension)[:, None]


def in_groups(dimension: int) -> np.ndarray:
    """Return random groups."""
    rng = np.random.default_rng(SEED)
    return np.array([rng.choice(dimension, GROUP, replace=False) for _ in range(GROUPS)])


def evaluations(effort: Effort) -> Part:
    """Full evaluations: official, from Python, inside compiled code, and in batches."""
    title = "Full evaluations of LSO13"
    if not is_there():
        return Part(title, MISSING, [])
    rows, figures, version = [], [], ""
    for number in NUMBERS:
        problem = ter.problem(f"lso13/f{number}")
        X, batch = _points(problem, POINTS), _points(problem, BATCH)
        points = list(X)
        with Official(number, X) as official:
            version = official.version
            clocks = {
                "official": official,
                "python": timed(lambda n, f=problem, p=points: [f(p[k % POINTS]) for k in range(n)]),
                "compiled": full_clock(problem),
                "batch": timed(lambda n, f=problem, b=batch: [f(b) for _ in range(n)]),
            }
            own = in_turn(clocks, effort.rounds)
        own["batch"] /= BATCH
        figures.append({"function": number} | own)
        ratios = [own["official"] / own["python"], own["official"] / own["compiled"], own["python"] / own["batch"]]
        rows.append([f"f{number}", *(f"{own[key]:.2f}" for key in clocks), *(f"{ratio:.2f}" for ratio in ratios)])
        print(f"evaluations f{number}: {own}", flush=True)
    text = (
        f"Microseconds per point at {POINTS} random points: the official C++ ({version}) called from Python, "
        f"`problem(x)` from Python, the same inside compiled code, and `problem(X)` with {BATCH} rows.\n\n"
    )
    text += table(
        [
            "f",
            "official",
            "problem(x)",
            "compiled",
            "batch",
            "official / problem(x)",
            "official / compiled",
            "x / batch",
        ],
        rows,
    )
    for key, name in (("python", "problem(x)"), ("compiled", "compiled")):
        ratios = [own["official"] / own[key] for own in figures]
        text += f"\n\nOfficial / {name}: geometric mean {geometric_mean(ratios):.1f}, least {min(ratios):.2f}."
    return Part(title, text, figures)


def moves(effort: Effort) -> Part:
    """Moves of one coordinate and of a group, beside our own full evaluation."""
    rows, figures = [], []
    for number in NUMBERS:
        problem = ter.problem(f"lso13/f{number}")
        clocks = {
            "full": full_clock(problem),
            "one": move_clock(problem, at_random(problem.dimension)),
            "group": group_clock(problem, in_groups(problem.dimension)),
        }
        own = in_turn(clocks, effort.rounds)
        figures.append({"function": number} | own)
        ratios = [own["full"] / own["one"], own["full"] / own["group"]]
        rows.append([f"f{number}", *(f"{own[key]:.3f}" for key in clocks), *(f"{ratio:.1f}" for ratio in ratios)])
        print(f"moves f{number}: {own}", flush=True)
    about = (
        f"Microseconds inside compiled code; one random coordinate, or {GROUP} of them in {CANDIDATES} moves together."
    )
    text = f"{about}\n\n" + table(
        ["f", "full", "move of 1", f"move of {GROUP}", "full / move of 1", f"full / move of {GROUP}"], rows
    )
    first = [own["full"] / own["one"] for own in figures[:11]]
    text += f"\n\nFull / move of 1 on f1 to f11: geometric mean {geometric_mean(first):.0f}, least {min(first):.1f}."
    return Part("Moves on LSO13", text, figures)


def runs(effort: Effort) -> Part:
    """Whole runs of the paper's profile, beside the same number of official evaluations."""
    return whole_runs("ter", "the paper's profile", effort)


def whole_runs(name: str, about: str, effort: Effort) -> Part:
    """Whole runs of an algorithm, beside the same number of official evaluations."""
    title = "Whole runs on LSO13"
    if not is_there():
        return Part(title, MISSING, [])
    figures = [_whole_run(name, number, effort) for number in effort.numbers]
    rows = [
        [
            f"f{own['function']}",
            *(f"{own[key]:.1f}" for key in ("official", "seconds", "wall")),
            f"{own['official'] / own['seconds']:.1f}",
        ]
        for own in figures
    ]
    ratios = [own["official"] / own["seconds"] for own in figures]
    text = (
        f'Seconds of `ter.algorithm("{name}")` ({about}) with {effort.evaluations:,} evaluations, one run '
        f"each, beside {effort.evaluations:,} times one official evaluation.\n\n"
        + table(["f", "official evaluations alone", "whole run", "wall time", "ratio"], rows)
        + f"\n\nRatio: geometric mean {geometric_mean(ratios):.1f}, least {min(ratios):.2f}."
    )
    return Part(title, text, figures)


def _whole_run(name: str, number: int, effort: Effort) -> dict[str, float]:
    algorithm, problem = ter.algorithm(name), ter.problem(f"lso13/f{number}")
    with Official(number, _points(problem, POINTS)) as official:
        single = in_turn({"official": official}, effort.rounds)["official"]
    for heuristic in algorithm.make(problem.dimension, ter.Budget(evaluations=1)).heuristics:
        if hasattr(heuristic, "warm_up"):
            heuristic.warm_up(compiled=True)
    algorithm.minimize(problem, budget=1, rng=SEED)  # compiles the objective
    started, cpu_started = time.perf_counter(), time.process_time()
    result = algorithm.minimize(problem, budget=effort.evaluations, rng=SEED)
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    theirs = 1e-6 * single * effort.evaluations
    print(f"{name} f{number}: {cpu:.1f} s ({wall:.1f} s of wall time), official {theirs:.1f} s", flush=True)
    return {
        "function": number,
        "seconds": cpu,
        "wall": wall,
        "official": theirs,
        "value": result.fun,
        "nfev": result.nfev,
    }


def sizes(effort: Effort) -> Part:
    """Moves and full evaluations of LSO08 in large dimensions."""
    rows, figures = [], []
    for number in range(1, 7):
        own = []
        for dimension in SIZES:
            problem = ter.problem(f"lso08/f{number}", dimension=dimension)
            clocks = {
                "full": full_clock(problem),
                "random": move_clock(problem, at_random(dimension)),
                "in_order": move_clock(problem, in_order(dimension)),
            }
            own.append({"function": number, "dimension": dimension} | in_turn(clocks, effort.rounds))
            print(f"sizes: {own[-1]}", flush=True)
        figures += own
        cells = [[f"{one[key]:.3g}" for one in own] for key in ("random", "in_order", "full")]
        growth = [f"{own[-1][key] / own[0][key]:.2f}" for key in ("random", "in_order")]
        rows.append([f"f{number}", *(" / ".join(cell) for cell in cells), *growth])
    head = ["f", "move, random", "move, in order", "full", "growth, random", "growth, in order"]
    text = (
        f"Microseconds of a move of one coordinate and of a full evaluation inside compiled code, at D = "
        f"{' / '.join(f'{size:,}' for size in SIZES)}. Every coordinate has its turn, in random order or one after the "
        f"other. Growth is the time at D = {SIZES[-1]:,} over that at {SIZES[0]:,}; in random order some of it is the "
        "memory's, since what belongs to 100,000 variables does not fit into the processor's nearest caches.\n\n"
    )
    return Part("LSO08 in large dimensions", text + table(head, rows), figures)


def start_up(effort: Effort) -> Part:
    """The first start, which compiles everything, and later ones."""
    command = [sys.executable, "-m", "ter", "run", "lso13/f4", "--budget", "2000", "--seed", "1"]
    times = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(1 + effort.starts):
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=os.environ | {"NUMBA_CACHE_DIR": cache})
            times.append(time.perf_counter() - started)
            print(f"start: {times[-1]:.2f} s", flush=True)
    first, later = times[0], times[1:]
    text = (
        f"Wall time of `python -m ter run lso13/f4 --budget 2000 --seed 1`: {first:.1f} s with an empty cache; "
        f"afterwards {statistics.median(later):.2f} s (median of {len(later)}), at least {min(later):.2f} s."
    )
    return Part("Start-up", text, {"first": first, "later": later})


PARTS = {"evaluations": evaluations, "moves": moves, "runs": runs, "sizes": sizes, "startup": start_up}


HOW = (
    "Times are seconds of the processor, except for start-up: the least of several measurements, in which all "
    "that is compared takes its turn. Whole runs are measured once."
)


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    measure_parts("suites", "Speed of the benchmark suites", HOW, PARTS, arguments)
