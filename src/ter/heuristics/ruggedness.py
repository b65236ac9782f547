"""A look at whether a function is rugged: a smooth one looks the same from near and from far, a rugged one does not.

Along a few lines through a point the curvature is taken at three lengths, by second differences. Where a function is
smooth the curvature of short steps is that of long ones, or less. Where there are ripples on a wide valley, long steps
see the valley and short ones the ripples, which are curved far more. If so by a factor of ten, there is more than one
ripple, and so more than one local minimum, within the long steps: slopes then say nothing about where the valley leads.

Only quotients of differences of values count, so the answer is the same for ``a f + b``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ter.core.allowance import Allowance
from ter.heuristics.first_look import Moves, agreed

__all__ = ["CurvatureLook"]

LINES, FEWEST_LINES = 8, 3
VARIABLES_PER_LINE = 20  # with fewer than 8 of these there are fewer lines, so that a look remains cheap
MOVED = 1_000  # variables at most
LONGEST, SHORTER = 0.15, (1.0, 1 / 8, 1 / 64)  # steps: the longest one as a share of the range, and their lengths
FARTHEST = 2.0  # of the normal numbers of a direction
FAR_MORE = 10.0  # times the curvature of the longest steps
ROUNDING = 16 * np.finfo(float).eps  # of a second difference, as a share of the value


@dataclass
class CurvatureLook:
    """A look at curvatures at several lengths, around the incumbent.

    Variables that are near a bound move less, so that all steps stay inside the box.

    Attributes
    ----------
    moves : Moves
        For each length and line: a step and the opposite one.
    """

    moves: Moves

    otherwise: ClassVar[str] = "the function is rugged"

    @classmethod
    def begin(cls, allowance: Allowance) -> Self:
        """Choose variables and directions."""
        box, n, rng = allowance.box, allowance.dimension, agreed(allowance)
        variables = np.sort(rng.choice(n, size=min(n, MOVED), replace=False))
        lines = max(FEWEST_LINES, min(LINES, n // VARIABLES_PER_LINE))
        directions = np.clip(rng.standard_normal((lines, variables.size)), -FARTHEST, FARTHEST)
        x = np.array(allowance.x)
        here, lower, upper = x[variables], box.lower[variables], box.upper[variables]
        with np.errstate(over="ignore"):
            room = np.minimum(here - lower, upper - here) / FARTHEST
            longest = np.minimum(np.minimum(room, LONGEST * upper - LONGEST * lower), np.finfo(float).max / 8)
        steps = (
            np.array(SHORTER)[:, None, None, None] * np.array([1.0, -1.0])[:, None] * (longest * directions)[:, None]
        )
        return cls(Moves(x, allowance.y, variables, np.clip(here + steps.reshape(-1, here.size), lower, upper)))

    def go_on(self, allowance: Allowance) -> bool:
        """Spend an allowance, or less; return whether it is done."""
        return self.moves.go_on(allowance)

    @property
    def fits(self) -> bool:
        """Whether the function is smooth, for heuristics that go downhill from where they are."""
        return not self.rugged

    @property
    def rugged(self) -> bool:
        """Whether short steps see far larger curvatures than the longest ones."""
        return self.quotient > FAR_MORE

    @property
    def quotient(self) -> float:
        """The largest curvature that short steps see, as a multiple of that of the longest ones; NaN if both are 0."""
        pairs = self.moves.values.reshape(len(SHORTER), -1, 2)
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            bends = np.abs((pairs[..., 0] - self.moves.y) + (pairs[..., 1] - self.moves.y))
            bends[bends <= ROUNDING * (np.abs(pairs).sum(axis=2) + 2 * abs(self.moves.y))] = 0.0
            curvatures = np.median(bends, axis=1) / np.square(SHORTER)
            return float(curvatures[1:].max() / curvatures[0])
