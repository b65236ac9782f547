"""A rehearsal: a heuristic acts on a small problem, and everything it asks for is written down."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Box, Vector, box
from ter.core.budget import Budget
from ter.core.errors import AllowanceSpent
from ter.core.heuristic import Heuristic, State
from ter.core.problem import Problem
from ter.core.streams import stream
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator

__all__ = ["Rehearsal", "patchy", "sphere", "stairs", "stairs_compiled", "stairs_rows", "uneven_box"]

PLENTY = 10**9  # evaluations: rehearsals end by their allowances


class Rehearsal:
    """Initiations of one heuristic, one by one.

    Parameters
    ----------
    heuristic : Heuristic
        It acts alone.
    fun : callable or Problem
        The objective; the points a callable is asked for are recorded.
    bounds : Box, optional
        Needed for a callable.
    seed : int
        Root of the random streams.

    Attributes
    ----------
    state : State
        The heuristic's state.
    evaluator : Evaluator
        Holds the incumbent and the books.

    Examples
    --------
    >>> import ter
    >>> rehearsal = Rehearsal(ter.heuristics.LS1(), sphere, ter.box(-1, 1, dimension=2))
    >>> rehearsal.act(limit=7), rehearsal.points.shape
    (7, (8, 2))
    """

    def __init__(
        self, heuristic: Heuristic, fun: Callable[[Vector], Any] | Problem, bounds: Any = None, *, seed: int = 1
    ) -> None:
        self._recorded: list[Vector] = []
        problem = fun if isinstance(fun, Problem) else Problem(self._record(fun), bounds)
        self.heuristic = heuristic
        self.seed = seed
        self.turn = 0
        engine = choose_engine(problem, stop_at_failure=True)
        self.evaluator = Evaluator(problem.box, engine, Budget(evaluations=PLENTY))
        start = problem.lower + 0.75 * (problem.upper - problem.lower)
        self.evaluator.lend(1).evaluate(start[None, :])
        self.state: State = heuristic.start(problem.box, stream(seed, f"{heuristic.name}/start"))

    def _record(self, fun: Callable[[Vector], Any]) -> Callable[[Vector], Any]:
        def recorded(x: Vector) -> Any:
            self._recorded.append(x.copy())
            return fun(x)

        return recorded

    @property
    def points(self) -> NDArray[np.float64]:
        """Every point the objective was asked for, the start included."""
        return np.array(self._recorded)

    def act(self, limit: int) -> int:
        """Run one initiation with at most `limit` evaluations and return how many it used."""
        before = self.evaluator.count
        allowance = self.evaluator.lend(limit)
        with suppress(AllowanceSpent):  # as in the loop: the state is then what it was
            self.state = self.heuristic.act(self.state, allowance, stream(self.seed, self.heuristic.name, self.turn))
        self.turn += 1
        return self.evaluator.count - before


def uneven_box() -> Box:
    """Return a box with sides of very different length, one of them a fixed variable."""
    return box([-5.0, 0.0, 2.0, -1e-3, -1e6], [5.0, 1.0, 2.0, 1e-3, 1e6])


def sphere(x: Vector) -> float:
    """Return the sum of squares."""
    return float((x * x).sum())


def patchy(x: Vector) -> float:
    """Return the sum of the coordinates' sizes, but NaN or an infinity at three points of five."""
    y = float(np.abs(x).sum())
    return {1: math.nan, 2: math.inf, 3: -math.inf}.get(math.floor(1024 * y) % 5, y)


def stairs(x: Vector) -> float:
    """Return the sum of the distances from 1/4 in whole 1024ths: exact in any order, so equal on every engine."""
    return float((np.floor(np.abs(x - 0.25) * 1024.0) / 1024.0).sum())


def stairs_rows(X: NDArray[np.float64]) -> Vector:
    """Return `stairs` for rows of points."""
    return np.asarray((np.floor(np.abs(X - 0.25) * 1024.0) / 1024.0).sum(axis=1))


@cache
def stairs_compiled() -> Any:
    """Return `stairs` as a Numba function; always the same one, since its compilation takes a while."""
    import numba

    @numba.njit
    def compiled(x: Vector) -> float:
        total = 0.0
        for i in range(x.shape[0]):
            total += math.floor(abs(x[i] - 0.25) * 1024.0) / 1024.0
        return total

    return compiled
