"""``ter.wrap``: any solver that takes a function becomes a heuristic that cannot overspend."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ter.core.allowance import Allowance
from ter.core.box import Box
from ter.core.errors import AllowanceSpent, InvalidArgument

__all__ = ["Cost", "GlobalGenerator", "Wrapped", "per_variable", "wrap"]

Cost: TypeAlias = float | Callable[[int], float]

# NumPy's functions around its global generator, some of which its stubs leave out.
_LEGACY: Any = np.random

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
        used up, the call does not return and the solver ends there. What it returns is ignored; the best point it
        evaluated is known already. `bounds` is a ``scipy.optimize.Bounds``, with the arrays `lb` and `ub`. If the
        solver has a parameter called `rng`, it also gets a ``numpy.random.Generator``.
    name : str, optional
        Its name in the portfolio; by default the name of the function, or ``"wrapped"`` if it has none.
    cost : float or callable
        Evaluations per initiation: a number, or a function of the number of variables. A solver that ends sooner
        leaves the rest unused. Mind what it needs: a gradient by finite differences takes D + 1 evaluations.

    Returns
    -------
    Wrapped
        A heuristic. It keeps nothing between its initiations.

    Raises
    ------
    InvalidArgument
        If the solver cannot be called with three arguments, the name is empty or the cost is not positive.

    Notes
    -----
    A failed evaluation (NaN, infinite, or an exception with ``on_error="worst"``) reads as the worst finite value
    known in this initiation, that of `x0` included: line searches and finite differences survive it, and rankings
    put it last. Points outside the box are moved to its border; a coordinate that is NaN is taken from the incumbent.

    While the solver runs, NumPy's global generator (``numpy.random.seed`` and the like) is exchanged for one seeded
    from the action's own stream, and given back afterwards and during each evaluation. So an older solver that uses
    it is reproducible and leaves no trace, unless it seeds it from the clock. It is global to the process: another
    thread that uses it in the meantime gets the solver's numbers.

    An exception of the solver itself ends the run and names the solver in a note. An exception of the objective comes
    out even if the solver swallows or replaces it.

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

    def start(self, box: Box, rng: np.random.Generator) -> None:
        """Keep nothing between initiations."""

    def act(self, state: None, allowance: Allowance, rng: np.random.Generator) -> None:
        """Start the solver at the incumbent; it ends by itself or when the allowance is used up."""
        from scipy.optimize import Bounds

        box = allowance.box
        bounds = Bounds(box.lower.copy(), box.upper.copy())
        objective = _Objective(allowance, GlobalGenerator(rng))
        options = {"rng": rng} if self._takes_rng else {}
        try:
            with objective.generator:
                self.solver(objective, allowance.x, bounds, **options)
        except AllowanceSpent:
            if objective.error is None:
                raise
        except Exception as error:
            if objective.error is None:
                error.add_note(f"raised by the solver wrapped as {self.name!r}, not by the objective")
                raise
        if objective.error is not None:  # even if the solver swallowed or replaced it
            raise objective.error


class _Objective:
    """What the solver sees of the objective."""

    def __init__(self, allowance: Allowance, generator: GlobalGenerator) -> None:
        self.generator = generator
        self.error: Exception | None = None  # what the objective itself raised
        self._allowance = allowance
        self._worst = allowance.y  # worst finite value known in this initiation

    def __call__(self, x: ArrayLike) -> float:
        point = np.ravel(np.asarray(x, dtype=np.float64))
        if point.size != self._allowance.dimension:
            raise InvalidArgument(f"fun takes a point of {self._allowance.dimension} variables, got {point.size}")
        with self.generator.returned():
            try:
                y = self._allowance.evaluate_point(point)
            except Exception as error:
                self.error = error
                raise
        if math.isfinite(y):
            self._worst = y if math.isinf(self._worst) else max(self._worst, y)
            return y
        return self._worst if math.isfinite(self._worst) else FAILED


class GlobalGenerator:
    """Exchange NumPy's global generator for a private one inside a ``with`` block.

    Parameters
    ----------
    rng : Generator
        Seeds the private one.

    Examples
    --------
    >>> legacy = np.random
    >>> with GlobalGenerator(np.random.default_rng(1)):
    ...     first = legacy.random()
    >>> with GlobalGenerator(np.random.default_rng(1)):
    ...     first == legacy.random()
    True
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._private = np.random.MT19937(int(rng.integers(2**63)))
        self._outer: Any = None
        self._before: Any = None

    def __enter__(self) -> None:
        self._outer = _LEGACY.get_bit_generator()
        self._before = _LEGACY.get_state(legacy=False)
        _LEGACY.set_bit_generator(self._private)

    def __exit__(self, *_: object) -> None:
        _LEGACY.set_bit_generator(self._outer)
        # Setting a generator drops the second number of a pair of Gaussians that was drawn before: put it back.
        state = _LEGACY.get_state(legacy=False)
        state.update(has_gauss=self._before["has_gauss"], gauss=self._before["gauss"])
        _LEGACY.set_state(state)

    @contextmanager
    def returned(self) -> Iterator[None]:
        """Give the outer generator back for the time of an evaluation."""
        _LEGACY.set_bit_generator(self._outer)
        try:
            yield
        finally:
            _LEGACY.set_bit_generator(self._private)


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
