"""One problem of a study: a function in a size, under a budget."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ter.core.budget import Budget
from ter.display.texts import budget_text
from ter.experiment.record import RunKey

__all__ = ["Case", "cases_of", "natural"]


@dataclass(frozen=True)
class Case:
    """What several algorithms were run on.

    Attributes
    ----------
    problem : str
        Name, as :func:`ter.problem` reads it.
    dimension : int
        Number of variables.
    budget : str
        As :class:`ter.Budget` reads it.
    name : str
        What tables print: the problem, with the dimension and the budget where they are needed to tell cases apart.
    suite : str
        What stands before the slash in the name of the problem; empty without one.
    """

    problem: str
    dimension: int
    budget: str
    name: str = ""
    suite: str = ""

    @property
    def evaluations(self) -> int | None:
        """How many evaluations a run has; None if only time or cost is limited."""
        return Budget.read(self.budget).evaluations

    @property
    def limits(self) -> str:
        """The budget, for people."""
        return budget_text(Budget.read(self.budget))


def cases_of(keys: Iterable[RunKey]) -> list[Case]:
    """Return the cases in natural order, with names as short as can be.

    If all problems are of one suite, its name is left out.

    Examples
    --------
    >>> keys = [RunKey(f"lso08/f{k}", d, "ter", "{}", "1000", 1, "") for k in (10, 2) for d in (50, 100)]
    >>> [case.name for case in cases_of(keys)]
    ['f2, D = 50', 'f2, D = 100', 'f10, D = 50', 'f10, D = 100']
    """
    found = sorted({(key.problem, key.dimension, key.budget) for key in keys}, key=_order)
    suites = {problem.rpartition("/")[0] for problem, _, _ in found}
    shared = suites.pop() if len(suites) == 1 else ""
    cases = []
    for problem, dimension, budget in found:
        name = problem.removeprefix(f"{shared}/") if shared else problem
        if len({d for p, d, _ in found if p == problem}) > 1:
            name += f", D = {dimension}"
        if len({b for p, d, b in found if (p, d) == (problem, dimension)}) > 1:
            name += f", {budget_text(Budget.read(budget))}"
        cases.append(Case(problem, dimension, budget, name, problem.rpartition("/")[0]))
    return cases


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers inside texts by their size.

    Examples
    --------
    >>> sorted(["f10", "f2", "f1"], key=natural)
    ['f1', 'f2', 'f10']
    """
    parts = re.split(r"(\d+)", text)
    return tuple((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts if part)


def _order(case: tuple[str, int, str]) -> tuple[object, ...]:
    problem, dimension, budget = case
    return natural(problem), dimension, natural(budget)
