"""The base functions: the terms of their components, how these are combined, and what becomes of it.

Terms exist for many components, as a loop that vectorises, and for one. Nothing is left to the compiler's taste (no
fast-math), so both give the same bits. Some base functions combine the terms of two channels.

Two formulas are rewritten so that no digits cancel near the optimum: ``10 - 10 cos(2 pi z)`` is ``20 sin(pi z)**2``,
and Ackley's ``e - exp(mean cos)`` is ``-e expm1(-2 mean sin**2)``.
"""

from __future__ import annotations

import math

from ter._jit import inner
from ter.benchmarks.by_address import call_fold
from ter.benchmarks.definitions import Base
from ter.benchmarks.elementary import cos, fma, inlined, sinpi
from ter.objectives.tree import MAX, PRODUCT, SUM
from ter.objectives.unchecked import Floats, Ints

__all__ = [
    "ACKLEY",
    "ELLIPTIC",
    "MAXIMUM",
    "ROSENBROCK",
    "SCHWEFEL",
    "SPHERE",
    "absolute",
    "ackley_term",
    "ackley_terms",
    "combined_value",
    "elliptic_terms",
    "griewank_term",
    "griewank_terms",
    "has_two_channels",
    "link",
    "maximum_terms",
    "operation_of",
    "rastrigin_term",
    "rastrigin_terms",
    "rosenbrock_terms",
    "second_operation_of",
    "sphere_terms",
    "square_sums",
    "sum_blocks",
    "terms_of",
]

SPHERE = int(Base.SPHERE)
ELLIPTIC = int(Base.ELLIPTIC)
ACKLEY = int(Base.ACKLEY)
GRIEWANK = int(Base.GRIEWANK)
MAXIMUM = int(Base.MAXIMUM)
ROSENBROCK = int(Base.ROSENBROCK)
SCHWEFEL = int(Base.SCHWEFEL)

# The terms of `n` components are written over them; those of the second channel go to `other`.


@inner
def sphere_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of the sphere."""
    for i in range(n):
        z[i] = z[i] * z[i]


@inner
def elliptic_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of the elliptic function."""
    for i in range(n):
        z[i] = constants[i] * (z[i] * z[i])


@inlined
def rippled_square(z: float) -> float:
    """One component of Rastrigin's function."""
    s = sinpi(z)
    return fma(z, z, 20.0 * (s * s))


@inner
def rastrigin_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of Rastrigin's function."""
    for i in range(n):
        z[i] = rippled_square(z[i])


@inner
def rastrigin_term(z: float, constant: float) -> tuple[float, float]:
    """One term of Rastrigin's function."""
    return rippled_square(z), 0.0


@inner
def ackley_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of Ackley's function."""
    for i in range(n):
        s = sinpi(z[i])
        other[i] = s * s
        z[i] = z[i] * z[i]


@inner
def ackley_term(z: float, constant: float) -> tuple[float, float]:
    """One term of Ackley's function."""
    s = sinpi(z)
    return z * z, s * s


@inner
def griewank_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of Griewank's function."""
    for i in range(n):
        other[i] = cos(z[i] * constants[i])
        z[i] = z[i] * z[i]


@inner
def griewank_term(z: float, constant: float) -> tuple[float, float]:
    """One term of Griewank's function."""
    return z * z, cos(z * constant)


@inlined
def absolute(z: float) -> float:
    """Return |z|; not a number counts as infinite, since a maximum would lose it."""
    return abs(z) if z == z else math.inf


@inner
def maximum_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of Schwefel's function 2.21."""
    for i in range(n):
        z[i] = absolute(z[i])


@inlined
def link(z: float, following: float) -> float:
    """One term of Rosenbrock's function, which links two neighbours."""
    valley = fma(z, z, -following)
    return fma(100.0 * valley, valley, (z - 1.0) * (z - 1.0))


@inner
def rosenbrock_terms(z: Floats, n: int, constants: Floats, other: Floats) -> None:
    """Terms of Rosenbrock's function: `n` links between as many components and the ones behind them."""
    for i in range(n):
        z[i] = link(z[i], z[i + 1])


@inner
def sum_blocks(z: Floats, sums: Floats, size: int, block: int, blocks: int) -> None:
    """Sum up components, each block of them from its own beginning; only the blocks that are bits of `blocks`."""
    for b in range((size + block - 1) // block):
        if (blocks >> b) & 1:
            total = 0.0
            for i in range(b * block, min((b + 1) * block, size)):
                total += z[i]
                sums[i] = total


@inner
def square_sums(ints: Ints, sums: Floats, size: int, block: int) -> float:
    """Evaluate Schwefel 1.2, given the sums from the beginning of each block; they are overwritten."""
    before = 0.0
    for first in range(0, size, block):
        last = min(first + block, size)
        following = before + sums[last - 1]
        for i in range(first, last):
            total = before + sums[i]
            sums[i] = total * total
        before = following
    return call_fold(ints, SUM, sums, 0, size)


@inner
def terms_of(base: int, size: int) -> int:
    """Return how many terms a part has: one per component, or one per pair of neighbours."""
    return size - 1 if base == ROSENBROCK else size


@inner
def has_two_channels(base: int) -> bool:
    """Tell whether the second channel is in use."""
    return (base == ACKLEY) | (base == GRIEWANK)  # a tuple takes longer to compile


@inner
def operation_of(base: int) -> int:
    """Return how terms are combined."""
    return MAX if base == MAXIMUM else SUM


@inner
def second_operation_of(base: int) -> int:
    """Return how the terms of the second channel are combined."""
    return PRODUCT if base == GRIEWANK else SUM


@inner
def combined_value(base: int, size: int, first: float, second: float) -> float:
    """Turn the combined terms of the two channels into the part's value."""
    if base == ACKLEY:
        return -20.0 * math.expm1(-0.2 * math.sqrt(first / size)) - math.e * math.expm1(-2.0 * (second / size))
    if base == GRIEWANK:
        return 1.0 + first / 4000.0 - second
    return first
