"""A descent by secants: a gradient, lines, the best point along them, and the next gradient.

It may be one of all variables or of some of them, and be paused at any evaluation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ter.core.allowance import Allowance, Branch
from ter.core.box import Box, Vector
from ter.heuristics.gradients import Slopes
from ter.heuristics.line_minimum import LineMinimum
from ter.heuristics.secants import Secants, dot, inverse_of

__all__ = ["SecantDescent", "TriedLine"]

FIRST = 0.01  # the first trial moves a variable by this share of its scale, at most
FAR_MORE = 1.5  # times what is gained along the line of the one kind makes the descent go on with the other


@dataclass
class TriedLine:
    """A line that a descent may go along: where it leads, in units of the box's scale, and the search along it.

    Attributes
    ----------
    weighted : bool
        Whether it is of a matrix that begins with the curvature along each variable.
    """

    direction: Vector
    search: LineMinimum
    weighted: bool

    @property
    def gain(self) -> float:
        """What the best point along it gains; 0 if there is none that is better than its beginning."""
        return 0.0 if self.search.best is None else self.search.y - self.search.best[1]


@dataclass
class SecantDescent:
    """A descent under way.

    Attributes
    ----------
    slopes : Slopes
        The differences at the point where it is.
    free, held : array, array of bool
        The gradient there, in units of the box's scale, without that of variables that are held, at a bound which the
        slope points to. Variables that are no part of the descent have no slopes, so that they stay where they are.
    lines, tried : list of TriedLine, int
        The lines that begin there, and how many of them have been searched.
    weighted : bool
        Of which kind the matrix is that the descent goes on with.
    before : tuple of arrays or None
        The point before, and its gradient.
    secants : Secants
        What it has learnt.
    gain, cost : float, int
        What the last step has gained, and the evaluations for it.
    """

    slopes: Slopes
    free: Vector = field(default_factory=lambda: np.empty(0))
    held: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    lines: list[TriedLine] = field(default_factory=list)
    tried: int = 0
    weighted: bool = False
    before: tuple[Vector, Vector] | None = None
    secants: Secants = field(default_factory=Secants)
    gain: float = 0.0
    cost: int = 0

    def note_gradient(self, x: Vector, gradient: Vector, box: Box, most: int) -> None:
        """Learn from the gradient at a point; at most so many secants are remembered."""
        if self.before is not None:
            step = (x - self.before[0]) / units_of(box)
            self.secants.remember(step, gradient - self.before[1], most)
        self.before = x, gradient
        self.held = ((x <= box.lower) & (gradient > 0.0)) | ((x >= box.upper) & (gradient < 0.0))
        self.free = np.where(self.held, 0.0, gradient)

    def set_out(self, branch: Branch, *, both: bool) -> bool:
        """Begin a line at the point, or lines of both kinds; tell whether there is one that goes downhill."""
        steepest = float(np.abs(self.free).max(initial=0.0))
        if not 0.0 < steepest < math.inf:
            return False
        steep = -FIRST / steepest * self.free
        self.lines, self.tried = [], 0
        for weighted in [self.weighted, not self.weighted] if both else [self.weighted]:
            first = self._first_inverse(branch.box) if weighted else 1.0
            if first is None:
                continue
            direction = steep
            if weighted or self.secants.steps:
                direction = -np.where(self.held, 0.0, self.secants.newton(self.free, first))
            if (slope := dot(direction, self.free)) < 0.0:
                self.lines.append(TriedLine(direction, LineMinimum(branch.y, slope), weighted))
        if not self.lines:
            self.forget()
            self.lines = [TriedLine(steep, LineMinimum(branch.y, dot(steep, self.free)), weighted=False)]
        return True

    def search(self, branch: Branch, allowance: Allowance) -> float:
        """Evaluate a point of a line, if there is one left to be tried; return its value, or infinity."""
        line = self.lines[self.tried]
        length = line.search.next()
        if length is None:
            self.tried += 1
            return math.inf
        y = allowance.evaluate_point(_point(branch, length, line.direction))
        line.search.note(length, y)
        return math.inf if math.isnan(y) else y

    @property
    def searched(self) -> bool:
        """Whether nothing is left to be tried along any line."""
        return self.tried == len(self.lines)

    def arrive(self, branch: Branch) -> bool:
        """Go to the best point of the lines, if one is better than where they began; tell whether it is so.

        The kind of matrix changes if the line of the other kind has gained far more.
        """
        used, best = self.lines[0], max(self.lines, key=lambda line: line.gain)
        self.gain = best.gain
        self.cost = int(self.slopes.cursor[0]) + sum(len(line.search.lengths) for line in self.lines)
        self.lines = []
        if best.search.best is None:
            return False
        if best.gain > FAR_MORE * used.gain:
            self.weighted = best.weighted
        branch.jump(_point(branch, best.search.best[0], best.direction), best.search.best[1])
        self.slopes.begin()
        return True

    def forget(self) -> bool:
        """Forget what was learnt, which has led astray; tell whether there was anything."""
        learnt = bool(self.secants.steps) or self.weighted
        self.secants, self.weighted = Secants(), False
        return learnt

    def _first_inverse(self, box: Box) -> Vector | None:
        """Return the inverse of the curvature along each variable, of the latest steps or where the descent began."""
        curvature = self.secants.curvature()
        if not curvature.size and self.slopes.curvature.size:
            curvature = self.slopes.curvature * units_of(box) ** 2
        return inverse_of(curvature)


def units_of(box: Box) -> Vector:
    """Return what one is along each variable; variables that are fixed have no scale."""
    return np.where(box.scale > 0.0, box.scale, 1.0)


def _point(branch: Branch, length: float, direction: Vector) -> Vector:
    """Return a point of a line, which is bent at the bounds."""
    box = branch.box
    return np.clip(branch.x + length * (direction * units_of(box)), box.lower, box.upper)
