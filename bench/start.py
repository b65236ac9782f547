"""How long ``import ter`` takes in a fresh process, what it brings in, and how long a machine's first calls take."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from bench.report import save, table

__all__ = ["main"]

REPEATS = 9
STATEMENTS = ("pass", "import numpy", "import ter", "import ter; ter.minimize", "import scipy.optimize")
CALLS = {  # with 3000 evaluations, a run in 30 variables is a long one
    "a Python function": "lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=1000)",
    "the same in 30 variables": "lambda x: float((x * x).sum()), ter.box(-5, 5, dimension=30)",
    "a Numba function": "numba.njit(lambda x: (x * x).sum()), ter.box(-5, 5, dimension=1000)",
    "`lso13/f4`": "ter.problem('lso13/f4')",
    "`lso08/f3`": "ter.problem('lso08/f3')",
}
WATCHED = ("numpy", "scipy", "numba", "matplotlib", "rich", "sklearn", "loky", "jinja2", "plotly")


def seconds(statement: str) -> list[float]:
    """Time fresh processes; the first, cold one is left out."""
    times = []
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        times.append(time.perf_counter() - started)
    return times[1:]


def first_calls(code: str) -> tuple[float, float]:
    """Measure a call in a process that finds nothing compiled, and again in one that does: processor seconds of all
    that it takes, which depend little on what else the machine has to do.
    """
    times = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        for _ in range(2):
            before = os.times()
            subprocess.run([sys.executable, "-c", code], check=True, env=environment)
            after = os.times()
            times.append(sum(after[2:4]) - sum(before[2:4]))
    return times[0], times[1]


def imported() -> list[str]:
    """Return the packages worth watching that ``import ter`` brings in."""
    code = "import sys, json, ter; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [name for name in json.loads(done.stdout) if name in WATCHED]


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, print, save."""
    rows, figures = [], []
    for statement in STATEMENTS:
        times = seconds(statement)
        best, median = 1e3 * min(times), 1e3 * statistics.median(times)
        rows.append([f"`{statement}`", f"{best:.0f}", f"{median:.0f}"])
        figures.append({"statement": statement, "best_ms": best, "median_ms": median})
    calls = []
    for what, arguments in CALLS.items():
        first, second = first_calls(f"import numba, ter; ter.minimize({arguments}, budget=3_000, rng=1)")
        calls.append([what, f"{first:.1f}", f"{second:.2f}"])
    brought = imported()
    text = f"Milliseconds of `python -c ...`, {REPEATS} warm runs.\n\n" + table(["statement", "best", "median"], rows)
    text += f"\n\nOf {', '.join(WATCHED)}, `import ter` imports: {', '.join(brought) or 'none'}."
    text += "\n\nProcessor seconds of a whole process that calls `ter.minimize` with 3000 evaluations, when nothing is "
    text += "compiled yet on the machine, and when everything is.\n\n"
    text += table(["first call of", "at first", "later"], calls)
    print(f"{text}\n")
    save("start", "Start-up time", text, {"times": figures, "imports": brought, "calls": calls})
