"""Heuristics that only put a trajectory somewhere: at a point of a design, at the centre, or beside a population."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.shade import SHADEState
from ter.heuristics.subspace import Matrix

__all__ = ["Centre", "OrthogonalArray", "Restart"]


def move_to(x: Vector, allowance: Allowance) -> None:
    """Evaluate a point and take the trajectory there, better or worse; the incumbent moves by itself."""
    y = allowance.evaluate_point(x)
    jump = getattr(allowance, "jump", None)
    if jump is not None:
        jump(x, y)


@dataclass
class Design:
    """Points that were not visited yet, the next one first."""

    points: list[Vector] = field(default_factory=list)


@dataclass(frozen=True)
class OrthogonalArray:
    """Put one trajectory after the other at the points of a simulated orthogonal array (MTS).

    Each variable takes equally spaced values from bound to bound, each of them once, in random order. When all points
    were visited another array is drawn.

    Parameters
    ----------
    points : int
        As many as there are trajectories.
    """

    points: int = 5
    name: str = "place"
    one_state: bool = True

    def __post_init__(self) -> None:
        require_whole("points", self.points, low=1)

    def cost(self, dimension: int) -> int:
        """One evaluation."""
        return 1

    def start(self, box: Box, rng: np.random.Generator) -> Design:
        """Draw the array."""
        return Design(self._draw(box, rng))

    def act(self, state: Design, allowance: Allowance, rng: np.random.Generator) -> Design:
        """Go to the next point."""
        if allowance.remaining:
            state.points = state.points or self._draw(allowance.box, rng)
            move_to(state.points.pop(0), allowance)
        return state

    def _draw(self, box: Box, rng: np.random.Generator) -> list[Vector]:
        levels = np.array([rng.permutation(self.points) for _ in range(box.dimension)]).T
        share = levels / (self.points - 1) if self.points > 1 else np.full(levels.shape, 0.5)
        return list(box.lower + share * (box.upper - box.lower))


@dataclass(frozen=True)
class Centre:
    """Put a trajectory at the centre of the box.

    Parameters
    ----------
    only_if_better : bool
        Whether it stays where it is if the centre is not better.

    Examples
    --------
    >>> Centre().cost(1000)
    1
    """

    name: str = "centre"
    only_if_better: bool = False

    def cost(self, dimension: int) -> int:
        """One evaluation."""
        return 1

    def start(self, box: Box, rng: np.random.Generator) -> None:
        """Nothing is kept."""

    def act(self, state: None, allowance: Allowance, rng: np.random.Generator) -> None:
        """Go there."""
        if allowance.remaining:
            centre = 0.5 * allowance.box.lower + 0.5 * allowance.box.upper
            if self.only_if_better:
                allowance.evaluate_point(centre)  # a better point moves it by itself
            else:
                move_to(centre, allowance)


@dataclass(frozen=True)
class Restart:
    """Put a trajectory beside a random member of SHADE's population, which it forgets (SHADE-ILS).

    Parameters
    ----------
    low, high : float
        The distance from the member is drawn uniformly between these shares of the range, for each variable.
    family : str
        The name of the SHADE whose population it is.
    """

    low: float = 0.0
    high: float = 0.1
    name: str = "restart"
    family: str = "shade"

    def __post_init__(self) -> None:
        require_in("low", self.low, low=-1.0, high=1.0)
        require_in("high", self.high, low=self.low, high=1.0)

    def cost(self, dimension: int) -> int:
        """One evaluation."""
        return 1

    def start(self, box: Box, rng: np.random.Generator) -> SHADEState:
        """SHADE itself starts the state, which stands before this one in the portfolio."""
        raise NotImplementedError("a restart needs the SHADE of its family before it in the portfolio")

    def act(self, state: SHADEState, allowance: Allowance, rng: np.random.Generator) -> SHADEState:
        """Go beside a member."""
        if allowance.remaining:
            box, near = allowance.box, self._member(state, allowance, rng)
            away = rng.uniform(self.low, self.high, box.dimension) * (box.upper - box.lower)
            state.restart()
            move_to(np.clip(near + away, box.lower, box.upper), allowance)
        return state

    @staticmethod
    def _member(state: SHADEState, allowance: Allowance, rng: np.random.Generator) -> Vector:
        if state.evolving is None:
            return allowance.x
        members: Matrix = state.evolving.population.members
        member: Vector = members[rng.integers(len(members))]
        return member
