"""The default and its parts on the problems of the verdict.

python -m studies.beyond.verdict_ours 5          # five seeds, 30 and 100 evaluations per variable
python -m studies.beyond.verdict_ours --long     # one seed, 1000 and 3000: hours of one core

The default and each of its heuristics alone, with 30 and 100 evaluations per variable (30 on the large part); the
default with 2.5 times as many, which tells how late it is where its budget is not enough; and on a few problems for
tuning, with 100, the default without each heuristic and its heuristics under other schedulers.
Heuristics are those of the default as it is, with its settings; those that only its other portfolio has (that of short
or of long runs) run alone, too.

With 1000 and 3000 evaluations per variable only the regret is looked at: the default, and each heuristic alone for half
of the budget. Those runs are in a file of their own.

A run that ends is written at once. The file says which code did it, and runs of other code are done again, unless
``--any-code`` says that they may stay.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

import ter
from studies.beyond.regret import value_at
from studies.beyond.verdict_set import ABLATION, LARGE, VERDICT, Entry
from studies.kit.rows import read_rows
from ter.algorithms.profiles import INITIATIONS, chosen_profile, default_profile
from ter.core.heuristic import Heuristic
from ter.core.profile import Profile

__all__ = [
    "ALONE",
    "COLUMNS",
    "DEFAULT",
    "FILE",
    "LONG_FILE",
    "LONG_PER_VARIABLE",
    "OTHER_SCHEDULERS",
    "WITHOUT",
    "Row",
    "at_shares",
    "longer",
    "read",
    "shortened",
    "uncut",
    "write",
]

FILE, LONG_FILE = (Path(__file__).with_name(name) for name in ("ours-verdict.csv", "ours-long.csv"))
COLUMNS = ("problem", "D", "who", "seed", "budget", "code", "evaluations", "value", "seconds", "errors")
PER_VARIABLE, PER_VARIABLE_LARGE, PER_VARIABLE_ABLATION, LONG_PER_VARIABLE = (100, 30), (30,), (100,), (1000, 3000)
LONGER = 2.5  # times the budget: a regret of 5 is measured with that
DEFAULT, ALONE, WITHOUT = "default", "alone: ", "without: "
OTHER_SCHEDULERS = ("round-robin", "ter")
SHARES, SHARES_ALONE = 50, 2  # of the budget, after which errors are kept
LONG = 1000  # evaluations per variable of a run that is long for sure


@dataclass(frozen=True)
class Row:
    """One run; `errors` are those after equal shares of the budget, values if no optimum is known."""

    problem: str
    dimension: int
    who: str
    seed: int
    budget: int
    code: str
    evaluations: int
    value: float
    seconds: float
    errors: tuple[float, ...]

    @property
    def key(self) -> tuple[str, int, str, int, int]:
        """What was run."""
        return self.problem, self.dimension, self.who, self.seed, self.budget

    @property
    def texts(self) -> tuple[str, ...]:
        """The row as it is written."""
        first = (*self.key, self.code, self.evaluations, repr(self.value))
        return (*(str(part) for part in first), f"{self.seconds:.1f}", " ".join(f"{e:.4g}" for e in self.errors))


def read(path: Path = FILE) -> list[Row]:
    """Return the rows of a file; none if there is no file."""
    return [
        Row(
            problem=row["problem"],
            dimension=int(row["D"]),
            who=row["who"],
            seed=int(row["seed"]),
            budget=int(row["budget"]),
            code=row["code"],
            evaluations=int(row["evaluations"]),
            value=float(row["value"]),
            seconds=float(row["seconds"]),
            errors=tuple(float(error) for error in row["errors"].split()),
        )
        for row in (read_rows(path) if path.exists() else [])
    ]


def write(rows: Sequence[Row], path: Path = FILE) -> None:
    """Write all rows; a run that is ended meanwhile leaves the old file."""
    new = path.with_suffix(".new")
    with new.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *(row.texts for row in rows)])
    new.replace(path)


def members(profile: Profile, dimension: int, budget: int) -> dict[str, Heuristic]:
    """Return the heuristics of a profile, and those that only the other portfolio of the default has."""
    short = chosen_profile(dimension, ter.Budget(evaluations=budget), scheduler="ter")
    long = default_profile(dimension, ter.Budget(evaluations=LONG * dimension))
    everyone = (*long.heuristics, *short.heuristics, *profile.heuristics)
    return {heuristic.name: heuristic for heuristic in everyone}


def at_shares(curve: np.ndarray, budget: int, shares: int, f_opt: float | None) -> tuple[float, ...]:
    """Return the errors after equal shares of a budget."""
    return tuple(value_at(curve, budget * k / shares, least=-np.inf) - (f_opt or 0.0) for k in range(1, shares + 1))


def _arguments(who: str, dimension: int, budget: int) -> dict[str, object]:
    """Return what `ter.minimize` is told for a configuration."""
    profile = default_profile(dimension, ter.Budget(evaluations=budget))
    if who == DEFAULT:
        return {}
    if who.startswith(ALONE):
        one = members(profile, dimension, budget)[who.removeprefix(ALONE)]
        return {"heuristics": [one], "scheduler": "round-robin"}
    if who.startswith(WITHOUT):
        left = [heuristic for heuristic in profile.heuristics if heuristic.name != who.removeprefix(WITHOUT)]
        return {"heuristics": left, "scheduler": profile.scheduler}
    window = 2 * len(profile.heuristics)  # with fewer records than heuristics TER has no choice
    return {
        "heuristics": [shortened(heuristic, budget, dimension) for heuristic in profile.heuristics],
        "scheduler": ter.schedulers.TER(window=window) if who == "ter" else who,
    }


def shortened(heuristic: Heuristic, budget: int, dimension: int) -> Heuristic:
    """Return a heuristic with initiations of a 40th of the budget at most, so that a scheduler can choose often."""
    most = budget / INITIATIONS / dimension
    return replace(heuristic, evaluations=min(most, heuristic.evaluations))  # type: ignore[type-var, attr-defined]


def run(entry: Entry, problem: ter.Problem, who: str, seed: int, budget: int) -> Row:
    """Do one run; a heuristic alone in a long run is stopped after half of it, which is all that the regret needs."""
    arguments, started = _arguments(who, entry.dimension, budget), time.perf_counter()
    alone, long = who.startswith(ALONE), budget >= LONG_PER_VARIABLE[0] * entry.dimension
    part = budget // SHARES_ALONE if alone and long else budget
    result = uncut(ter.minimize(problem, budget=part, rng=seed, **arguments))  # type: ignore[arg-type]
    seconds = time.perf_counter() - started
    shares = 1 if part < budget else SHARES_ALONE if alone else SHARES
    errors = at_shares(np.asarray(result.curve), part, shares, problem.f_opt)
    first = (entry.name, entry.dimension, who, seed, budget, entry.code)
    return Row(*first, result.nfev, result.fun, seconds, errors)


def uncut(result: ter.Result) -> ter.Result:
    """Return a result, unless somebody has ended its run: then end the study, too, and keep nothing of the run."""
    if result.status is ter.StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return result


def longer(budget: int) -> int:
    """Return the budget of a run that tells how late the default is."""
    return int(LONGER * budget)


Job: TypeAlias = tuple[Entry, str, int, int]
"""A problem, who minimises it, seed and budget."""


def _jobs(seeds: int) -> Iterator[Job]:
    """Yield what is to be run, the default first."""
    sized = [(entry, n) for n in PER_VARIABLE for entry in VERDICT]
    large = [(entry, n) for n in PER_VARIABLE_LARGE for entry in LARGE]
    for seed in range(1, seeds + 1):
        both = sized + large if seed == 1 else sized
        yield from ((entry, DEFAULT, seed, n * entry.dimension) for entry, n in both)
        yield from ((entry, DEFAULT, seed, longer(n * entry.dimension)) for entry, n in sized)
        for entry, n in both:
            budget = n * entry.dimension
            profile = default_profile(entry.dimension, ter.Budget(evaluations=budget))
            yield from ((entry, ALONE + name, seed, budget) for name in members(profile, entry.dimension, budget))
        for entry in ABLATION:
            for n in PER_VARIABLE_ABLATION:
                budget = n * entry.dimension
                profile = default_profile(entry.dimension, ter.Budget(evaluations=budget))
                names = [WITHOUT + heuristic.name for heuristic in profile.heuristics]
                yield from ((entry, who, seed, budget) for who in (DEFAULT, *names, *OTHER_SCHEDULERS))


def _long_jobs(seeds: int) -> Iterator[Job]:
    """Yield what the regret of long runs needs, the suites first, whose functions are the fastest."""
    suites_first = sorted(VERDICT, key=lambda entry: not entry.part.startswith("lso"))
    for seed in range(1, seeds + 1):
        for n in LONG_PER_VARIABLE:
            for entry in suites_first:
                budget = n * entry.dimension
                profile = default_profile(entry.dimension, ter.Budget(evaluations=budget))
                everyone = members(profile, entry.dimension, budget)
                yield from ((entry, who, seed, budget) for who in (DEFAULT, *(ALONE + name for name in everyone)))


def main(words: Sequence[str] | None = None) -> None:
    """Do the runs that the file has not got; runs that are no longer asked for are dropped."""
    parser = argparse.ArgumentParser(description="Run the default and its parts on the problems of the verdict.")
    parser.add_argument("seeds", type=int, nargs="?", default=1)
    parser.add_argument("--long", action="store_true", help="1000 and 3000 evaluations per variable")
    parser.add_argument("--any-code", action="store_true", help="keep the runs that other code has done")
    options = parser.parse_args(words)
    jobs, file = (list(_long_jobs(options.seeds)), LONG_FILE) if options.long else (list(_jobs(options.seeds)), FILE)
    asked = {(entry.name, entry.dimension, who, seed, budget) for entry, who, seed, budget in jobs}
    rows = {row.key: row for row in read(file) if row.key in asked}
    problems: dict[Entry, ter.Problem] = {}
    for entry, who, seed, budget in jobs:
        there = rows.get((entry.name, entry.dimension, who, seed, budget))
        if there is not None and (options.any_code or there.code == entry.code):
            continue
        problem = problems.setdefault(entry, entry.problem())
        row = run(entry, problem, who, seed, budget)
        rows[row.key] = row
        write(list(rows.values()), file)
        print(*row.texts[:-1], flush=True)


if __name__ == "__main__":
    main()
