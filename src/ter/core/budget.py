"""What a run may spend: evaluations, seconds, money, or a combination; whichever ends first."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from ter.core.errors import InvalidArgument

__all__ = ["Budget", "BudgetLike", "Spent", "Unit", "duration"]

Unit: TypeAlias = Literal["evaluations", "seconds", "cost"]
BudgetLike: TypeAlias = "Budget | float | int | str"

_SECONDS = {
    "ms": 1e-3, "s": 1.0, "sec": 1.0, "second": 1.0, "seconds": 1.0,
    "m": 60.0, "min": 60.0, "minute": 60.0, "minutes": 60.0,
    "h": 3600.0, "hour": 3600.0, "hours": 3600.0,
    "d": 86400.0, "day": 86400.0, "days": 86400.0,
}  # fmt: skip
_EVALUATIONS = {"", "evaluation", "evaluations", "evals", "eval", "fe", "fes"}
_COST = {"cost", "costs"}
_NUMBER = r"[0-9]+(?:_[0-9]+)*\.?[0-9]*(?:[eE][-+]?[0-9]+)?"
_PART = re.compile(rf"([-+]?{_NUMBER})\s*([A-Za-z]*)")
_STEP = re.compile(rf"\s*({_NUMBER})\s*([A-Za-z]+)")  # of a time span


@dataclass(frozen=True)
class Spent:
    """What was used of each resource.

    Examples
    --------
    >>> Spent(evaluations=10, seconds=0.5, cost=0.0).evaluations
    10
    """

    evaluations: int = 0
    seconds: float = 0.0
    cost: float = 0.0


@dataclass(frozen=True)
class Budget:
    """Limits of a run; the first one reached ends it.

    Parameters
    ----------
    evaluations : int, optional
        Evaluations of the objective; never exceeded.
    seconds : float or str, optional
        Wall-clock time, as a number of seconds or as ``"10min"``. The clock is read between evaluations, so an
        evaluation under way is finished, unless it is on a worker.
    cost : float, optional
        In the user's own unit, charged by returning ``ter.Value(y, cost=...)`` from the objective.
    unit : {"evaluations", "seconds", "cost"}
        The resource that rewards are measured in.

    Examples
    --------
    >>> Budget.read("1e6 evaluations, 6h")
    Budget(evaluations=1000000, seconds=21600.0, cost=None, unit='evaluations')
    >>> Budget.read(2e5).evaluations
    200000
    >>> Budget.read("10min").unit
    'seconds'
    """

    evaluations: int | None = None
    seconds: float | None = None
    cost: float | None = None
    unit: Unit = "evaluations"

    def __post_init__(self) -> None:
        if self.unit not in get_args(Unit):
            raise InvalidArgument(f"unit must be one of {', '.join(get_args(Unit))}, got {self.unit!r}")
        if self.evaluations is None and self.seconds is None and self.cost is None:
            raise InvalidArgument("a budget must limit something, got no limit; write for example budget=100_000")
        if self.evaluations is not None:
            object.__setattr__(self, "evaluations", _whole(self.evaluations))
        if self.seconds is not None:
            object.__setattr__(self, "seconds", duration(self.seconds))
        if self.cost is not None:
            object.__setattr__(self, "cost", _positive("cost", self.cost))
        if self.unit == "cost" and self.cost is None:
            raise InvalidArgument(
                "unit='cost' needs a limit on cost, got cost=None; pass Budget(cost=..., unit='cost')"
            )

    @classmethod
    def read(cls, budget: BudgetLike) -> Budget:
        """Read a budget as users write it: a number of evaluations, a text, or a budget.

        A text with several parts separated by commas combines them. The reward's unit is evaluations if these are
        limited, else the resource named first.
        """
        if isinstance(budget, Budget):
            return budget
        if isinstance(budget, str):
            return cls._parse(budget)
        if isinstance(budget, (int, float, np.integer, np.floating)) and not isinstance(budget, bool):
            return cls(evaluations=budget)  # type: ignore[arg-type]  # _whole checks and converts
        raise InvalidArgument(
            f"budget must be a number of evaluations, a text like '10min' or a ter.Budget, got {budget!r}"
        )

    @classmethod
    def _parse(cls, text: str) -> Budget:
        limits: dict[Unit, float] = {}
        for part in text.split(","):
            match = _PART.fullmatch(part.strip())
            unit = match[2].lower() if match else ""
            if match and unit in _EVALUATIONS:
                kind: Unit = "evaluations"
                amount = float(match[1])
            elif match and unit in _COST:
                kind, amount = "cost", float(match[1])
            elif (seconds := _seconds(part)) is not None:
                kind, amount = "seconds", seconds
            else:
                raise InvalidArgument(
                    f"budget must read like '1e6 evaluations', '10min', '1h30m', '40 cost' or '1e6 evaluations, 6h', "
                    f"got {part.strip()!r}"
                )
            if kind in limits:
                raise InvalidArgument(f"budget must name each resource once, got {kind} twice in {text!r}")
            limits[kind] = amount
        unit_of_reward: Unit = "evaluations" if "evaluations" in limits else next(iter(limits))
        evaluations = limits.get("evaluations")
        return cls(
            evaluations=None if evaluations is None else _whole(evaluations),
            seconds=limits.get("seconds"),
            cost=limits.get("cost"),
            unit=unit_of_reward,
        )


def duration(value: float | str) -> float:
    """Read a time span in seconds from a number or from a text such as ``"10min"`` or ``"1h30m"``.

    Examples
    --------
    >>> duration("1.5h"), duration("1h30m"), duration("2d12h")
    (5400.0, 5400.0, 216000.0)
    """
    if isinstance(value, str):
        seconds = _seconds(value)
        if seconds is None:
            raise InvalidArgument(f"a time span must read like '90s', '10min' or '1h30m', got {value!r}")
        value = seconds
    return _positive("seconds", value)


def _seconds(text: str) -> float | None:
    """Read a time span: numbers with units, each unit smaller than the one before; None if it is something else."""
    sign, rest = (-1.0, text.strip()[1:]) if text.strip().startswith("-") else (1.0, text.strip().removeprefix("+"))
    total, last = 0.0, math.inf
    while match := _STEP.match(rest):
        size = _SECONDS.get(match[2].lower(), math.inf)
        if size >= last:
            return None
        total, last, rest = total + float(match[1]) * size, size, rest[match.end() :]
    return sign * total if last < math.inf and not rest else None


def _number(value: object) -> float:
    """Read a number; anything else is NaN, which every rule refuses."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _positive(name: str, value: float) -> float:
    number = _number(value)
    if not math.isfinite(number) or number <= 0:
        raise InvalidArgument(f"{name} must be a finite number > 0, got {value!r}; leave it out for no limit")
    return number


def _whole(value: float) -> int:
    number = _number(value)
    if not math.isfinite(number) or number < 1 or number != int(number):
        raise InvalidArgument(
            f"evaluations must be a whole number >= 1, got {value!r}; a budget is for example 100_000 or 1e5"
        )
    return int(value)
