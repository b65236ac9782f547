"""Turn a function of a suite into a problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ter.benchmarks import lso08, lso10, lso13
from ter.benchmarks.catalogue import Function
from ter.benchmarks.layout import Base, Layout, Part
from ter.benchmarks.objective import LayoutObjective
from ter.core.box import Box, Vector
from ter.core.problem import Problem

__all__ = ["benchmark"]

HALF_RANGES = {  # the box is symmetric
    "lso08": (100, 100, 100, 5, 600, 32),
    "lso10": (100, 5, 32, 100, 5, 32, 100, 100, 100, 5, 32, 100, 100, 100, 5, 32, 100, 100, 100, 100),
    "lso13": (100, 5, 32, 100, 5, 32, 100, 100, 5, 32, 100, 100, 100, 100, 100),
}
BUDGET = 3_000_000
MILESTONES = (120_000, 600_000, 3_000_000)
COUPLED = (Base.ROSENBROCK, Base.SCHWEFEL, Base.GRIEWANK, Base.MAXIMUM)
CONFLICTING = ("lso13", 14)  # its groups want different things of the variables they share


def benchmark(function: Function, dimension: int) -> Problem:
    """Make the problem of a function."""
    layout = _layout(function, dimension)
    half = float(HALF_RANGES[function.kind][function.number - 1])
    known = (function.kind, function.number) != CONFLICTING
    return Problem(
        LayoutObjective.of(layout),
        Box(np.full(dimension, -half), np.full(dimension, half)),
        name=function.name,
        f_opt=layout.bias if known else None,
        x_opt=optimum(layout) if known else None,
        about=f"{function.about} ({_origin(function)}).",
        facts=_facts(function, layout),
    )


def _layout(function: Function, dimension: int) -> Layout:
    if function.kind == "lso08":
        return lso08.layout(function.number, dimension, biased=not function.variant)
    if function.kind == "lso10":
        return lso10.layout(function.number)
    return lso13.layout(function.number, ackley="raw" if function.variant == "-raw" else "official")


def _origin(function: Function) -> str:
    origin = f"f{function.number} of CEC'20{function.kind[-2:]}"
    return origin + {"-raw": ", Ackley not transformed", "-unbiased": ", without bias"}.get(function.variant, "")


def optimum(layout: Layout) -> Vector:
    """Return the point where every part has its minimum."""
    x = np.zeros(layout.dimension)
    for part in layout.parts:
        x[part.coordinates] = part.shift + (1.0 if part.base is Base.ROSENBROCK else 0.0)
    x.flags.writeable = False
    return x


class Facts(Mapping[str, Any]):
    """What is known about a function; it can be read and pickled, not written.

    Examples
    --------
    >>> dict(Facts(suite="lso13", function=4))
    {'suite': 'lso13', 'function': 4}
    """

    def __init__(self, **facts: Any) -> None:
        self._facts = facts

    def __getitem__(self, name: str) -> Any:
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __repr__(self) -> str:
        return f"Facts({', '.join(self._facts)})"


def _facts(function: Function, layout: Layout) -> Facts:
    groups = tuple(_frozen(part.coordinates) for part in layout.parts if _is_group(part))
    alone = [part.coordinates for part in layout.parts if not _is_group(part)]
    yearly = function.kind == "lso08"
    budget = 5_000 * layout.dimension if yearly else BUDGET
    return Facts(
        suite=function.suite,
        function=function.number,
        groups=groups,
        weights=tuple(part.weight for part in layout.parts if _is_group(part)),
        separable=_frozen(np.concatenate(alone) if alone else np.empty(0, dtype=np.int64)),
        budget=budget,
        milestones=(budget // 100, budget // 10, budget) if yearly else MILESTONES,
        cost=function.cost,
    )


def _is_group(part: Part) -> bool:
    """Tell whether the variables of a part have to be optimised together."""
    return part.rotation is not None or part.base in COUPLED


def _frozen(coordinates: Any) -> Any:
    array = np.array(coordinates, dtype=np.int64)
    array.flags.writeable = False
    return array
