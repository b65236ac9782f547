"""SHADE on all coordinates: the global search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.errors import UnknownName
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.evolution import DRAWN_GREED, USED, Evolving, Shade, adopt, archive_all, gaussian_around, uniform_in
from ter.heuristics.subspace import Subspace, Workspace

__all__ = ["SHADE", "SHADEState", "Spread", "spread_of"]

Spread = float | Literal["paper"]
Initial = Literal["gaussian", "uniform"]


def spread_of(spread: Spread, subspace: Subspace) -> Vector:
    """Return the standard deviation of the first population around the incumbent, per coordinate.

    A number is a fraction of the scale. ``"paper"`` is the formula of the authors' platform, the square root of
    ``0.5 * upper - lower``: 12.2 for [-100, 100], 2.7 for [-5, 5]; it depends on the units. It shrinks with the scale.
    """
    if spread != "paper":
        return spread * subspace.scale
    width = subspace.upper - subspace.lower
    shrunk = np.divide(subspace.scale, width, out=np.ones_like(width), where=width > 0)
    return np.sqrt(np.abs(0.5 * subspace.upper - subspace.lower)) * shrunk


@dataclass
class SHADEState:
    """What SHADE has between its initiations: memory to write on, and its population if that is kept."""

    workspace: Workspace
    evolving: Evolving | None = None

    def restart(self) -> None:
        """Drop the population: the next initiation makes a new one, with a new memory and an empty archive."""
        self.evolving = None


@dataclass(frozen=True)
class SHADE:
    """Success-history adaptive differential evolution on all coordinates.

    The population is made anew at each initiation, unless it is kept: the incumbent, and Gaussian points around it.

    Parameters
    ----------
    population : int
        Members; >= 4.
    spread : float or "paper"
        Standard deviation of the first population, as a fraction of the box's scale.
    memory, archive : see :class:`ter.heuristics.evolution.Shade`
    greed : float or "drawn"
        Share of the population that counts as best; or drawn for each trial, uniformly from two members to a fifth of
        them, as in the first paper on SHADE.
    keep : bool
        Go on with the population of the last initiation, with its memory and its archive. The incumbent takes the place
        of the worst member if it is better than all.
    initial : {"gaussian", "uniform"}
        Whether the first population is drawn around the incumbent or from the whole box; the incumbent is in it.
    loose : bool
        As in the program of SHADE-ILS: normal scale factors without limits, crossover rates without limits, no
        coordinate that crosses over for certain, and an archive that begins as a copy of the population in each
        initiation and is the only source of the second difference.
    evaluations : float
        Evaluations per initiation and variable.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=[ter.heuristics.SHADE(evaluations=200)])
    >>> result.fun < 1e-2
    True

    As in the first paper on SHADE, and in SHADE-ILS:

    >>> shade = SHADE(population=100, memory=100, greed="drawn", archive=1.0, keep=True, initial="uniform")
    """

    population: int = 50
    spread: Spread = 0.1
    memory: int = 6
    greed: float | Literal["drawn"] = 0.11
    archive: float = 2.6
    keep: bool = False
    evaluations: float = 25.0
    name: str = "gs"
    initial: Initial = "gaussian"
    loose: bool = False

    def __post_init__(self) -> None:
        require_whole("population", self.population, low=4)
        require_whole("memory", self.memory, low=1)
        if self.greed != "drawn":
            require_in("greed", self.greed, low=0.0, high=1.0, open_low=True)
        require_in("archive", self.archive, low=0.0, high=np.inf)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)
        if self.spread != "paper":
            require_in("spread", self.spread, low=0.0, high=np.inf, open_low=True)
        if self.initial not in ("gaussian", "uniform"):
            raise UnknownName.among("initial population", self.initial, ["gaussian", "uniform"])

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the evolution's kernels."""
        self._evolution.compile(compiled=compiled)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two generations at least."""
        return max(2 * self.population, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> SHADEState:
        """Begin without a population."""
        return SHADEState(Workspace())

    def act(self, state: SHADEState, allowance: Allowance, rng: np.random.Generator) -> SHADEState:
        """Evolve a population until the allowance is used up."""
        subspace, budget, evolution = Subspace.of(allowance), allowance.remaining, self._evolution
        if state.evolving is None:
            members = state.workspace.matrix("members", self.population, allowance.dimension)
            if self.initial == "uniform":
                uniform_in(rng, allowance.x, subspace.lower, subspace.upper, members)
            else:
                spread = spread_of(self.spread, subspace)
                gaussian_around(rng, allowance.x, spread, subspace.lower, subspace.upper, members)
            evolving = evolution.first(subspace, members, budget, rng, state.workspace)
            if self.keep:
                state.evolving, state.workspace = evolving, Workspace()  # its arrays are the population's from now on
        else:
            evolving = state.evolving
            adopt(evolving.population, allowance.x, allowance.y)
            if self.loose:
                archive_all(evolving.population)
            evolving.population.counters[USED] = 0
        evolution.go_on(evolving, subspace, budget)
        return state

    @property
    def _evolution(self) -> Shade:
        greed = DRAWN_GREED if self.greed == "drawn" else self.greed
        return Shade((self.population, self.population), self.memory, float(greed), float(self.archive), self.loose)
