"""A quasi-Newton descent for gradients by differences, which cost an evaluation per variable.

Where a gradient costs as much as a value, descents search along a line only until the step is good enough, and remember
ten steps. Here a gradient costs hundreds of values, so more is made of each. The search along a line goes on until
nothing is left to be gained, which takes two or three evaluations, and a step that turns out to be too long costs one
evaluation instead of a whole gradient. Fifty steps are remembered, with the changes of the gradient, see
:mod:`ter.heuristics.secants`. And differences are as long as rounding and curvature ask for, see
:mod:`ter.heuristics.gradients`.

The matrix begins with the same number for all variables, or with the curvature along each of them. The second one is
far better where variables have different weights and hardly interact, and worse where they do. A look tells whether
they interact; if not, both lines are searched now and then, and the descent goes on with the kind that gains more.

Variables at a bound stay there as long as the slope points outwards, and lines are bent at the bounds.
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
from ter.heuristics.first_look import FirstLook, OrderLook
from ter.heuristics.gradients import DIFFERENCE, Slopes, is_near, slopes_hold
from ter.heuristics.line_minimum import LineMinimum
from ter.heuristics.ruggedness import CurvatureLook
from ter.heuristics.secants import Secants, dot, inverse_of

__all__ = ["Line", "QuasiNewton", "QuasiNewtonState"]

FIRST = 0.01  # the first trial moves a variable by this share of its scale, at most
BOTH = 3  # of so many gradients one has two lines
FAR_MORE = 1.5  # times what is gained along the line of the one kind makes the descent go on with the other


@dataclass
class Line:
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
    lines, tried : list of Line, int
        The lines that begin there, and how many of them have been searched.
    weighted : bool
        Of which kind the matrix is that the descent goes on with.
    before : tuple of arrays or None
        The point before, and its gradient.
    memory : Secants
        What the descent has learnt.
    first : FirstLook
        Whether it has looked first, and fits.
    order : OrderLook or None
        A look at whether variables interact.
    """

    branch: Branch | KeptBranch | None = None
    slopes: Slopes = field(default_factory=lambda: Slopes.of(0))
    gradient: Vector | None = None
    lines: list[Line] = field(default_factory=list)
    tried: int = 0
    weighted: bool = False
    before: tuple[Vector, Vector] | None = None
    memory: Secants = field(default_factory=Secants)
    first: FirstLook = field(default_factory=FirstLook)
    order: OrderLook | None = None

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
        Fit the differences to the curvature and to the rounding of the values, and the steps to the weights of
        variables that hardly interact. The first gradient of each descent then takes two evaluations per variable, and
        a look at interactions 73 before the first descent.
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
        if self.fitted and state.order is None:
            state.order = OrderLook.begin(allowance)
        if state.order is not None and not state.order.go_on(allowance):
            return state
        if state.converged and not allowance.y < state.best:
            return state  # nobody has found anything better
        if state.branch is None or state.converged or state.behind(allowance.y):
            kept: Branch | KeptBranch = self._begin(state, allowance)
        else:
            kept = state.branch
        branch = state.branch = allowance.branch(kept)
        while allowance.remaining and not state.converged:
            if state.lines:
                self._search(state, branch, allowance)
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
        state.slopes, state.lines, state.before, state.memory = Slopes.of(x.size), [], None, Secants()
        state.best, state.converged, state.trail, state.weighted = y, False, [y], False
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
        """Begin lines at the point; tell whether there is one that goes downhill."""
        gradient, box, x = state.gradient, branch.box, branch.x
        if gradient is None:
            raise AssertionError("there is no gradient yet")
        held = ((x <= box.lower) & (gradient > 0.0)) | ((x >= box.upper) & (gradient < 0.0))
        free = np.where(held, 0.0, gradient)
        steepest = float(np.abs(free).max(initial=0.0))
        if not 0.0 < steepest < math.inf:
            return False
        both = state.order is not None and not state.order.interacting and state.gradients % BOTH == 0
        kinds = [state.weighted, not state.weighted] if both else [state.weighted]
        state.lines, state.tried = [], 0
        for weighted in kinds:
            first = _first_inverse(state, box) if weighted else 1.0
            if first is None:
                continue
            direction = -np.where(held, 0.0, state.memory.newton(free, first))
            if not weighted and not state.memory.steps:
                direction = -FIRST / steepest * free
            if (slope := dot(direction, gradient)) < 0.0:
                state.lines.append(Line(direction, LineMinimum(branch.y, slope), weighted))
        if state.lines:
            return True
        state.memory, state.weighted = Secants(), False
        direction = -FIRST / steepest * free
        state.lines = [Line(direction, LineMinimum(branch.y, dot(direction, gradient)), weighted=False)]
        return True

    def _search(self, state: QuasiNewtonState, branch: Branch, allowance: Allowance) -> None:
        """Evaluate a point of a line; when there is no more to be tried along any of them, go to the best one."""
        line = state.lines[state.tried]
        length = line.search.next()
        if length is not None:
            y = allowance.evaluate_point(_point(branch, length, line.direction))
            line.search.note(length, y)
            state.best = min(state.best, math.inf if math.isnan(y) else y)
            return
        state.tried += 1
        if state.tried == len(state.lines):
            self._arrive(state, branch)

    def _arrive(self, state: QuasiNewtonState, branch: Branch) -> None:
        """Go to the best point of the lines; the kind of matrix changes if the other line has gained far more."""
        used, best = state.lines[0], max(state.lines, key=lambda line: line.gain)
        state.lines = []
        if best.search.best is not None and state.gradient is not None:
            if best.gain > FAR_MORE * used.gain:
                state.weighted = best.weighted
            state.before = branch.x, state.gradient
            branch.jump(_point(branch, best.search.best[0], best.direction), best.search.best[1])
            state.slopes.begin()
        elif state.memory.steps or state.weighted:  # what was learnt leads astray: begin with the steepest slope again
            state.memory, state.weighted = Secants(), False
            state.converged = not self._set_out(state, branch)
        else:
            state.converged = True


def _first_inverse(state: QuasiNewtonState, box: Box) -> Vector | None:
    """Return the inverse of the curvature along each variable, of the latest steps or where the descent began."""
    curvature = state.memory.curvature()
    if not curvature.size:
        curvature = state.slopes.curvature * _units(box) ** 2 if state.slopes.curvature.size else curvature
    return inverse_of(curvature)


def _point(branch: Branch, length: float, direction: Vector) -> Vector:
    """Return a point of a line, which is bent at the bounds."""
    box = branch.box
    return np.clip(branch.x + length * (direction * _units(box)), box.lower, box.upper)


def _units(box: Box) -> Vector:
    """Return what one is along each variable; variables that are fixed have no scale."""
    return np.where(box.scale > 0.0, box.scale, 1.0)
