"""Checks of parameters, with messages that name the rule, the value and the range."""

from __future__ import annotations

import math
from numbers import Real

from ter.core.errors import InvalidArgument

__all__ = ["is_number", "require_in", "require_whole"]


def is_number(value: object) -> bool:
    """Tell whether something is a number at all, which can be compared.

    Examples
    --------
    >>> is_number(2), is_number("2")
    (True, False)
    """
    return isinstance(value, Real)


def require_in(name: str, value: float, *, low: float, high: float, open_low: bool = False) -> None:
    """Raise unless `value` lies in the interval.

    Examples
    --------
    >>> require_in("step", 1.5, low=0, high=1, open_low=True)
    Traceback (most recent call last):
        ...
    ter.core.errors.InvalidArgument: step must lie in (0, 1], got 1.5
    """
    inside = is_number(value) and low <= value <= high and math.isfinite(value)
    if not inside or (open_low and value == low):
        bracket = "(" if open_low else "["
        raise InvalidArgument(f"{name} must lie in {bracket}{low:g}, {high:g}], got {value!r}")


def require_whole(name: str, value: float, *, low: float) -> None:
    """Raise unless `value` is a whole number of at least `low`.

    Examples
    --------
    >>> require_whole("group", 2.5, low=1)
    Traceback (most recent call last):
        ...
    ter.core.errors.InvalidArgument: group must be a whole number, got 2.5
    """
    require_in(name, value, low=low, high=math.inf)
    if value != int(value):
        raise InvalidArgument(f"{name} must be a whole number, got {value!r}")
