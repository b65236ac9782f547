"""Compare runs of this study with those in ``runs.csv``: to the last digit, and decision by decision.

    python studies/first-look/check.py results.sqlite                   # what is in the store
    python studies/first-look/check.py results.sqlite --repeat first    # does the first run of each kind before
    python studies/first-look/check.py results.sqlite --repeat all      # does all 141 runs before

The exit code is 1 if a run differs or failed, or if there is nothing to compare.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ter.experiment import Plan, Record, Store, run_plan

HERE = Path(__file__).resolve().parent
PLANS = tuple(HERE / name for name in ("lso13.toml", "baselines.toml", "lso08.toml"))
LETTERS = {"ls1": "L", "cc": "C", "gs": "G"}

Run = tuple[str, str, int, str]  # problem, algorithm, seed, budget
Ending = dict[str, float | int | str]


def kept(path: Path = HERE / "runs.csv") -> dict[Run, Ending]:
    """Read how the runs of this study ended."""
    with path.open(newline="", encoding="utf-8") as stream:
        return {
            (f"{row['suite']}/f{row['function']}", row["algorithm"], int(row["seed"]), row["budget"]): {
                "start": float(row["start"]),
                "value": float(row["value"]),
                "evaluations": int(row["evaluations"]),
                "decisions": row["sequence"],
            }
            for row in csv.DictReader(stream)
        }


def run_of(record: Record) -> Run:
    """Return which run a record is of."""
    return record.key.problem, record.key.algorithm, record.key.seed, record.key.budget


def ending_of(record: Record) -> Ending:
    """Return how a run ended, in the terms of the file."""
    return {
        "start": record.actions[0].before if record.actions else record.fun,
        "value": record.fun,
        "evaluations": record.nfev,
        "decisions": "".join(LETTERS[name] for name in record.sequence),
    }


def plans(only: Sequence[str] = (), algorithms: Sequence[str] = (), *, first: bool = False) -> Iterator[Plan]:
    """Yield the plans of this study: whole, or some of their problems, algorithms and runs."""
    for path in PLANS:
        plan = Plan.load(path)
        names = [name for planned in plan.problems for name in planned.names if not only or name in only]
        chosen = [each for each in plan.algorithms if not algorithms or each.name in algorithms]
        seeds = plan.seeds[:1] if first else plan.seeds
        if names and chosen:
            yield replace(plan, problems=names, algorithms=chosen, seeds=seeds, runs=len(seeds))


def compared(records: Iterable[Record]) -> tuple[int, int, list[str]]:
    """Return how many runs were compared, how many are missing, and what differs."""
    there, number, differences = kept(), 0, []
    for record in records:
        expected = there.pop(run_of(record), None)
        if expected is None:
            continue
        number += 1
        if record.failed:
            differences.append(f"{record.name} failed")
            continue
        found = ending_of(record)
        differences += [
            f"{record.name}: {what} {found[what]!r} instead of {value!r}"
            for what, value in expected.items()
            if found[what] != value
        ]
    return number, len(there), differences


def main(words: Sequence[str] | None = None) -> int:
    """Repeat what was asked for, compare, and return the exit code."""
    parser = argparse.ArgumentParser(description="Compare runs of this study with those in runs.csv.")
    parser.add_argument("store", type=Path, help="the file with the results")
    parser.add_argument("--repeat", choices=("first", "all"), help="do the first run of each kind before, or all")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="repeat these, such as lso13-raw/f4")
    parser.add_argument("--algorithms", nargs="+", default=(), metavar="NAME", help="repeat these, such as ter ls")
    parser.add_argument("--workers", type=int, default=-1, metavar="N", help="processes; one per core by default")
    options = parser.parse_args(words)
    if options.repeat:
        for plan in plans(options.only, options.algorithms, first=options.repeat == "first"):
            run_plan(plan, options.store, workers=options.workers, progress=True)
    with Store(options.store) as store:
        number, missing, differences = compared(store.records(newest=True))
    for difference in differences:
        print(difference)
    verdict = f"differences: {len(differences)}" if differences else "the same values and decisions, to the last digit"
    print(f"{number} runs compared, {missing} not there; {verdict}")
    return 0 if number and not differences else 1


if __name__ == "__main__":
    sys.exit(main())
