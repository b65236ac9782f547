"""MTS on f2, f3 and f5 of CEC'2008 with its rules changed, one run each: the table of docs/algorithms/mts.md.

python studies/competitors/mts_rules.py
"""

from __future__ import annotations

from dataclasses import replace

import ter
from ter.algorithms.mts import MTSStory, mts
from ter.core.heuristic import Heuristic
from ter.core.profile import Profile
from ter.heuristics.mts_searches import LS2, LS3, AgentLS1

FUNCTIONS = ("f2", "f3", "f5")
EVALUATIONS = 5_000_000


def with_one_search(search: Heuristic) -> Profile:
    """MTS whose agents know one local search."""
    profile = mts()
    return replace(profile, heuristics=(profile.heuristics[0], search))


RULES = {
    "as published": mts(),
    "10 repetitions instead of 100": mts(MTSStory(repetitions=10)),
    "no calls for the best agent": mts(MTSStory(for_the_best=0)),
    "all five agents take part": mts(MTSStory(foreground=5)),
    "30 tests of each search": mts(MTSStory(tests=30)),
    "`ls1` only": with_one_search(AgentLS1(sweeps=1)),
    "`ls2` only": with_one_search(LS2(sweeps=1)),
    "`ls3` only": with_one_search(LS3(sweeps=1)),
}


def final_value(profile: Profile, function: str) -> float:
    """The end of one run."""
    algorithm = replace(ter.algorithm("mts"), make=lambda dimension, budget: profile)
    return algorithm.minimize(ter.problem(f"lso08-unbiased/{function}"), budget=EVALUATIONS, rng=1).fun


if __name__ == "__main__":
    print(f"| | {' | '.join(FUNCTIONS)} |\n|---|{'---|' * len(FUNCTIONS)}")
    for rule, profile in RULES.items():
        print(f"| {rule} | {' | '.join(f'{final_value(profile, f):.1e}' for f in FUNCTIONS)} |", flush=True)
