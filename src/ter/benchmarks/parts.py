"""The steps of evaluating a part: shift, rotate, transform, terms, finish.

Each step exists for a whole part, as a loop that vectorises, and for one component, as the inlined function that this
loop calls. Nothing is left to the compiler's taste (no fast-math), so both give the same bits.

Two formulas are rewritten so that no digits cancel near the optimum: ``10 - 10 cos(2 pi z)`` is ``20 sin(pi z)**2``,
and Ackley's ``e - exp(mean cos)`` is ``-e expm1(-2 mean sin**2)``.
"""

from __future__ import annotations

import math

from ter._jit import kernel
from ter.benchmarks.elementary import (
    cos,
    fma,
    inlined,
    log_magnitude,
    oscillate,
    oscillate_skew,
    ripple,
    rippled,
    sinpi,
    skewed,
)
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    BLOCK,
    COORDINATES,
    FIRST,
    ROTATION,
    RUN,
    SECOND,
    SHIFTS,
    SIZE,
    TRANSFORM,
    Base,
    Transform,
)
from ter.benchmarks.raw import peek, poke
from ter.benchmarks.rotate import ROWS, pad, rotate
from ter.benchmarks.tree import MAX, PRODUCT, SUM, fold
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["finish", "operations", "prefix_squares", "shifted", "term", "transformed", "whole_part"]

ELLIPTIC = int(Base.ELLIPTIC)
RASTRIGIN = int(Base.RASTRIGIN)
ACKLEY = int(Base.ACKLEY)
GRIEWANK = int(Base.GRIEWANK)
MAXIMUM = int(Base.MAXIMUM)
ROSENBROCK = int(Base.ROSENBROCK)
SCHWEFEL = int(Base.SCHWEFEL)
NONE = int(Transform.NONE)
OSCILLATED = int(Transform.OSCILLATED)
SKEWED = int(Transform.SKEWED)


@kernel
def shift_part(x: Vector, floats: Vector, ints: Integers, row: int, z: Vector) -> None:
    """Take a part's variables out of `x` and subtract its shift."""
    begin, run = ints[row + BEGIN], ints[row + RUN]
    shift, coordinates = ints[SHIFTS] + begin, ints[COORDINATES] + begin
    if run >= 0:
        for i in range(ints[row + SIZE]):
            z[i] = peek(x, run + i) - peek(floats, shift + i)
    else:
        for i in range(ints[row + SIZE]):
            z[i] = peek(x, peek(ints, coordinates + i)) - peek(floats, shift + i)


@inlined
def transformed(transform: int, z: float, first: float, second: float) -> float:
    """Transform one component."""
    if transform == OSCILLATED:
        return oscillate(z)
    if transform == SKEWED:
        return second * oscillate_skew(z, first)
    return z


@kernel
def transform_all(transform: int, z: Vector, n: int, constants: Vector, first: int, second: int, work: Vector) -> None:
    """Transform `n` components, whose constants are at ``constants[first:]`` and ``constants[second:]``.

    One short loop per stage is faster than one long loop: more of its iterations are under way at a time.
    """
    if transform == NONE:
        return
    for i in range(n):
        work[i] = log_magnitude(z[i])
    if transform == OSCILLATED:
        for i in range(n):
            z[i] = rippled(z[i], ripple(work[i], z[i]))
        return
    for i in range(n):
        a = ripple(work[i], z[i])
        z[i] = rippled(z[i], a)
        work[i] = work[i] + a
    for i in range(n):
        z[i] = peek(constants, second + i) * skewed(z[i], work[i], peek(constants, first + i))


@inlined
def rastrigin_term(z: float) -> float:
    """One component of Rastrigin's function."""
    s = sinpi(z)
    return fma(z, z, 20.0 * (s * s))


@inlined
def rosenbrock_term(z: float, following: float) -> float:
    """One link of Rosenbrock's function."""
    valley = fma(z, z, -following)
    return fma(100.0 * valley, valley, (z - 1.0) * (z - 1.0))


@inlined
def absolute(z: float) -> float:
    """Return |z|; not a number counts as infinite, since a maximum would lose it."""
    return abs(z) if z == z else math.inf


@kernel
def term(base: int, z: float, constant: float) -> tuple[float, float]:
    """Return what one component adds to the channels of its part."""
    if base == ELLIPTIC:
        return constant * (z * z), 0.0
    if base == RASTRIGIN:
        return rastrigin_term(z), 0.0
    if base == ACKLEY:
        s = sinpi(z)
        return z * z, s * s
    if base == GRIEWANK:
        return z * z, cos(z * constant)
    return absolute(z), 0.0


@kernel
def terms_of_all(base: int, z: Vector, n: int, constants: Vector, at: int, other: Vector) -> None:
    """Write `n` terms over their components, and those of the second channel into `other`.

    Constants are at ``constants[at:]``. Links of Rosenbrock's function take their second component from `other`.
    """
    if base == ELLIPTIC:
        for i in range(n):
            z[i] = peek(constants, at + i) * (z[i] * z[i])
    elif base == RASTRIGIN:
        for i in range(n):
            z[i] = rastrigin_term(z[i])
    elif base == ACKLEY:
        for i in range(n):
            s = sinpi(z[i])
            other[i] = s * s
            z[i] = z[i] * z[i]
    elif base == GRIEWANK:
        for i in range(n):
            other[i] = cos(z[i] * peek(constants, at + i))
            z[i] = z[i] * z[i]
    elif base == MAXIMUM:
        for i in range(n):
            z[i] = absolute(z[i])
    else:
        for i in range(n):
            z[i] = rosenbrock_term(z[i], other[i])


@kernel
def terms_of_part(floats: Vector, ints: Integers, row: int, z: Vector, other: Vector) -> None:
    """Write the terms of a part over its components; the second channel's into `other`."""
    base = ints[row + BASE]
    n = links(base, padded(ints, row))
    if base == ROSENBROCK:
        for i in range(n):
            other[i] = peek(z, i + 1)
    terms_of_all(base, z, n, floats, ints[FIRST] + ints[row + BEGIN], other)


@kernel
def local_sums(z: Vector, first: int, last: int, sums: Vector) -> None:
    """Write the sums of ``z[first], ..., z[i]`` for i up to `last`, exclusive."""
    total = 0.0
    for i in range(first, last):
        total += z[i]
        sums[i] = total


@kernel
def prefix_squares(sums: Vector, size: int, block: int) -> float:
    """Sum the squares of all prefix sums, given those from the beginning of each block; `sums` is overwritten."""
    base = 0.0
    for first in range(0, size, block):
        last = min(first + block, size)
        following = base + sums[last - 1]
        for i in range(first, last):
            prefix = base + peek(sums, i)
            poke(sums, i, prefix * prefix)
        base = following
    return fold(SUM, sums, size)


@kernel
def operations(base: int) -> tuple[int, int]:
    """Return how the terms of the two channels are combined."""
    return (MAX if base == MAXIMUM else SUM), (PRODUCT if base == GRIEWANK else SUM)


@kernel
def links(base: int, size: int) -> int:
    """Terms of a part: one per component, or one per pair of neighbours."""
    return size - 1 if base == ROSENBROCK else size


@kernel
def two_channels(base: int) -> bool:
    """Tell whether the second channel is in use."""
    return base in (ACKLEY, GRIEWANK)


@kernel
def finish(base: int, size: int, first: float, second: float) -> float:
    """Turn the combined terms into the part's value."""
    if base == ACKLEY:
        return -20.0 * math.expm1(-0.2 * math.sqrt(first / size)) - math.e * math.expm1(-2.0 * (second / size))
    if base == GRIEWANK:
        return 1.0 + first / 4000.0 - second
    return first


@kernel
def reduce_part(floats: Vector, ints: Integers, row: int, z: Vector, other: Vector) -> float:
    """Turn transformed components into the part's value; both arrays are overwritten."""
    base, size, block = ints[row + BASE], ints[row + SIZE], ints[row + BLOCK]
    if base == SCHWEFEL:
        for first in range(0, size, block):
            local_sums(z, first, min(first + block, size), z)
        return prefix_squares(z, size, block)
    terms_of_part(floats, ints, row, z, other)
    n = links(base, size)
    how, how_other = operations(base)
    combined = fold(how, z, n)
    return finish(base, size, combined, fold(how_other, other, n) if two_channels(base) else 0.0)


@kernel
def reduce_rotated(floats: Vector, ints: Integers, row: int, z: Vector, other: Vector) -> float:
    """Do the same for a rotated part, whose terms all change together and need no tree."""
    base, size = ints[row + BASE], ints[row + SIZE]
    if base == SCHWEFEL:
        prefix = 0.0
        for i in range(size):
            prefix += z[i]
            z[i] = prefix * prefix
        return lane_sum(z, size)
    terms_of_part(floats, ints, row, z, other)
    n = padded(ints, row)
    return finish(base, size, lane_sum(z, n), lane_sum(other, n) if base == ACKLEY else 0.0)


@kernel
def lane_sum(terms: Vector, n: int) -> float:
    """Add up in eight lanes: faster than halving for a few dozen terms."""
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = rest = 0.0
    whole = n // 8 * 8
    for i in range(0, whole, 8):
        a0 += peek(terms, i)
        a1 += peek(terms, i + 1)
        a2 += peek(terms, i + 2)
        a3 += peek(terms, i + 3)
        a4 += peek(terms, i + 4)
        a5 += peek(terms, i + 5)
        a6 += peek(terms, i + 6)
        a7 += peek(terms, i + 7)
    for i in range(whole, n):
        rest += terms[i]
    return (((a0 + a4) + (a2 + a6)) + ((a1 + a5) + (a3 + a7))) + rest


@kernel
def whole_part(x: Vector, floats: Vector, ints: Integers, row: int, z: Vector, other: Vector, work: Vector) -> float:
    """Evaluate one part from scratch; the last three arrays are space to work in."""
    if ints[row + ROTATION] < 0:
        shift_part(x, floats, ints, row, z)
    else:
        shift_part(x, floats, ints, row, other)
        pad(other, ints[row + SIZE])
        rotate(floats, ints[row + ROTATION], ints[row + SIZE], other, z)
    return transformed_value(floats, ints, row, z, other, work)


@kernel
def transformed_value(floats: Vector, ints: Integers, row: int, z: Vector, other: Vector, work: Vector) -> float:
    """Transform a part's components `z`, and evaluate it."""
    transform_part(floats, ints, row, z, work)
    if ints[row + ROTATION] < 0:
        return reduce_part(floats, ints, row, z, other)
    return reduce_rotated(floats, ints, row, z, other)


@kernel
def transform_part(floats: Vector, ints: Integers, row: int, z: Vector, work: Vector) -> None:
    """Transform all components of a part."""
    first, second = ints[FIRST] + ints[row + BEGIN], ints[SECOND] + ints[row + BEGIN]
    transform_all(ints[row + TRANSFORM], z, padded(ints, row), floats, first, second, work)


@kernel
def padded(ints: Integers, row: int) -> int:
    """Components of a part that loops run over: a rotated part has zeros behind its own, which come to nothing."""
    size = ints[row + SIZE]
    return size if ints[row + ROTATION] < 0 else -(-size // ROWS) * ROWS
