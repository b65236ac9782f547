"""All schedulers over the same six heuristics, on the suite for tuning.

python -m studies.beyond.all_schedulers            # LSO10, 100 and 1000 evaluations per variable; half an hour
python -m studies.beyond.all_schedulers --tables   # only write the table into schedulers.md

With 1000 only every other function. Each scheduler has the heuristics of the default. Sizes are parts of the budget, as
they were proposed for each rule; where a scheduler chooses among initiations, these are a 40th of the budget at most.
Judged by regret, see `verdict_tables.py`, and by final values. What is in the file is not run again.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

import ter
from studies.beyond.verdict_ours import (
    ALONE,
    DEFAULT,
    SHARES,
    SHARES_ALONE,
    Row,
    at_shares,
    read,
    shortened,
    uncut,
    write,
)
from studies.beyond.verdict_set import SOLVED
from studies.beyond.verdict_tables import regret_ratio
from studies.kit.blocks import write_block
from ter.algorithms.profiles import default_profile
from ter.core.scheduler import Scheduler
from ter.experiment.fingerprint import code_of
from ter.schedulers import (
    EXP3S,
    TER,
    DiscountedThompson,
    Duels,
    Elimination,
    FadingRates,
    RandomChoice,
    SlidingWindowUCB,
    Stretches,
)

__all__ = ["OTHERS", "summaries"]

FILE, PAGE = (Path(__file__).with_name(name) for name in ("all-schedulers.csv", "schedulers.md"))
PER_VARIABLE, D = (100, 1000), 1000
FUNCTIONS = {
    100: [f"lso10/f{number}" for number in range(1, 21)],
    1000: [f"lso10/f{number}" for number in range(1, 21, 2)],
}
CUT = 4.0  # orders of magnitude at most by which a final value counts as worse than the best one


def _sizes(budget: int) -> tuple[int, int, int]:
    """Return the evaluations of a race, of a slice and of a probe."""
    slice_ = min(25 * D, max(5 * D, budget // 120))
    return budget // 50, slice_, min(5 * D, max(2 * D, slice_ // 5))


def _duels(budget: int) -> Scheduler:
    race, slice_, probe = _sizes(budget)
    return Duels(race=race, slice=slice_, probe=probe)


def _fading(budget: int) -> Scheduler:
    race, slice_, probe = _sizes(budget)
    return FadingRates(race=race, slice=slice_, probe=probe, longest=max(slice_, budget // 20), fading=50 * D)


OTHERS: dict[str, Callable[[int], Scheduler]] = {
    "stretches (V)": lambda budget: Stretches(race=budget // 50, slice=_sizes(budget)[1], stretch=budget // 20),
    "elimination, shares by rank": lambda budget: Elimination(race=budget // 200, slice=_sizes(budget)[1]),
    "duels (D2)": _duels,
    "fading log rates (X)": _fading,
    "TER, window 12": lambda budget: TER(window=12),
    "TER, window 5": lambda budget: TER(window=5),
    "sliding-window UCB": lambda budget: SlidingWindowUCB(),
    "EXP3.S": lambda budget: EXP3S(),
    "discounted Thompson": lambda budget: DiscountedThompson(),
    "random": lambda budget: RandomChoice(),
}


def run(name: str, who: str, budget: int) -> Row:
    """Do one run; a heuristic alone has half of the budget, which is all that the regret needs."""
    problem, started = ter.problem(name, dimension=D), time.perf_counter()
    heuristics = default_profile(D, ter.Budget(evaluations=budget)).heuristics
    if who == DEFAULT:
        result = ter.minimize(problem, budget=budget, rng=1)
    elif who.startswith(ALONE):
        alone = [heuristic for heuristic in heuristics if heuristic.name == who.removeprefix(ALONE)]
        half = budget // SHARES_ALONE
        result = ter.minimize(problem, budget=half, rng=1, heuristics=alone, scheduler="round-robin")
    else:
        short = [shortened(heuristic, budget, D) for heuristic in heuristics]
        result = ter.minimize(problem, budget=budget, rng=1, heuristics=short, scheduler=OTHERS[who](budget))
    shares = 1 if who.startswith(ALONE) else SHARES
    end = budget // SHARES_ALONE if who.startswith(ALONE) else budget
    errors = at_shares(np.asarray(uncut(result).curve), end, shares, problem.f_opt)
    seconds = time.perf_counter() - started
    return Row(name, D, who, 1, budget, code_of(), result.nfev, result.fun, seconds, errors)


def _jobs() -> Iterator[tuple[str, str, int]]:
    for per_variable in PER_VARIABLE:
        budget = per_variable * D
        names = [heuristic.name for heuristic in default_profile(D, ter.Budget(evaluations=budget)).heuristics]
        for who in (DEFAULT, *(ALONE + name for name in names), *OTHERS):
            yield from ((function, who, budget) for function in FUNCTIONS[per_variable])


def summaries(rows: Sequence[Row], budget: int) -> list[tuple[str, int, int, float]]:
    """Return who, on how many functions it is in time, of how many, and the mean log10 above the best one's end."""
    errors: dict[str, dict[str, tuple[float, ...]]] = defaultdict(dict)
    for row in rows:
        if row.budget == budget:
            errors[row.problem][row.who] = tuple(max(SOLVED, error) for error in row.errors)
    in_time, above = defaultdict(list), defaultdict(list)
    for each in errors.values():
        alone = [found[0] for who, found in each.items() if who.startswith(ALONE)]
        whole = {who: found for who, found in each.items() if not who.startswith(ALONE)}
        if alone and whole:
            best = min(found[-1] for found in whole.values())
            for who, found in whole.items():
                in_time[who].append(regret_ratio(found, min(alone)) < math.inf)
                above[who].append(min(CUT, math.log10(found[-1] / best)))
    return [(who, sum(yes), len(yes), statistics.fmean(above[who])) for who, yes in in_time.items()]


def table(rows: Sequence[Row]) -> str:
    """Return a row for each scheduler, with both budgets."""
    at = {n: {who: rest for who, *rest in summaries(rows, n * D)} for n in PER_VARIABLE}
    heads = [text for n in PER_VARIABLE for text in (f"{n} D: regret at most 2", "log10 above the best")]
    lines = [f"| scheduler | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    for who in (DEFAULT, *OTHERS):
        cells = []
        for n in PER_VARIABLE:
            yes, of, mean = at[n].get(who, (0, 0, math.nan))
            cells += [f"{yes} of {of}", f"{mean:.2f}"] if of else ["–", "–"]
        lines.append(f"| {who} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    """Do what is missing, and write the table."""
    asked = {(name, D, who, 1, budget) for name, who, budget in _jobs()}
    rows = {row.key: row for row in read(FILE) if row.key in asked}
    for name, who, budget in () if "--tables" in words else _jobs():
        if (name, D, who, 1, budget) not in rows:
            row = run(name, who, budget)
            rows[row.key] = row
            write(list(rows.values()), FILE)
            print(*row.texts[:-1], flush=True)
    begin, end = "<!-- schedulers: made by all_schedulers.py -->", "<!-- end of schedulers -->"
    write_block(PAGE, begin, end, table(list(rows.values())))


if __name__ == "__main__":
    main(sys.argv[1:])
