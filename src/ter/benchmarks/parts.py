"""The steps of evaluating a part: shift, rotate, transform, terms, finish.

Each step exists for a whole part, as a loop that vectorises, and for one component, as the inlined function that this
loop calls. Nothing is left to the compiler's taste (no fast-math), so both give the same bits.

Two formulas are rewritten so that no digits cancel near the optimum: ``10 - 10 cos(2 pi z)`` is ``20 sin(pi z)**2``,
and Ackley's ``e - exp(mean cos)`` is ``-e expm1(-2 mean sin**2)``.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from ter._jit import inner, merged
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
from ter.benchmarks.lanes import add4, load4, splat4, sum4
from ter.benchmarks.layout import (
    BASE,
    BEGIN,
    BLOCK,
    COORDINATES,
    FIRST,
    HEAD,
    PARTS,
    ROTATION,
    RUN,
    SECOND,
    SHIFTS,
    SIZE,
    TRANSFORM,
    WIDTH,
    Base,
    Transform,
)
from ter.benchmarks.rotate import ALL_BLOCKS, ROWS, pad, rotate
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.objectives.tree import MAX, PRODUCT, SUM, fold
from ter.objectives.unchecked import peek, poke

__all__ = [
    "Run",
    "Space",
    "finish",
    "finish_parts",
    "finish_run",
    "operations",
    "place_part",
    "prefix_squares",
    "shift_into",
    "term",
]

Run: TypeAlias = tuple[int, int]  # the first part, and the one behind the last
Space: TypeAlias = tuple[Vector, Vector, Vector]  # components (then terms), the second channel's terms, and work space

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


@inner
def shift_into(x: Vector, floats: Vector, ints: Integers, row: int, y: Vector, at: int) -> None:
    """Take a part's variables out of `x` and subtract its shift; into ``y[at:]``."""
    begin, run = ints[row + BEGIN], ints[row + RUN]
    shift, coordinates = ints[SHIFTS] + begin, ints[COORDINATES] + begin
    if run >= 0:
        for i in range(ints[row + SIZE]):
            poke(y, at + i, peek(x, run + i) - peek(floats, shift + i))
    else:
        for i in range(ints[row + SIZE]):
            poke(y, at + i, peek(x, peek(ints, coordinates + i)) - peek(floats, shift + i))


@inner
def shift_part(x: Vector, floats: Vector, ints: Integers, row: int, z: Vector) -> None:
    """Write a part's shifted variables into ``z`` at its positions."""
    shift_into(x, floats, ints, row, z, ints[row + BEGIN])


@merged
def place_part(x: Vector, floats: Vector, ints: Integers, row: int, z: Vector, other: Vector) -> None:
    """Write a part's shifted and rotated components into ``z`` at its positions; `other` is space to work in."""
    if ints[row + ROTATION] < 0:
        shift_part(x, floats, ints, row, z)
    else:
        shift_part(x, floats, ints, row, other)
        pad(other, ints[row + BEGIN], ints[row + SIZE])
        rotate(floats, ints[row + ROTATION], ints[row + SIZE], other, z, 0, ALL_BLOCKS, z, ints[row + BEGIN])
        pad(z, ints[row + BEGIN], padded(ints, row))


@inlined
def transformed(transform: int, z: float, first: float, second: float) -> float:
    """Transform one component."""
    if transform == OSCILLATED:
        return oscillate(z)
    if transform == SKEWED:
        return second * oscillate_skew(z, first)
    return z


@inner
def transform_all(
    transform: int, z: Vector, at: int, n: int, constants: Vector, first: int, second: int, work: Vector
) -> None:
    """Transform `n` components at ``z[at:]``; their constants are at ``constants[first:]`` and ``constants[second:]``.

    One short loop per stage is faster than one long loop: more of its iterations are under way at a time.
    """
    if transform == NONE:
        return
    for i in range(n):
        work[i] = log_magnitude(peek(z, at + i))
    if transform == OSCILLATED:
        for i in range(n):
            poke(z, at + i, rippled(peek(z, at + i), ripple(work[i], peek(z, at + i))))
        return
    for i in range(n):
        a = ripple(work[i], peek(z, at + i))
        poke(z, at + i, rippled(peek(z, at + i), a))
        work[i] = work[i] + a
    for i in range(n):
        y = skewed(peek(z, at + i), work[i], peek(constants, first + i))
        poke(z, at + i, peek(constants, second + i) * y)


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


@merged
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


@inner
def terms_of_all(base: int, z: Vector, at: int, n: int, constants: Vector, constant: int, other: Vector) -> None:
    """Write `n` terms over their components at ``z[at:]``, and those of the second channel into `other`, same places.

    Constants are at ``constants[constant:]``. Links of Rosenbrock's function take their second component from `other`.
    """
    if base == ELLIPTIC:
        for i in range(n):
            poke(z, at + i, peek(constants, constant + i) * (peek(z, at + i) * peek(z, at + i)))
    elif base == RASTRIGIN:
        for i in range(n):
            poke(z, at + i, rastrigin_term(peek(z, at + i)))
    elif base == ACKLEY:
        for i in range(n):
            s = sinpi(peek(z, at + i))
            poke(other, at + i, s * s)
            poke(z, at + i, peek(z, at + i) * peek(z, at + i))
    elif base == GRIEWANK:
        for i in range(n):
            poke(other, at + i, cos(peek(z, at + i) * peek(constants, constant + i)))
            poke(z, at + i, peek(z, at + i) * peek(z, at + i))
    elif base == MAXIMUM:
        for i in range(n):
            poke(z, at + i, absolute(peek(z, at + i)))
    elif base == ROSENBROCK:
        for i in range(n):
            poke(z, at + i, rosenbrock_term(peek(z, at + i), peek(other, at + i)))


@merged
def local_sums(z: Vector, first: int, last: int, sums: Vector) -> None:
    """Write the sums of ``z[first], ..., z[i]`` for i up to `last`, exclusive."""
    total = 0.0
    for i in range(first, last):
        total += z[i]
        sums[i] = total


@inner
def prefix_squares(sums: Vector, at: int, size: int, block: int) -> float:
    """Sum the squares of all prefix sums, given those from the beginning of each block; they are overwritten."""
    base = 0.0
    for first in range(at, at + size, block):
        last = min(first + block, at + size)
        following = base + sums[last - 1]
        for i in range(first, last):
            prefix = base + peek(sums, i)
            poke(sums, i, prefix * prefix)
        base = following
    return fold(SUM, sums, at, size)


@inner
def operations(base: int) -> tuple[int, int]:
    """Return how the terms of the two channels are combined."""
    return (MAX if base == MAXIMUM else SUM), (PRODUCT if base == GRIEWANK else SUM)


@inner
def links(base: int, size: int) -> int:
    """Terms of a part: one per component, or one per pair of neighbours."""
    return size - 1 if base == ROSENBROCK else size


@inner
def two_channels(base: int) -> bool:
    """Tell whether the second channel is in use."""
    return base in (ACKLEY, GRIEWANK)


@inner
def finish(base: int, size: int, first: float, second: float) -> float:
    """Turn the combined terms into the part's value."""
    if base == ACKLEY:
        return -20.0 * math.expm1(-0.2 * math.sqrt(first / size)) - math.e * math.expm1(-2.0 * (second / size))
    if base == GRIEWANK:
        return 1.0 + first / 4000.0 - second
    return first


@inner
def finish_run(floats: Vector, ints: Integers, run: Run, space: Space, values: Vector, at: int) -> None:
    """Transform and evaluate parts that follow each other, alike in base function and transformation.

    Their components are in ``space.z``. The values go to ``values[at + part]``.
    """
    row, last = HEAD + WIDTH * run[0], HEAD + WIDTH * (run[1] - 1)
    begin = ints[row + BEGIN]
    n = ints[last + BEGIN] + padded(ints, last) - begin
    z, other, work = space
    first, second = ints[FIRST] + begin, ints[SECOND] + begin
    transform_all(ints[row + TRANSFORM], z, begin, n, floats, first, second, work)
    base = ints[row + BASE]
    if base not in (SCHWEFEL, ROSENBROCK):
        terms_of_all(base, z, begin, n, floats, first, other)
    for part in range(run[0], run[1]):
        own = HEAD + WIDTH * part
        if ints[own + ROTATION] < 0:
            values[at + part] = reduce_part(ints, own, z, other)
        else:
            values[at + part] = reduce_rotated(ints, own, z, other)


@inner
def finish_parts(floats: Vector, ints: Integers, space: Space, values: Vector) -> None:
    """Evaluate all parts, whose components are in place, as many as possible in one run."""
    parts = ints[PARTS]
    first = 0
    while first < parts:
        last = first + 1
        while last < parts and alike(ints, HEAD + WIDTH * first, HEAD + WIDTH * last):
            last += 1
        finish_run(floats, ints, (first, last), space, values, 0)
        first = last


@merged
def reduce_part(ints: Integers, row: int, z: Vector, other: Vector) -> float:
    """Turn terms, or components where terms are not of one component each, into the part's value."""
    base, begin, size, block = ints[row + BASE], ints[row + BEGIN], ints[row + SIZE], ints[row + BLOCK]
    if base == SCHWEFEL:
        for first in range(begin, begin + size, block):
            local_sums(z, first, min(first + block, begin + size), z)
        return prefix_squares(z, begin, size, block)
    n = links(base, size)
    if base == ROSENBROCK:
        for i in range(n):
            poke(z, begin + i, rosenbrock_term(peek(z, begin + i), peek(z, begin + i + 1)))
    how, how_other = operations(base)
    combined = fold(how, z, begin, n)
    return finish(base, size, combined, fold(how_other, other, begin, n) if two_channels(base) else 0.0)


@merged
def reduce_rotated(ints: Integers, row: int, z: Vector, other: Vector) -> float:
    """Do the same for a rotated part, whose terms all change together and need no tree."""
    base, begin, size = ints[row + BASE], ints[row + BEGIN], ints[row + SIZE]
    if base == SCHWEFEL:
        prefix = 0.0
        for i in range(begin, begin + size):
            prefix += z[i]
            z[i] = prefix * prefix
        return lane_sum(z, begin, size)
    n = padded(ints, row)
    return finish(base, size, lane_sum(z, begin, n), lane_sum(other, begin, n) if base == ACKLEY else 0.0)


@inner
def lane_sum(terms: Vector, at: int, n: int) -> float:
    """Add up ``terms[at:at + n]`` in eight lanes: faster than halving for a few dozen terms."""
    whole = n // 8 * 8
    low = high = splat4(0.0)
    for i in range(at, at + whole, 8):
        low = add4(low, load4(terms, i))
        high = add4(high, load4(terms, i + 4))
    rest = 0.0
    for i in range(at + whole, at + n):
        rest += terms[i]
    return float(sum4(add4(low, high)) + rest)


@inner
def alike(ints: Integers, row: int, other: int) -> bool:
    """Tell whether two parts can be evaluated in one run."""
    return bool(ints[row + BASE] == ints[other + BASE] and ints[row + TRANSFORM] == ints[other + TRANSFORM])


@inner
def padded(ints: Integers, row: int) -> int:
    """Components of a part that loops run over: a rotated part has zeros behind its own, which come to nothing."""
    size = int(ints[row + SIZE])
    return size if ints[row + ROTATION] < 0 else -(-size // ROWS) * ROWS
