"""L-BFGS-B on finite differences: SciPy's solver [1]_, paused in the middle of a gradient.

It is what users of SciPy know, and a part of other methods. The default has :mod:`ter.heuristics.quasi_newton`, which
makes more of each gradient.

References
----------
.. [1] R. Byrd, P. Lu, J. Nocedal, C. Zhu, "A limited memory algorithm for bound constrained optimization", SIAM Journal
   on Scientific Computing 16, 1995.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.descending import Descending, steps_in_memory
from ter.heuristics.differences import compile_probes
from ter.heuristics.gradients import DIFFERENCE, Slopes
from ter.heuristics.one_thread import one_thread
from ter.heuristics.paused import PausedSolver
from ter.heuristics.wrapped import WrappedState

__all__ = ["LBFGSB", "LBFGSBState"]


@dataclass
class LBFGSBState(Descending, WrappedState):
    """A solver under way, and what is known of the point that it waits for.

    Attributes
    ----------
    branch : Branch, KeptBranch or None
        A walk around that point, for its differences; None before the first initiation.
    valued : bool
        Whether the value of the point is known, so that the branch is there.
    slopes : Slopes
        The differences at that point, and the curvature where the solver was started.
    """

    branch: Branch | KeptBranch | None = None
    valued: bool = False
    slopes: Slopes = field(default_factory=lambda: Slopes.of(0))


@dataclass(frozen=True)
class LBFGSB:
    """L-BFGS-B with gradients by finite differences, which cost D + 1 evaluations each.

    It goes on where the last initiation ended, in the middle of a gradient if need be, with all correction pairs. If
    others have left it behind by more than it gained with its last gradients, as many as it takes to make a new matrix,
    it starts anew at the incumbent. When it has converged it starts anew as soon as the incumbent is better than all it
    has seen; until then it is idle.

    Parameters
    ----------
    pairs : int
        Correction pairs of the quasi-Newton matrix; with more than 100 000 variables fewer, for the memory's sake.
    difference : float
        Length of a difference, relative to the variable's size, if nothing is known of the curvature: the square root
        of the rounding error. The size is |x|, and at least 1 or the range, whichever is less. The difference
        is taken upwards, downwards if the upper bound is in the way, and to the farther bound if both are.
    fitted : bool
        Fit the differences to the curvature and to the rounding of the values. The first gradient of each descent then
        takes two evaluations per variable, and a descent is over when six gradients have gained nothing but rounding.
    evaluations : float
        Evaluations per initiation and variable.

    Notes
    -----
    A difference whose value failed counts as no slope. A copy of the state knows all gradients since the solver's
    start, D + 1 numbers each, and gets to the same place by being told them again.

    Examples
    --------
    >>> import ter
    >>> def valley(x):
    ...     return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())
    >>> result = ter.minimize(valley, ter.box(-5, 5, dimension=10), budget=2_000, rng=1, x0=[0.0] * 10,
    ...                       heuristics=[LBFGSB()])
    >>> result.fun < 1e-6
    True
    """

    pairs: int = 50
    difference: float = DIFFERENCE
    fitted: bool = True
    evaluations: float = 25.0
    name: str = "lbfgsb"

    def __post_init__(self) -> None:
        require_whole("pairs", self.pairs, low=1)
        require_in("difference", self.difference, low=0.0, high=1.0, open_low=True)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two gradients at least."""
        return max(2 * (dimension + 1), int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> LBFGSBState:
        """Begin without a solver under way."""
        return LBFGSBState()

    def act(self, state: LBFGSBState, allowance: Allowance, rng: np.random.Generator) -> LBFGSBState:
        """Answer the solver's questions until the allowance is used up, or nothing is left to be gained."""
        if state.solver is not None and state.behind(allowance.y):
            state.close()
        if state.converged and not allowance.y < state.best:
            return state  # nobody has found anything better
        if state.solver is None or state.branch is None:
            state.solver, state.branch = self._start(state, allowance)
        self._go_on(state, state.solver, state.branch, allowance)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the differences; around other objectives they run as Python."""
        if compiled:
            compile_probes()

    def _start(self, state: LBFGSBState, allowance: Allowance) -> tuple[PausedSolver, Branch]:
        """Begin at the allowance's point, whose value is known."""
        x, y = allowance.x, allowance.y
        state.best = state.worst = y
        state.valued, state.converged, state.trail = True, False, [y]
        state.slopes = Slopes.of(x.size)
        solver = PausedSolver(Minimise(steps_in_memory(self.pairs, x.size)), x, allowance.box, seed=0, gradient=True)
        return solver, allowance.branch(x, y, follow=False)

    def _go_on(self, state: LBFGSBState, solver: PausedSolver, kept: Branch | KeptBranch, allowance: Allowance) -> None:
        branch = state.branch = allowance.branch(kept)
        with one_thread():
            solver.begin()
        while (point := solver.point) is not None and allowance.remaining:
            if not state.valued:
                y = allowance.evaluate_point(point)
                state.read(y)  # at once: what it found itself has not left it behind
                branch.jump(point, y)
                state.valued = True
                state.slopes.begin()
            gradient = state.slopes.go_on(branch, self.difference, fitted=self.fitted)
            state.best = min(state.best, state.slopes.lowest)
            if gradient is not None:
                state.valued = False
                self._step(state, solver, branch.y, gradient)
                if self.fitted and state.still:
                    state.close()  # the solver itself would go on for as long again, among the values' roundings
                    break
        if solver.point is None or state.solver is None:
            state.solver, state.converged = None, True

    @staticmethod
    def _step(state: LBFGSBState, solver: PausedSolver, y: float, gradient: Vector) -> None:
        """Tell a gradient."""
        state.note_gradient()
        with one_thread():
            solver.tell(state.read(y), gradient)


@dataclass(frozen=True)
class Minimise:
    """SciPy's solver, which ends when it makes no progress at all."""

    pairs: int

    def __call__(self, fun: Callable[[Vector], Any], x0: Vector, bounds: Any) -> None:
        """Minimise from `x0`."""
        from scipy.optimize import minimize

        options: Any = {"maxcor": self.pairs, "ftol": 0.0, "gtol": 0.0, "maxfun": sys.maxsize, "maxiter": sys.maxsize}
        minimize(fun, x0, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
