"""Step sizes of the searches of MTS: a share of the range, halved, and drawn anew when they became too small."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ter.core.box import Box, Vector
from ter.heuristics.checks import require_in

__all__ = ["Steps"]


@dataclass(frozen=True)
class Steps:
    """How steps are drawn and renewed.

    Parameters
    ----------
    first : (float, float)
        The first steps are drawn from this interval, as a fraction of the box's scale; in (0, 1].
    reset : (float, float), optional
        The interval of those that became too small; by default `first`.
    smallest : float
        A step below this is drawn anew; a fraction of the scale, or absolute if `scalar`.
    scalar : bool
        One step for all coordinates, a fraction of the mean scale; otherwise each has its own.

    Examples
    --------
    >>> from ter.core.box import box
    >>> steps = Steps((0.5, 0.5), (0.4, 0.4), smallest=1e-15, scalar=True)
    >>> steps.draw(box(-1, [1, 3]), np.random.default_rng(1))
    array([1.5, 1.5])
    """

    first: tuple[float, float]
    reset: tuple[float, float] | None
    smallest: float
    scalar: bool

    def __post_init__(self) -> None:
        for name, interval in (("step", self.first), ("reset", self.reset or self.first)):
            for end in interval:
                require_in(name, end, low=0.0, high=1.0, open_low=True)
            require_in(f"{name}[1]", interval[1], low=interval[0], high=1.0)
        require_in("smallest", self.smallest, low=0.0, high=1.0, open_low=True)

    def draw(self, box: Box, rng: np.random.Generator) -> Vector:
        """Draw the first steps of all coordinates."""
        return self._draw(self.first, box, rng)

    def renew(self, steps: Vector, box: Box, rng: np.random.Generator) -> None:
        """Draw those steps anew that became too small."""
        exhausted = steps < (self.smallest if self.scalar else self.smallest * box.scale)
        if exhausted.any():
            steps[exhausted] = self._draw(self.reset or self.first, box, rng)[exhausted]

    def _draw(self, interval: tuple[float, float], box: Box, rng: np.random.Generator) -> Vector:
        low, high = interval
        if self.scalar:
            return np.full(box.dimension, (low + (high - low) * rng.random()) * float(np.mean(box.scale)))
        return (low + (high - low) * rng.random(box.dimension)) * box.scale
