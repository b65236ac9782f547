"""The search inside one group of variables: an evolution strategy that is kept, visited for a while, and restarted."""

from __future__ import annotations

from collections.abc import Generator
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np

from ter.core.allowance import Branch
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.heuristics.ma_es import EVALUATED, FLAT, MAES, USED, Adapting
from ter.heuristics.subspace import Matrix, Subspace

__all__ = ["GroupSearch"]

FLAT_GENERATIONS = 10  # so many in a row whose values differ by rounding only end a strategy
LARGEST_POPULATION = 480
QUICK = 2.0  # the first strategy learns so much faster than usual: with restarts on many minima that would be too fast
REFINED = 0.01  # a value so much smaller has two digits more for the other groups


@dataclass
class GroupSearch:
    """An evolution strategy on a group, around a base point with a mean of its own.

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
        The best values of these variables that this search knows; where others have moved them, they are tried again.
    retried : bool
        Whether that was done in the visit under way, or need not be.
    end : int
        Evaluations of the strategy at which the visit under way ends; 0 between visits.
    entered : float
        The value of the base point.
    found : array or None
        The best values of these variables in the visit under way, if they are better than those of the base point.
    lowest : float
        The value there, with all other variables as they are at the base point; at the base point if nothing is found.
    restarts : int
        How often the strategy was begun anew.
    settled : Adapting or None
        The strategy that came to the best point known, if its values are all the same and another one is at work.
    floor : float
        The size of the incumbent's value when it was settled. Once the other groups have made the value much smaller,
        its digits show more of this group, and the settled strategy goes on.
    gap : float
        By how much the strategy's last generation was behind the best point; NaN if that is not known.
    """

    members: Integers
    diagonal: bool
    spread: float
    slice: int
    separable: bool = False
    among: float = np.inf
    adapting: Adapting | None = None
    best: Vector | None = None
    retried: bool = True
    end: int = 0
    entered: float = field(default=np.inf)
    found: Vector | None = None
    lowest: float = field(default=np.inf)
    restarts: int = 0
    settled: Adapting | None = None
    floor: float = 0.0
    gap: float = np.nan

    @property
    def population(self) -> int:
        """Points of a generation, as it is."""
        return MAES().size(self.members.size) if self.adapting is None else len(self.adapting.values)

    @property
    def visit(self) -> int:
        """Evaluations of a visit, with the population as it is."""
        return -(-self.slice // MAES().size(self.members.size)) * self.population

    @property
    def investing(self) -> bool:
        """Whether the strategy has not had the time to adapt: ten evaluations for each number in its matrix."""
        if self.adapting is None:
            return True
        numbers = self.adapting.strategy.transposed.size
        return bool(self.adapting.strategy.counters[USED] < 10 * numbers)

    @property
    def done(self) -> bool:
        """Whether the visit is at its end."""
        return bool(self._at_work().strategy.counters[USED] >= self.end)

    def begin(self, base: Branch, rng: np.random.Generator) -> None:
        """Begin a visit."""
        subspace = Subspace.of(base, self.members)
        center = subspace.center
        if self.settled is not None and abs(base.y) < REFINED * self.floor:
            self.adapting, self.settled = self.settled, None
        if self.adapting is None:
            self.adapting = self._strategy().first(subspace, center, rng)
        self.enter(base)
        self.retried = self.best is None or np.array_equal(self.best, center)
        self.end = int(self.adapting.strategy.counters[USED]) + self.visit

    def enter(self, base: Branch) -> None:
        """Go on around this point; what is known of a generation was seen around another one."""
        self.entered = self.lowest = base.y
        self.found = None
        self._at_work().strategy.counters[EVALUATED] = 0

    def pending(self) -> Matrix:
        """Return what is to be evaluated next: the rest of the generation, as far as the visit goes."""
        adapting = self._at_work()
        used, known = adapting.strategy.counters[USED], adapting.strategy.counters[EVALUATED]
        rows = adapting.points[known : known + self.end - used]
        return rows if self.retried or self.best is None else np.vstack([self.best, rows])

    def note(self, values: Vector, rows: Matrix) -> None:
        """Take note of the values of the first ones of the pending points; a complete generation adapts."""
        adapting = self._at_work()
        if values.size and values.min() < self.lowest:
            self.found, self.lowest = rows[int(values.argmin())].copy(), float(values.min())
        if not self.retried and values.size:
            self.retried, values = True, values[1:]
        counters = adapting.strategy.counters
        known = counters[EVALUATED]
        adapting.values[known : known + values.size] = values
        counters[USED] += values.size
        counters[EVALUATED] += values.size
        if counters[EVALUATED] == len(adapting.points):
            self._strategy().next_generation(adapting)
            counters[EVALUATED] = 0

    def ahead(self, generations: int) -> Generator[Matrix, Vector, None]:
        """Yield what is pending and will be in the next generations, and be sent the values; nothing changes here."""
        copy = replace(self, adapting=deepcopy(self.adapting))
        while generations and not copy.done:
            rows = copy.pending()
            copy.note((yield rows), rows)
            generations -= 1

    def catch_up(self) -> float:
        """Return by how much the strategy has come nearer to the best point since the last visit, if others are ahead.

        A restart gets no credit: its way down would take the evaluations of groups that still improve.
        """
        if self.adapting is None or self.settled is not None:
            return 0.0
        before, self.gap = self.gap, float(self.adapting.values.min()) - self.lowest
        nearer = before - self.gap
        return nearer if 0.0 < nearer < np.inf else 0.0

    def leave(self, base: Branch, rng: np.random.Generator) -> None:
        """End a visit; a strategy whose values have become all the same begins anew with twice the population."""
        adapting, subspace = self._at_work(), Subspace.of(base, self.members)
        self.end = 0
        if self.found is not None:
            self.settled = None  # whatever it had come to, this strategy is better
            self.best, self.found = self.found, None
        else:
            self.best = subspace.center
        if adapting.strategy.counters[FLAT] >= FLAT_GENERATIONS:
            if self.settled is None:
                adapting.strategy.counters[FLAT] = 0
                self.settled, self.floor = adapting, abs(base.y)
            population = min(LARGEST_POPULATION, 2 * len(adapting.values))
            mean = subspace.lower + rng.random(self.members.size) * (subspace.upper - subspace.lower)
            self.adapting = self._strategy(population).first(subspace, mean, rng)
            self.restarts += 1
            self.gap = np.nan

    def _at_work(self) -> Adapting:
        if self.adapting is None:
            raise RuntimeError("there is no strategy yet; begin first")
        return self.adapting

    def _strategy(self, population: int | None = None) -> MAES:
        """Return the settings of the strategy at work, or of one with a larger population."""
        first = MAES().size(self.members.size)
        if population is None:
            population = first if self.adapting is None else len(self.adapting.values)
        quick = population == first and not self.diagonal
        return MAES(population, self.spread, diagonal=self.diagonal, learning=QUICK if quick else 1.0)
