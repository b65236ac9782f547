"""How long ``import ter`` takes in a fresh process, and what it brings in."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from bench.report import save, table

__all__ = ["main"]

REPEATS = 9
STATEMENTS = ("pass", "import numpy", "import ter", "import ter; ter.minimize", "import scipy.optimize")
WATCHED = ("numpy", "scipy", "numba", "matplotlib", "rich", "sklearn", "loky", "jinja2", "plotly")


def seconds(statement: str) -> list[float]:
    """Time fresh processes; the first, cold one is left out."""
    times = []
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        times.append(time.perf_counter() - started)
    return times[1:]


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
    brought = imported()
    text = f"Milliseconds of `python -c ...`, {REPEATS} warm runs.\n\n" + table(["statement", "best", "median"], rows)
    text += f"\n\nOf {', '.join(WATCHED)}, `import ter` imports: {', '.join(brought) or 'none'}."
    print(f"{text}\n")
    save("start", "Start-up time", text, {"times": figures, "imports": brought})
