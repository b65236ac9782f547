"""An allowance: all that a heuristic sees of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter._jit import Kernel
from ter.core.box import Box, Vector
from ter.core.ledger import Integers

if TYPE_CHECKING:
    from ter.run.evaluator import Evaluator

__all__ = ["Allowance"]


class Allowance:
    """At most so many evaluations, lent for one action.

    A heuristic loops ``while allowance.remaining:`` and calls one of the three evaluating methods. A call when
    nothing is left ends the action on the spot; the heuristic's state is then kept as it was mutated so far.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    @property
    def remaining(self) -> int:
        """Evaluations left; 0 as soon as the run must end for any reason."""
        return self._evaluator.remaining

    @property
    def x(self) -> Vector:
        """A copy of the incumbent: the best point so far."""
        return self._evaluator.x

    @property
    def y(self) -> float:
        """The incumbent's value; +inf until a finite value was seen."""
        return self._evaluator.y

    @property
    def box(self) -> Box:
        """The box of the problem."""
        return self._evaluator.box

    @property
    def dimension(self) -> int:
        """Number of variables."""
        return self._evaluator.box.dimension

    def evaluate(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points, shape (n, D), and return n values.

        Points outside the box are moved to its border. A failed evaluation reads +inf, and so does a row beyond
        the allowance, which is not evaluated. The incumbent follows the best value by itself.
        """
        return self._evaluator.evaluate(X)

    def evaluate_point(self, x: ArrayLike) -> float:
        """Evaluate one point, shape (D,)."""
        return float(self._evaluator.evaluate(np.asarray(x, dtype=np.float64)[None, :])[0])

    def evaluate_moves(self, coordinates: ArrayLike, V: ArrayLike) -> Vector:
        """Evaluate the incumbent with ``x[coordinates]`` replaced by each row of `V`, shape (n, k).

        Objectives that evaluate moves incrementally do so here; for others it is the same as `evaluate`.
        """
        return self._evaluator.evaluate_moves(coordinates, V)

    def run(self, kernel: Kernel[..., Any], *args: Any) -> Any:
        """Run a sequential kernel, compiled if the objective is; see :meth:`ter.run.evaluator.Evaluator.run`."""
        return self._evaluator.run(kernel, *args)

    def run_batches(
        self, kernel: Kernel[..., int], coordinates: Integers, rows: NDArray[np.float64], values: Vector, *args: Any
    ) -> None:
        """Run a kernel that evaluates batch after batch, compiled if the objective is.

        See :meth:`ter.run.evaluator.Evaluator.run_batches`.
        """
        self._evaluator.run_batches(kernel, coordinates, rows, values, *args)
