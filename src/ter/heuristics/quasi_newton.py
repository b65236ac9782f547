"""A quasi-Newton descent for gradients by differences, which cost an evaluation per variable.

Where a gradient costs as much as a value, descents search along a line only until the step is good enough, and remember
ten steps. Here a gradient costs hundreds of values, so more is made of each. The search along a line goes on until
nothing is left to be gained, which takes two or three evaluations, and a step that turns out to be too long costs one
evaluation instead of a whole gradient. Fifty steps are remembered, with the changes of the gradient, in the matrix of
L-BFGS [1]_. And differences are as long as rounding and curvature ask for, see :mod:`ter.heuristics.gradients`.

Variables at a bound stay there as long as the slope points outwards, and lines are bent at the bounds.

References
----------
.. [1] J. Nocedal, "Updating quasi-Newton matrices with limited storage", Mathematics of Computation 35, 1980.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.descending import Descending, steps_in_memory
from ter.heuristics.differences import compile_probes
from ter.heuristics.first_look import FirstLook
from ter.heuristics.gradients import DIFFERENCE, Slopes, is_near, slopes_hold
from ter.heuristics.line_minimum import LineMinimum
from ter.heuristics.ruggedness import CurvatureLook

__all__ = ["QuasiNewton", "QuasiNewtonState", "Steps"]

FIRST = 0.01  # the first trial moves a variable by this share of its scale, at most
CURVED = 1e-10  # the least cosine between a step and the change of the gradient


@dataclass
class Steps:
    """Steps and how they changed the gradient: the matrix of L-BFGS.

    Attributes
    ----------
    steps, changes : list of array
        The latest ones last.
    products : list of float
        Of each step with its change.
    """

    steps: list[Vector] = field(default_factory=list)
    changes: list[Vector] = field(default_factory=list)
    products: list[float] = field(default_factory=list)

    def remember(self, step: Vector, change: Vector, most: int) -> None:
        """Add a step along which the slope has increased; others say nothing about a minimum."""
        product = _dot(step, change)
        if product > CURVED * math.sqrt(_dot(step, step) * _dot(change, change)):
            self.steps.append(step)
            self.changes.append(change)
            self.products.append(product)
            del self.steps[:-most], self.changes[:-most], self.products[:-most]

    def newton(self, gradient: Vector) -> Vector:
        """Return the gradient times the inverse of the matrix: the two loops of Nocedal."""
        learnt = list(zip(self.steps, self.changes, self.products, strict=True))
        direction, shares = gradient.copy(), []
        for step, change, product in reversed(learnt):
            shares.append(_dot(step, direction) / product)
            direction -= shares[-1] * change
        _, change, product = learnt[-1]
        direction *= product / _dot(change, change)
        for (step, change, product), share in zip(learnt, reversed(shares), strict=True):
            direction += (share - _dot(change, direction) / product) * step
        return direction


@dataclass
class QuasiNewtonState(Descending):
    """A descent under way.

    Attributes
    ----------
    branch : Branch, KeptBranch or None
        A walk around the point where the descent is; None before the first initiation.
    slopes : Slopes
        The differences there.
    gradient : array or None
        What they have come to, in units of the box's scale; None while they are evaluated.
    line, direction : LineMinimum or None, array
        The search along a line that begins there, and where it leads, in the same units.
    before : tuple of arrays or None
        The point before, and its gradient.
    memory : Steps
        What the descent has learnt.
    first : FirstLook
        Whether it has looked first, and fits.
    """

    branch: Branch | KeptBranch | None = None
    slopes: Slopes = field(default_factory=lambda: Slopes.of(0))
    gradient: Vector | None = None
    line: LineMinimum | None = None
    direction: Vector = field(default_factory=lambda: np.empty(0))
    before: tuple[Vector, Vector] | None = None
    memory: Steps = field(default_factory=Steps)
    first: FirstLook = field(default_factory=FirstLook)

    @property
    def investing(self) -> bool:
        """Whether the matrix is still being made."""
        return super().investing and not self.first.waiting

    @property
    def remark(self) -> str:
        """Say that it waits."""
        return self.first.reason


@dataclass(frozen=True)
class QuasiNewton:
    """Quasi-Newton steps with gradients by differences, and searches along lines that end at the least value.

    It goes on where the last initiation ended, in the middle of a gradient if need be, with all it has learnt. If
    others have left it behind by more than it gained with its last gradients, as many as it takes to make a new matrix,
    it starts anew at the incumbent. When it has converged it starts anew as soon as the incumbent is better than all it
    has seen; until then it is idle.

    Parameters
    ----------
    steps : int
        How many are remembered; with more than 100 000 variables fewer, for the memory's sake.
    difference : float
        Length of a difference, relative to the variable's size, if nothing is known of the curvature: the square root
        of the rounding error. The size is |x|, and at least 1 or the range, whichever is less. The difference
        is taken upwards, downwards if the upper bound is in the way, and to the farther bound if both are.
    fitted : bool
        Fit the differences to the curvature and to the rounding of the values. The first gradient of each descent then
        takes two evaluations per variable.
    evaluations : float
        Evaluations per initiation and variable.
    looks_first : bool
        Look first whether the function is rugged, which takes up to 48 evaluations. If so, the first initiation ends
        with that, so that others can go first; later ones descend all the same.
    only_near : bool
        Work only if the search is on a small scale, around a point that is known to be good, and differences there
        tell slopes; otherwise be idle.

    Notes
    -----
    A difference whose value failed counts as no slope. A descent is over when six gradients have gained nothing but
    rounding, or when nothing is better along the steepest slope.

    Examples
    --------
    >>> import ter
    >>> def valley(x):
    ...     return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())
    >>> result = ter.minimize(valley, ter.box(-5, 5, dimension=10), budget=2_000, rng=1, x0=[0.0] * 10,
    ...                       heuristics=[QuasiNewton()])
    >>> result.fun < 1e-6
    True
    """

    steps: int = 50
    difference: float = DIFFERENCE
    fitted: bool = True
    evaluations: float = 25.0
    only_near: bool = False
    name: str = "quasi-newton"
    looks_first: bool = False

    def __post_init__(self) -> None:
        require_whole("steps", self.steps, low=1)
        require_in("difference", self.difference, low=0.0, high=1.0, open_low=True)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two gradients at least."""
        return max(2 * (dimension + 1), int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> QuasiNewtonState:
        """Begin without a descent under way."""
        return QuasiNewtonState()

    def act(self, state: QuasiNewtonState, allowance: Allowance, rng: np.random.Generator) -> QuasiNewtonState:
        """Go on with the descent until the allowance is used up, or nothing is left to be gained."""
        if self.only_near and state.branch is None and not self._may_polish(state, allowance):
            return state
        if self.looks_first and state.first.ends(CurvatureLook, allowance):
            return state
        if state.converged and not allowance.y < state.best:
            return state  # nobody has found anything better
        if state.branch is None or state.converged or state.behind(allowance.y):
            kept: Branch | KeptBranch = self._begin(state, allowance)
        else:
            kept = state.branch
        branch = state.branch = allowance.branch(kept)
        while allowance.remaining and not state.converged:
            if state.line is not None:
                self._try(state, state.line, branch, allowance)
                continue
            gradient = state.slopes.go_on(branch, self.difference, fitted=self.fitted)
            state.best = min(state.best, state.slopes.lowest)
            if gradient is not None:
                with np.errstate(over="ignore", invalid="ignore"):  # of functions that overflow nothing is learnt
                    self._turn(state, branch, gradient * branch.box.scale)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the differences; around other objectives they run as Python."""
        if compiled:
            compile_probes()

    def _may_polish(self, state: QuasiNewtonState, allowance: Allowance) -> bool:
        """Tell whether the point is a good one of a function that is smooth there; noise drowns the differences."""
        if not is_near(allowance.box) or state.converged:
            return False
        state.converged = not slopes_hold(allowance.branch(allowance.x, allowance.y, follow=False), self.difference)
        return not state.converged

    @staticmethod
    def _begin(state: QuasiNewtonState, allowance: Allowance) -> Branch:
        """Begin at the allowance's point, whose value is known."""
        x, y = allowance.x, allowance.y
        state.slopes, state.line, state.before, state.memory = Slopes.of(x.size), None, None, Steps()
        state.best, state.converged, state.trail = y, False, [y]
        return allowance.branch(x, y, follow=False)

    def _turn(self, state: QuasiNewtonState, branch: Branch, gradient: Vector) -> None:
        """Learn from a gradient, and set out along the next line."""
        state.note_gradient()
        if state.before is not None:
            x, slope = state.before
            step = (branch.x - x) / _units(branch.box)
            state.memory.remember(step, gradient - slope, steps_in_memory(self.steps, x.size))
        state.gradient = gradient
        state.converged = state.still or not self._set_out(state, branch)

    @staticmethod
    def _set_out(state: QuasiNewtonState, branch: Branch) -> bool:
        """Begin a line at the point; tell whether there is one that goes downhill."""
        gradient, box, x = state.gradient, branch.box, branch.x
        if gradient is None:
            raise AssertionError("there is no gradient yet")
        held = ((x <= box.lower) & (gradient > 0.0)) | ((x >= box.upper) & (gradient < 0.0))
        free = np.where(held, 0.0, gradient)
        direction, slope = np.zeros_like(free), 0.0
        if state.memory.steps:
            direction = -np.where(held, 0.0, state.memory.newton(free))
            slope = _dot(direction, gradient)
        if not slope < 0.0:
            state.memory = Steps()
            steepest = float(np.abs(free).max(initial=0.0))
            if not 0.0 < steepest < math.inf:
                return False
            direction = -FIRST / steepest * free
            slope = _dot(direction, gradient)
        state.line, state.direction = LineMinimum(branch.y, slope), direction
        return True

    def _try(self, state: QuasiNewtonState, line: LineMinimum, branch: Branch, allowance: Allowance) -> None:
        """Evaluate a point of the line; when there is no more to be tried, go to the best one."""
        length = line.next()
        if length is not None:
            y = allowance.evaluate_point(_point(branch, length, state.direction))
            line.note(length, y)
            state.best = min(state.best, math.inf if math.isnan(y) else y)
            return
        state.line = None
        if line.best is not None and state.gradient is not None:
            state.before = branch.x, state.gradient
            branch.jump(_point(branch, line.best[0], state.direction), line.best[1])
            state.slopes.begin()
        elif state.memory.steps:  # what was learnt leads astray: begin with the steepest slope again
            state.memory = Steps()
            state.converged = not self._set_out(state, branch)
        else:
            state.converged = True


def _point(branch: Branch, length: float, direction: Vector) -> Vector:
    """Return a point of a line, which is bent at the bounds."""
    box = branch.box
    return np.clip(branch.x + length * (direction * _units(box)), box.lower, box.upper)


def _units(box: Box) -> Vector:
    """Return what one is along each variable; variables that are fixed have no scale."""
    return np.where(box.scale > 0.0, box.scale, 1.0)


def _dot(a: Vector, b: Vector) -> float:
    """Return the product of two vectors, with the same digits however many threads a library of matrices has."""
    return float(np.einsum("i,i->", a, b))
