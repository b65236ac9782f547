"""DECC-DG2: DG2 finds out which variables depend on each other, then SaNSDE evolves each group in turn.

The separable variables form one group, as in the authors' experiments.

References
----------
.. [1] M. Omidvar, M. Yang, Y. Mei, X. Li, X. Yao, "DG2: a faster and more accurate differential grouping for
   large-scale black-box optimization", IEEE Transactions on Evolutionary Computation 21, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers
from ter.decomposition.dg2 import DG2State
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.decc import Coevolving
from ter.heuristics.sansde import SaNSDE

__all__ = ["DECCDG2", "DECCDG2State"]


@dataclass
class DECCDG2State:
    """What it keeps between its initiations."""

    coevolving: Coevolving
    analysis: DG2State | None  # under way, or none if the groups were given
    groups: list[Integers] | None = None  # before they are known

    @property
    def remark(self) -> str:
        """Say what it is at."""
        if self.groups is None:
            return "dg2"
        left = len(self.coevolving.groups)
        return f"group {len(self.groups) - left + (left > 0)} of {len(self.groups)}"


@dataclass(frozen=True)
class DECCDG2:
    """Cooperative coevolution on the groups that DG2 finds: SaNSDE on each in turn.

    DG2 takes D(D + 1)/2 + 1 evaluations before anything evolves.

    Parameters
    ----------
    groups : list of arrays of int, optional
        The coordinates of each group, if they are known; DG2 is left out then.
    population : int
        Members; >= 4.
    generations : int
        Generations of SaNSDE per group and turn.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=9_000, rng=1,
    ...                       heuristics=[DECCDG2([[0, 1], [2, 3]], population=10)])
    >>> result.fun < 1e-2
    True
    """

    groups: Sequence[ArrayLike] | None = None
    population: int = 50
    generations: int = 100
    evaluations: float = 25.0
    name: str = "decc-dg2"

    def __post_init__(self) -> None:
        require_whole("population", self.population, low=4)
        require_whole("generations", self.generations, low=1)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the kernels of DG2 and of SaNSDE."""
        SaNSDE(self.population).compile(compiled=compiled)
        if self.groups is None and compiled:
            DG2State.begin(Box(np.zeros(2), np.ones(2))).warm_up()

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for the first population and a generation at least."""
        return max(3 * self.population, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> DECCDG2State:
        """Begin with the analysis."""
        if self.groups is None:
            return DECCDG2State(Coevolving(rng), DG2State.begin(box))
        groups = [_checked(group, box.dimension) for group in self.groups]
        if not groups:
            raise InvalidArgument("groups must hold at least one group, got none; give lists of coordinates")
        return DECCDG2State(Coevolving(rng), None, groups)

    def act(self, state: DECCDG2State, allowance: Allowance, rng: np.random.Generator) -> DECCDG2State:
        """Go on with the analysis, or with the group under way, and then with the next ones."""
        own = state.coevolving
        if state.groups is None and state.analysis is not None:
            if not state.analysis.go_on(allowance):
                return state
            structure = state.analysis.structure()
            rest = np.sort(np.concatenate([structure.separable, structure.undecided]))
            state.groups = [group for group in (*structure.groups, rest) if group.size]
            state.analysis = None  # its matrix is of no more use
        own.arrive(allowance, self.population)
        while allowance.remaining:
            if own.evaluate(allowance):
                continue
            if not own.groups:
                own.groups = list(state.groups or ())
            own.visit(allowance, self.generations)
        return state


def _checked(group: ArrayLike, dimension: int) -> Integers:
    """Return the coordinates of a group in order."""
    coordinates = np.unique(np.asarray(group, dtype=np.int64))
    if coordinates.size == 0 or coordinates[0] < 0 or coordinates[-1] >= dimension:
        raise InvalidArgument(
            f"a group must hold coordinates from 0 to {dimension - 1}, got {np.asarray(group).tolist()}"
        )
    return coordinates
