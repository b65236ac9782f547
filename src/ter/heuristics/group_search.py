"""The search inside one group of variables: an evolution strategy that is kept, visited for a while, and restarted."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.heuristics.ma_es import EVALUATED, FLAT, MAES, USED, Adapting
from ter.heuristics.subspace import Subspace

__all__ = ["GroupSearch"]

FLAT_GENERATIONS = 10  # so many in a row whose values differ by rounding only end a strategy
LARGEST_POPULATION = 480
QUICK = 2.0  # the first strategy learns so much faster than usual: with restarts on many minima that would be too fast
REFINED = 0.01  # a value so much smaller has two digits more for the other groups


@dataclass
class GroupSearch:
    """An evolution strategy on a group, around the incumbent with a mean of its own.

    Attributes
    ----------
    members : array of int
        The variables of the group.
    diagonal : bool
        Whether they get a diagonal in place of a matrix.
    spread : float
        First step size, as a fraction of the box's scale.
    slice : int
        Evaluations per visit, rounded up to whole generations. A visit has so many generations later on, too, when the
        population has grown.
    separable : bool
        Whether these are variables that do not interact.
    among : float
        The largest effect of the groups that this one was analysed with; infinite if that is not known.
    adapting : Adapting or None
        The strategy; None before the first visit.
    best : array or None
        Where the incumbent was in these variables when this search was last at work.
    end : int
        Evaluations of the strategy at which the visit under way ends; 0 between visits.
    entered : float
        The incumbent's value when the visit began; what others gained in between is taken off.
    restarts : int
        How often the strategy was begun anew.
    settled : Adapting or None
        The strategy that came to the best point known, if its values are all the same and another one is at work.
    floor : float
        The size of the incumbent's value when it was settled. Once the other groups have made the value much smaller,
        its digits show more of this group, and the settled strategy goes on.
    gap : float
        By how much the strategy's last generation was behind the incumbent; NaN if that is not known.
    """

    members: Integers
    diagonal: bool
    spread: float
    slice: int
    separable: bool = False
    among: float = np.inf
    adapting: Adapting | None = None
    best: Vector | None = None
    end: int = 0
    entered: float = field(default=np.inf)
    restarts: int = 0
    settled: Adapting | None = None
    floor: float = 0.0
    gap: float = np.nan

    @property
    def visit(self) -> int:
        """Evaluations of a visit, with the population as it is."""
        first = MAES().size(self.members.size)
        population = first if self.adapting is None else len(self.adapting.values)
        return -(-self.slice // first) * population

    @property
    def investing(self) -> bool:
        """Whether the strategy has not had the time to adapt: ten evaluations for each number in its matrix."""
        if self.adapting is None:
            return True
        numbers = self.adapting.strategy.transposed.size
        return bool(self.adapting.strategy.counters[USED] < 10 * numbers)

    def begin(self, allowance: Allowance, rng: np.random.Generator) -> None:
        """Begin a visit."""
        self.entered = allowance.y
        if self.settled is not None and abs(allowance.y) < REFINED * self.floor:
            self.adapting, self.settled = self.settled, None
        self.enter(allowance, rng)

    def enter(self, allowance: Allowance, rng: np.random.Generator) -> None:
        """See whether the incumbent is another one than at the last visit, or before others were at work."""
        subspace = Subspace.of(allowance, self.members)
        center = subspace.center
        if self.adapting is None:
            self.adapting = self._strategy().first(subspace, center, rng)
        elif self.best is not None and not np.array_equal(self.best, center):
            best, self.best = self.best, None
            subspace.evaluate(best[None, :])  # if it is better, the incumbent goes there
        counters = self.adapting.strategy.counters
        counters[EVALUATED] = 0  # what is known of a generation was seen around another point
        if not self.end:
            self.end = int(counters[USED]) + self.visit

    def go_on(self, allowance: Allowance) -> bool:
        """Adapt as far as the allowance and the visit go; return whether the visit is at its end."""
        if self.adapting is None:
            raise RuntimeError("there is no strategy yet; enter first")
        self._strategy().go_on(self.adapting, Subspace.of(allowance, self.members), self.end)
        return bool(self.adapting.strategy.counters[USED] >= self.end)

    def note(self, allowance: Allowance) -> None:
        """Note where the incumbent is, before others go to work."""
        self.best = Subspace.of(allowance, self.members).center

    def catch_up(self, y: float) -> float:
        """Return by how much the strategy has come nearer to the incumbent since the last visit, if others are ahead.

        A restart gets no credit: its way down would take the evaluations of groups that still improve.
        """
        if self.adapting is None or self.settled is not None:
            return 0.0
        before, self.gap = self.gap, float(self.adapting.values.min()) - y
        nearer = before - self.gap
        return nearer if 0.0 < nearer < np.inf else 0.0

    def leave(self, allowance: Allowance, rng: np.random.Generator) -> None:
        """End a visit; a strategy whose values have become all the same begins anew with twice the population."""
        if self.adapting is None:
            raise RuntimeError("there is no strategy yet; enter first")
        subspace = Subspace.of(allowance, self.members)
        self.best, self.end = subspace.center, 0
        if allowance.y < self.entered:
            self.settled = None  # whatever it had come to, this strategy is better
        if self.adapting.strategy.counters[FLAT] >= FLAT_GENERATIONS:
            if self.settled is None:
                self.adapting.strategy.counters[FLAT] = 0
                self.settled, self.floor = self.adapting, abs(allowance.y)
            population = min(LARGEST_POPULATION, 2 * len(self.adapting.values))
            mean = subspace.lower + rng.random(self.members.size) * (subspace.upper - subspace.lower)
            self.adapting = self._strategy(population).first(subspace, mean, rng)
            self.restarts += 1
            self.gap = np.nan

    def _strategy(self, population: int | None = None) -> MAES:
        """Return the settings of the strategy at work, or of one with a larger population."""
        first = MAES().size(self.members.size)
        if population is None:
            population = first if self.adapting is None else len(self.adapting.values)
        quick = population == first and not self.diagonal
        return MAES(population, self.spread, diagonal=self.diagonal, learning=QUICK if quick else 1.0)
