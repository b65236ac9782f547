"""What a checkpoint costs, and how long it takes to resume: ``python -m bench checkpoint [EVALUATIONS]``.

Times are seconds of the processor, the least of several rounds in which runs with and without a checkpoint take turns;
the time that a disk takes to keep what it was given comes on top, and is shown as seconds on the wall.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

import ter
from bench.report import save, table

__all__ = ["main"]

ROUNDS = 5
SLOW = 100e-6  # seconds of the objective in Python
SLOW_EVALUATIONS = 20_000
DIMENSION = 1000
COMPILED = 3_000_000
PROBLEM = "lso13/f1"


@numba.njit(error_model="numpy")
def _work(x: np.ndarray, turns: int) -> float:
    total = 0.0
    for _ in range(turns):
        for i in range(x.shape[0]):
            total += x[i] * x[i]
    return total / max(1, turns)


def slow_objective() -> Callable[[np.ndarray], float]:
    """Return a Python function that takes as long as it should, and always the same work."""
    x, turns = np.ones(DIMENSION), 8
    _work(x, turns)
    while True:
        times = []
        for _ in range(200):
            started = time.perf_counter()
            _work(x, turns)
            times.append(time.perf_counter() - started)
        if min(times) >= SLOW:
            break
        turns = math.ceil(turns * min(4.0, 1.05 * SLOW / min(times)))

    def slow(point: np.ndarray) -> float:
        return _work(point, turns)

    return slow


def measured(run: Callable[[Path | None], ter.Result], rounds: int) -> dict[str, tuple[float, float]]:
    """Return the seconds (processor, wall) without and with a checkpoint, the least over the rounds."""
    least: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        for name in ("without", "with"):
            with tempfile.TemporaryDirectory() as folder:
                cpu, wall = time.process_time(), time.perf_counter()
                run(Path(folder) if name == "with" else None)
                new = (time.process_time() - cpu, time.perf_counter() - wall)
            old = least.get(name, (math.inf, math.inf))
            least[name] = (min(old[0], new[0]), min(old[1], new[1]))
    return least


def main(arguments: list[str]) -> None:
    """Measure, print and save."""
    evaluations = int(float(arguments[0])) if arguments else COMPILED
    slow, problem = slow_objective(), ter.problem(PROBLEM)
    box = ter.box(-5, 5, dimension=DIMENSION)
    runs = {
        f"Python, {1e6 * SLOW:.0f} µs per evaluation, D = {DIMENSION}": (
            lambda folder: ter.minimize(slow, box, budget=SLOW_EVALUATIONS, rng=1, checkpoint=folder),
            ROUNDS,
        ),
        f"compiled, {PROBLEM}, {evaluations} evaluations": (
            lambda folder: ter.algorithm("ter").minimize(problem, budget=evaluations, rng=1, checkpoint=folder),
            2,
        ),
    }
    rows, figures = [], {}
    for name, (run, rounds) in runs.items():
        if rounds == ROUNDS:
            run(None)  # compiles
        times = measured(run, rounds)
        more = times["with"][0] / times["without"][0] - 1
        rows.append([name, *(f"{s:.2f}" for s in (*times["without"], *times["with"])), f"{100 * more:.1f} %"])
        figures[name] = {"without": times["without"], "with": times["with"], "overhead": more}
    head = ["run", "without, CPU s", "wall s", "with, CPU s", "wall s", "overhead (CPU)"]
    text, resumed = resume_times(problem, evaluations)
    text = f"{table(head, rows)}\n\n{text}"
    print(text)
    save("checkpoint", "Checkpoints", text, {"runs": figures, "resume": resumed})


def resume_times(problem: ter.Problem, evaluations: int) -> tuple[str, dict[str, float]]:
    """Measure how long it takes until a run of that length goes on."""
    with tempfile.TemporaryDirectory() as folder:
        ter.algorithm("ter").minimize(problem, budget=evaluations, rng=1, checkpoint=folder)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        started = time.perf_counter()
        ter.resume(folder)
        over = time.perf_counter() - started
        started = time.perf_counter()
        ter.resume(folder, budget=evaluations + 1_000)
        more = time.perf_counter() - started
    text = (
        f"After {evaluations} evaluations on {PROBLEM} the folder has {size / 2**20:.1f} MiB. Resuming the finished "
        f"run took {over:.2f} s on the wall, and with 1000 evaluations more {more:.2f} s."
    )
    return text, {"finished": over, "extended": more, "bytes": size}
