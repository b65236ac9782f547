"""How well the default chooses: on problems for tuning, beside the best of its heuristics alone.

python -m studies.beyond.choices [EVALUATIONS PER VARIABLE [SET ...]]

The sets are chosen, composed, held-out, wide, wide-held-out, basins and basins-held-out.

Sixty problems that were chosen: LSO10, `functions.py` with 100 and 320 variables, `own_functions.py` and
`more_functions.py`; 24 that were put together at random (`composed_functions.py`), and 24 more of that kind that had
no part in tuning; as many with a wide box, and as many with several wide basins (`basin_functions.py`). The first two
by default. One seed.

*There*: within its budget the default is where the best heuristic alone is after half of it. *Near*: its end is within
a factor of 1.5 of the best one's end. *Above*: by how much of the log10 it is above that, between -2 and 4, on the
mean. Errors below 1e-8 are equal; where the least value is not known, *near* is within 5 % and *above* is not told.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import ter
from studies.beyond import basin_functions, composed_functions, more_functions, own_functions
from studies.beyond.functions import FUNCTIONS, make_value
from studies.beyond.regret import value_at
from ter.algorithms.profiles import default_profile

SOLVED = 1e-8
UNKNOWN = ("huber", "absolute", "morse", "network", "steering", "sines", "trid")


def chosen() -> Iterator[tuple[str, Callable[[], ter.Problem]]]:
    """Yield names, and how the problems are built."""
    for name, made in more_functions.FUNCTIONS.items():
        yield name, made
    for size in (100, 320):
        box = ter.box(-5, 5, dimension=size)
        for name in FUNCTIONS:
            yield f"{name}-{size}", lambda name=name, size=size, box=box: ter.Problem(make_value(name, size), box)
    for number in range(1, 21):
        yield f"lso10/f{number}", lambda number=number: ter.problem(f"lso10/f{number}")
    yield from own_functions.FUNCTIONS.items()


SETS = {
    "chosen": lambda: dict(chosen()),
    "composed": lambda: composed_functions.FUNCTIONS,
    "held-out": lambda: composed_functions.HELD_OUT,
    "wide": lambda: composed_functions.WIDE,
    "wide-held-out": lambda: composed_functions.WIDE_HELD_OUT,
    "basins": lambda: basin_functions.BASINS,
    "basins-held-out": lambda: basin_functions.BASINS_HELD_OUT,
}


def is_unknown(name: str, problem: ter.Problem) -> bool:
    """Tell whether nobody knows the least value."""
    return name in UNKNOWN or (name.startswith("basins") and problem.f_opt is None)


def judged(name: str, problem: ter.Problem, per_variable: int) -> tuple[bool, bool, float]:
    """Run the default and each heuristic alone; return whether it is there, near, and by how much it is above."""
    budget, unknown = per_variable * problem.dimension, is_unknown(name, problem)
    least = -math.inf if unknown else (problem.f_opt or 0.0) + SOLVED
    profile = default_profile(problem.dimension, ter.Budget(evaluations=budget))
    alone = [
        np.asarray(ter.minimize(problem, budget=budget, rng=1, heuristics=[one], scheduler="round-robin").curve)
        for one in (*profile.heuristics, ter.heuristics.LS1())
    ]
    half, end = (min(value_at(curve, part, least=least) for curve in alone) for part in (budget / 2, budget))
    ours = max(least, ter.minimize(problem, budget=budget, rng=1).fun)
    if unknown:
        return ours <= half, ours <= end + 0.05 * abs(end), math.nan
    above = math.log10((ours - least + SOLVED) / (end - least + SOLVED))
    return ours <= half, above <= math.log10(1.5), max(-2.0, min(4.0, above))


def main(per_variable: int, names: Sequence[str]) -> None:
    """Print a row for each problem, and the means of each set."""
    for title in names:
        rows = []
        for name, made in SETS[title]().items():
            rows.append(judged(name, made(), per_variable))
            there, near, above = rows[-1]
            sys.stdout.write(f"{name:24} {'there' if there else '-':6} {'near' if near else '-':5} {above:.2f}\n")
            sys.stdout.flush()
        there, near, above = (np.nanmean(np.array(column, dtype=float)) for column in zip(*rows, strict=True))
        sys.stdout.write(f"{title}, {len(rows)} problems: there {there:.2f}, near {near:.2f}, above {above:.2f}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, sys.argv[2:] or ("chosen", "composed"))
