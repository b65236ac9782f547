"""Peak memory and time of each heuristic at very large dimensions, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import ter
from bench.overhead import compiled_sphere
from bench.report import save, table
from ter.core.profile import Profile
from ter.heuristics import portfolio
from ter.run.run import run_profile
from ter.run.settings import Settings
from ter.schedulers import Only

__all__ = ["main"]

DIMENSIONS = (100_000, 1_000_000)
HEURISTICS = ("ls1", "cc", "gs")
EVALUATIONS = 2_000


def memory_bytes(field: str) -> int:
    """Return a size of this process as the Linux kernel tells it: VmRSS is resident now, VmHWM the peak."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    raise OSError(f"the system does not tell {field}")


def forget_peak() -> None:
    """Begin a new peak: compiling leaves one of its own behind."""
    Path("/proc/self/clear_refs").write_text("5")


def run(heuristic: str, objective: ter.CompiledObjective, dimension: int) -> None:
    """Spend all evaluations in one initiation, so that populations and archives fill up."""
    problem = ter.Problem(objective, ter.box(-5, 5, dimension=dimension))
    profile = Profile(heuristics=portfolio([heuristic]), scheduler=Only(heuristic), start_points=10)
    run_profile(problem, profile, ter.Budget(EVALUATIONS), Settings(), rng=1)


def one(heuristic: str, dimension: int) -> dict[str, float]:
    """Run one heuristic here; the run at D = 10 compiles and leaves the baseline."""
    objective = compiled_sphere()
    run(heuristic, objective, 10)
    forget_peak()
    baseline = memory_bytes("VmRSS")
    started = time.perf_counter()
    run(heuristic, objective, dimension)
    return {"bytes": memory_bytes("VmHWM") - baseline, "seconds": time.perf_counter() - started}


def main(arguments: Sequence[str] = ()) -> None:
    """Measure in subprocesses, print, save; with two arguments run one heuristic here and print JSON."""
    if arguments:
        print(json.dumps(one(arguments[0], int(arguments[1]))))
        return
    rows, figures = [], []
    for dimension in DIMENSIONS:
        for heuristic in HEURISTICS:
            command = [sys.executable, "-m", "bench", "memory", heuristic, str(dimension)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            figure = json.loads(done.stdout)
            gigabytes = figure["bytes"] / 1e9
            rows.append([heuristic, str(dimension), f"{gigabytes:.2f}", f"{figure['seconds']:.1f}"])
            figures.append({"heuristic": heuristic, "dimension": dimension, **figure})
            print(f"{heuristic:4} D = {dimension:8} {gigabytes:6.2f} GB {figure['seconds']:6.1f} s", flush=True)
    text = (
        f"{EVALUATIONS} evaluations of the compiled sphere; peak resident memory beyond what a process holds after a "
        "run at D = 10.\n\n" + table(["heuristic", "D", "GB", "seconds"], rows)
    )
    print(f"\n{text}\n")
    save("memory", "Memory at large dimensions", text, figures)
