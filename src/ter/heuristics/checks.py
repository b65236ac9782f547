"""Checks of parameters, with messages that name the rule, the value and the range."""

from __future__ import annotations

import math

from ter.core.errors import InvalidArgument

__all__ = ["require_in", "require_whole"]


def require_in(name: str, value: float, *, low: float, high: float, open_low: bool = False) -> None:
    """Raise unless `value` lies in the interval.

    Examples
    --------
    >>> require_in("step", 1.5, low=0, high=1, open_low=True)
    Traceback (most recent call last):
        ...
    ter.core.errors.InvalidArgument: step must lie in (0, 1], got 1.5
    """
    above = value > low if open_low else value >= low
    if not (above and value <= high and math.isfinite(value)):
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
