"""The gallery of problems: time of an evaluation and of a move, and solutions with their pictures.

``python -m bench.problems`` prints the times. ``python -m bench.problems solve [NAME ...]`` runs :func:`ter.minimize`
on the problems, prints what it found and paints it into ``docs/pictures/problems``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numba
import numpy as np

import ter
from bench.report import table

__all__ = ["main", "solve", "times"]

PICTURES = Path(__file__).parent.parent / "docs" / "pictures" / "problems"
BUDGETS = {
    "digits": 300_000,
    "lennard-jones": 1_000_000,
    "deblurring": 2_000_000,
    "dispatch": 2_000_000,
    "trajectory": 2_000_000,
}
SHAPES = {"deblurring": (9.0, 3.2), "digits": (7.6, 4.2)}  # of the pictures, in inches
SEED = 1
MEASURES = {
    "accuracy": "{:.1%} of the test digits",
    "psnr": "{:.1f} dB",
    "violation": "violation {:.1f} MW",
    "clearance": "clearance {:+.3f}",
}


def fastest(call: Callable[[int], object], seconds: float = 1.0) -> float:
    """Return the least time of the processor per repetition of ``call(n)``, in microseconds."""
    call(1)
    started = time.process_time()
    call(10)
    n = max(10, int(10 * 0.02 / (time.process_time() - started)))
    best, end = np.inf, time.process_time() + seconds
    while time.process_time() < end:
        started = time.process_time()
        call(n)
        best = min(best, (time.process_time() - started) / n)
    return 1e6 * float(best)


def times(name: str) -> tuple[float, float]:
    """Return the microseconds of a full evaluation and of a move of one coordinate, averaged over coordinates."""
    problem = ter.problem(name)
    objective = problem.fun
    value, move = objective.value, objective.move

    @numba.njit(error_model="numpy")
    def evaluate(n, x, floats, ints):
        total = 0.0
        for _ in range(n):
            total += value(x, floats, ints)
        return total

    @numba.njit(error_model="numpy")
    def try_moves(n, x, memory, floats, ints, targets):
        where = np.zeros(1, dtype=np.int64)
        total = 0.0
        for k in range(n):
            where[0] = (7919 * k) % x.shape[0]
            total += move(x, memory, floats, ints, where, targets[where[0] : where[0] + 1])
        return total

    rng = np.random.default_rng(SEED)
    x, targets = rng.uniform(problem.lower, problem.upper, (2, problem.dimension))
    memory = np.zeros(objective.memory)
    objective.start(x, memory, *objective.data)
    full = fastest(lambda n: evaluate(n, x, *objective.data))
    return full, fastest(lambda n: try_moves(n * 100, x, memory, *objective.data, targets)) / 100


def solve(name: str) -> list[str]:
    """Run on one problem, paint the solution, and return a row for the table."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    problem = ter.problem(name)
    result = ter.minimize(problem, budget=BUDGETS[name], rng=SEED)
    figure = Figure(figsize=SHAPES.get(name, (6.4, 5.0)), dpi=75, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    problem.draw(result.x, figure.subplots())
    PICTURES.mkdir(parents=True, exist_ok=True)
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)  # small files
    measured = [text.format(problem.facts[fact](result.x)) for fact, text in MEASURES.items() if fact in problem.facts]
    shares = ", ".join(f"{result.sequence.count(member)} {member}" for member in result.heuristics)
    return [f"`{name}`", f"{result.nfev:,}", f"{result.fun:.6g}", "; ".join(measured) or "-", shares]


def main(arguments: Sequence[str] = ()) -> None:
    """Print the times, or solve."""
    if arguments and arguments[0] == "solve":
        rows = [solve(name) for name in arguments[1:] or BUDGETS]
        print(table(["problem", "evaluations", "best value", "that is", "actions"], rows))
        return
    rows = []
    for name in arguments or BUDGETS:
        full, move = times(name)
        rows.append([f"`{name}`", str(ter.problem(name).dimension), f"{full:.1f}", f"{move:.2f}", f"{full / move:.0f}"])
    print(table(["problem", "D", "evaluation, us", "move, us", "ratio"], rows))


if __name__ == "__main__":
    main(sys.argv[1:])
