"""Choose the engine that fits an objective."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ter.core.problem import Problem
from ter.engines.backends import choose_backend
from ter.engines.engine import Engine
from ter.engines.python import MovingEngine, PythonEngine, VectorizedEngine
from ter.engines.workers import WorkersEngine

__all__ = ["choose_engine", "opened_engine"]


@contextmanager
def opened_engine(problem: Problem, workers: Any, *, stop_at_failure: bool) -> Iterator[Engine]:
    """Open the engine of a run, with the workers that the user asked for; they are closed at the end of the block."""
    engine = choose_engine(problem, stop_at_failure=stop_at_failure)
    backend = choose_backend(workers)
    if backend is None:
        yield engine
        return
    home = PythonEngine(problem.fun, stop_at_failure=stop_at_failure) if backend.takes_single_points else engine
    try:
        yield WorkersEngine(problem.fun, home, backend, vectorized=problem.vectorized)
    finally:
        backend.close()


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
