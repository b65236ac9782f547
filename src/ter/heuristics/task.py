"""What an evolution inside a heuristic works on: a first population, bounds, a budget, and memory to write on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter._jit import Kernel
from ter.core.allowance import Allowance
from ter.core.box import Vector
from ter.core.ledger import INTEGER_FIELDS, LIMIT, PAUSE, Integers, Walk

__all__ = ["Matrix", "Task", "Workspace"]

Matrix: TypeAlias = NDArray[np.float64]


class Workspace:
    """Arrays that are used again, so that large ones are not asked from the system at each initiation.

    It holds nothing worth keeping: a copy of it, or one that was saved and read again, is empty.

    Examples
    --------
    >>> workspace = Workspace()
    >>> workspace.matrix("trials", 3, 2).shape
    (3, 2)
    """

    def __init__(self) -> None:
        self._arrays: dict[str, Vector] = {}

    def matrix(self, name: str, rows: int, columns: int) -> Matrix:
        """Return the array called `name`, with any content."""
        flat = self._arrays.get(name)
        if flat is None or flat.size < rows * columns:
            flat = self._arrays[name] = np.empty(rows * columns)
        return flat[: rows * columns].reshape(rows, columns)

    def __reduce__(self) -> tuple[type[Workspace], tuple[()]]:
        """Leave the arrays behind."""
        return Workspace, ()


@dataclass(frozen=True)
class Task:
    """What an evolution works on.

    Attributes
    ----------
    evaluate : callable
        Values of rows; it keeps the best by itself.
    alive : callable
        0 when the evolution must end early.
    members : array of shape (first size, k)
        The first population; overwritten. The value of the first row is known.
    first_value : float
        That value.
    box : (lower, upper)
        Bounds of the k variables.
    budget : int
        Evaluations.
    rng : Generator
        Seeds the generator used in kernels.
    workspace : Workspace
        Where large arrays come from.
    coordinates : array of int
        The k coordinates of the incumbent that evolve; none for all of them.
    allowance : Allowance, optional
        Behind `evaluate`, if it is one.
    """

    evaluate: Callable[[Matrix], Vector]
    alive: Callable[[], int]
    members: Matrix
    first_value: float
    box: tuple[Vector, Vector]
    budget: int
    rng: np.random.Generator
    workspace: Workspace = field(default_factory=Workspace)
    coordinates: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    allowance: Allowance | None = None

    def first_fitness(self, fitness: Vector) -> int:
        """Evaluate the first population, as far as the budget goes; return how many evaluations that took."""
        fitness[0] = self.first_value
        used = min(len(self.members) - 1, self.budget)
        if used:
            fitness[1 : 1 + used] = self.evaluate(self.members[1 : 1 + used])
        return used

    def run(self, kernel: Kernel[..., int], rows: Matrix, values: Vector, *args: Any) -> None:
        """Run a kernel that evaluates batch after batch; see :meth:`ter.core.allowance.Allowance.run_batches`."""
        if self.allowance is not None:
            self.allowance.run_batches(kernel, self.coordinates, rows, values, *args)
        else:
            kernel.py_func(self._batch, _Alone(), self.coordinates, rows, values, *args)

    def _batch(self, walk: Walk, coordinates: Integers, rows: Matrix, values: Vector) -> int:
        values[:] = self.evaluate(rows)
        return len(rows)

    def offspring(self, trials: Matrix, used: int, values: Vector) -> int:
        """Evaluate what the budget allows of `trials` into `values`, +inf for the rest; return how many."""
        n = min(len(trials), self.budget - used)
        values[:n], values[n:] = self.evaluate(trials[:n]), np.inf
        return n


class _Alone:
    """All that a kernel sees of a run where there is none: no limit, no failure."""

    def __init__(self) -> None:
        self.ledger = np.zeros(INTEGER_FIELDS, dtype=np.int64)
        self.ledger[[LIMIT, PAUSE]] = np.iinfo(np.int64).max
