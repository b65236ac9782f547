"""The contract of allowances: all that a heuristic sees of a run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter._jit import Kernel
from ter.core.box import Box, Vector
from ter.core.ledger import Integers

__all__ = ["Allowance", "Branch", "Chain", "KeptBranch"]


@dataclass(frozen=True, eq=False)
class KeptBranch:
    """What is left of a branch that was copied or saved: where it was, not what the objective had prepared there."""

    x: Vector
    y: float
    follow: bool


@dataclass(frozen=True, eq=False)
class Chain:
    """Moves that a heuristic will ask for in any case, each of its batches as soon as the values of the last are known.

    Attributes
    ----------
    coordinates : array of int
        Which coordinates of the point are replaced; empty if rows are whole points.
    first : array of shape (k,)
        The first row. It tells whether a chain is under way already.
    begin : callable
        Returns a generator that yields rows, is sent their values, yields the next ones, and so on. The first ones may
        be in the next batch. It works on a copy of whatever it needs: a heuristic learns from its own batches.
    """

    coordinates: Integers
    first: Vector
    begin: Callable[[], Generator[NDArray[np.float64], Vector, None]]


class Allowance(Protocol):
    """At most so many evaluations, lent for one action.

    A heuristic loops ``while allowance.remaining:`` and calls one of the evaluating methods. A call when nothing is
    left ends the action on the spot; :class:`ter.core.heuristic.Heuristic` says what becomes of the state then.
    """

    @property
    def remaining(self) -> int:
        """Evaluations left; 0 as soon as the run must end for any reason."""
        ...

    @property
    def count(self) -> int:
        """Evaluations of the run so far."""
        ...

    @property
    def x(self) -> Vector:
        """A copy of the point that moves start from: the incumbent, the best point so far."""
        ...

    @property
    def y(self) -> float:
        """Its value; +inf until a finite value was seen."""
        ...

    @property
    def box(self) -> Box:
        """The box of the problem."""
        ...

    @property
    def dimension(self) -> int:
        """Number of variables."""
        ...

    @property
    def batched(self) -> bool:
        """Whether a batch takes less time than its points one by one: there are workers, or the objective takes rows.

        It is a hint for points that do not depend on each other; values are the same either way.
        """
        ...

    def evaluate(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points, shape (n, D), and return n values.

        Points outside the box are moved to its border. A failed evaluation reads +inf, and so does a row beyond
        the allowance, which is not evaluated. The incumbent follows the best value by itself.
        """
        ...

    def evaluate_point(self, x: ArrayLike) -> float:
        """Evaluate one point, shape (D,)."""
        ...

    def evaluate_moves(self, coordinates: ArrayLike, V: ArrayLike) -> Vector:
        """Evaluate the incumbent with ``x[coordinates]`` replaced by each row of `V`, shape (n, k).

        Objectives that evaluate moves incrementally do so here; for others it is the same as `evaluate`.
        """
        ...

    def look_ahead(self, chains: Sequence[Chain]) -> None:
        """Say what will be evaluated after the next batch, so that workers need not wait for the slowest of that batch.

        It is a hint. Points are evaluated when workers have nothing else to do, and nothing is counted, charged or told
        until they are asked for. They must be within the evaluations left. What was said before no longer holds.
        """
        ...

    def run(self, kernel: Kernel[..., Any], *args: Any) -> Any:
        """Run a sequential kernel once: compiled, or as Python around a Python objective.

        The kernel is called as ``kernel(probe, accept, walk, *args)``. ``probe(walk, i, v)`` evaluates ``walk.x`` with
        coordinate `i` at `v`, ``accept(walk, i, v, y)`` moves there, and ``walk.y[0]`` is the value of ``walk.x``. The
        kernel must stop when ``ledger[COUNT]`` reaches ``ledger[LIMIT]`` and return at a natural break once it
        reaches ``ledger[PAUSE]``. Around the incumbent it accepts only moves that are better than ``walk.y[0]``.
        """
        ...

    def run_batches(
        self, kernel: Kernel[..., int], coordinates: Integers, rows: NDArray[np.float64], values: Vector, *args: Any
    ) -> None:
        """Run a kernel that evaluates batch after batch: compiled, or as Python around a Python objective.

        The kernel is called as ``kernel(batch, walk, coordinates, rows, values, *args)`` and keeps in its own arrays
        how far it is, since it is called again to go on. It evaluates ``done = batch(walk, coordinates, rows[:n],
        values[:n])``: points, or moves of the `coordinates` of ``walk.x`` unless there are none. It returns `done` at
        once if that is not positive, if ``ledger[RAISED]`` is set, or at the end of a step once ``ledger[COUNT]``
        has reached ``ledger[PAUSE]``.
        """
        ...

    def part(self, evaluations: int) -> AbstractContextManager[None]:
        """Spend at most so many of the evaluations left inside a ``with`` block; its end is as the end of an allowance.

        So a heuristic lends to another one: ``with allowance.part(500): other.act(state, allowance, rng)``.
        """
        ...

    def branch(self, x: ArrayLike | Branch | KeptBranch, y: float | None = None, *, follow: bool = True) -> Branch:
        """Begin a walk around a point of the heuristic's own, or go on with one.

        It is counted by the same books and keeps the run's best point as ever. It holds a copy of the point and the
        objective's memory there, and none of the problem's data, so a state may keep branches between initiations: at
        the next one, ``state.agent = allowance.branch(state.agent)`` goes on, also if the state was saved and read
        again in between.

        Parameters
        ----------
        x : array_like, shape (D,), or a branch that was kept
            The point; moved into the box.
        y : float, optional
            Its value, if it is known; otherwise the point is evaluated, which counts.
        follow : bool
            Whether the branch moves to any point that it evaluates as better than its own. An evolution strategy
            with a mean of its own does not want that.
        """
        ...


class Branch(Allowance, Protocol):
    """A walk around a point of a heuristic's own: a restart, an agent, a trajectory that may get worse.

    Everything is as for the incumbent, with the branch's own point in its place. `accept` and `jump` take the value on
    trust: the run's best is only ever a value that was evaluated.
    """

    def accept(self, coordinates: ArrayLike, values: ArrayLike, y: float) -> None:
        """Move to ``x[coordinates] = values``, whose value is `y`, better or worse."""
        ...

    def jump(self, x: ArrayLike, y: float) -> None:
        """Move to another point, whose value is `y`."""
        ...
