"""An objective under trial: asked by the evaluator that runs have, which counts, with points of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.budget import Budget
from ter.core.ledger import Integers, Walk
from ter.core.problem import Problem
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator
from ter.run.walker import Walker

__all__ = ["Differences", "Subject", "probed"]

ROUNDING = 1e-9  # relative differences up to this are called rounding
SOME = 50  # coordinates of a move of several, as many as a heuristic moves at a time


class Subject:
    """An objective, and so many evaluations to try it with.

    Parameters
    ----------
    problem : Problem
        The objective and its box.
    evaluations : int
        What a trial may spend.
    rng : numpy.random.Generator
        Draws points and moves.
    x0 : array, shape (n, D), optional
        Points to be tried first.

    Examples
    --------
    >>> import ter
    >>> sphere = Problem(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=2))
    >>> subject = Subject(sphere, 10, np.random.default_rng(1))
    >>> subject.values(np.zeros((2, 2))), subject.left
    (array([0., 0.]), 8)
    """

    def __init__(
        self,
        problem: Problem,
        evaluations: int,
        rng: np.random.Generator,
        x0: NDArray[np.float64] | None = None,
    ) -> None:
        self.problem, self.rng = problem, rng
        self._first = np.empty((0, problem.dimension)) if x0 is None else x0
        self.engine = choose_engine(problem, stop_at_failure=True)
        self.evaluator = Evaluator(problem.box, self.engine, Budget(evaluations=evaluations))
        self._allowance = self.evaluator.lend(evaluations)

    @property
    def left(self) -> int:
        """Evaluations left."""
        return self._allowance.remaining

    def points(self, n: int) -> NDArray[np.float64]:
        """Return points to try: those given, the middle and two corners of the box, and then uniform ones."""
        box = self.problem.box
        known = np.vstack([self._first, [0.5 * box.lower + 0.5 * box.upper, box.lower, box.upper]])[:n]
        return np.vstack([known, self.rng.uniform(box.lower, box.upper, (n - len(known), box.dimension))])

    def point(self) -> Vector:
        """Return a uniform point of the box."""
        return self.rng.uniform(self.problem.lower, self.problem.upper)

    def values(self, X: NDArray[np.float64]) -> Vector:
        """Evaluate points in full, all at once."""
        return self._allowance.evaluate(X.copy())

    def values_one_by_one(self, X: NDArray[np.float64]) -> Vector:
        """Evaluate points in full, each alone."""
        return np.array([self._allowance.evaluate_point(x) for x in X])

    def values_alone(self, X: NDArray[np.float64]) -> Vector:
        """Do the same; a compiled objective is asked for each point by another function than for rows."""
        if self.engine.compiled is None:
            return self.values_one_by_one(X)
        return np.array([self.call(x.copy()) for x in X], dtype=np.float64)

    def call(self, x: Vector) -> Any:
        """Call the function itself with this very array; it is counted."""
        self.evaluator.count_rows(1)
        return self.problem.fun(x)

    def walk_at(self, x: Vector) -> Walker:
        """Begin a walk whose moves are evaluated as in a run."""
        return self._allowance.branch(x, math.inf, follow=False)

    def moves(self, x: Vector) -> Iterator[tuple[str, Integers, NDArray[np.float64]]]:
        """Yield a name, coordinates and two rows of values for moves of all kinds, in the order of their use."""
        box, dimension = self.problem.box, x.size
        one = [np.array([i]) for i in (0, dimension - 1, int(self.rng.integers(dimension)))]
        for where in one:
            yield "one coordinate", where, self._rows(where)
        yield "one coordinate to its bounds", one[2], np.stack([box.lower[one[2]], box.upper[one[2]]])
        for size in sorted({min(2, dimension), min(SOME, dimension)} - {1}):
            where = self.rng.permutation(dimension)[:size]
            yield f"{size} coordinates", where, self._rows(where)
        everywhere = np.arange(dimension)
        yield "all coordinates", everywhere, self._rows(everywhere)

    def _rows(self, where: Integers) -> NDArray[np.float64]:
        box = self.problem.box
        return self.rng.uniform(box.lower[where], box.upper[where], (2, where.size))


@kernel
def _probe_one(probe: Any, accept: Any, walk: Walk, i: int, v: float) -> float:
    return float(probe(walk, i, v))


def probed(walk: Walker, i: int, v: float) -> float:
    """Evaluate one coordinate's move as sweeps do, which have a loop of their own around compiled objectives."""
    return float(walk.run(_probe_one, int(i), float(v)))


class Differences:
    """Compares pairs of values that should be equal, and remembers the worst.

    Examples
    --------
    >>> pairs = Differences(tolerance=0.0)
    >>> pairs.compare("a move", [1.0, 2.0], [1.0, 2.5])
    >>> pairs.seen("moved", "in full")
    '1 of 2 differ; a move: 2.0 moved, 2.5 in full'
    """

    def __init__(self, tolerance: float) -> None:
        self._tolerance = tolerance
        self._worst = (0.0, "", 0.0, 0.0)
        self.compared = self.differing = 0

    def compare(self, what: str, first: Sequence[float] | Vector, second: Sequence[float] | Vector) -> None:
        """Compare values pair by pair; those that are not finite are all alike."""
        for a, b in zip(np.asarray(first).tolist(), np.asarray(second).tolist(), strict=True):
            self.compared += 1
            difference = relative_difference(a, b)
            if difference > self._tolerance:
                self.differing += 1
                if difference > self._worst[0]:
                    self._worst = (difference, what, a, b)

    @property
    def by_rounding(self) -> bool:
        """Whether all differences are as small as those of rounding."""
        return self._worst[0] <= ROUNDING

    def seen(self, first: str, second: str) -> str:
        """Say how many differ, and how the worst pair does."""
        _, what, a, b = self._worst
        return f"{self.differing} of {self.compared} differ; {what}: {a!r} {first}, {b!r} {second}"


def relative_difference(a: float, b: float) -> float:
    """Return by how much two values differ, as a share of the larger one.

    Examples
    --------
    >>> relative_difference(1.0, 1.5), relative_difference(math.inf, math.nan)
    (0.3333333333333333, 0.0)
    """
    if not (math.isfinite(a) and math.isfinite(b)):
        return 0.0 if math.isfinite(a) == math.isfinite(b) else math.inf
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))
