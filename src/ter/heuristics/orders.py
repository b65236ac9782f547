"""In which order LS1 visits the coordinates.

gains
    All coordinates; those that gained most in the last sweep come first.
index
    All coordinates, from the first to the last, as in MTS [1]_.
reduced
    First all coordinates. Then the fewest that brought nine tenths of the gains, and a few of the others at random (by
    default as many as one in twenty of all coordinates), from the first to the last, as in MOS [2]_. A gain is an
    average of what a coordinate brought at each of its visits, in which the last one counts three tenths.
greedy
    As in SHADE-ILS [3]_, anew in each initiation: first all coordinates in random order. Then, best first, each for as
    long as it improves. When its gain falls below that of the next one, the coordinates are sorted anew and the best
    one is next; when it fails, the next one is.

References
----------
.. [1] L.-Y. Tseng, C. Chen, "Multiple trajectory search for large scale global optimization", CEC 2008.
.. [2] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013; the weights are those of its program.
.. [3] D. Molina, A. LaTorre, F. Herrera, "SHADE with iterative local search for large-scale global optimization", CEC
   2018; the order is that of its program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.errors import UnknownName
from ter.core.ledger import Integers

__all__ = ["GREEDY", "ORDERS", "OTHERS", "Order", "Visits", "order_named", "stay"]

Order = Literal["gains", "index", "greedy", "reduced"]

# Of the reduced order.
SHARE = 0.9  # of the gains
OTHERS = 0.05  # of the coordinates, unless another share is given
MEMORY = 0.7  # weight of the gains of earlier visits

# Phases of the orders that begin with another sweep: nothing was visited; the first sweep is under way; greedy visits.
BEGIN, FIRST, GREEDY = 0, 1, 2


@dataclass
class Visits:
    """Which coordinates are visited, and what they gained.

    Attributes
    ----------
    order : array of int
        The coordinates in the order of the sweep under way.
    gains : array
        What each coordinate improved when it was last visited.
    averages : array
        The average gains of the reduced order; empty before its first sweep has ended.
    phase : int
        Of an order whose first sweep is another one.
    others : float
        The share of other coordinates in the reduced order.
    """

    order: Integers
    gains: Vector
    averages: Vector = field(default_factory=lambda: np.empty(0), kw_only=True)
    phase: int = field(default=BEGIN, kw_only=True)
    others: float = field(default=OTHERS, kw_only=True)

    def forget_greed(self) -> bool:
        """Begin the greedy order anew, unless its first sweep was cut; tell whether it was greedy."""
        was_greedy = self.phase == GREEDY
        self.phase = BEGIN if was_greedy else self.phase
        return was_greedy


def order_named(name: str) -> None:
    """Raise unless this is the name of an order.

    Examples
    --------
    >>> order_named("random")
    Traceback (most recent call last):
        ...
    ter.core.errors.UnknownName: unknown order 'random'; Valid names: gains, greedy, index, reduced
    """
    if name not in ORDERS:
        raise UnknownName.among("order", name, [*ORDERS])


def by_gains(visits: Visits, rng: np.random.Generator) -> None:
    """Sort all coordinates: those that gained most come first."""
    visits.order[:] = np.argsort(-visits.gains, kind="stable")


def by_index(visits: Visits, rng: np.random.Generator) -> None:
    """Take all coordinates from the first to the last."""
    visits.order = np.arange(visits.gains.size)


def by_greed(visits: Visits, rng: np.random.Generator) -> None:
    """Shuffle, then sort; greedy visits sort by themselves."""
    if visits.phase == BEGIN:
        visits.order[:] = rng.permutation(visits.order.size)
    elif visits.phase == FIRST:
        by_gains(visits, rng)
    visits.phase = min(visits.phase + 1, GREEDY)


def reduced(visits: Visits, rng: np.random.Generator) -> None:
    """Take all coordinates, then those that brought most of the gains and a few of the others."""
    if visits.phase == BEGIN:
        by_index(visits, rng)
        visits.phase = FIRST
        return
    weight = 1.0 - MEMORY
    if not visits.averages.size:
        visits.averages, weight = np.zeros(visits.gains.size), 1.0
    seen, gains = visits.order, np.where(np.isfinite(visits.gains), visits.gains, 0.0)  # from infinity it is no gain
    visits.averages[seen] += weight * (gains[seen] - visits.averages[seen])
    visits.order = chosen(visits.averages, rng, visits.others)


def chosen(averages: Vector, rng: np.random.Generator, share: float = OTHERS) -> Integers:
    """Return the fewest coordinates that have the share of all gains, and some of the others, in ascending order.

    Examples
    --------
    >>> chosen(np.array([0.0, 5.0, 0.4, 4.0]), np.random.default_rng(1)).tolist()[-2:]
    [1, 3]
    """
    best_first = np.argsort(-averages, kind="stable")
    sums = np.cumsum(averages[best_first])
    if sums[-1] == 0.0:  # nobody gained anything: all of them
        return np.arange(averages.size)
    few = int(np.searchsorted(sums, SHARE * sums[-1])) + 1
    others = best_first[few:]
    some = rng.choice(others, size=min(others.size, round(share * averages.size)), replace=False)
    return np.sort(np.concatenate([best_first[:few], some]))


ORDERS: dict[str, Callable[[Visits, np.random.Generator], None]] = {
    "gains": by_gains,
    "index": by_index,
    "greedy": by_greed,
    "reduced": reduced,
}


@kernel
def stay(order: Integers, gains: Vector, cursor: Integers) -> None:
    """Go back to the coordinate just visited, or sort and begin with the best one if the next one gained more."""
    n, here = order.shape[0], cursor[0] - 1
    cursor[0] = here
    if gains[order[here]] >= gains[order[(here + 1) % n]]:
        return
    # By insertion: the order was sorted before some coordinates failed, and each of these is moved once.
    for k in range(1, n):
        i, j = order[k], k
        while j > 0 and gains[i] > gains[order[j - 1]]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    cursor[0] = 0
