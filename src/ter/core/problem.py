"""A problem: an objective and its box. Pure data: no counter, no logger, no random state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ter.core.box import BoundsLike, Box, Vector
from ter.core.errors import InvalidArgument
from ter.core.values import read_rows, read_value

__all__ = ["Problem", "as_problem"]

FLOAT64 = np.dtype(np.float64)


class RowsObjective:
    """An objective that also evaluates rows of points faster than one by one, and never writes to its argument."""

    def __call__(self, x: ArrayLike) -> float:
        """Evaluate one point, shape (D,)."""
        raise NotImplementedError

    def rows(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points, shape (n, D)."""
        raise NotImplementedError

    @property
    def direct(self) -> Callable[[Vector], float]:
        """The function behind, without any check: for contiguous, writable arrays of 64-bit floats."""
        return self


@dataclass(frozen=True, eq=False)
class Problem:
    """An objective function in a box.

    Parameters
    ----------
    fun : callable
        The objective: a Python callable, a Numba function, or a :class:`ter.CompiledObjective`.
    bounds : see :func:`ter.minimize`
        The box; afterwards `lower`, `upper` and `dimension` are there too.
    name : str
        A short name for displays and records.
    vectorized : bool
        Whether `fun` takes rows of points, shape (n, D), and returns n values.
    f_opt, x_opt : optional
        Value and position of the optimum (or of the best known point), where known.
    about : str
        One paragraph on what the variables and the value mean.
    draw : callable, optional
        ``draw(x, axes)`` paints the solution `x` on Matplotlib axes.
    facts : mapping
        Whatever an analysis may want to know; never shown to heuristics.

    Examples
    --------
    >>> sphere = Problem(lambda x: float((x**2).sum()), [(-1, 1)] * 3, name="sphere")
    >>> sphere([1, 0, 0]), sphere.dimension
    (1.0, 3)
    >>> sphere([[1, 0, 0], [0, 0, 0]])
    array([1., 0.])
    """

    fun: Callable[..., Any]
    bounds: BoundsLike
    name: str = ""
    vectorized: bool = False
    f_opt: float | None = None
    x_opt: Vector | None = None
    about: str = ""
    draw: Callable[[Vector, Any], None] | None = field(default=None, repr=False)
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)
    dimension: int = field(init=False, repr=False)
    _direct: tuple[int] | None = field(init=False, repr=False)  # the shape of points that go to `fun` as they are

    def __post_init__(self) -> None:
        if not callable(self.fun):
            raise InvalidArgument(f"fun must be callable, got {type(self.fun).__name__}; pass the function itself")
        object.__setattr__(self, "bounds", Box.read(self.bounds))
        object.__setattr__(self, "dimension", self.box.dimension)
        direct = isinstance(self.fun, RowsObjective) and not self.vectorized
        object.__setattr__(self, "_direct", (self.dimension,) if direct else None)

    @property
    def box(self) -> Box:
        """The box of the problem."""
        return cast("Box", self.bounds)  # __post_init__ made it one

    @property
    def lower(self) -> Vector:
        """Lower bounds, read-only."""
        return self.box.lower

    @property
    def upper(self) -> Vector:
        """Upper bounds, read-only."""
        return self.box.upper

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, shape (D,), or rows of points, shape (n, D); nothing is counted."""
        if type(x) is np.ndarray and x.shape == self._direct and x.dtype is FLOAT64 and x.flags.carray:
            return self.fun.direct(x)  # type: ignore[attr-defined]  # the usual case first: some take a microsecond
        points = np.asarray(x, dtype=np.float64)
        if points.ndim not in (1, 2) or points.shape[-1] != self.dimension:
            raise InvalidArgument(f"x must have shape ({self.dimension},) or (n, {self.dimension}), got {points.shape}")
        if self._direct is not None:
            return self.fun(points) if points.ndim == 1 else cast("RowsObjective", self.fun).rows(points)
        rows = np.array(points, order="C", ndmin=2)  # a copy, since the objective may write to its argument
        if self.vectorized:
            values = read_rows(self.fun(rows), len(rows))
        else:
            values = np.array([read_value(self.fun(row)).y for row in rows], dtype=np.float64)
        return float(values[0]) if points.ndim == 1 else values


@dataclass(frozen=True)
class WithArguments:
    """A function of a point and of further arguments that stay the same; a class, so that it can travel to workers."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]

    def __call__(self, x: Vector) -> Any:
        """Call the function."""
        return self.fun(x, *self.args)


def as_problem(
    fun: Any, bounds: BoundsLike | None, *, vectorized: bool, args: Any = (), x0: ArrayLike | None = None
) -> Problem:
    """Make a problem of what the user passed; `args` that is no tuple is one argument, as in SciPy."""
    args = args if isinstance(args, tuple) else (args,)
    if isinstance(fun, Problem):
        if bounds is not None:
            raise InvalidArgument("bounds must be left out when a problem is passed, since it brings its own")
        if args:
            raise InvalidArgument(f"args must be left out when a problem is passed, got {args!r}; bind them in its fun")
        return fun
    if not callable(fun):
        raise InvalidArgument(f"fun must be callable, got {type(fun).__name__}; pass the function itself")
    called = WithArguments(fun, args) if args else fun
    return Problem(called, Box.read(bounds, x0), name=_name_of(fun), vectorized=vectorized)


def _name_of(fun: Any) -> str:
    name = getattr(fun, "__name__", "")
    return "" if name == "<lambda>" else str(name)
