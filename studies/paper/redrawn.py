"""Another reading of LS: its step is drawn anew after two initiations in a row that brought less than 5 %.

python -m studies.paper.redrawn [RUNS]

In the paper f3 is solved in all runs, of TER and of RAN. In ours LS may have halved its step below the distance of the
ripples before the variables are in the right ones, and nobody gets them out. The authors' older platform has this rule,
of which the paper says nothing. Here are runs of the study again with it, with the same seeds, written to redrawn.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

import ter
from studies.kit.rows import Row as CsvRow
from studies.kit.rows import read_rows, write_rows
from studies.paper.results import HERE, Results, errors_of, specs_of
from ter.algorithms.catalogue import Algorithm
from ter.algorithms.profiles import paper, with_parts
from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.experiment.spec import RunSpec
from ter.heuristics.ls1 import LS1, LS1State
from ter.report import Cell, Row, Table
from ter.report.table import error_text

__all__ = ["RedrawnLS1", "redrawn_tables"]

LITTLE, TWICE = 0.05, 2
FILE, COLUMNS = HERE / "redrawn.csv", ("algorithm", "function", "run", "seed", "error")
CELLS = (("ter", "f2"), ("ter", "f3"), ("ter", "f6"), ("ter", "f10"), ("ran", "f2"), ("ran", "f3"))
SUITE, PART = "lso13-raw", {"ter": "ter", "ran": "baselines"}
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


def planned(runs: int) -> Iterator[RunSpec]:
    """Yield the runs of the study that are done again."""
    for name, function in CELLS:
        yield from [
            spec for spec in specs_of(PART[name]) if (spec.key.problem, spec.label) == (f"{SUITE}/{function}", name)
        ][:runs]


def redrawn_tables(results: Results) -> list[Table]:
    """Return the runs with both readings, side by side; nothing if there are none."""
    if not FILE.exists():
        return []
    there, rows = results.part("ter", "baselines"), []
    for name, function in CELLS:
        again = [each for each in read_rows(FILE) if (each["algorithm"], each["function"]) == (name, function)]
        kept = errors_of(there, f"{SUITE}/{function}", name)
        new = [float(each["error"]) for each in again]
        rows.append(Row(f"{name}, {function}", (*_cells(kept), *_cells(new))))
    header = ("", "kept step: mean", "solved", "step drawn anew: mean", "solved")
    return [Table("", "When LS draws its step anew", header, tuple(rows), ())]


def _cells(errors: Sequence[float]) -> tuple[Cell, Cell]:
    if not errors:
        return Cell("–"), Cell("–")
    solved = sum(error < SOLVED for error in errors)
    return Cell(error_text(float(np.mean(errors)))), Cell(f"{solved} of {len(errors)}")


def main(runs: int) -> None:
    """Do the runs that the file has not got."""
    rows: list[CsvRow] = read_rows(FILE) if FILE.exists() else []
    done = {(row["algorithm"], row["function"], row["seed"]) for row in rows}
    for spec in planned(runs):
        function, seed = spec.key.problem.removeprefix(f"{SUITE}/"), str(spec.key.seed)
        if (spec.label, function, seed) in done:
            continue
        problem = ter.problem(spec.key.problem)
        result = algorithm(spec.label).minimize(problem, budget=3_000_000, rng=spec.key.seed)
        error = repr(result.fun - (problem.f_opt or 0.0))
        rows.append(dict(zip(COLUMNS, (spec.label, function, str(spec.run), seed, error), strict=True)))
        write_rows(FILE, COLUMNS, rows)
        sys.stdout.write(f"{spec.label} {function} {error}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
