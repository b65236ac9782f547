"""What an evolution inside a heuristic works on: some or all coordinates, and memory to write on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter._jit import Kernel
from ter.core.allowance import Allowance
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["EVERYTHING", "Matrix", "Subspace", "Workspace", "uniform_members"]

Matrix: TypeAlias = NDArray[np.float64]

EVERYTHING = np.empty(0, dtype=np.int64)  # no coordinates are named: all of them


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
class Subspace:
    """Coordinates that evolve while all others stay as they are.

    Attributes
    ----------
    allowance : Allowance
        Its point is the center.
    coordinates : array of int
        The coordinates that evolve; none for all of them.
    lower, upper : array
        Their bounds. To Numba a read-only array is of another type, so these are copies of the box's.
    scale : array
        On which scale to search; see :class:`ter.Box`.
    """

    allowance: Allowance
    coordinates: Integers
    lower: Vector
    upper: Vector
    scale: Vector

    @classmethod
    def of(cls, allowance: Allowance, coordinates: Integers = EVERYTHING) -> Subspace:
        """Make the subspace of these coordinates."""
        where, box = coordinates if coordinates.size else slice(None), allowance.box
        return cls(allowance, coordinates, box.lower[where].copy(), box.upper[where].copy(), box.scale[where].copy())

    @property
    def center(self) -> Vector:
        """The coordinates of the allowance's point."""
        x = self.allowance.x
        return x[self.coordinates] if self.coordinates.size else x

    def evaluate(self, rows: Matrix) -> Vector:
        """Evaluate the center with its coordinates replaced by each row; the best is kept by the allowance."""
        if self.coordinates.size:
            return self.allowance.evaluate_moves(self.coordinates, rows)
        return self.allowance.evaluate(rows)

    def first_fitness(self, members: Matrix, fitness: Vector, budget: int) -> int:
        """Evaluate a first population, whose first member is the center, as far as the budget goes; return how many."""
        fitness[0] = self.allowance.y
        used = min(len(members) - 1, budget)
        if used:
            fitness[1 : 1 + used] = self.evaluate(members[1 : 1 + used])
        return used

    def run(self, kernel: Kernel[..., int], rows: Matrix, values: Vector, *args: Any) -> None:
        """Run a kernel that evaluates batch after batch; see :meth:`ter.core.allowance.Allowance.run_batches`."""
        self.allowance.run_batches(kernel, self.coordinates, rows, values, *args)


def uniform_members(rng: np.random.Generator, size: int, allowance: Allowance) -> Matrix:
    """Return so many points: the incumbent first, which a run begins with a uniform point, then uniform ones."""
    box = allowance.box
    members = rng.random((size, box.dimension))
    members *= box.width
    members += box.lower
    np.clip(members, box.lower, box.upper, out=members)
    members[0] = allowance.x
    return members
