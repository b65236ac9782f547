"""CC: cooperative coevolution with random grouping.

The coordinates are dealt at random into groups; each group is optimised for a while with all other coordinates held
at the incumbent.

References
----------
.. [1] Z. Yang, K. Tang, X. Yao, "Large scale evolutionary optimization using cooperative coevolution", Information
   Sciences 178, 2008.
.. [2] M. Omidvar, X. Li, Z. Yang, X. Yao, "Cooperative co-evolution for large scale optimization through more frequent
   random grouping", CEC 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.core.errors import UnknownName
from ter.core.ledger import Integers
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.evolution import Shade, gaussian_around
from ter.heuristics.sansde import SaNSDE
from ter.heuristics.shade import Spread, spread_of
from ter.heuristics.subspace import Subspace, Workspace

__all__ = ["CC", "CCState"]

Inner = Literal["shade", "sansde"]


@dataclass
class CCState:
    """What CC keeps between its initiations: the groups still to be visited."""

    order: Integers  # the coordinates, dealt at random
    position: int  # how many of them were visited
    workspace: Workspace  # memory to write on


@dataclass(frozen=True)
class CC:
    """Cooperative coevolution: differential evolution on random groups of coordinates.

    Parameters
    ----------
    group : int
        Coordinates per group.
    inner : {"shade", "sansde"}
        The optimiser inside: SHADE with a shrinking population, or SaNSDE.
    population : (int, int)
        First and last size of SHADE's population; SaNSDE keeps the rounded mean.
    spread : float or "paper"
        Standard deviation of the first population around the incumbent, as a fraction of the box's scale.
    depth : float
        Evaluations per variable that a group gets.
    evaluations : float
        Evaluations per variable of one initiation; if fewer than `depth`, the next one goes on with the next groups.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=["cc"])
    >>> result.fun < 1e-2
    True
    """

    group: int = 50
    inner: Inner = "shade"
    population: tuple[int, int] = (26, 4)
    spread: Spread = 0.1
    depth: float = 75.0
    evaluations: float = 75.0
    name: str = "cc"

    def __post_init__(self) -> None:
        require_whole("group", self.group, low=1)
        require_in("depth", self.depth, low=0.0, high=np.inf, open_low=True)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)
        require_whole("population[1]", self.population[1], low=4)
        require_whole("population[0]", self.population[0], low=self.population[1])
        if self.spread != "paper":
            require_in("spread", self.spread, low=0.0, high=np.inf, open_low=True)
        if self.inner not in ("shade", "sansde"):
            raise UnknownName.among("inner optimiser", self.inner, ["shade", "sansde"])

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the evolution's kernels."""
        self._evolution.compile(compiled=compiled)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two generations at least."""
        return max(2 * self.population[0], int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> CCState:
        """Deal the groups at the first initiation."""
        return CCState(np.arange(box.dimension), box.dimension, Workspace())

    def act(self, state: CCState, allowance: Allowance, rng: np.random.Generator) -> CCState:
        """Optimise group after group; deal new groups when all coordinates were visited."""
        box = allowance.box
        while allowance.remaining:
            if state.position >= box.dimension:
                state.order = rng.permutation(box.dimension)
                state.position = 0
            group = np.sort(state.order[state.position : state.position + self.group])
            state.position += len(group)
            share = max(self.population[0], int(self.depth * len(group)))
            self._optimise(group, allowance, min(share, allowance.remaining), rng, state.workspace)
        return state

    def _optimise(
        self, group: Integers, allowance: Allowance, budget: int, rng: np.random.Generator, workspace: Workspace
    ) -> None:
        subspace = Subspace.of(allowance, group)
        members = workspace.matrix("members", self._size, len(group))
        spread = spread_of(self.spread, subspace)
        gaussian_around(rng, subspace.center, spread, subspace.lower, subspace.upper, members)
        self._evolution.minimise(subspace, members, budget, rng, workspace)

    @property
    def _size(self) -> int:
        """Members of the first population."""
        return self.population[0] if self.inner == "shade" else (self.population[0] + self.population[1]) // 2

    @property
    def _evolution(self) -> Shade | SaNSDE:
        return Shade(self.population) if self.inner == "shade" else SaNSDE(self._size)
