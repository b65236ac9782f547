"""``ter.wrap``: any solver that takes a function becomes a heuristic that cannot overspend."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.errors import InvalidArgument, add_note
from ter.heuristics.paused import PausedSolver

__all__ = ["Cost", "Wrapped", "WrappedState", "per_variable", "wrap"]

Cost: TypeAlias = float | Callable[[int], float]

# What a failed evaluation reads while no finite value is known at all: larger than any sensible value, and small
# enough that a solver may divide it by a difference step and square the quotient.
FAILED = 1e100


def per_variable(dimension: int) -> int:
    """Return the default cost of an initiation, 25 evaluations per variable, as that of LS1 and SHADE.

    Examples
    --------
    >>> per_variable(1000)
    25000
    """
    return 25 * dimension


def wrap(solver: Callable[..., Any], *, name: str | None = None, cost: Cost = per_variable) -> Wrapped:
    """Turn a solver into a heuristic for a portfolio.

    Parameters
    ----------
    solver : callable ``solver(fun, x0, bounds)``
        It is started at the incumbent `x0` and calls ``fun(x) -> float`` as often as it likes: when the allowance is
        used up, the call does not return until the next initiation, and the solver goes on there with all it has
        learnt. What it returns is ignored; the best point it evaluated is known already. `bounds` is a
        ``scipy.optimize.Bounds``, with the arrays `lb` and `ub`. If the solver has a parameter called `rng`, it also
        gets a ``numpy.random.Generator``.
    name : str, optional
        Its name in the portfolio; by default the name of the function, or ``"wrapped"`` if it has none.
    cost : float or callable
        Evaluations per initiation: a number, or a function of the number of variables. A solver that ends sooner
        leaves the rest unused. Mind what it needs: a gradient by finite differences takes D + 1 evaluations.

    Returns
    -------
    Wrapped
        A heuristic. Between its initiations it keeps the solver, paused.

    Raises
    ------
    InvalidArgument
        If the solver cannot be called with three arguments, the name is empty or the cost is not positive.

    Notes
    -----
    A solver that was paused goes on from its own point, unless others have left it behind: if it would need more than
    one initiation like its last one to reach the incumbent (the incumbent is better than the solver's own best by more
    than its last initiation gained), it is ended and started anew at the incumbent. One that has returned is started
    anew as well.

    A failed evaluation (NaN, infinite, or an exception with ``on_error="worst"``) reads as the worst finite value
    that the solver has seen since its start, that of `x0` included: line searches and finite differences survive it,
    and rankings put it last. Points outside the box are moved to its border; a coordinate that is NaN is taken from
    the incumbent.

    While the solver runs, NumPy's global generator (``numpy.random.seed`` and the like) is exchanged for one seeded
    from the stream of the action in which it was started, and given back during each evaluation and each pause. So an
    older solver that uses it is reproducible and leaves no trace, unless it seeds it from the clock. It is global to
    the process: another thread that uses it in the meantime gets the solver's numbers.

    An exception of the solver itself ends the run and names the solver in a note. The solver never sees an exception of
    the objective. It must call `fun` from the thread in which it was started.

    Examples
    --------
    L-BFGS-B on finite differences, whose own limits are not kept to the evaluation:

    >>> import scipy.optimize, ter
    >>> def lbfgs(fun, x0, bounds):
    ...     scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B")
    >>> result = ter.minimize(lambda x: float(((x - 1) ** 2).sum()), ter.box(-5, 5, dimension=10), budget=2_000,
    ...                       rng=1, heuristics=["ls1", ter.wrap(lbfgs, cost=lambda D: 20 * (D + 1))])
    >>> result.fun < 1e-6, "lbfgs" in result.sequence
    (True, True)

    CMA-ES by pycma; ``"seed": nan`` keeps it from seeding NumPy by the clock:

    >>> def cmaes(fun, x0, bounds):
    ...     import cma
    ...     options = {"bounds": [bounds.lb, bounds.ub], "seed": float("nan"), "verbose": -9}
    ...     cma.fmin2(fun, x0, 0.1 * float((bounds.ub - bounds.lb).mean()), options)
    >>> ter.wrap(cmaes, name="cma-es", cost=5_000).cost(100)
    5000
    """
    return Wrapped(solver, _name_of(solver) if name is None else name, cost)


@dataclass
class WrappedState:
    """A solver under way, and how it does.

    Attributes
    ----------
    solver : PausedSolver or None
        None before the first initiation, and after the solver has returned.
    best, worst : float
        The best and the worst finite value that it has seen, that of its start included.
    gain : float
        What its last initiation improved `best` by.
    """

    solver: PausedSolver | None = None
    best: float = math.inf
    worst: float = math.inf
    gain: float = math.inf

    def behind(self, incumbent: float) -> bool:
        """Tell whether the solver would need more than one initiation like its last one to reach the incumbent."""
        return self.best - incumbent > self.gain

    def read(self, y: float) -> float:
        """Take note of a value, and return what the solver reads: one that failed is the worst it has seen."""
        if math.isfinite(y):
            self.best = min(self.best, y)
            self.worst = y if math.isinf(self.worst) else max(self.worst, y)
            return y
        return self.worst if math.isfinite(self.worst) else FAILED

    def close(self) -> None:
        """End the solver."""
        if self.solver is not None:
            self.solver.close()
        self.solver = None


@dataclass(frozen=True)
class Wrapped:
    """A solver as a heuristic; made by :func:`wrap`, which explains the parameters.

    Examples
    --------
    >>> Wrapped(lambda fun, x0, bounds: fun(x0), name="look", evaluations=1).cost(1000)
    1
    """

    solver: Callable[..., Any]
    name: str
    evaluations: Cost = per_variable
    _takes_rng: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InvalidArgument(f"name must be a text that is not empty, got {self.name!r}; pass for example 'lbfgs'")
        if not callable(self.evaluations):
            _whole(self.evaluations)
        object.__setattr__(self, "_takes_rng", _takes_rng(self.solver))

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation."""
        return _whole(self.evaluations(dimension) if callable(self.evaluations) else self.evaluations)

    def start(self, box: Box, rng: np.random.Generator) -> WrappedState:
        """Begin without a solver under way."""
        return WrappedState()

    def act(self, state: WrappedState, allowance: Allowance, rng: np.random.Generator) -> WrappedState:
        """Let the solver go on, or start it at the incumbent; it returns by itself or pauses when nothing is left."""
        if state.solver is not None and state.behind(allowance.y):
            state.close()
        if state.solver is None:
            seed = int(rng.integers(2**63))
            state.solver = PausedSolver(self.solver, allowance.x, allowance.box, seed=seed, takes_rng=self._takes_rng)
            state.best = state.worst = allowance.y
        before = state.best
        try:
            with state.solver.generator:
                self._go_on(state, state.solver, allowance)
        finally:
            state.gain = before - state.best if math.isfinite(before) else math.inf
        return state

    def _go_on(self, state: WrappedState, solver: PausedSolver, allowance: Allowance) -> None:
        point = self._next(solver)
        while point is not None:
            with solver.generator.returned():
                y = allowance.evaluate_point(point)
            point = self._next(solver, state.read(y))
        state.solver = None

    def _next(self, solver: PausedSolver, y: float | None = None) -> Vector | None:
        """Tell the solver the value of its point, and return its next one; an exception says whose it is."""
        try:
            if y is not None:
                solver.tell(y)
            return solver.point
        except Exception as error:
            add_note(error, f"raised by the solver wrapped as {self.name!r}, not by the objective")
            raise


def _name_of(solver: object) -> str:
    name = getattr(solver, "__name__", "")
    return name if name and name != "<lambda>" else "wrapped"


def _takes_rng(solver: object) -> bool:
    """Check that the solver takes three arguments, and tell whether it also wants a generator."""
    if not callable(solver):
        raise InvalidArgument(
            f"solver must be callable as solver(fun, x0, bounds), got {type(solver).__name__}; pass the function itself"
        )
    try:
        signature = inspect.signature(solver)
    except (TypeError, ValueError):  # built-in functions may have none
        return False
    parameter = signature.parameters.get("rng")
    wanted = parameter is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    try:
        signature.bind(None, None, None, **({"rng": None} if wanted else {}))
    except TypeError as error:
        raise InvalidArgument(
            f"solver must be callable as solver(fun, x0, bounds), got the signature {signature}: {error}; "
            "adapt it with a small function"
        ) from error
    return wanted


def _whole(cost: object) -> int:
    number = float(cost) if isinstance(cost, (int, float, np.integer, np.floating)) else math.nan
    if isinstance(cost, bool) or not (number >= 1 and math.isfinite(number)):
        raise InvalidArgument(
            f"cost must be a number of evaluations >= 1, or a function of the dimension that returns one, "
            f"got {cost!r}; write for example cost=5_000 or cost=lambda D: 25 * D"
        )
    return int(number)
