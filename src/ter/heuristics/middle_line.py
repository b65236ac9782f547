"""The middle of a plateau along a line: where values are no higher than here, as far from what is higher as can be.

Where only a few variables matter at a time, as in the largest of many terms, most lines are flat around a point and
rise further away. Nothing is lower on them, but the middle of what is level is where the variable will do no harm when
the others have come down. Both sides are searched for a value that is higher; then the higher one of the two for the
value of the other side. Half way between two points of the same value is the middle, if both sides rise alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

__all__ = ["MiddleLine"]

LEFT, RIGHT = 0, 1
FURTHER = 2.0  # times the last step, as long as nothing changes
HALVINGS = 2  # of a side, where the other one is level up to the bound
TRIALS = 3  # for the value of the other side
LEAST = 0.125  # of the way from what is level to what is higher: a trial goes no less far
MOST = 24  # evaluations on a line


@dataclass
class MiddleLine:
    """A search along one variable.

    Attributes
    ----------
    low, high : float
        Its bounds.
    at, y : float
        Where the value is lowest, and that value; to begin with, the point that the line goes through.
    step : float
        How far away the first evaluations are.
    level : list of float
        To the left and to the right: the furthest position with the lowest value.
    higher : list of (float, float) or None
        On both sides: the nearest position with a higher value, and the value.
    slope : tuple of (float, float) or None
        A position between a level one and a higher one, and its value, which is between theirs.
    made, fine : int
        Evaluations, and those of them since both sides were known.

    Examples
    --------
    >>> line = MiddleLine(low=-10.0, high=10.0, at=1.0, y=3.0, step=1.0)
    >>> while (v := line.next()) is not None:
    ...     line.note(v, max(3.0, abs(v - 2.0)))
    >>> line.middle, line.made
    (2.0, 5)
    """

    low: float
    high: float
    at: float
    y: float
    step: float
    level: list[float] = field(init=False)
    higher: list[tuple[float, float] | None] = field(default_factory=lambda: [None, None])
    slope: tuple[float, float] | None = None
    made: int = 0
    fine: int = 0

    def __post_init__(self) -> None:
        self.level = [self.at, self.at]

    def next(self) -> float | None:
        """Return where the line is evaluated next; None if its middle is known, as well as it will be."""
        trial = self._trial() if self.made < MOST else None
        return trial if trial is not None and self.low <= trial <= self.high and trial not in self._known else None

    def note(self, v: float, y: float) -> None:
        """Take note of a value; one that is not a number is too high."""
        y, side = math.inf if math.isnan(y) else y, RIGHT if v > self.at else LEFT
        self.made += 1
        self.fine += all(self._closed)
        if y < self.y:  # what was level is higher now
            self.higher[1 - side] = (self.level[side], self.y)
            self.at, self.y, self.level, self.slope, self.fine = v, y, [v, v], None, 0
        elif y == self.y:
            self.level[side], self.step = v, FURTHER * self.step
        elif self.higher[side] is None or y > self._target or not self._both_higher:
            self.higher[side] = (v, y)
        else:
            self.slope = (v, y)

    @property
    def middle(self) -> float:
        """Half way between two points of the same value; where a side is level up to the bound, that is the end."""
        return 0.5 * self._end(LEFT) + 0.5 * self._end(RIGHT)

    @property
    def width(self) -> float | None:
        """Half the distance of the points that are higher, or of one and the other bound; None if nothing is higher."""
        left, right = (bound if end is None else end[0] for end, bound in zip(self.higher, self._bounds, strict=True))
        return None if self.higher == [None, None] else 0.5 * (right - left)

    def _trial(self) -> float | None:
        """Return where to look, for what is missing."""
        for side, sign in ((RIGHT, 1.0), (LEFT, -1.0)):
            if not self._closed[side]:
                return min(self.high, max(self.low, self.level[side] + sign * self.step))
        if not self._both_higher:
            open_sides = [side for side in (LEFT, RIGHT) if self.higher[side] is not None]
            return self._half_way(open_sides[0]) if open_sides and self.fine < HALVINGS else None
        side = self._upper_side
        if self.slope is not None or self.fine >= TRIALS or self._value(side) == self._target:
            return None
        return self._crossing(side, self.level[side], self.y, least=LEAST)

    @property
    def _known(self) -> tuple[float, ...]:
        return (*self.level, *(end[0] for end in self.higher if end is not None))

    @property
    def _bounds(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def _closed(self) -> tuple[bool, bool]:
        """Whether a side rises, or is level up to the bound."""
        left, right = (
            self.higher[side] is not None or self.level[side] == self._bounds[side] for side in (LEFT, RIGHT)
        )
        return left, right

    @property
    def _both_higher(self) -> bool:
        return self.higher[LEFT] is not None and self.higher[RIGHT] is not None

    @property
    def _target(self) -> float:
        """The value that both sides shall have."""
        return min(self._value(LEFT), self._value(RIGHT))

    @property
    def _upper_side(self) -> int:
        return RIGHT if self._value(RIGHT) > self._value(LEFT) else LEFT

    def _value(self, side: int) -> float:
        end = self.higher[side]
        return math.inf if end is None else end[1]

    def _half_way(self, side: int) -> float:
        """Return the middle between what is level and what is higher."""
        end = self.higher[side]
        return self.level[side] if end is None else 0.5 * self.level[side] + 0.5 * end[0]

    def _crossing(self, side: int, v: float, y: float, least: float = 0.0) -> float:
        """Return where the straight line from a position to the higher end of a side has the value of the other one."""
        end = self.higher[side]
        if end is None:
            return v
        part = (self._target - y) / (end[1] - y) if end[1] < math.inf else 0.5
        return v + max(part, least) * (end[0] - v)

    def _end(self, side: int) -> float:
        """Return where a side ends."""
        end = self.higher[side]
        if end is None:
            return self.level[side]
        if not self._both_higher:
            return self._half_way(side)
        if side == self._upper_side and self.slope is not None:
            return self._crossing(side, *self.slope)
        return end[0]
