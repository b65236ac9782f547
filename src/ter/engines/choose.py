"""Choose the engine that fits an objective."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from ter.core.problem import Problem
from ter.engines.backends import choose_backend
from ter.engines.engine import Engine
from ter.engines.python import MovingEngine, PythonEngine, VectorizedEngine
from ter.engines.workers import WorkersEngine

__all__ = ["OpenedEngine", "choose_engine"]


class OpenedEngine:
    """The engine of a run, with the workers that the user asked for; they are closed at the end of a ``with`` block.

    It is a class, since a generator with ``contextmanager`` writes into the exceptions that pass, and some refuse.
    """

    def __init__(
        self, problem: Problem, workers: Any, *, stop_at_failure: bool, evaluation_timeout: float | None = None
    ) -> None:
        engine = choose_engine(problem, stop_at_failure=stop_at_failure)
        self._backend = choose_backend(workers, evaluation_timeout)
        if self._backend is None:
            self._engine = engine
            return
        alone = self._backend.takes_single_points
        home = PythonEngine(problem.fun, stop_at_failure=stop_at_failure) if alone else engine
        try:
            self._engine = WorkersEngine(problem.fun, home, self._backend, vectorized=problem.vectorized)
        except BaseException:
            self._backend.close()
            raise

    def __enter__(self) -> Engine:
        return self._engine

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._backend is not None:
            self._backend.close()


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
