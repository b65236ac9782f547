"""The contract of engines: how values come about for each kind of objective. They know nothing of budgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.ledger import Integers, Walk
from ter.engines.calls import Outcome

if TYPE_CHECKING:
    from ter.engines.compiled import CompiledEngine

__all__ = ["Engine", "GoOn", "Matrix", "Position"]

GoOn: TypeAlias = Callable[[float], bool]
"""Told what the batch under way has cost so far; tells whether to go on with it."""

Matrix: TypeAlias = NDArray[np.float64]


@dataclass(eq=False)
class Position:
    """A walk, and what the objective has prepared to evaluate moves of its point.

    Attributes
    ----------
    walk : Walk
        The point, and what kernels need.
    prepared : bool
        Whether the preparation (``walk.memory``, or `base` of a Python objective) is that of the point.
    base : object
        What a Python objective with moves has prepared.
    digest : int or None
        A number made of the bits of the point, for whoever wants to know it again; None if nobody has asked for it.
    """

    walk: Walk
    prepared: bool = False
    base: Any = None
    digest: int | None = None


class Engine(Protocol):
    """Evaluates points, and moves of the point of a walk."""

    @property
    def compiled(self) -> CompiledEngine | None:
        """The engine that runs kernels compiled around the objective, if that is possible."""
        ...

    @property
    def moving(self) -> bool:
        """Whether the objective evaluates moves itself, so that values depend on its moves being right."""
        ...

    @property
    def batched(self) -> bool:
        """Whether a batch takes less time than its points, or moves, one by one."""
        ...

    def rows(self, position: Position, X: Matrix, go_on: GoOn) -> Outcome:
        """Evaluate rows of points."""
        ...

    def moves(self, position: Position, coordinates: Integers, V: Matrix, go_on: GoOn) -> Outcome:
        """Evaluate the walk's point with ``x[coordinates]`` replaced by each row of `V`."""
        ...

    def probe(self, position: Position, i: int, v: float, go_on: GoOn) -> Any:
        """Evaluate the walk's point with ``x[i] = v``; return what the objective returned, or raise what it raised.

        If somebody on the way has seen that it is no number, a :class:`ter.engines.calls.Mistake` is raised.
        If the evaluation is given up, since the run must end, its count is taken back, and AllowanceSpent is raised.
        """
        ...

    def commit(self, position: Position, coordinates: Integers, values: Vector) -> None:
        """Move the walk's point."""
        ...

    def replace(self, position: Position, x: Vector) -> None:
        """Make `x` the walk's point."""
        ...
