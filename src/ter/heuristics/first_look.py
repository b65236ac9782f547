"""A first look at how variables interact, which tells whether it is worth while to invest.

A search along all variables, or a decomposition, takes ten and more evaluations per variable before it shows what it is
worth. A few dozen evaluations tell whether that is thrown away. Two questions are asked here, another one in
:mod:`ter.heuristics.ruggedness`, and :mod:`ter.heuristics.kinds` puts them together:

* Does it depend on the other variables which of two values of a variable is the better one? If so, variables cannot be
  searched one by one. Only the order of values counts, so it does not matter how the function's parts are put together:
  a sum, a product, or the logarithm of one.
* Do nearly all pairs of variables interact? Then there are no groups to be found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.decomposition.moves import evaluated, middle_of
from ter.decomposition.thresholds import gamma, interacts
from ter.heuristics.subspace import Matrix

__all__ = ["FirstLook", "Look", "Moves", "OrderLook", "PairLook", "agreed"]

VARIABLES = 24  # whose orders are looked at
PAIRS = 16
NEARLY_ALL = 0.75  # of the pairs
FEW = 0.15  # of the variables


@dataclass
class Moves:
    """Moves of a point whose values are wanted; it may be cut at any of them.

    Attributes
    ----------
    x, y : array, float
        The point and its value, NaN until it is evaluated.
    coordinates, rows : array of int, array
        Which coordinates are moved, and where to, a row for each move.
    values : array
        As far as they are known.
    """

    x: Vector
    y: float
    coordinates: Integers
    rows: Matrix
    values: Vector = field(default_factory=lambda: np.empty(0))

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether all values are known."""
        if not allowance.remaining:
            return self.values.size == len(self.rows)
        branch = allowance.branch(self.x, None if math.isnan(self.y) else self.y, follow=False)
        self.y = branch.y
        while self.values.size < len(self.rows) and branch.remaining:
            values = evaluated(branch, self.coordinates, self.rows[self.values.size :])
            self.values = np.concatenate([self.values, values])
        return self.values.size == len(self.rows)


@dataclass
class OrderLook:
    """A look at whether variables can be searched one by one.

    For each of some variables: where it is here, at the incumbent, and another value; which of them is the better one
    here, and which is it elsewhere, at a random point?

    Attributes
    ----------
    here, there : Moves
        Those of the incumbent, to the other values; and those of the random point, to both.
    """

    here: Moves
    there: Moves

    otherwise: ClassVar[str] = "variables interact"

    @classmethod
    def begin(cls, allowance: Allowance) -> OrderLook:
        """Choose variables, their other values and the random point."""
        box, n, rng = allowance.box, allowance.dimension, agreed(allowance)
        variables = rng.choice(n, size=min(VARIABLES, n), replace=False)
        other, elsewhere = _random_point(box, rng)[variables], _random_point(box, rng)
        x = np.array(allowance.x)
        there = [_one_by_one(elsewhere, variables, values) for values in (x[variables], other)]
        return cls(
            here=Moves(x, allowance.y, variables, _one_by_one(x, variables, other)),
            there=Moves(elsewhere, math.nan, variables, np.concatenate(there)),
        )

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        return self.here.go_on(allowance) and self.there.go_on(allowance)

    @property
    def fits(self) -> bool:
        """Whether no variable's better value here is the worse one elsewhere."""
        return self.contradictions == 0.0

    @property
    def interacting(self) -> bool:
        """Whether that is so for many variables."""
        return self.contradictions > FEW

    @property
    def contradictions(self) -> float:
        """For which share of the variables the better value here is the worse one elsewhere, by more than rounding."""
        error = gamma(math.sqrt(self.here.x.size) + 2.0)
        kept, moved = np.split(self.there.values, 2)
        here = _orders(np.full(moved.size, self.here.y), self.here.values, error)
        return float(np.mean(here * _orders(kept, moved, error) < 0.0))


@dataclass
class PairLook:
    """A look at whether there are groups of variables to be found: do pairs of variables interact?

    As in the decomposition that would follow, variables are moved away from their lower bounds.

    Attributes
    ----------
    moves : Moves
        For each pair: the first variable, the second one, and both.
    """

    moves: Moves

    otherwise: ClassVar[str] = "nearly all variables interact"

    @classmethod
    def begin(cls, allowance: Allowance) -> PairLook:
        """Choose pairs."""
        rng = agreed(allowance)
        box, pairs = allowance.box, min(PAIRS, allowance.dimension // 2)
        variables = rng.choice(allowance.dimension, size=2 * pairs, replace=False)
        lower, upper, middle = (bound[variables] for bound in (box.lower, box.upper, middle_of(box)))
        rows = np.repeat(lower[None, :], 3 * pairs, axis=0)
        for pair in range(pairs):
            rows[[3 * pair, 3 * pair + 2], 2 * pair] = upper[2 * pair]
            rows[[3 * pair + 1, 3 * pair + 2], 2 * pair + 1] = middle[2 * pair + 1]
        return cls(Moves(np.array(box.lower), math.nan, variables, rows))

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        return self.moves.go_on(allowance)

    @property
    def fits(self) -> bool:
        """Whether fewer pairs interact than if a decomposition would find one group."""
        pairs = self.moves.values.reshape(-1, 3)
        n = self.moves.x.size
        interacting = sum(interacts(self.moves.y, one, [other], [both], n)[0] == 1.0 for one, other, both in pairs)
        return not pairs.size or bool(interacting < NEARLY_ALL * len(pairs))


class Look(Protocol):
    """A question about the function that takes a few dozen evaluations.

    Attributes
    ----------
    otherwise : str
        What a heuristic says that waits because the function is of another kind.
    """

    otherwise: ClassVar[str]

    @classmethod
    def begin(cls, allowance: Allowance) -> Self:
        """Choose what to evaluate."""

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""

    @property
    def fits(self) -> bool:
        """Whether the function is of the kind that was hoped for."""


@dataclass
class FirstLook:
    """What a heuristic that looks first keeps of it.

    Attributes
    ----------
    look : Look or None
        The look that is under way.
    over : bool
        Whether it has looked.
    reason : str
        Why it waits, if it does not fit and has not been started since.
    """

    look: Look | None = None
    over: bool = False
    reason: str = ""

    @property
    def waiting(self) -> bool:
        """Whether it lets others go first."""
        return bool(self.reason)

    def ends(self, kind: type[Look], allowance: Allowance) -> bool:
        """Go on with the look; return whether the initiation ends with it: it is cut, or others are to go first."""
        self.reason = ""
        if self.over:
            return False
        self.look = self.look or kind.begin(allowance)
        if not self.look.go_on(allowance):
            return True
        self.over, self.reason, self.look = True, "" if self.look.fits else self.look.otherwise, None
        return self.waiting


def agreed(allowance: Allowance) -> np.random.Generator:
    """Return random numbers that are the same for all who look: what some take as theirs others must leave to them."""
    return np.random.default_rng(allowance.dimension)


def _random_point(box: Box, rng: np.random.Generator) -> Vector:
    """Return a point of the box; no overflow, wherever the bounds are."""
    parts = rng.random(box.dimension)
    return np.asarray((1.0 - parts) * box.lower + parts * box.upper)


def _one_by_one(x: Vector, variables: Integers, values: Vector) -> Matrix:
    """Return moves of these variables to these values, one at a time."""
    rows = np.repeat(x[variables][None, :], variables.size, axis=0)
    np.fill_diagonal(rows, values)
    return rows


def _orders(first: Vector, second: Vector, error: float) -> Vector:
    """Return 1 where the first value is the better one, -1 where the second is, and 0 where rounding may decide."""
    with np.errstate(invalid="ignore", over="ignore"):
        differences = second - first
        small = np.abs(differences) <= error * (np.abs(first) + np.abs(second))
    return np.where(small | np.isnan(differences), 0.0, np.sign(differences))
