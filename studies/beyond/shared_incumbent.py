"""One incumbent for all: the default beside a scheduler that goes on with whoever gained most when it was last seen.

python studies/beyond/shared_incumbent.py [EVALUATIONS PER VARIABLE]

LSO10 and `functions.py` with 20, 100 and 320 variables, one seed. A run is compared with the best heuristic alone: how
often it is within its budget where that one is after half of it, how often its end is within a factor of 1.5 of that
one's, and by how much of the log10 it is above (cut at 4) on the mean.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from functions import FUNCTIONS, make_value
from regret import EQUAL, evaluations_to, value_at

import ter
from ter.algorithms.profiles import _short
from ter.core.action import Action
from ter.core.scheduler import Choice

ALONE = ("ls1", "lines", "groups", "rm-es", "lbfgsb")
CUT = 4.0


@dataclass(frozen=True)
class LastSeen:
    """Go on with the heuristic whose rate was the best when it was last seen; whoever says it invests is not judged.

    The one under way is left only if another one's rate was more than three times as good.
    """

    slice: int
    patience: int
    handicap: float = 0.3

    def reward_of(self, action: Action) -> float:
        """Improvement per evaluation."""
        return max(0.0, action.before - action.after) / max(1, action.nfev) if math.isfinite(action.before) else 0.0

    def choose(self, history: Sequence[Action], names: Sequence[str], rng: np.random.Generator) -> Choice:
        """Choose by the rates."""
        rates, seen, used = dict.fromkeys(names, math.inf), dict.fromkeys(names, -1), dict.fromkeys(names, 0)
        for action in history:
            name = action.heuristic
            used[name] += action.nfev
            waiting = action.investing and used[name] + self.slice <= self.patience
            rates[name], seen[name] = math.inf if waiting else self.reward_of(action), action.index
        now = history[-1].heuristic if history else None
        best = max(names, key=lambda name: (rates[name] * (1.0 if name == now else self.handicap), -seen[name]))
        return Choice(names.index(best), tuple(float(name == best) for name in names), evaluations=self.slice)


def configurations(dimension: int, budget: int) -> dict[str, dict[str, object]]:
    """What is compared, as arguments of `ter.minimize`."""
    ten, short = LastSeen(10 * (dimension + 1) + 5, budget // 6), _short(dimension, budget)
    return {
        "the default": {},
        "the default of short runs": {"heuristics": short.heuristics, "scheduler": short.scheduler},
        "last seen: ls1, rm-es, lbfgsb, groups": {"heuristics": ["ls1", "rm-es", "lbfgsb", "groups"], "scheduler": ten},
        "last seen: all five": {"heuristics": list(ALONE), "scheduler": ten},
    }


def sets() -> Iterator[tuple[str, list[ter.Problem]]]:
    """The functions that the default is tuned on."""
    yield "LSO10", [ter.problem(f"lso10/f{k}") for k in range(1, 21)]
    for dimension in (20, 100, 320):
        box = ter.box(-5, 5, dimension=dimension)
        yield f"functions, D = {dimension}", [ter.Problem(make_value(name, dimension), box) for name in FUNCTIONS]


def main(per_variable: int) -> None:
    """Print a table for each set."""
    for title, problems in sets():
        found: dict[str, list[tuple[bool, bool, float]]] = {}
        for problem in problems:
            budget = per_variable * problem.dimension
            alone = [
                ter.minimize(problem, budget=budget, rng=1, heuristics=[name], scheduler="round-robin").curve
                for name in ALONE
            ]
            half = min(value_at(curve, budget / 2) for curve in alone)
            end = min(value_at(curve, budget) for curve in alone)
            for name, settings in configurations(problem.dimension, budget).items():
                curve = ter.minimize(problem, budget=budget, rng=1, **settings).curve
                ours = max(EQUAL, value_at(curve, budget))
                above = min(CUT, max(-1.0, math.log10(ours / end)))
                there = evaluations_to(curve, half) <= budget
                found.setdefault(name, []).append((there, ours <= 1.5 * end, above))
        print(f"\n| {title}: {per_variable} evaluations per variable | there in time | within 1.5 | log10 above |")
        print("|---|---|---|---|")
        for name, rows in found.items():
            there, near, above = zip(*rows, strict=True)
            print(f"| {name} | {sum(there)} of {len(rows)} | {sum(near)} | {np.mean(above):.2f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
