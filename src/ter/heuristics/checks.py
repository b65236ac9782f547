"""Checks of parameters, with messages that name the rule, the value and the range."""

from __future__ import annotations

from ter.core.errors import InvalidArgument

__all__ = ["require_in"]


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
    if not (above and value <= high):
        bracket = "(" if open_low else "["
        raise InvalidArgument(f"{name} must lie in {bracket}{low:g}, {high:g}], got {value!r}")
