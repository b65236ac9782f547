"""Choose the engine that fits an objective."""

from __future__ import annotations

import sys
from typing import Any

from ter.core.problem import Problem
from ter.engines.engine import Engine
from ter.engines.python import MovingEngine, PythonEngine, VectorizedEngine

__all__ = ["choose_engine"]


def choose_engine(problem: Problem, *, stop_at_failure: bool) -> Engine:
    """Return the fastest engine for the problem's objective."""
    fun: Any = problem.fun
    if problem.vectorized:
        return VectorizedEngine(fun, stop_at_failure=stop_at_failure)
    if "numba" in sys.modules:
        from ter.engines.compiled import CompiledEngine
        from ter.objectives.compiled import is_compiled, objective_of

        if is_compiled(fun):
            return CompiledEngine(objective_of(fun))
    if all(callable(getattr(fun, part, None)) for part in ("start", "move", "commit")):
        return MovingEngine(fun, stop_at_failure=stop_at_failure)
    return PythonEngine(fun, stop_at_failure=stop_at_failure)
