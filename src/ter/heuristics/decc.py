"""Differential evolution with cooperative coevolution: what the members of the DECC family share.

There is one population for the whole run. Group after group, SaNSDE evolves the columns of a group with all other
variables held at the incumbent, the context, and writes them back.

References
----------
.. [1] Z. Yang, K. Tang, X. Yao, "Large scale evolutionary optimization using cooperative coevolution", Information
   Sciences 178, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance
from ter.core.ledger import Integers
from ter.heuristics.sansde import RATE, Differing, SaNSDE
from ter.heuristics.subspace import Matrix, Subspace, uniform_members

__all__ = ["Coevolving"]


@dataclass
class Coevolving:
    """A population whose columns evolve group by group, under way. Its random numbers are its own."""

    rng: np.random.Generator
    members: Matrix | None = None  # before the first initiation
    evaluated: int = 1  # members whose values are known; the first is the incumbent
    groups: list[Integers] = field(default_factory=list)  # still to be visited
    differing: Differing | None = None  # the columns of the first of these, once they were begun
    rate: float = 0.5  # SaNSDE's mean crossover rate is all that it keeps from group to group
    context: float = np.nan  # the incumbent's value when this population was last at work

    def arrive(self, allowance: Allowance, size: int) -> Matrix:
        """Return the members. If others have changed the context, the group under way begins anew: its values are not
        comparable then.
        """
        if self.members is None:
            self.members = uniform_members(self.rng, size, allowance)
        if allowance.y != self.context:
            self.differing = None
            self.context = allowance.y
        return self.members

    def evaluate(self, allowance: Allowance) -> bool:
        """Evaluate members whose values are not known; tell whether there were any. The incumbent may be among them,
        and nothing else is made of their values.
        """
        rows = () if self.members is None else self.members[self.evaluated : self.evaluated + allowance.remaining]
        if len(rows):
            allowance.evaluate(rows)
            self.evaluated += len(rows)
            self.context = allowance.y
        return len(rows) > 0

    def visit(self, allowance: Allowance, generations: int) -> None:
        """Evolve the first group for so many generations, or go on with that; the first values are extra."""
        if self.members is None:
            raise RuntimeError("there is no population yet; make one before groups are visited")
        group, size = self.groups[0], len(self.members)
        optimiser, subspace = SaNSDE(size), Subspace.of(allowance, group)
        if self.differing is None:
            columns = np.ascontiguousarray(self.members[:, group])
            self.differing = optimiser.first(columns, self.rng, rate=self.rate)
        budget = (1 + generations) * size
        optimiser.go_on(self.differing, subspace, budget)
        self.context = allowance.y
        if self.differing.used == budget:
            self.members[:, group] = self.differing.members
            self.rate = float(self.differing.learned[RATE])
            self.differing = None
            del self.groups[0]
