"""L-BFGS-B on finite differences: SciPy's solver, paused in the middle of a gradient.

References
----------
.. [1] R. Byrd, P. Lu, J. Nocedal, C. Zhu, "A limited memory algorithm for bound constrained optimization", SIAM Journal
   on Scientific Computing 16, 1995.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ter.core.allowance import Allowance, Branch, KeptBranch
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.differences import compile_probes, evaluate_each
from ter.heuristics.paused import PausedSolver
from ter.heuristics.wrapped import WrappedState

__all__ = ["LBFGSB", "LBFGSBState", "difference_points"]

LEARNED = 2  # gradients of which a first correction pair is made


@dataclass
class LBFGSBState(WrappedState):
    """A solver under way, and what is known of the point that it waits for.

    Attributes
    ----------
    branch : Branch, KeptBranch or None
        A walk around that point, for its differences; None before the first initiation.
    valued : bool
        Whether the value of the point is known, so that the branch is there.
    values : array
        Of the point with one coordinate moved, for the first ``cursor[0]`` of the coordinates that can be.
    converged : bool
        Whether the solver has returned.
    gradients : int
        How many are known so far, of all solvers.
    """

    branch: Branch | KeptBranch | None = None
    valued: bool = False
    values: Vector = field(default_factory=lambda: np.empty(0))
    cursor: Integers = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    converged: bool = False
    gradients: int = 0

    @property
    def investing(self) -> bool:
        """Whether a first step has not been made yet, or nothing was learned from it."""
        return self.gradients < LEARNED and not self.converged


@dataclass(frozen=True)
class LBFGSB:
    """L-BFGS-B with gradients by finite differences, which cost D + 1 evaluations each.

    It goes on where the last initiation ended, in the middle of a gradient if need be, with all correction pairs. If
    others have left it behind by more than its last initiation gained, it starts anew at the incumbent. When it has
    converged it starts anew as soon as the incumbent is better than all it has seen; until then it is idle.

    Parameters
    ----------
    pairs : int
        Correction pairs of the quasi-Newton matrix.
    difference : float
        Length of a difference, relative to the variable's size: the square root of the rounding error is the best
        choice for smooth functions. The size is |x|, and at least 1 or the range, whichever is less. The difference
        is taken upwards, downwards if the upper bound is in the way, and to the farther bound if both are.
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

    pairs: int = 10
    difference: float = 1.5e-8
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
        before = state.best
        try:
            self._go_on(state, state.solver, state.branch, allowance)
        finally:
            state.gain = before - state.best if math.isfinite(before) else math.inf
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the differences; around other objectives they run as Python."""
        if compiled:
            compile_probes()

    def _start(self, state: LBFGSBState, allowance: Allowance) -> tuple[PausedSolver, Branch]:
        """Begin at the allowance's point, whose value is known."""
        x, y = allowance.x, allowance.y
        state.best = state.worst = y
        state.valued, state.converged = True, False
        state.values, state.cursor[0] = np.empty(x.size), 0
        solver = PausedSolver(Minimise(self.pairs), x, allowance.box, seed=0, gradient=True)
        return solver, allowance.branch(x, y, follow=False)

    def _go_on(self, state: LBFGSBState, solver: PausedSolver, kept: Branch | KeptBranch, allowance: Allowance) -> None:
        branch = state.branch = allowance.branch(kept)
        while (point := solver.point) is not None and allowance.remaining:
            if not state.valued:
                y = allowance.evaluate_point(point)
                state.read(y)  # at once: what it found itself has not left it behind
                branch.jump(point, y)
                state.valued, state.cursor[0] = True, 0
            gradient = self._gradient(state, branch, allowance)
            if gradient is not None:
                state.valued = False
                state.gradients += 1
                solver.tell(state.read(branch.y), gradient)
        if point is None:
            state.solver, state.converged = None, True

    def _gradient(self, state: LBFGSBState, branch: Branch, allowance: Allowance) -> Vector | None:
        """Evaluate moved points as far as the allowance goes; return the gradient when all are known."""
        x, y, values, cursor = branch.x, branch.y, state.values, state.cursor
        gradient = np.zeros(x.size)
        if not math.isfinite(y):
            return gradient
        moved = difference_points(x, allowance.box, self.difference)
        where = np.flatnonzero(moved != x)
        first = int(cursor[0])
        if first < where.size and allowance.remaining:
            evaluate_each(branch, where, moved[where], values, cursor)
            state.best = min(state.best, float(values[first : cursor[0]].min(initial=math.inf)))
        if cursor[0] < where.size:
            return None
        with np.errstate(over="ignore"):
            slopes = (values[: where.size] - y) / (moved[where] - x[where])
        gradient[where] = np.where(np.isfinite(slopes), slopes, 0.0)
        return gradient


@dataclass(frozen=True)
class Minimise:
    """SciPy's solver, which ends when it makes no progress at all."""

    pairs: int

    def __call__(self, fun: Callable[[Vector], Any], x0: Vector, bounds: Any) -> None:
        """Minimise from `x0`."""
        from scipy.optimize import minimize

        options: Any = {"maxcor": self.pairs, "ftol": 0.0, "gtol": 0.0, "maxfun": sys.maxsize, "maxiter": sys.maxsize}
        minimize(fun, x0, jac=True, bounds=bounds, method="L-BFGS-B", options=options)


def difference_points(x: Vector, box: Box, difference: float) -> Vector:
    """Return where each coordinate is moved to, to see the slope; a variable that is fixed stays.

    Examples
    --------
    >>> difference_points(np.array([0.0, 4.0, 9.0]), Box([0, 0, 9], [1, 4, 9]), 0.25)
    array([0.25, 3.  , 9.  ])
    """
    length = difference * np.maximum(np.abs(x), np.minimum(1.0, box.scale))
    up, down = x + length, x - length
    farther = np.where(box.upper - x >= x - box.lower, box.upper, box.lower)
    return np.where(up <= box.upper, up, np.where(down >= box.lower, down, farther))
