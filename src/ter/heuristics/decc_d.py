"""DECC-D: cooperative coevolution with delta grouping.

Variables that depend on each other can move only a little while others stay. So variables that moved about as far in
the last cycle are put into one group.

References
----------
.. [1] M. Omidvar, X. Li, X. Yao, "Cooperative co-evolution with delta grouping for large scale non-separable function
   optimization", CEC 2010.
.. [2] Z. Yang, K. Tang, X. Yao, "Self-adaptive differential evolution with neighborhood search", CEC 2008.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.decomposition.grouping import delta_groups
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.decc import Coevolving
from ter.heuristics.sansde import SaNSDE
from ter.heuristics.subspace import Matrix

__all__ = ["DECCD", "DECCDState"]


@dataclass
class DECCDState:
    """What DECC-D keeps between its initiations."""

    coevolving: Coevolving
    before: Matrix | None = None  # the members at the beginning of the cycle
    total: int = 0  # groups of the cycle

    @property
    def remark(self) -> str:
        """Say how far the cycle has come."""
        left = len(self.coevolving.groups)
        return f"group {self.total - left + 1} of {self.total}" if left else "whole points"


@dataclass(frozen=True)
class DECCD:
    """Cooperative coevolution with delta grouping: one generation of SaNSDE per group, then new groups.

    Parameters
    ----------
    population : int
        Members; >= 4.
    group : int
        Variables per group.
    generations : int
        Generations of SaNSDE per group and cycle.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=["decc-d"])
    >>> result.fun < 1e-2
    True
    """

    population: int = 50
    group: int = 100
    generations: int = 1
    evaluations: float = 25.0
    name: str = "decc-d"

    def __post_init__(self) -> None:
        require_whole("population", self.population, low=4)
        require_whole("group", self.group, low=1)
        require_whole("generations", self.generations, low=1)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def warm_up(self, *, compiled: bool) -> None:
        """Compile SaNSDE's kernels."""
        SaNSDE(self.population).compile(compiled=compiled)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for the first population and a group at least."""
        return max(3 * self.population, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> DECCDState:
        """Begin without a population."""
        return DECCDState(Coevolving(rng))

    def act(self, state: DECCDState, allowance: Allowance, rng: np.random.Generator) -> DECCDState:
        """Go on with the cycle: all groups, then all members as whole points."""
        own = state.coevolving
        members = own.arrive(allowance, self.population)
        while allowance.remaining:
            if own.evaluate(allowance):
                continue
            if own.groups:
                own.visit(allowance, self.generations)
                if not own.groups:
                    own.evaluated = 0
            else:
                before = members if state.before is None else state.before
                own.groups = delta_groups(np.abs(members - before).mean(axis=0), self.group)
                state.before, state.total = members.copy(), len(own.groups)
        return state
