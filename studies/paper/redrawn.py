"""Another reading of LS: its step is drawn anew after two initiations that brought less than 5 %.

python -m studies.paper.redrawn [RUNS]

In the paper f3 is solved in all runs, of TER and of RAN. In ours LS may have halved its step below the distance of the
ripples before the variables are in the right ones, and nobody gets them out. The authors' older platform has a rule
that would: here are runs of the study again with it, with the same seeds. The table is written to redrawn.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np

import ter
from studies.paper.results import HERE, STORE, Results, errors_of, specs_of
from ter.algorithms.catalogue import Algorithm
from ter.algorithms.profiles import paper, with_parts
from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.heuristics.ls1 import LS1, LS1State

__all__ = ["RedrawnLS1"]

LITTLE, TWICE = 0.05, 2
FILE = HERE / "redrawn.md"
CELLS = (("ter", "f2"), ("ter", "f3"), ("ter", "f6"), ("ter", "f10"), ("ran", "f2"), ("ran", "f3"))
SOLVED = 1e-8


@dataclass
class RedrawnState(LS1State):
    """What LS1 keeps, and how many initiations in a row brought little."""

    poor: int = 0


@dataclass(frozen=True)
class RedrawnLS1(LS1):
    """LS1 whose step is drawn anew after two initiations in a row that improved the value by less than 5 % of it."""

    def start(self, box: Box, rng: np.random.Generator) -> RedrawnState:
        """Begin as LS1 does."""
        state = super().start(box, rng)
        return RedrawnState(**{field.name: getattr(state, field.name) for field in fields(LS1State)})

    def act(  # type: ignore[override]
        self, state: RedrawnState, allowance: Allowance, rng: np.random.Generator
    ) -> RedrawnState:
        """Sweep as LS1 does, then look at what it brought."""
        before = allowance.y
        super().act(state, allowance, rng)
        state.poor = state.poor + 1 if before - allowance.y < LITTLE * abs(before) else 0
        if state.poor >= TWICE:
            state.steps[:], state.poor = self._steps.draw(allowance.box, rng), 0
        return state


def algorithm(name: str) -> Algorithm:
    """Return TER or RAN of the paper's profile with the other LS."""
    ls1, *others = paper().heuristics
    redrawn = RedrawnLS1(**{field.name: getattr(ls1, field.name) for field in fields(LS1)})
    profile = replace(paper(), heuristics=(redrawn, *others))
    if name == "ran":
        profile = with_parts(profile, scheduler="random")
    return Algorithm(name, "", lambda dimension, budget: profile)


def lines(runs: int) -> Iterator[str]:
    """Do the runs, and yield the rows of the table."""
    yield "| algorithm | function | kept step: mean | solved | redrawn step: mean | solved | runs |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    there = Results.read(STORE).part("ter", "baselines")
    for name, function in CELLS:
        problem = f"lso13-raw/{function}"
        part = "ter" if name == "ter" else "baselines"
        specs = [spec for spec in specs_of(part) if (spec.key.problem, spec.label) == (problem, name)][:runs]
        kept = errors_of(there, problem, name)[:runs]
        new = []
        for spec in specs:
            checked = ter.problem(problem)
            result = algorithm(name).minimize(checked, budget=3_000_000, rng=spec.key.seed)
            new.append(result.fun - (checked.f_opt or 0.0))
        cells = [f"{np.mean(e):.3g} | {sum(v < SOLVED for v in e)}" if e else "– | –" for e in (kept, new)]
        yield f"| {name} | {function} | {cells[0]} | {cells[1]} | {len(new)} |"


def main(runs: int) -> None:
    """Write the table, row by row."""
    text = ""
    for line in lines(runs):
        text += line + "\n"
        FILE.write_text(text, encoding="utf-8")
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
