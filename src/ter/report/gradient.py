"""The colour scale of the paper's tables.

Green stands for the smallest value of a row, yellow for its median, red for its largest. Colours change linearly
between these three, as spreadsheets do it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["GREEN", "RED", "YELLOW", "Rgb", "color_at", "hex_of", "levels"]

Rgb = tuple[float, float, float]

GREEN: Rgb = (0.388, 0.745, 0.482)
YELLOW: Rgb = (1.0, 0.922, 0.518)
RED: Rgb = (0.973, 0.412, 0.42)


def levels(values: Sequence[float]) -> list[float | None]:
    """Return where each value of a row stands: 0 for the smallest, 0.5 for the median, 1 for the largest.

    NaN has no place. An infinite value counts as the largest, but does not move the median of the others. A row in
    which nothing differs has no colours.

    Examples
    --------
    >>> levels([1.0, 3.0, 2.0, 10.0, float("nan")])
    [0.0, 0.5333333333333333, 0.3333333333333333, 1.0, None]
    """
    numbers = np.array([value for value in values if math.isfinite(value)])
    there = {value for value in values if not math.isnan(value)}
    if len(there) < 2 or not len(numbers):
        return [None] * len(values)
    low, middle, high = float(numbers.min()), float(np.median(numbers)), float(numbers.max())
    return [None if math.isnan(value) else _level(value, low, middle, high) for value in values]


def _level(value: float, low: float, middle: float, high: float) -> float:
    if math.isinf(value):
        return 1.0 if value > 0 else 0.0
    if value <= low:
        return 0.0
    if value >= high:
        return 1.0
    if value <= middle:
        return 0.5 * (value - low) / (middle - low)
    return 0.5 + 0.5 * (value - middle) / (high - middle)


def color_at(level: float) -> Rgb:
    """Return the colour of a level.

    Examples
    --------
    >>> color_at(0.0) == GREEN, color_at(0.5) == YELLOW, color_at(1.0) == RED
    (True, True, True)
    """
    first, second, share = (GREEN, YELLOW, 2 * level) if level <= 0.5 else (YELLOW, RED, 2 * level - 1)
    red, green, blue = (round((1 - share) * a + share * b, 3) for a, b in zip(first, second, strict=True))
    return red, green, blue


def hex_of(color: Rgb) -> str:
    """Write a colour as pages do.

    Examples
    --------
    >>> hex_of((1.0, 0.5, 0.0))
    '#ff8000'
    """
    return "#" + "".join(f"{round(255 * part):02x}" for part in color)
