"""Numbers as the command line reads them."""

from __future__ import annotations

import argparse

__all__ = ["natural", "whole"]


def whole(text: str) -> int:
    """Read a whole number, written as ``1000``, ``1_000`` or ``1e3``.

    Examples
    --------
    >>> whole("1e3"), whole("12_000"), whole("-1")
    (1000, 12000, -1)
    """
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise argparse.ArgumentTypeError(f"must be a whole number such as 1000 or 1e3, got {text!r}")


def natural(text: str) -> int:
    """Read a whole number that is not negative.

    Examples
    --------
    >>> natural("7")
    7
    """
    number = whole(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number >= 0, got {text.strip()!r}")
    return number
