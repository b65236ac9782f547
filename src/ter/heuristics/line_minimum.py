"""The least value along a line, for those to whom a value costs little beside what they know about the line.

A parabola through what is known tells where to look next, until there is nothing more to be gained by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

__all__ = ["LineMinimum"]

TRIALS = 6  # at most, once one of them is better than the beginning
SHORTENED = 12  # trials at most if none is
LONGER, SHORTER, SHORTEST = 4.0, 0.5, 0.02  # by how much the next trial differs from the last one at most
CLOSE = 0.05  # lengths that differ by less, relative to them, are the same
LITTLE = 0.01  # more of the gain so far is worth another evaluation


@dataclass
class LineMinimum:
    """A search along a line that goes downhill.

    Attributes
    ----------
    y : float
        The value where the line begins.
    slope : float
        There, along the line; negative.
    lengths, values : list of float
        What was tried, in increasing order of lengths.

    Examples
    --------
    >>> line = LineMinimum(y=9.0, slope=-6.0)
    >>> while (length := line.next()) is not None:
    ...     line.note(length, (length - 3.0) ** 2)
    >>> line.best
    (3.0, 0.0)
    >>> line.lengths
    [1.0, 3.0]
    """

    y: float
    slope: float
    lengths: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def note(self, length: float, value: float) -> None:
        """Take note of a value; one that is not a number is too far."""
        at = sum(tried < length for tried in self.lengths)
        self.lengths.insert(at, length)
        self.values.insert(at, math.inf if math.isnan(value) else value)

    @property
    def best(self) -> tuple[float, float] | None:
        """The length with the least value, and the value; None if nothing is better than the beginning."""
        value = min(self.values, default=math.inf)
        return (self.lengths[self.values.index(value)], value) if value < self.y else None

    def next(self) -> float | None:
        """Return the length to be tried next; None if there is nothing more to be gained."""
        if not self.lengths:
            return 1.0
        if self.best is None:
            return self._shorter() if len(self.lengths) < SHORTENED else None
        if len(self.lengths) >= TRIALS:
            return None
        length, value = self.best
        vertex, bend = self._parabola(self.lengths.index(length))
        aim = vertex if bend > 0.0 else math.inf
        aim = min(max(aim, SHORTEST * length), LONGER * self.lengths[-1])
        if any(abs(aim - tried) <= CLOSE * aim for tried in self.lengths):
            return None
        return aim if not bend > 0.0 or bend * (aim - length) ** 2 > LITTLE * (self.y - value) else None

    def _shorter(self) -> float:
        """Return a length below all that were tried, by the slope at the beginning."""
        length, value = self.lengths[0], self.values[0]
        bend = (value - self.y - self.slope * length) / length**2
        aim = -0.5 * self.slope / bend if 0.0 < bend < math.inf else 0.0
        return min(max(aim, SHORTEST * length), SHORTER * length)

    def _parabola(self, at: int) -> tuple[float, float]:
        """Return where the parabola around a trial has its vertex, and its second coefficient.

        It goes through the trials beside it; if there is none on either side, through those before.
        """
        lengths, values = [0.0, *self.lengths], [self.y, *self.values]
        if len(self.lengths) == 1:
            bend = (values[1] - self.y - self.slope * lengths[1]) / lengths[1] ** 2
            return (-0.5 * self.slope / bend if bend > 0.0 else math.inf), bend
        middle = min(at + 1, len(lengths) - 2)
        (a, b, c), (u, v, w) = lengths[middle - 1 : middle + 2], values[middle - 1 : middle + 2]
        if math.isinf(w):
            return 0.5 * (b + c), math.inf
        left, right = (v - u) / (b - a), (w - v) / (c - b)
        bend = (right - left) / (c - a)
        return (0.5 * (a + b) - 0.5 * left / bend if bend > 0.0 else math.inf), bend
