"""L-BFGS-B on finite differences: SciPy's solver [1]_, paused in the middle of a gradient.

A gradient costs an evaluation per variable, so more is made of each than is usual. Many correction pairs are kept:
where gradients are cheap ten are enough, here the time for fifty does not count. And a difference is as long as it
should be [2]_: too short, and rounding drowns the slope; too long, and the slope is that of somewhere else. Where the
balance is depends on the curvature, which the first gradient of each descent finds out with a second evaluation per
variable.

References
----------
.. [1] R. Byrd, P. Lu, J. Nocedal, C. Zhu, "A limited memory algorithm for bound constrained optimization", SIAM Journal
   on Scientific Computing 16, 1995.
.. [2] J. Moré, S. Wild, "Estimating derivatives of noisy simulations", ACM Transactions on Mathematical Software 38,
   2012.
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
from ter.heuristics.one_thread import one_thread
from ter.heuristics.paused import PausedSolver
from ter.heuristics.wrapped import WrappedState

__all__ = ["LBFGSB", "LBFGSBState", "difference_points", "fitted_lengths", "is_near", "second_points"]

LEARNED = 12  # gradients after which the matrix is good enough to be judged
LEAST_PAIRS, PAIRED = 10, 5_000_000  # numbers of all correction pairs at most, if there are more than the least
ROUNDING = 8 * sys.float_info.epsilon  # of a value, relative to it
STILL, NOTHING = 6, 1e-12  # gradients in a row that gain nothing, as a share of the value: it has converged
FLATTEST = 1e-3  # the least curvature, relative to the median
SHORTEST, LONGEST = 1e-12, 1e-4  # difference, relative to the variable's size
SLOPES = 4  # coordinates at which slopes are compared
NEAR = 0.05  # a search on less than this share of the range is one around a good point


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
        Of the point with one coordinate moved, for the first ``cursor[0]`` of the moves.
    curvature : array
        Along each coordinate, where the solver was started; empty before its first gradient.
    converged : bool
        Whether the solver has returned.
    gradients : int
        How many are known so far, of all solvers.
    trail : list of float
        The best value at each of the solver's last gradients, as many as it takes to learn, and one more.
    """

    branch: Branch | KeptBranch | None = None
    valued: bool = False
    values: Vector = field(default_factory=lambda: np.empty(0))
    curvature: Vector = field(default_factory=lambda: np.empty(0))
    cursor: Integers = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    converged: bool = False
    gradients: int = 0
    trail: list[float] = field(default_factory=list)

    @property
    def investing(self) -> bool:
        """Whether the matrix is still being made: before, others are ahead that will be overtaken."""
        return self.gradients < LEARNED and not self.converged

    @property
    def still(self) -> bool:
        """Whether the last gradients have gained nothing that is more than rounding."""
        return len(self.trail) > STILL and self.trail[-1 - STILL] - self.best <= NOTHING * abs(self.best)

    def behind(self, incumbent: float) -> bool:
        """Whether it would have to gain more than with its last gradients to reach the incumbent."""
        return self.best - incumbent > self.trail[0] - self.best


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
    only_near : bool
        Work only if the search is on a small scale, around a point that is known to be good, and differences there
        tell slopes; otherwise be idle.

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
    difference: float = 1.5e-8
    fitted: bool = True
    evaluations: float = 25.0
    only_near: bool = False
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
        if self.only_near and state.solver is None and not self._may_polish(state, allowance):
            return state
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

    def _may_polish(self, state: LBFGSBState, allowance: Allowance) -> bool:
        """Tell whether the point is a good one of a function that is smooth there; noise drowns the differences."""
        if not is_near(allowance.box) or state.gradients or state.converged:
            return bool(state.gradients)
        state.converged = not slopes_hold(allowance.branch(allowance.x, allowance.y, follow=False), self.difference)
        return not state.converged

    def _start(self, state: LBFGSBState, allowance: Allowance) -> tuple[PausedSolver, Branch]:
        """Begin at the allowance's point, whose value is known."""
        x, y = allowance.x, allowance.y
        state.best = state.worst = y
        state.valued, state.converged, state.trail = True, False, [y]
        state.values, state.curvature, state.cursor[0] = np.empty(2 * x.size), np.empty(0), 0
        pairs = min(self.pairs, max(LEAST_PAIRS, PAIRED // x.size))
        solver = PausedSolver(Minimise(pairs), x, allowance.box, seed=0, gradient=True)
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
                state.valued, state.cursor[0] = True, 0
            gradient = self._gradient(state, branch, allowance)
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
        state.gradients += 1
        state.trail.append(state.best)
        del state.trail[: -(LEARNED + 1)]
        with one_thread():
            solver.tell(state.read(y), gradient)

    def _gradient(self, state: LBFGSBState, branch: Branch, allowance: Allowance) -> Vector | None:
        """Evaluate moved points as far as the allowance goes; return the gradient when all are known."""
        x, y, values, cursor = branch.x, branch.y, state.values, state.cursor
        if not math.isfinite(y):
            return np.zeros(x.size)
        first, second = self._moves(state, x, y, allowance.box)
        where = np.concatenate([np.flatnonzero(moved != x) for moved in (first, second)])
        ones = np.count_nonzero(first != x)
        known = int(cursor[0])
        if known < where.size and allowance.remaining:
            moved = np.concatenate([first[where[:ones]], second[where[ones:]]])
            evaluate_each(branch, where, moved, values, cursor)
            state.best = min(state.best, float(values[known : cursor[0]].min(initial=math.inf)))
        if cursor[0] < where.size:
            return None
        slopes = np.full((2, x.size), np.nan)
        with np.errstate(over="ignore"):
            slopes[0, where[:ones]] = (values[:ones] - y) / (first - x)[where[:ones]]
            slopes[1, where[ones:]] = (values[ones : where.size] - y) / (second - x)[where[ones:]]
        slopes[~np.isfinite(slopes)] = np.nan
        gradient: Vector = np.where(np.isnan(slopes[0]), slopes[1], slopes[0])
        if ones < where.size:
            bent = np.flatnonzero(np.isfinite(slopes).all(axis=0) & (first != second))
            curvature = 2.0 * (slopes[0] - slopes[1])[bent] / (first - second)[bent]
            gradient[bent] -= 0.5 * curvature * (first - x)[bent]
            state.curvature = np.zeros(x.size)
            state.curvature[bent] = np.abs(curvature)
        gradient[np.isnan(gradient)] = 0.0
        return gradient

    def _moves(self, state: LBFGSBState, x: Vector, y: float, box: Box) -> tuple[Vector, Vector]:
        """Return where each coordinate is moved to, and then, if the curvature is to be found out, once more."""
        if not self.fitted or state.curvature.size:
            lengths = fitted_lengths(state.curvature, y) if self.fitted else np.zeros(0)
            relative = np.clip(lengths / size_of(x, box), SHORTEST, LONGEST) if lengths.size else self.difference
            return difference_points(x, box, relative), x
        return second_points(x, box, math.sqrt(self.difference))


@dataclass(frozen=True)
class Minimise:
    """SciPy's solver, which ends when it makes no progress at all."""

    pairs: int

    def __call__(self, fun: Callable[[Vector], Any], x0: Vector, bounds: Any) -> None:
        """Minimise from `x0`."""
        from scipy.optimize import minimize

        options: Any = {"maxcor": self.pairs, "ftol": 0.0, "gtol": 0.0, "maxfun": sys.maxsize, "maxiter": sys.maxsize}
        minimize(fun, x0, jac=True, bounds=bounds, method="L-BFGS-B", options=options)


def size_of(x: Vector, box: Box) -> Vector:
    """Return the size of each variable: its own, and at least 1 or the range."""
    return np.maximum(np.abs(x), np.minimum(1.0, box.scale))


def difference_points(x: Vector, box: Box, difference: float | Vector) -> Vector:
    """Return where each coordinate is moved to, to see the slope; a variable that is fixed stays.

    Examples
    --------
    >>> difference_points(np.array([0.0, 4.0, 9.0]), Box([0, 0, 9], [1, 4, 9]), 0.25)
    array([0.25, 3.  , 9.  ])
    """
    length = difference * size_of(x, box)
    up, down = x + length, x - length
    farther = np.where(box.upper - x >= x - box.lower, box.upper, box.lower)
    return np.where(up <= box.upper, up, np.where(down >= box.lower, down, farther))


def second_points(x: Vector, box: Box, difference: float) -> tuple[Vector, Vector]:
    """Return where each coordinate is moved to, twice, to see slope and curvature: to both sides, or to one.

    Examples
    --------
    >>> second_points(np.array([2.0, 4.0, 9.0]), Box([0, 0, 9], [4, 4, 9]), 0.25)
    (array([2.5, 3. , 9. ]), array([1.5, 2. , 9. ]))
    """
    length = np.minimum(difference * size_of(x, box), box.width / 3.0)
    up, down = x + length, x - length
    first = np.where(up <= box.upper, up, down)
    second = np.where((up <= box.upper) & (down >= box.lower), down, first + (first - x))
    return first, np.clip(second, box.lower, box.upper)


def fitted_lengths(curvature: Vector, y: float) -> Vector:
    """Return how long differences should be, so that rounding and curvature spoil slopes equally; none if all is flat.

    Examples
    --------
    >>> fitted_lengths(np.array([2.0, 8.0]), 1.0).round(10)
    array([5.96e-08, 2.98e-08])
    """
    curved = curvature[curvature > 0.0]
    if not curved.size:
        return curved
    least = FLATTEST * float(np.median(curved))
    return np.asarray(2.0 * np.sqrt(ROUNDING * abs(y) / np.maximum(curvature, least)))


def slopes_hold(branch: Branch, difference: float) -> bool:
    """Tell whether differences of twice the length show the same slopes, at most of a few coordinates."""
    box, x, y = branch.box, branch.x, branch.y
    movable = np.flatnonzero(box.width > 0)
    chosen = movable[np.unique(np.linspace(0, movable.size - 1, SLOPES).astype(np.int64))]
    once, twice = (difference_points(x, box, k * difference) for k in (1.0, 2.0))
    held = 0
    for i in chosen:
        if branch.remaining < 2:
            return False
        one, two = branch.evaluate_moves([i], [[once[i]], [twice[i]]]) - y
        wanted = one * (twice[i] - x[i]) / (once[i] - x[i])
        held += bool(abs(two - wanted) <= 0.5 * abs(one) + 8.0 * sys.float_info.epsilon * abs(y))
    return held >= 0.75 * chosen.size


def is_near(box: Box) -> bool:
    """Tell whether the search is around a point that is known to be good: its scale is a small share of the range.

    Examples
    --------
    >>> is_near(Box([0, 0], [9, 9])), is_near(Box([0, 0], [9, 9]).within(0.01))
    (False, True)
    """
    movable = box.width > 0
    return bool(movable.any()) and float(np.median(box.scale[movable] / box.width[movable])) <= NEAR
