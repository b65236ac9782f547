"""Run the first look: TER and its parts on the suites of the paper, with the paper's profile.

    python studies/first-look/run.py --workers 2

Each finished run is appended to ``runs.csv`` at once. Starting again goes on with what is missing; a run counts as
missing if the code that decides about its numbers has changed since. ``report.py`` turns the rows into a text.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import loky
from rows import ROOT, RUNS, Row, Task, append, fingerprint, newest, read
from threadpoolctl import threadpool_limits

LSO13_BUDGET, LSO08_BUDGET = 3_000_000, 5_000_000
BASELINES = ("ls", "cc", "gs", "ran")
BASELINE_FUNCTIONS = (1, 2, 4, 7, 12, 15)
LETTERS = {"ls1": "L", "cc": "C", "gs": "G"}


def plan(scale: float = 1.0) -> list[Task]:
    """Return all runs, seed by seed, so that every function is seen early. Seeds are the same for all algorithms."""
    lso13, lso08 = int(scale * LSO13_BUDGET), int(scale * LSO08_BUDGET)
    tasks = [Task("lso13-raw", f, "ter", seed, lso13) for f in range(1, 16) for seed in range(1, 6)]
    tasks += [Task("lso13-raw", f, a, seed, lso13) for a in BASELINES for f in BASELINE_FUNCTIONS for seed in (1, 2)]
    # Without the bias of hundreds that the competition adds, errors below its rounding stay visible.
    tasks += [Task("lso08-unbiased", f, "ter", seed, lso08) for f in range(1, 7) for seed in (1, 2, 3)]
    return sorted(tasks, key=lambda task: task.seed)  # stable: within a seed the order above


def perform(task: Task, code: str) -> Row:
    """Do one run; everything is compiled before the clocks start."""
    if fingerprint() != code:  # of what this process is about to import, or has imported
        raise RuntimeError("the sources changed after the study was started; start it again")
    import ter

    problem = ter.problem(f"{task.suite}/f{task.function}")
    algorithm = ter.algorithm(task.algorithm)
    with threadpool_limits(1):
        algorithm.minimize(problem, budget=1, rng=0)
        started, cpu_started = time.perf_counter(), time.process_time()
        result = algorithm.minimize(problem, budget=task.budget, rng=task.seed)
        seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    if not result.success:
        raise RuntimeError(f"{task}: {result.message}")
    used = {name: sum(a.nfev for a in result.actions if a.heuristic == name) for name in LETTERS}
    shares = [round(100 * used[name] / max(1, sum(used.values())), 2) for name in LETTERS]
    return Row(
        task.suite,
        task.function,
        task.algorithm,
        task.seed,
        task.budget,
        value=float(result.fun),
        start=float(result.actions[0].before),
        evaluations=result.nfev,
        seconds=round(seconds, 3),
        cpu_seconds=round(cpu_seconds, 3),
        decisions=result.nit,
        share_ls=shares[0],
        share_cc=shares[1],
        share_gs=shares[2],
        sequence="".join(LETTERS[name] for name in result.sequence),
        ter=ter.__version__,
        fingerprint=code,
    )


def performed(tasks: Sequence[Task], workers: int, code: str) -> Iterator[Row]:
    """Yield rows as runs finish, each run in one process; workers are killed when the caller stops early."""
    executor = loky.ProcessPoolExecutor(max_workers=workers)
    finished = False
    try:
        first = Task("lso13-raw", 1, "ter", 0, 200)
        executor.submit(perform, first, code).result()  # one process compiles, the others read its cache
        for future in loky.as_completed([executor.submit(perform, task, code) for task in tasks]):
            yield future.result()
        finished = True
    finally:
        executor.shutdown(kill_workers=not finished)


def _wanted(task: Task, options: argparse.Namespace) -> bool:
    named = not options.functions or f"{task.suite}/f{task.function}" in options.functions
    return named and (not options.algorithms or task.algorithm in options.algorithms)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run what is missing of the study.")
    parser.add_argument("--workers", type=int, default=1, help="processes, one run each (default 1)")
    parser.add_argument("--runs", type=Path, default=RUNS, help="the file of rows (default: beside this script)")
    parser.add_argument("--functions", nargs="+", metavar="NAME", help="only these, such as lso13-raw/f4")
    parser.add_argument("--algorithms", nargs="+", metavar="NAME", help="only these, such as ter ls")
    parser.add_argument("--budget-scale", type=float, default=1.0, help="multiply all budgets, to try the script")
    parser.add_argument("--fresh", action="store_true", help="run also what is there already")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing and return the exit status."""
    options = _options(arguments)
    code = fingerprint()
    # Numba does not notice when a helper in another file changes, so compiled code is kept by the sources' fingerprint.
    cache = Path(os.environ.get("NUMBA_CACHE_DIR", ROOT / ".cache" / "numba"))
    os.environ["NUMBA_CACHE_DIR"] = str(cache / f"study-{code}")
    wanted = [task for task in plan(options.budget_scale) if _wanted(task, options)]
    there = {row.task for row in newest(read(options.runs), code).values() if row.fingerprint == code}
    tasks = [task for task in wanted if options.fresh or task not in there]
    sys.stdout.write(f"{len(wanted)} runs, {len(tasks)} of them to do; code {code}\n")
    started = time.perf_counter()
    try:
        for done, row in enumerate(performed(tasks, options.workers, code) if tasks else (), start=1):
            append(row, options.runs)
            left = (time.perf_counter() - started) * (len(tasks) - done) / done
            sys.stdout.write(
                f"{done}/{len(tasks)} {row.suite}/f{row.function} {row.algorithm} seed {row.seed}: {row.value:.3e} "
                f"in {row.seconds:.1f} s; about {left / 60:.0f} min left\n"
            )
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stdout.write("stopped; start again to go on\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
