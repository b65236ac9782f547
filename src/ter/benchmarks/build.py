"""Turn a function of a suite into a problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ter.benchmarks.definitions import Base, Function
from ter.benchmarks.describe import layout_of
from ter.benchmarks.layout import Layout, Part
from ter.benchmarks.objective import LayoutObjective
from ter.core.box import Box, Vector
from ter.core.problem import Problem

__all__ = ["benchmark"]

COUPLED = (Base.ROSENBROCK, Base.SCHWEFEL, Base.GRIEWANK, Base.MAXIMUM)


def benchmark(function: Function, dimension: int) -> Problem:
    """Make the problem of a function."""
    layout = layout_of(function, dimension)
    half = np.full(dimension, float(function.half_range))
    variant = f", {function.variant}" if function.variant else ""
    return Problem(
        LayoutObjective.of(layout),
        Box(-half, half),
        name=function.name,
        f_opt=None if function.conflicting else layout.bias,
        x_opt=None if function.conflicting else _optimum(layout),
        about=f"{function.about} (f{function.number} of CEC'20{function.competition[-2:]}{variant}).",
        facts=_facts(function, layout),
    )


def _optimum(layout: Layout) -> Vector:
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
    groups = [part for part in layout.parts if _is_group(part)]
    alone = [part.coordinates for part in layout.parts if not _is_group(part)]
    budget = function.budget * (layout.dimension if function.any_dimension else 1)
    return Facts(
        suite=function.suite,
        function=function.number,
        groups=tuple(_frozen(part.coordinates) for part in groups),
        weights=tuple(part.weight for part in groups),
        separable=_frozen(np.concatenate(alone) if alone else ()),
        budget=budget,
        milestones=tuple(budget // share for share in function.milestones),
        cost=function.cost,
    )


def _is_group(part: Part) -> bool:
    """Tell whether the variables of a part have to be optimised together."""
    return part.rotation is not None or part.base in COUPLED


def _frozen(coordinates: Any) -> Any:
    array = np.array(coordinates, dtype=np.int64)
    array.flags.writeable = False
    return array
