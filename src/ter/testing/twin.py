"""A compiled objective as ordinary Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ter.core.box import Vector
from ter.objectives.blocks import BlockObjective
from ter.objectives.compiled import CompiledObjective

__all__ = ["python_twin"]


def python_twin(fun: Any) -> Callable[[Vector], float]:
    """Return the Python source of a Numba function or a compiled objective as a function of a point.

    Examples
    --------
    >>> import numba
    >>> python_twin(numba.njit(lambda x: x[0] + x[1]))(np.array([1.0, 2.0]))
    np.float64(3.0)
    """
    if isinstance(fun, BlockObjective):
        return lambda x: _sum_of_terms(fun, x)
    if isinstance(fun, CompiledObjective):
        value = _source(fun.value)
        return lambda x: float(value(x, *(constants.copy() for constants in fun.data)))
    source: Callable[[Vector], float] = _source(fun)
    return source


def _source(function: Any) -> Any:
    return getattr(function, "py_func", function)  # where nothing is compiled, functions are as they were written


def _sum_of_terms(fun: BlockObjective, x: Vector) -> float:
    groups, term, data = fun.groups, _source(fun.term), fun.data[0].copy()
    members = np.split(groups.members, groups.starts[1:-1])
    return float(sum(term(x[where], k, data) for k, where in enumerate(members)))
