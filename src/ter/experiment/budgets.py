"""Budgets and milestones of a plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument

if TYPE_CHECKING:
    from ter.core.problem import Problem

__all__ = ["BudgetPlan", "budget_key", "is_exact", "milestones_within", "read_milestones"]

OFFICIAL = "official"
DIGITS = 3  # curves are exact at counts of so many significant digits


@dataclass(frozen=True)
class BudgetPlan:
    """How long runs are: the rules' budget, a fixed one, or one per variable.

    Attributes
    ----------
    fixed : str or None
        As :class:`ter.Budget` reads it; None for the rules' budget.
    per_variable : float or None
        Evaluations per variable.
    """

    fixed: str | None = None
    per_variable: float | None = None

    @classmethod
    def read(cls, budget: Any, per_variable: object = None) -> BudgetPlan:
        """Read the keys `budget` and `budget_per_variable` of a plan.

        Examples
        --------
        >>> BudgetPlan.read("1e4 evaluations").fixed
        '10000'
        """
        if per_variable is not None:
            if budget is not None:
                raise InvalidArgument(f"a plan must have budget or budget_per_variable, got both; drop {budget!r}")
            if isinstance(per_variable, bool) or not isinstance(per_variable, int | float) or not per_variable > 0:
                raise InvalidArgument(f"budget_per_variable must be a number > 0, got {per_variable!r}")
            return cls(per_variable=float(per_variable))
        return cls() if budget in (None, OFFICIAL) else cls(fixed=budget_key(Budget.read(budget)))

    def of(self, problem: Problem, name: str) -> str:
        """Return the budget of a problem."""
        if self.fixed is not None:
            return self.fixed
        if self.per_variable is not None:
            return budget_key(Budget(evaluations=max(1, round(self.per_variable * problem.dimension))))
        if "budget" not in problem.facts:
            raise InvalidArgument(f"a budget must be named for {name!r}, which has no official one; add budget = ...")
        return budget_key(Budget(evaluations=int(problem.facts["budget"])))


def budget_key(budget: Budget) -> str:
    """Write a budget so that :meth:`ter.Budget.read` reads the same.

    Examples
    --------
    >>> budget_key(Budget.read("6h, 1e6 evaluations")), budget_key(Budget.read(3e6))
    ('1000000 evaluations, 21600.0 seconds', '3000000')
    """
    parts = {"evaluations": budget.evaluations, "seconds": budget.seconds, "cost": budget.cost}
    order = sorted(parts, key=lambda unit: unit != budget.unit)  # the first one is what rewards are measured in
    text = ", ".join(f"{parts[unit]!r} {unit}" for unit in order if parts[unit] is not None)
    if Budget.read(text) != budget:
        raise InvalidArgument(f"the budget of a plan must be one that a text can say, got {budget}")
    return str(budget.evaluations) if text == f"{budget.evaluations} evaluations" else text


def is_exact(evaluations: int) -> bool:
    """Tell whether curves are exact at a count of evaluations.

    Examples
    --------
    >>> is_exact(120_000), is_exact(120_400)
    (True, False)
    """
    return len(str(evaluations).rstrip("0")) <= DIGITS


def read_milestones(milestones: Sequence[Any]) -> tuple[int, ...]:
    """Read the key `milestones` of a plan.

    Examples
    --------
    >>> read_milestones([3e6, 120_000])
    (120000, 3000000)
    """
    if isinstance(milestones, str) or not isinstance(milestones, Sequence):
        raise InvalidArgument(f"milestones must be a list of numbers, got {milestones!r}")
    for number in milestones:
        wrong = isinstance(number, bool) or not isinstance(number, int | float)
        if wrong or not math.isfinite(number) or number < 1 or number % 1 != 0 or not is_exact(int(number)):
            raise InvalidArgument(
                f"milestones must be whole numbers >= 1 with {DIGITS} significant digits at most, got {number!r}; "
                "the curve of a run is exact at such numbers only"
            )
    return tuple(sorted({int(number) for number in milestones}))


def milestones_within(budget: str, chosen: Sequence[float] | None, problem: Problem) -> tuple[int, ...]:
    """Return the milestones of a run: those chosen or those of the rules, within the budget, and the budget itself."""
    most = Budget.read(budget).evaluations
    wanted = [m for m in problem.facts.get("milestones", ()) if is_exact(m)] if chosen is None else chosen
    within = {int(m) for m in wanted if most is None or m <= most}
    return tuple(sorted(within if most is None else within | {most}))
