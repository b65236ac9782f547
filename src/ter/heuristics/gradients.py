"""Gradients by differences: how long a difference should be, and a gradient that may be cut anywhere.

A difference that is too short drowns in rounding; one that is too long is the slope of somewhere else. Where the
balance is depends on the curvature [1]_, which the first gradient of a descent finds out with a second evaluation per
variable.

References
----------
.. [1] J. Moré, S. Wild, "Estimating derivatives of noisy simulations", ACM Transactions on Mathematical Software 38,
   2012.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Branch
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.heuristics.differences import evaluate_each

__all__ = ["DIFFERENCE", "Slopes", "difference_points", "fitted_lengths", "is_near", "second_points", "slopes_hold"]

DIFFERENCE = 1.5e-8  # the square root of the rounding error
ROUNDING = 8 * sys.float_info.epsilon  # of a value, relative to it
FLATTEST = 1e-3  # the least curvature, relative to the median
SHORTEST, LONGEST = 1e-12, 1e-4  # difference, relative to the variable's size
SLOPES = 4  # coordinates at which slopes are compared
NEAR = 0.05  # a search on less than this share of the range is one around a good point


@dataclass
class Slopes:
    """The differences of a gradient: what is known of it so far.

    Attributes
    ----------
    values : array
        Of the point with one coordinate moved, for the first ``cursor[0]`` of the moves.
    curvature : array
        Along each coordinate, where the descent began; empty before its first gradient.
    lowest : float
        The least value of all differences.
    members : array of int or None
        The variables whose slopes are wanted, the others count as level; None for all of them.
    """

    values: Vector
    curvature: Vector = field(default_factory=lambda: np.empty(0))
    cursor: Integers = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    lowest: float = math.inf
    members: Integers | None = None

    @classmethod
    def of(cls, dimension: int) -> Slopes:
        """Begin with nothing known."""
        return cls(np.empty(2 * dimension))

    def begin(self) -> None:
        """Begin with the gradient at another point."""
        self.cursor[0] = 0

    def of_some(self, members: Integers) -> Slopes:
        """Return the slopes of some variables, with differences that are as long as these."""
        return Slopes(np.empty(2 * members.size), self.curvature, members=members)

    def go_on(self, branch: Branch, difference: float, *, fitted: bool) -> Vector | None:
        """Evaluate moved points as far as the allowance goes; return the gradient when all are known."""
        x, y, values, cursor = branch.x, branch.y, self.values, self.cursor
        if not math.isfinite(y):
            return np.zeros(x.size)
        first, second = self._moves(x, y, branch.box, difference, fitted=fitted)
        if self.members is not None:
            first, second = (_only(self.members, moved, x) for moved in (first, second))
        where = np.concatenate([np.flatnonzero(moved != x) for moved in (first, second)])
        ones = np.count_nonzero(first != x)
        known = int(cursor[0])
        if known < where.size and branch.remaining:
            moved = np.concatenate([first[where[:ones]], second[where[ones:]]])
            evaluate_each(branch, where, moved, values, cursor)
            self.lowest = min(self.lowest, float(values[known : cursor[0]].min(initial=math.inf)))
        if cursor[0] < where.size:
            return None
        slopes = np.full((2, x.size), np.nan)
        with np.errstate(over="ignore"):
            slopes[0, where[:ones]] = (values[:ones] - y) / (first - x)[where[:ones]]
            slopes[1, where[ones:]] = (values[ones : where.size] - y) / (second - x)[where[ones:]]
        slopes[~np.isfinite(slopes)] = np.nan
        gradient: Vector = np.where(np.isnan(slopes[0]), slopes[1], slopes[0])
        if ones < where.size:
            bent = np.flatnonzero(np.isfinite(slopes).all(axis=0) & (first != second))
            curvature = 2.0 * (slopes[0] - slopes[1])[bent] / (first - second)[bent]
            gradient[bent] -= 0.5 * curvature * (first - x)[bent]
            self.curvature = np.zeros(x.size)
            self.curvature[bent] = np.abs(curvature)
        gradient[np.isnan(gradient)] = 0.0
        return gradient

    def _moves(self, x: Vector, y: float, box: Box, difference: float, *, fitted: bool) -> tuple[Vector, Vector]:
        """Return where each coordinate is moved to, and then, if the curvature is to be found out, once more."""
        if not fitted or self.curvature.size:
            lengths = fitted_lengths(self.curvature, y) if fitted else np.zeros(0)
            relative = np.clip(lengths / size_of(x, box), SHORTEST, LONGEST) if lengths.size else difference
            return difference_points(x, box, relative), x
        return second_points(x, box, math.sqrt(difference))


def _only(members: Integers, moved: Vector, x: Vector) -> Vector:
    """Return where coordinates are moved to, if only these are moved."""
    some = x.copy()
    some[members] = moved[members]
    return some


def size_of(x: Vector, box: Box) -> Vector:
    """Return the size of each variable: its own, and at least 1 or the range."""
    return np.maximum(np.abs(x), np.minimum(1.0, box.scale))


def difference_points(x: Vector, box: Box, difference: float | Vector) -> Vector:
    """Return where each coordinate is moved to, to see the slope; a variable that is fixed stays.

    Examples
    --------
    >>> difference_points(np.array([0.0, 4.0, 9.0]), Box([0, 0, 9], [1, 4, 9]), 0.25)
    array([0.25, 3.  , 9.  ])
    """
    length = difference * size_of(x, box)
    up, down = x + length, x - length
    farther = np.where(box.upper - x >= x - box.lower, box.upper, box.lower)
    return np.where(up <= box.upper, up, np.where(down >= box.lower, down, farther))


def second_points(x: Vector, box: Box, difference: float) -> tuple[Vector, Vector]:
    """Return where each coordinate is moved to, twice, to see slope and curvature: to both sides, or to one.

    Examples
    --------
    >>> second_points(np.array([2.0, 4.0, 9.0]), Box([0, 0, 9], [4, 4, 9]), 0.25)
    (array([2.5, 3. , 9. ]), array([1.5, 2. , 9. ]))
    """
    length = np.minimum(difference * size_of(x, box), box.width / 3.0)
    up, down = x + length, x - length
    first = np.where(up <= box.upper, up, down)
    second = np.where((up <= box.upper) & (down >= box.lower), down, first + (first - x))
    return first, np.clip(second, box.lower, box.upper)


def fitted_lengths(curvature: Vector, y: float) -> Vector:
    """Return how long differences should be, so that rounding and curvature spoil slopes equally; none if all is flat.

    Examples
    --------
    >>> fitted_lengths(np.array([2.0, 8.0]), 1.0).round(10)
    array([5.96e-08, 2.98e-08])
    """
    curved = curvature[curvature > 0.0]
    if not curved.size:
        return curved
    least = FLATTEST * float(np.median(curved))
    return np.asarray(2.0 * np.sqrt(ROUNDING * abs(y) / np.maximum(curvature, least)))


def slopes_hold(branch: Branch, difference: float) -> bool:
    """Tell whether differences of twice the length show the same slopes, at most of a few coordinates."""
    box, x, y = branch.box, branch.x, branch.y
    movable = np.flatnonzero(box.width > 0)
    chosen = movable[np.unique(np.linspace(0, movable.size - 1, SLOPES).astype(np.int64))]
    once, twice = (difference_points(x, box, k * difference) for k in (1.0, 2.0))
    held = 0
    for i in chosen:
        if branch.remaining < 2:
            return False
        one, two = branch.evaluate_moves([i], [[once[i]], [twice[i]]]) - y
        wanted = one * (twice[i] - x[i]) / (once[i] - x[i])
        held += bool(abs(two - wanted) <= 0.5 * abs(one) + 8.0 * sys.float_info.epsilon * abs(y))
    return held >= 0.75 * chosen.size


def is_near(box: Box) -> bool:
    """Tell whether the search is around a point that is known to be good: its scale is a small share of the range.

    Examples
    --------
    >>> is_near(Box([0, 0], [9, 9])), is_near(Box([0, 0], [9, 9]).within(0.01))
    (False, True)
    """
    movable = box.width > 0
    return bool(movable.any()) and float(np.median(box.scale[movable] / box.width[movable])) <= NEAR
