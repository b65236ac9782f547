"""DECC on given groups, as in DECC-DG2: SaNSDE on each group in turn.

The groups come from an analysis of which variables depend on each other, such as DG2.

References
----------
.. [1] M. Omidvar, M. Yang, Y. Mei, X. Li, X. Yao, "DG2: a faster and more accurate differential grouping for
   large-scale black-box optimization", IEEE Transactions on Evolutionary Computation 21, 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.core.errors import InvalidArgument
from ter.core.ledger import Integers
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.decc import Coevolving
from ter.heuristics.sansde import SaNSDE
from ter.heuristics.subspace import uniform_members

__all__ = ["GroupedDECC", "GroupedDECCState", "Groups"]

Groups: TypeAlias = Sequence[ArrayLike] | Callable[[Allowance], Sequence[ArrayLike]]


@dataclass
class GroupedDECCState:
    """What it keeps between its initiations."""

    coevolving: Coevolving
    groups: list[Integers] | None = None  # before they are known
    evaluated: int = 1  # members of the first population whose values are known; the first is the incumbent


@dataclass(frozen=True)
class GroupedDECC:
    """Cooperative coevolution on groups that are known: SaNSDE on each in turn.

    Parameters
    ----------
    groups : list of arrays of int, or callable
        The coordinates of each group. A function gets the allowance of the first initiation, and may spend it.
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
    ...                       heuristics=[GroupedDECC([[0, 1], [2, 3]], population=10)])
    >>> result.fun < 1e-2
    True
    """

    groups: Groups
    population: int = 50
    generations: int = 100
    evaluations: float = 25.0
    name: str = "decc-dg2"

    def __post_init__(self) -> None:
        require_whole("population", self.population, low=4)
        require_whole("generations", self.generations, low=1)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def warm_up(self, *, compiled: bool) -> None:
        """Compile SaNSDE's kernels."""
        SaNSDE(self.population).compile(compiled=compiled)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for the first population and a generation at least."""
        return max(3 * self.population, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> GroupedDECCState:
        """Begin without a population."""
        return GroupedDECCState(Coevolving(rng))

    def act(self, state: GroupedDECCState, allowance: Allowance, rng: np.random.Generator) -> GroupedDECCState:
        """Go on with the group under way, and then with the next ones."""
        own = state.coevolving
        if state.groups is None:
            given = self.groups(allowance) if callable(self.groups) else self.groups
            state.groups = [_checked(group, allowance.dimension) for group in given]
            if not state.groups:
                raise InvalidArgument("groups must hold at least one group, got none; give lists of coordinates")
        own.arrive(allowance)
        if own.members is None:
            own.members = uniform_members(own.rng, self.population, allowance)
        while remaining := allowance.remaining:
            if state.evaluated < self.population:
                rows = own.members[state.evaluated : state.evaluated + remaining]
                allowance.evaluate(rows)
                state.evaluated += len(rows)
                own.context = allowance.y
                continue
            if not own.groups:
                own.groups = state.groups.copy()
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
