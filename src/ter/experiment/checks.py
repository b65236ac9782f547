"""Rules for what users write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ter.core.errors import InvalidArgument, UnknownName

__all__ = ["require_known", "require_list", "whole_number"]


def require_known(kind: str, names: Iterable[str], valid: Sequence[str]) -> None:
    """Raise unless all names are valid; the message names those that are.

    Examples
    --------
    >>> require_known("key of a plan", ["run"], ["runs", "seed"])
    Traceback (most recent call last):
        ...
    ter.core.errors.UnknownName: unknown key of a plan 'run'; did you mean 'runs'? Valid names: runs, seed
    """
    for name in names:
        if name not in valid:
            raise UnknownName.among(kind, name, valid)


def require_list(what: str, entries: object) -> Sequence[Any]:
    """Return a list that has an entry, or raise."""
    if isinstance(entries, str) or not isinstance(entries, Sequence) or not entries:
        raise InvalidArgument(f"{what} must be a list with at least one entry, got {entries!r}")
    return entries


def whole_number(what: str, number: object, *, low: int) -> int:
    """Return a whole number, or raise; 2.0 is one.

    Examples
    --------
    >>> whole_number("runs", 2.0, low=1)
    2
    >>> whole_number("runs", 2.5, low=1)
    Traceback (most recent call last):
        ...
    ter.core.errors.InvalidArgument: runs must be a whole number >= 1, got 2.5
    """
    if isinstance(number, bool) or not isinstance(number, int | float) or not number >= low or number % 1 != 0:
        raise InvalidArgument(f"{what} must be a whole number >= {low}, got {number!r}")
    return int(number)
