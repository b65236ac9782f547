"""SHADE on all coordinates: the global search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.evolution import Shade, gaussian_around, rehearse
from ter.heuristics.task import Task, Workspace

__all__ = ["SHADE", "Spread", "spread_of"]

Spread = float | Literal["paper"]


def spread_of(spread: Spread, lower: Vector, upper: Vector) -> Vector:
    """Return the standard deviation of the first population around the incumbent, per coordinate.

    A number is a fraction of the range. ``"paper"`` is the formula of the authors' platform, the square root of
    ``0.5 * upper - lower``: 12.2 for [-100, 100], 2.7 for [-5, 5]; it depends on the units.

    Examples
    --------
    >>> spread_of("paper", np.array([-100.0]), np.array([100.0])).round(1)
    array([12.2])
    """
    if spread == "paper":
        return np.sqrt(np.abs(0.5 * upper - lower))
    return spread * (upper - lower)


@dataclass(frozen=True)
class SHADE:
    """Success-history adaptive differential evolution on all coordinates.

    The population is made anew at each initiation: the incumbent, and Gaussian points around it.

    Parameters
    ----------
    population : int
        Members; >= 4.
    spread : float or "paper"
        Standard deviation of the first population, as a fraction of the range.
    memory, greed, archive : see :class:`ter.heuristics.evolution.Shade`
    evaluations : float
        Evaluations per initiation and variable.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=[ter.heuristics.SHADE(evaluations=200)])
    >>> result.fun < 1e-2
    True
    """

    population: int = 50
    spread: Spread = 0.1
    memory: int = 6
    greed: float = 0.11
    archive: float = 2.6
    evaluations: float = 25.0
    name: str = "gs"

    def __post_init__(self) -> None:
        require_whole("population", self.population, low=4)
        require_whole("memory", self.memory, low=1)
        require_in("greed", self.greed, low=0.0, high=1.0, open_low=True)
        require_in("archive", self.archive, low=0.0, high=np.inf)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)
        if self.spread != "paper":
            require_in("spread", self.spread, low=0.0, high=np.inf, open_low=True)

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the evolution's kernels."""
        rehearse(Shade((5, 5)), compiled=compiled)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two generations at least."""
        return max(2 * self.population, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> Workspace:
        """Keep nothing between initiations but memory to write on."""
        return Workspace()

    def act(self, state: Workspace, allowance: Allowance, rng: np.random.Generator) -> Workspace:
        """Evolve a new population around the incumbent until the allowance is used up."""
        box = allowance.box
        spread = spread_of(self.spread, box.lower, box.upper)
        members = state.matrix("members", self.population, box.dimension)
        gaussian_around(rng, allowance.x, spread, box.lower, box.upper, members)
        task = Task(
            allowance.evaluate,
            lambda: allowance.remaining,
            members,
            allowance.y,
            (box.lower, box.upper),
            allowance.remaining,
            rng,
            state,
            allowance=allowance,
        )
        Shade((self.population, self.population), self.memory, self.greed, self.archive).minimise(task)
        return state
