"""A second look at a decomposition, once the parts that drowned the others have become small.

Rounding limits what an analysis can see. If one part of a function is ten orders of magnitude larger than another, the
interactions in the smaller one are lost in the rounding errors of the larger one, and its variables seem separable.
When the search has made the value much smaller, that is no longer so: around the incumbent the light groups are
analysed once more, with the heavy ones left where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.decomposition.moves import evaluated
from ter.decomposition.rdg3 import RDG3State

__all__ = ["FALLEN", "LIGHT", "SecondLook", "joined"]

FALLEN = 1e-3  # a value that is so much smaller is worth a look
LIGHT = 1e-6  # a group whose effect is so much smaller than the largest it was analysed with may have been drowned
FAR = 0.5  # how far a group is moved to see its effect, as a part of the way to the farther bound


@dataclass
class SecondLook:
    """How far a look is: first the effect of each group, then an analysis of the light ones.

    Attributes
    ----------
    x, y : array, float
        The point around which it looks, and its value.
    largest : int
        A group of this size is closed by the analysis.
    effects : array
        By how much each group changes the value when it is moved, as far as they are known.
    among : array
        For each group, the largest effect of those that it was analysed with.
    light : array of bool
        Which groups are analysed.
    analysis : RDG3State or None
        Of their variables; None before, and if there is none to analyse.
    """

    x: Vector
    y: float
    largest: int
    among: Vector
    effects: Vector = field(default_factory=lambda: np.empty(0))
    light: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    analysis: RDG3State | None = None

    def go_on(self, allowance: Allowance, groups: Sequence[Integers]) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        while self.effects.size < len(groups):
            if not allowance.remaining:
                return False
            self._weigh(allowance, groups[self.effects.size])
            if self.effects.size == len(groups):
                self._choose(allowance.box, groups)
        return self.analysis is None or self.analysis.go_on(allowance)

    def _weigh(self, allowance: Allowance, members: Integers) -> None:
        """See what moving a group changes."""
        branch = allowance.branch(self.x, self.y, follow=False)
        values = evaluated(branch, members, moved_away(self.x, allowance.box, FAR)[members][None, :])
        effects = np.abs(values - self.y)
        self.effects = np.append(self.effects, np.where(np.isfinite(effects), effects, 0.0))

    def _choose(self, box: Box, groups: Sequence[Integers]) -> None:
        """Choose the groups that may have been drowned when they were analysed."""
        self.among = np.minimum(self.among, self.effects.max(initial=0.0))
        self.light = self.effects <= LIGHT * self.among
        variables = np.concatenate(
            [np.empty(0, dtype=np.int64), *(group for group, light in zip(groups, self.light, strict=True) if light)]
        )
        if variables.size > 1:
            away = moved_away(self.x, box, FAR), moved_away(self.x, box, 0.5 * FAR)
            self.analysis = RDG3State.around(self.x, self.y, *away, np.sort(variables), largest=self.largest)
            self.among[self.light] = self.effects[self.light].max()


def moved_away(x: Vector, box: Box, part: float) -> Vector:
    """Return a point on the way to the farther bound of each variable.

    Examples
    --------
    >>> moved_away(np.array([1.0, 9.0]), Box([0, 0], [9, 10]), 0.5)
    array([5. , 4.5])
    """
    farther = np.where(box.upper - x >= x - box.lower, box.upper, box.lower)
    return np.asarray(x + part * (farther - x))


def joined(groups: Sequence[Integers], found: Sequence[Integers], most: int) -> list[Integers]:
    """Return groups with those put together that are joined by what was found, unless the whole gets too large.

    Examples
    --------
    >>> a, b, c = np.array([1, 2]), np.array([3, 4]), np.array([5, 6])
    >>> [group.tolist() for group in joined([a, b, c], [np.array([2, 3, 7])], most=5)]
    [[1, 2, 3, 4, 7], [5, 6]]
    """
    whole = [set(group.tolist()) for group in groups]
    for members in found:
        touched = [group for group in whole if not group.isdisjoint(members.tolist())]
        union = set(members.tolist()).union(*touched)
        if len(union) <= most:
            whole = [group for group in whole if all(group is not each for each in touched)] + [union]
    return sorted((np.array(sorted(group)) for group in whole), key=lambda group: int(group[0]))
