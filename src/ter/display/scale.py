"""Axes: which scale shows the values of a run best, and where ticks are, of times too. Pure functions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Scale", "nice_steps", "time_steps"]

WIDE = 30.0  # values that span a larger factor than this are shown on a logarithmic scale
DEPTH = 1e-18  # nothing below this fraction of the largest value is resolved near 0
TIMES = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True)
class Scale:
    """A scale from `low` to `high`.

    Attributes
    ----------
    kind : {"log", "symlog", "linear"}
        Logarithmic for positive values; linear between ``-threshold`` and ``threshold`` and logarithmic beyond for
        others; linear if the values span little.
    low, high : float
        Its ends.
    threshold : float
        Of "symlog".
    """

    kind: Literal["log", "symlog", "linear"]
    low: float
    high: float
    threshold: float = 1.0

    @classmethod
    def fit(cls, values: ArrayLike) -> Scale:
        """Choose the scale for some values; those that are not finite are left out.

        Examples
        --------
        >>> Scale.fit([1e5, 1e-3]).kind, Scale.fit([1e5, -3.0]).kind, Scale.fit([-0.37, -0.39]).kind
        ('log', 'symlog', 'linear')
        """
        numbers = np.asarray(values, dtype=np.float64)
        numbers = numbers[np.isfinite(numbers)]
        if numbers.size == 0:
            return cls("linear", 0.0, 1.0)
        low, high = float(numbers.min()), float(numbers.max())
        sizes = np.abs(numbers[numbers != 0])
        smallest, largest = (float(sizes.min()), float(sizes.max())) if sizes.size else (1.0, 1.0)
        if low == high:
            return cls("linear", low - 0.5 * largest, high + 0.5 * largest)
        if low > 0 and high / WIDE > low:
            return cls("log", low, high)
        if low <= 0 and largest / WIDE > smallest:
            return cls("symlog", low, high, max(smallest, largest * DEPTH, math.ulp(0.0) * 2**60))
        return cls("linear", low, high)

    def position(self, value: float) -> float:
        """Return where a value lies: 0 at `low`, 1 at `high`.

        Examples
        --------
        >>> Scale("log", 1.0, 100.0).position(10.0)
        0.5
        """
        low, high = self._warp(self.low), self._warp(self.high)
        return (self._warp(value) - low) / (high - low)

    def ticks(self, n: int = 6) -> list[float]:
        """Return about `n` round values between the ends.

        Examples
        --------
        >>> Scale("log", 1.0, 1000.0).ticks()
        [1.0, 10.0, 100.0, 1000.0]
        """
        if self.kind == "linear":
            return nice_steps(self.low, self.high, n)
        if self.kind == "log":
            powers = _powers(self.low, self.high, n)
            return powers if len(powers) > 2 else _multiples(self.low, self.high)
        above = _powers(self.threshold, self.high, n) if self.high > self.threshold else []
        below = [-tick for tick in _powers(self.threshold, -self.low, n)] if -self.low > self.threshold else []
        chosen: list[float] = []
        for tick in sorted({*above, 0.0, *below}, key=abs, reverse=True):
            if all(abs(self.position(tick) - self.position(other)) > 0.6 / n for other in chosen):
                chosen.append(tick)
        return sorted(chosen)

    def _warp(self, value: float) -> float:
        if self.kind == "linear":
            return value
        if self.kind == "log":
            return math.log10(max(value, self.low))
        size = abs(value) / self.threshold
        return math.copysign(size if size <= 1 else 1 + math.log10(size), value)


def nice_steps(low: float, high: float, n: int) -> list[float]:
    """Return about `n` multiples of 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> nice_steps(0, 30_000, 4)
    [0.0, 10000.0, 20000.0, 30000.0]
    """
    rough = (high - low) / n
    if not rough > 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((m * power for m in (1, 2, 5) if m * power >= 0.99 * rough), 10 * power)
    return [float(f"{k * step:.12g}") for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def time_steps(total: float, n: int) -> list[tuple[float, str]]:
    """Return about `n` round times from 0 to `total` seconds, and how they are written.

    Examples
    --------
    >>> time_steps(150.0, 3)
    [(0.0, '0 min'), (60.0, '1 min'), (120.0, '2 min')]
    """
    seconds, unit = next(((size, name) for size, name in TIMES if total >= 2 * size), TIMES[-1])
    return [(step * seconds, f"{step:g} {unit}") for step in nice_steps(0, total / seconds, n)]


def _powers(low: float, high: float, n: int) -> list[float]:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first) / n)))]


def _multiples(low: float, high: float) -> list[float]:
    exponents = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    return [m * 10.0**k for k in exponents for m in (1, 2, 5) if low <= m * 10.0**k <= high]
