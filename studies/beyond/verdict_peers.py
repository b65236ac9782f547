"""Other programs on the problems of the verdict: ``python -m studies.beyond.verdict_peers [SEEDS]``.

Each run has 100 evaluations per variable (30 on the large part), never more. Its best values after 30 and 100 per
variable are written as soon as it ends, so the command can be ended and repeated. No peer is told how long its run is,
so the value after 30 is that of a run of 30. The start is a uniform point, the same for all with the same seed;
evolution strategies begin with a step of 0.3 of the range. What lies outside the box is evaluated where it is mirrored
to. Who converges begins again at a random point. A run is cut after four minutes of the processor; its last row says
how many evaluations it had. The environment is that of the benches: ``make .venv-bench/.ready``.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import ter
from bench.solvers import SOLVERS, Counted, Enough, Solver, run_solver
from studies.beyond.verdict_set import LARGE, VERDICT, Entry
from studies.kit.rows import read_rows

__all__ = ["COLUMNS", "FILE", "PEERS", "Row", "Watched", "read", "run"]

FILE = Path(__file__).with_name("peers-verdict.csv")
COLUMNS = ("problem", "D", "peer", "seed", "evaluations", "value", "seconds")
PER_VARIABLE, PER_VARIABLE_LARGE = (30, 100), (30,)
SECONDS = 240.0
FIRST_STEP = 0.3  # of the range
ENDLESS = 10**9
NOT_LARGE = ("powell (scipy)",)  # keeps as many directions as there are variables: 800 MB


@dataclass(frozen=True)
class Row:
    """The best value of a run after so many evaluations."""

    problem: str
    dimension: int
    peer: str
    seed: int
    evaluations: int
    value: float
    seconds: float

    @property
    def texts(self) -> tuple[str, ...]:
        """The row as it is written."""
        parts = (self.problem, self.dimension, self.peer, self.seed, self.evaluations, repr(self.value))
        return (*(str(part) for part in parts), f"{self.seconds:.1f}")


@dataclass
class Watched(Counted):
    """A function in its box that keeps the best value at each milestone, and ends whoever goes on after the last."""

    fun: Callable[[np.ndarray], float]
    lower: np.ndarray
    upper: np.ndarray
    milestones: tuple[int, ...]
    seconds: float = SECONDS
    kept: list[tuple[int, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(self.fun, self.milestones[-1])
        self.until = time.process_time() + self.seconds

    def __call__(self, x: np.ndarray, *_: object) -> float:
        """Evaluate a point, mirrored into the box."""
        if self.count % 100 == 0 and time.process_time() > self.until:
            raise Enough
        point = np.array(x, dtype=float)
        if (point < self.lower).any() or (point > self.upper).any():
            width = self.upper - self.lower
            point = self.lower + width - np.abs((point - self.lower) % (2.0 * width) - width)
        value = float(super().__call__(point))
        if self.count in self.milestones:
            self.kept.append((self.count, self.best))
        return value

    @property
    def ends(self) -> list[tuple[int, float]]:
        """Evaluations and best values at the milestones, the last ones where the run was cut if it was."""
        return self.kept if len(self.kept) == len(self.milestones) else [*self.kept, (self.count, self.best)]


Run = Callable[[Counted, np.ndarray, np.ndarray, int, int], Any]


def _starts(lower: np.ndarray, upper: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    while True:
        yield rng.uniform(lower, upper)


def _pycma(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    import cma

    options = {"bounds": [lower[0], upper[0]], "seed": seed, "verbose": -9, "CMA_diagonal": True}
    for x0 in _starts(lower, upper, seed):
        cma.fmin2(fun, x0, FIRST_STEP * float(upper[0] - lower[0]), options, restarts=9)


def _pypop7(module: str, name: str) -> Run:
    def solve(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
        solver = getattr(__import__(f"pypop7.optimizers.es.{module}", fromlist=[name]), name)
        problem = {
            "fitness_function": fun,
            "ndim_problem": lower.size,
            "lower_boundary": lower,
            "upper_boundary": upper,
        }
        options = {
            "max_function_evaluations": ENDLESS,
            "seed_rng": seed,
            "mean": next(_starts(lower, upper, seed)),
            "sigma": FIRST_STEP * float(upper[0] - lower[0]),
            "verbose": 0,
            "saving_fitness": 0,
        }
        solver(problem, options).optimize()

    return solve


def _scipy(method: str, options: dict[str, int]) -> Run:
    def solve(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
        from scipy.optimize import minimize

        for x0 in _starts(lower, upper, seed):
            minimize(fun, x0, bounds=np.column_stack([lower, upper]), method=method, options=options)

    return solve


def _annealing(fun: Counted, lower: np.ndarray, upper: np.ndarray, budget: int, seed: int) -> None:
    SOLVERS["scipy-annealing"].run(fun, lower, upper, ENDLESS, seed)


# In the order in which they are run, the fast ones first.
PEERS: dict[str, Solver | str] = {
    "l-bfgs-b (scipy)": Solver("", "scipy", _scipy("L-BFGS-B", {"maxfun": ENDLESS, "maxiter": ENDLESS})),
    "shade-ils (ter)": "shade-ils",
    "mos (ter)": "mos",
    "r1-es (pypop7)": Solver("", "pypop7", _pypop7("r1es", "R1ES")),
    "mmes (pypop7)": Solver("", "pypop7", _pypop7("mmes", "MMES")),
    "powell (scipy)": Solver("", "scipy", _scipy("Powell", {"maxfev": ENDLESS, "maxiter": ENDLESS})),
    "sade (pygmo)": SOLVERS["pygmo-sade"],
    "dual annealing (scipy)": Solver("", "scipy", _annealing),
    "lm-ma-es (pypop7)": Solver("", "pypop7", _pypop7("lmmaes", "LMMAES")),
    "sep-cma-es (pycma)": Solver("", "cma", _pycma),
}


def run(entry: Entry, problem: ter.Problem, peer: str, seed: int, milestones: tuple[int, ...]) -> list[Row]:
    """Do one run; one row for each milestone."""
    solver, started = PEERS[peer], time.perf_counter()
    if isinstance(solver, str):
        result = ter.algorithm(solver).minimize(problem, budget=milestones[-1], rng=seed)
        curve = np.asarray(result.curve)
        ends = [(m, float(curve[np.searchsorted(curve[:, 0], m, side="right") - 1, 1])) for m in milestones]
    else:
        watched = Watched(problem, problem.lower, problem.upper, milestones)
        run_solver(solver, watched, problem.lower, problem.upper, seed)
        ends = watched.ends
    seconds = time.perf_counter() - started
    return [Row(entry.name, entry.dimension, peer, seed, count, value, seconds) for count, value in ends]


def read(path: Path = FILE) -> list[Row]:
    """Return the rows of a file; none if there is no file."""
    return [
        Row(
            r["problem"],
            int(r["D"]),
            r["peer"],
            int(r["seed"]),
            int(r["evaluations"]),
            float(r["value"]),
            float(r["seconds"]),
        )
        for r in (read_rows(path) if path.exists() else [])
    ]


def _jobs(seeds: int) -> Iterator[tuple[Entry, str, int, tuple[int, ...]]]:
    """Yield what is to be run: the large part after the first seed of all others."""
    for seed in range(1, seeds + 1):
        for peer in PEERS:
            for entry in VERDICT:
                yield entry, peer, seed, PER_VARIABLE
        for peer in PEERS:
            for entry in LARGE:
                if peer not in NOT_LARGE and seed == 1:
                    yield entry, peer, seed, PER_VARIABLE_LARGE


def main(seeds: int) -> None:
    """Do the runs that the file has not got."""
    done = {(row.problem, row.dimension, row.peer, row.seed) for row in read()}
    problems: dict[Entry, ter.Problem] = {}
    if not FILE.exists():
        FILE.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    for entry, peer, seed, per_variable in _jobs(seeds):
        if (entry.name, entry.dimension, peer, seed) in done:
            continue
        problem = problems.setdefault(entry, entry.problem())
        rows = run(entry, problem, peer, seed, tuple(m * entry.dimension for m in per_variable))
        with FILE.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(row.texts for row in rows)
        print(*rows[-1].texts, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
