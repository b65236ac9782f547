"""Reading what an objective returned: numbers, in all the dresses that Python and NumPy have for them.

What NumPy would turn into a number without a word is refused where that loses something: a masked entry, the imaginary
part of a complex number, the unit of a date. A wrong number may become the best one, and nobody would know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.errors import ObjectiveError

__all__ = ["Value", "read_costed", "read_costed_rows", "read_number", "read_rows", "read_value", "real_array"]

NUMBERS = "biuf"  # kinds of NumPy types that are real numbers


@dataclass(frozen=True)
class Value:
    """An objective value together with what it cost, in the user's own unit.

    Examples
    --------
    >>> Value(3.5, cost=0.02).cost
    0.02
    """

    y: float
    cost: float = 0.0


def read_value(raw: Any) -> Value:
    """Read what an objective returned for one point.

    Raises
    ------
    ObjectiveError
        If it is not one number.
    """
    if isinstance(raw, Value):
        return Value(read_number(raw.y), _checked_cost(read_number(raw.cost)))
    return Value(read_number(raw))


def read_costed(raw: Any) -> tuple[float, Vector | None]:
    """Read the value of one point, and its cost where the objective named one."""
    if isinstance(raw, float):
        return float(raw), None
    value = read_value(raw)
    return value.y, np.array([value.cost]) if isinstance(raw, Value) else None


def read_rows(raw: Any, n: int) -> Vector:
    """Read what a vectorized objective returned for `n` points.

    Examples
    --------
    >>> read_rows([1, 2.5], 2)
    array([1. , 2.5])
    """
    values = real_array(raw)
    if values is None:
        raise ObjectiveError(f"a vectorized objective must return {n} numbers for {n} points, got {_named(raw)}")
    if values.shape != (n,):
        raise ObjectiveError(
            f"a vectorized objective must return shape ({n},) for {n} points, got {values.shape}; "
            "reduce over the last axis, for example with .sum(axis=1)"
        )
    return values


def read_costed_rows(raw: Any, n: int) -> tuple[Vector, Vector | None]:
    """Read the values of `n` points, and their costs where the objective named one for each or one for all.

    Examples
    --------
    >>> read_costed_rows(Value([1.0, 2.0], cost=3.0), 2)
    (array([1., 2.]), array([1.5, 1.5]))
    """
    if not isinstance(raw, Value):
        return read_rows(raw, n), None
    costs = real_array(raw.cost)
    if costs is None or costs.shape not in ((), (n,)):
        got = _named(raw.cost) if costs is None else costs.shape
        raise ObjectiveError(f"the cost of {n} points must be one number, or one for each, got {got}")
    for cost in np.atleast_1d(costs):
        _checked_cost(float(cost))
    # One cost for the whole batch is shared by its rows.
    return read_rows(raw.y, n), np.full(n, costs / max(n, 1)) if costs.ndim == 0 else costs


def read_number(raw: Any) -> float:
    """Read one number.

    Examples
    --------
    >>> read_number([[2]])
    2.0
    """
    if isinstance(raw, float):
        return float(raw)
    array = None if raw is None else real_array(raw)
    if array is None:
        raise ObjectiveError(f"the objective must return one number per point, got {_named(raw)}; return a float")
    if array.size != 1:
        raise ObjectiveError(
            f"the objective must return one number per point, got {array.shape}; "
            "return a float, or pass vectorized=True if it takes rows of points"
        )
    return float(array.ravel()[0])


def _checked_cost(cost: float) -> float:
    if not cost >= 0:
        raise ObjectiveError(f"the cost of an evaluation must be a number >= 0, got {cost}")
    return cost


def real_array(raw: Any) -> NDArray[np.float64] | None:
    """Return a copy as an array of floats; None if that is not what it is."""
    try:
        if _is_masked(raw):
            return None
        array = np.asarray(raw)
        if array.dtype.kind == "O":
            return np.array([_float(each) for each in array.ravel()], dtype=np.float64).reshape(array.shape)
        if array.dtype.kind not in NUMBERS:
            return None
        with np.errstate(over="ignore"):  # numbers of 80 bits beyond the floats
            return array.astype(np.float64)
    except (TypeError, ValueError, RecursionError):
        return None


def _float(raw: Any) -> float:
    """Read what NumPy keeps as an object: a large whole number, a fraction, an array."""
    if isinstance(raw, str | bytes | np.complexfloating | np.str_ | np.datetime64 | np.timedelta64) or _is_masked(raw):
        raise TypeError
    try:
        return float(raw)
    except OverflowError:  # a whole number beyond the floats
        return math.inf if raw > 0 else -math.inf


def _is_masked(raw: Any) -> bool:
    """Tell whether something is masked, or has something masked in it: NumPy forgets the mask of what is in a list."""
    if isinstance(raw, list | tuple):
        return any(map(_is_masked, raw))
    return isinstance(raw, np.ma.MaskedArray) and bool(np.ma.getmaskarray(raw).any())


def _named(raw: Any) -> str:
    """Name what is no number."""
    if raw is None:
        return "None"
    if isinstance(raw, np.ma.MaskedArray) and _is_masked(raw):
        return "a masked value"
    several: Any = raw if isinstance(raw, list | tuple) else ()
    name = type(raw).__name__
    if isinstance(raw, np.ndarray):
        name = f"{name} of {raw.dtype}"
        several = raw.ravel() if raw.dtype.kind == "O" else ()
    wrong = next((each for each in several if real_array(each) is None), several)
    return name if wrong is several else f"{name} with {_named(wrong)}"
