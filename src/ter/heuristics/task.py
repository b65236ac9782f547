"""What an evolution inside a heuristic works on: a first population, bounds, a budget, and memory to write on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector

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
    """

    evaluate: Callable[[Matrix], Vector]
    alive: Callable[[], int]
    members: Matrix
    first_value: float
    box: tuple[Vector, Vector]
    budget: int
    rng: np.random.Generator
    workspace: Workspace = field(default_factory=Workspace)

    def first_fitness(self) -> tuple[Vector, int]:
        """Evaluate the first population; return its values and how many evaluations that took."""
        fitness = np.full(len(self.members), np.inf)
        fitness[0] = self.first_value
        used = min(len(self.members) - 1, self.budget)
        if used:
            fitness[1 : 1 + used] = self.evaluate(self.members[1 : 1 + used])
        return fitness, used

    def values_of(self, trials: Matrix, used: int) -> Vector:
        """Evaluate what the budget allows of `trials`; return as many values, +inf for the rest."""
        n = self.budget - used
        if n >= len(trials):
            return self.evaluate(trials)
        values = np.full(len(trials), np.inf)
        values[:n] = self.evaluate(trials[:n])
        return values

    def offspring(self, trials: Matrix, used: int, values: Vector) -> int:
        """Write what `values_of` returns into `values`; return how many were evaluated."""
        values[:] = self.values_of(trials, used)
        return min(len(trials), self.budget - used)
