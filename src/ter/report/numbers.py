"""Numbers for pages: few digits, and nothing that JSON cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["compact", "compact_all"]


def compact(value: float | None, digits: int = 4) -> float | int | None:
    """Round to some significant digits; None for what is not finite.

    Examples
    --------
    >>> compact(123456.789), compact(0.25), compact(float("inf"))
    (123500, 0.25, None)
    """
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e15 else rounded


def compact_all(values: Iterable[float], digits: int = 4) -> list[float | int | None]:
    """Round a list of numbers."""
    return [compact(float(value), digits) for value in values]
