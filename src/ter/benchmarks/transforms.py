"""What is done to the components of a part before its base function: nothing, T_osz, or T_osz, T_asy and Lambda.

Each transformation exists for many components, as loops that vectorise, and for one, with the same bits.
"""

from __future__ import annotations

from ter._jit import inner
from ter.benchmarks.elementary import log_magnitude, oscillate, oscillate_skew, ripple, rippled, skewed
from ter.objectives.unchecked import Floats

__all__ = ["oscillate_all", "oscillate_one", "skew_all", "skew_one"]

# One short loop per stage is faster than one long loop: more of its iterations are under way at a time.


@inner
def oscillate_all(z: Floats, n: int, constants: Floats, factors: Floats, work: Floats) -> None:
    """Apply T_osz to `n` components."""
    for i in range(n):
        work[i] = log_magnitude(z[i])
    for i in range(n):
        z[i] = rippled(z[i], ripple(work[i], z[i]))


@inner
def skew_all(z: Floats, n: int, constants: Floats, factors: Floats, work: Floats) -> None:
    """Apply T_osz, T_asy with the exponents `constants`, and Lambda."""
    for i in range(n):
        work[i] = log_magnitude(z[i])
    for i in range(n):
        a = ripple(work[i], z[i])
        z[i] = rippled(z[i], a)
        work[i] = work[i] + a
    for i in range(n):
        z[i] = factors[i] * skewed(z[i], work[i], constants[i])


@inner
def oscillate_one(z: float, constant: float, factor: float) -> float:
    """Apply T_osz to one component."""
    return oscillate(z)


@inner
def skew_one(z: float, constant: float, factor: float) -> float:
    """Apply T_osz, T_asy and Lambda to one component."""
    return factor * oscillate_skew(z, constant)
