"""The box: lower and upper bounds of every variable, read from any of the usual spellings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BoundsLike", "Box", "Vector", "box"]

Vector: TypeAlias = NDArray[np.float64]


class HasBounds(Protocol):
    """What ``scipy.optimize.Bounds`` looks like."""

    lb: Any
    ub: Any


BoundsLike: TypeAlias = "Box | HasBounds | Sequence[tuple[float, float]] | tuple[ArrayLike, ArrayLike]"


@dataclass(frozen=True, eq=False, repr=False)
class Box:
    """Lower and upper bounds, read-only arrays of equal length.

    Parameters
    ----------
    lower, upper : array_like
        Finite bounds; equal bounds fix a variable.
    scale : array_like, optional
        On which scale heuristics search, per variable: what they know as a share of the range is a share of this. It
        is the width unless the answer is known to be near a point; see `within`.

    Raises
    ------
    InvalidArgument
        If the bounds are not finite, differ in length or cross.

    Examples
    --------
    >>> Box([0, 0], [1, 2]).width
    array([1., 2.])
    >>> Box([0, 0], [1, 2])
    Box(dimension=2, lower=0.0, upper=1.0 to 2.0)
    """

    lower: Vector
    upper: Vector
    scale: Vector = None  # type: ignore[assignment]  # __post_init__ puts the width there

    def __post_init__(self) -> None:
        lower, upper = _vector(self.lower, "lower"), _vector(self.upper, "upper")
        if lower.shape != upper.shape:
            raise InvalidArgument(
                f"lower and upper bounds must have the same length, got {lower.size} and {upper.size}; "
                "give one pair per variable"
            )
        if lower.size == 0:
            raise InvalidArgument("the box must have at least one variable, got none; give one pair per variable")
        crossed = np.flatnonzero(lower > upper)
        if crossed.size:
            i = int(crossed[0])
            raise InvalidArgument(
                f"lower <= upper must hold for every variable, got lower = {lower[i]} > upper = {upper[i]} "
                f"at variable {i}; swap them"
            )
        with np.errstate(over="ignore"):
            finite = np.isfinite(upper - lower).all()
        if not finite:
            raise InvalidArgument("the width of the box must be finite, got an overflow; use smaller bounds")
        scale = upper - lower if self.scale is None else np.minimum(np.array(self.scale, np.float64), upper - lower)
        for name, values in (("lower", lower), ("upper", upper), ("scale", scale)):
            values.flags.writeable = False
            object.__setattr__(self, name, values)

    def __repr__(self) -> str:
        return f"Box(dimension={self.dimension}, lower={_range(self.lower)}, upper={_range(self.upper)})"

    @property
    def dimension(self) -> int:
        """Number of variables."""
        return int(self.lower.size)

    @property
    def width(self) -> Vector:
        """Upper minus lower, per variable."""
        return self.upper - self.lower

    def within(self, step: ArrayLike) -> Box:
        """Return this box with a scale for answers that are at most `step` away from a point.

        Parameters
        ----------
        step : float or array_like, shape (D,)
            How far, in units of the variables; > 0.

        Examples
        --------
        >>> Box([0, 0], [9, 9]).within([0.5, 100]).scale
        array([1., 9.])
        """
        try:
            steps = np.array(step, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidArgument(f"step must hold numbers, got {step!r}") from error
        if steps.shape not in ((), (self.dimension,)):
            raise InvalidArgument(f"step must be a number or have shape ({self.dimension},), got shape {steps.shape}")
        wrong = np.flatnonzero(~((steps > 0) & np.isfinite(steps)))
        if wrong.size:
            raise InvalidArgument(
                f"step must be finite and > 0, got {steps.ravel()[wrong[0]]}; it says how far from x0 the answer may be"
            )
        return Box(self.lower, self.upper, np.broadcast_to(2.0 * steps, self.dimension))

    def contains(self, x: ArrayLike) -> bool:
        """Tell whether every coordinate of `x` (one point or rows of points) lies inside."""
        points = np.asarray(x)
        return bool(((points >= self.lower) & (points <= self.upper)).all())

    @classmethod
    def read(cls, bounds: Any, x0: ArrayLike | None = None) -> Box:
        """Read a box from pairs, from two arrays, from ``scipy.optimize.Bounds`` or from a box.

        A sequence of two is read as ``(lower, upper)`` if its members are arrays (``numpy.ndarray``) or longer
        than two, and as two pairs otherwise, as SciPy does. ``Bounds(0, 1)`` is for as many variables as `x0` has.

        Examples
        --------
        >>> Box.read([(0, 1), (0, 2)]).upper
        array([1., 2.])
        >>> Box.read((np.zeros(3), np.ones(3))).dimension
        3
        """
        if isinstance(bounds, Box):
            return bounds
        if hasattr(bounds, "lb") and hasattr(bounds, "ub"):  # scipy.optimize.Bounds, without importing it
            return cls._of_scipy(bounds, x0)
        if hasattr(bounds, "lower") and hasattr(bounds, "upper") and not isinstance(bounds, str):  # a problem
            return cls(bounds.lower, bounds.upper)
        if bounds is None:
            raise InvalidArgument("bounds must be given, got None; pass for example ter.box(-5, 5, dimension=1000)")
        if isinstance(bounds, tuple | list) and len(bounds) == 2:
            first, second = bounds
            if isinstance(first, np.ndarray) or isinstance(second, np.ndarray) or np.size(first) > 2:
                return cls(first, second)
        try:
            pairs = np.asarray(bounds, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidArgument(
                f"bounds must be pairs of numbers, two arrays, scipy Bounds or ter.box(...), got "
                f"{type(bounds).__name__}: {error}"
            ) from error
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InvalidArgument(
                f"bounds must have shape (dimension, 2), got {pairs.shape}; pass one (lower, upper) pair per "
                "variable, or (lower_array, upper_array)"
            )
        if not np.isfinite(pairs).all():
            pairs = np.asarray(bounds, dtype=object)  # as they were written, for the message: None became NaN
        return cls(pairs[:, 0], pairs[:, 1])

    @classmethod
    def _of_scipy(cls, bounds: HasBounds, x0: ArrayLike | None) -> Box:
        """Read SciPy's bounds, in which one number stands for every variable."""
        lower, upper = np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub))
        read = cls(lower, upper)
        if read.dimension > 1:
            return read
        if x0 is None:
            raise InvalidArgument(
                f"bounds of one number must come with x0, which tells how many variables there are, got {bounds!r} "
                "alone; write for example ter.box(0, 1, dimension=1000), or [(0, 1)] for one variable"
            )
        return box(read.lower, read.upper, dimension=np.shape(x0)[-1] if np.ndim(x0) else 1)


def box(lower: float | ArrayLike, upper: float | ArrayLike, dimension: int | None = None) -> Box:
    """Make a box from numbers or arrays.

    Parameters
    ----------
    lower, upper : float or array_like
        Bounds; a number counts for every variable.
    dimension : int, optional
        Number of variables; needed if both bounds are numbers.

    Examples
    --------
    >>> import ter
    >>> ter.box(-5, 5, dimension=1000).dimension
    1000
    """
    low, high = np.atleast_1d(lower), np.atleast_1d(upper)
    if low.size != 1 and high.size != 1 and low.size != high.size:
        return Box(low, high)  # which explains what is wrong
    low, high = np.broadcast_arrays(low, high)
    if dimension is None:
        if np.ndim(lower) == 0 and np.ndim(upper) == 0:
            raise InvalidArgument(
                "dimension must be given when both bounds are numbers, got None; "
                "write for example ter.box(-5, 5, dimension=1000)"
            )
        return Box(low, high)
    if not dimension >= 1 or dimension % 1 != 0:
        raise InvalidArgument(f"dimension must be a whole number >= 1, got {dimension!r}")
    dimension = int(dimension)
    if low.size not in (1, dimension):
        raise InvalidArgument(
            f"dimension must agree with the bounds, got dimension={dimension} and {low.size} bounds; drop dimension"
        )
    return Box(np.broadcast_to(low, dimension), np.broadcast_to(high, dimension))


def _range(bounds: Vector) -> str:
    low, high = float(bounds.min()), float(bounds.max())
    return f"{low!r}" if low == high else f"{low!r} to {high!r}"


def _vector(values: ArrayLike, name: str) -> Vector:
    try:
        vector = np.array(values, dtype=np.float64, ndmin=1)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"{name} bounds must be numbers, got {values!r}") from error
    if vector.ndim != 1:
        raise InvalidArgument(f"{name} bounds must be a flat array, got shape {vector.shape}")
    bad = np.flatnonzero(~np.isfinite(vector))
    if bad.size:
        i = int(bad[0])
        given = np.array(values, dtype=object, ndmin=1)[i]
        raise InvalidArgument(
            f"{name} bounds must be finite, got {given} at variable {i}; first steps are fractions of the range, "
            "so name the one in which you would accept an answer, for example (-1e3, 1e3)"
        )
    return vector
