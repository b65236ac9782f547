"""The generator from which the organisers of CEC'2010 drew the data of their functions.

The official MATLAB code fills its data files with a Java class of the organisers: a linear congruential generator (the
one of `java.util.Random`, with the number of the function as its first state), from which a function takes its shift,
then its permutation, then its rotation. Repeating the drawing gives all 64 bits of numbers that are otherwise passed on
as text with 9 digits.

The logarithm is that of Java's `StrictMath`, because the one of the C library may differ in the last bit.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIMENSION, GROUP = 1000, 50
MULTIPLIER, INCREMENT, MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1

# Coefficients of the logarithm of fdlibm, the library behind StrictMath.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
EVEN = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)
ODD = (6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01)


def strict_log(x: float) -> float:
    """The natural logarithm of a normal positive number, rounded as fdlibm does."""
    bits = struct.unpack("<q", struct.pack("<d", x))[0]
    exponent, fraction = (bits >> 52) - 1023, (bits >> 32) & 0xFFFFF
    # x = 2**exponent * (1 + f) with 1 + f between sqrt(1/2) and sqrt(2)
    above = (fraction + 0x95F64) >> 20
    exponent += above
    f = math.ldexp(x, -exponent) - 1.0
    k = float(exponent)
    if (fraction + 2) & 0xFFFFF < 3:
        small = f * f * (0.5 - 0.33333333333333333 * f)
        return k * LN2_HIGH - ((small - k * LN2_LOW) - f)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    series = z * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * ODD[3]))) + w * (EVEN[0] + w * (EVEN[1] + w * EVEN[2]))
    if (fraction - 0x6147A) | (0x6B851 - fraction) > 0:
        half = 0.5 * f * f
        return k * LN2_HIGH - ((half - (s * (half + series) + k * LN2_LOW)) - f)
    return k * LN2_HIGH - ((s * (f - series) - k * LN2_LOW) - f)


@dataclass
class Randomizer:
    """The generator; its state starts at the number of the function."""

    state: int
    spare: float | None = None

    def bits(self, count: int) -> int:
        """The next random bits."""
        self.state = (self.state * MULTIPLIER + INCREMENT) & MASK
        return self.state >> (48 - count)

    def uniform(self) -> float:
        """A number in [0, 1)."""
        high, low = self.bits(26), self.bits(27)
        return float((high << 27) + low) / float(1 << 53)

    def below(self, bound: int) -> int:
        """A whole number from 0 on below a bound that is no power of 2."""
        while True:
            drawn = self.bits(31)
            value = drawn % bound
            if drawn - value + (bound - 1) < 1 << 31:
                return value

    def normal(self) -> float:
        """A number of the standard normal distribution, by the polar method."""
        if self.spare is not None:
            value, self.spare = self.spare, None
            return value
        while True:
            u, v = 2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0
            square = u * u + v * v
            if 0.0 < square < 1.0:
                break
        scale = math.sqrt(-2.0 * strict_log(square) / square)
        self.spare = v * scale
        return u * scale

    def shift(self, lower: float, upper: float) -> NDArray[np.float64]:
        """A shift in the box, drawn from the last variable to the first."""
        half = 0.5 * (upper - lower)
        middle = lower + half
        shift = np.empty(DIMENSION)
        for i in reversed(range(DIMENSION)):
            while True:
                value = middle + self.normal() * half
                if lower <= value <= upper:
                    break
            shift[i] = value
        return shift

    def permutation(self) -> NDArray[np.int16]:
        """A permutation that starts at 0, by swapping."""
        order = list(range(DIMENSION))
        for _ in range(8 * DIMENSION + 1):
            j = self.below(DIMENSION)
            k = j
            while k == j:
                k = self.below(DIMENSION)
            order[j], order[k] = order[k], order[j]
        return np.array(order, dtype=np.int16)

    def rotation(self) -> NDArray[np.float64]:
        """An orthogonal matrix: Gram and Schmidt on normal numbers, from the last row to the first."""
        rows = [[self.normal() for _ in range(GROUP)][::-1] for _ in range(GROUP)][::-1]
        for i in reversed(range(GROUP)):
            for j in range(GROUP - 1, i, -1):
                along = dot(rows[i], rows[j])
                rows[i] = [a - along * b for a, b in zip(rows[i], rows[j], strict=True)]
            scale = 1.0 / math.sqrt(dot(rows[i], rows[i]))
            rows[i] = [a * scale for a in rows[i]]
        return np.array(rows)


def dot(a: list[float], b: list[float]) -> float:
    """The scalar product, summed one by one from the last component to the first."""
    total = 0.0
    for x, y in zip(reversed(a), reversed(b), strict=True):
        total += x * y
    return total
