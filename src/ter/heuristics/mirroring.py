"""Points outside of the box are mirrored at its borders; clipping would pile them up there."""

from __future__ import annotations

from ter._jit import inner

__all__ = ["mirrored"]


@inner
def mirrored(v: float, low: float, high: float) -> float:
    """Reflect a value at the bounds as often as needed."""
    width = high - low
    if not width > 0.0:
        return low
    t = (v - low) % (2.0 * width)
    v = low + (t if t <= width else 2.0 * width - t)
    v = v if v > low else low
    return v if v < high else high
