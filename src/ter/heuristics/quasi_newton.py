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

Where a descent creeps along a valley because a few neighbouring variables do all the work, these go down alone, see
:mod:`ter.heuristics.fronts`. Variables at a bound stay there as long as the slope points outwards, and lines are bent
at the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.descending import Descending, steps_in_memory
from ter.heuristics.differences import compile_probes
from ter.heuristics.first_look import FirstLook, OrderLook
from ter.heuristics.fronts import creeps, front_of
from ter.heuristics.gradients import DIFFERENCE, Slopes, is_near, slopes_hold
from ter.heuristics.ruggedness import CurvatureLook
from ter.heuristics.secant_descent import SecantDescent

__all__ = ["QuasiNewton", "QuasiNewtonState"]

BOTH = 3  # of so many gradients one has two lines
CREEPING = 6  # gradients whose gains are compared with those of as many before


@dataclass
class QuasiNewtonState(Descending):
    """Descents under way.

    Attributes
    ----------
    branch : Branch, KeptBranch or None
        A walk around the point where the descent is; None before the first initiation.
    whole : SecantDescent
        That of all variables.
    part : SecantDescent or None
        That of the variables at a front, while they go down alone.
    spent : list of two integers
        Evaluations of the steps of all variables, and of those at fronts.
    first : FirstLook
        Whether it has looked first, and fits.
    order : OrderLook or None
        A look at whether variables interact.
    """

    branch: Branch | KeptBranch | None = None
    whole: SecantDescent = field(default_factory=lambda: SecantDescent(Slopes.of(0)))
    part: SecantDescent | None = None
    spent: list[int] = field(default_factory=lambda: [0, 0])
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
            descent = state.part or state.whole
            if descent.lines:
                state.best = min(state.best, descent.search(branch, allowance))
                if descent.searched:
                    self._arrive(state, descent, branch)
                continue
            gradient = descent.slopes.go_on(branch, self.difference, fitted=self.fitted)
            state.best = min(state.best, descent.slopes.lowest)
            if gradient is not None:
                with np.errstate(over="ignore", invalid="ignore"):  # of functions that overflow nothing is learnt
                    self._turn(state, descent, branch, gradient * branch.box.scale)
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
        state.whole, state.part, state.spent = SecantDescent(Slopes.of(x.size)), None, [0, 0]
        state.best, state.converged, state.trail = y, False, [y]
        return allowance.branch(x, y, follow=False)

    def _turn(self, state: QuasiNewtonState, descent: SecantDescent, branch: Branch, gradient: Vector) -> None:
        """Learn from a gradient, and set out along the next line."""
        descent.note_gradient(branch.x, gradient, branch.box, steps_in_memory(self.steps, gradient.size))
        if descent is state.part:
            if not descent.set_out(branch, both=False):
                state.part = None
            return
        state.note_gradient()
        both = state.order is not None and not state.order.interacting and state.gradients % BOTH == 0
        state.converged = state.still or not descent.set_out(branch, both=both)

    @staticmethod
    def _arrive(state: QuasiNewtonState, descent: SecantDescent, branch: Branch) -> None:
        """Go to the best point along the lines; a front goes down alone as long as that pays."""
        gone, whole = descent.arrive(branch), state.whole
        state.spent[descent is state.part] += descent.cost
        if descent is state.part:
            pays = gone and descent.gain * whole.cost >= whole.gain * descent.cost
            if not pays or state.spent[1] >= state.spent[0]:
                state.part = None
        elif not gone:
            state.converged = not descent.forget() or not descent.set_out(branch, both=False)
        elif state.spent[1] < state.spent[0] and creeps(state.trail, CREEPING):
            front = front_of(descent.free)
            state.part = None if front is None else SecantDescent(descent.slopes.of_some(front))
