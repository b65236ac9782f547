"""Elementary functions that LLVM can vectorise inside a compiled loop.

Numba's wheels carry no vector math library, so a loop that calls ``math.sin`` runs one number at a time. The functions
here are straight arithmetic without branches or calls: inlined into a loop over an array they become vector
instructions. Fast-math stays off everywhere. Where a fused multiply-add is meant it is written as `fma`, nothing is
left to the compiler, and so a scalar call and any lane of a vectorised loop give the same bits.

The functions take float64 and are meant for compiled code, though each can be called alone. The basic ones err by less
than 2 units in the last place (ulp); the largest errors seen are 0.9 for `log`, 1.1 for `exp`, 1.6 for `sin` and `cos`,
1.9 for `sinpi` and `cospi`. NaN gives NaN. The sign of a zero result means nothing unless it is said.

The reductions are those of Cody and Waite, *Software Manual for the Elementary Functions* (1980), with multiples of pi
and log 2 split into full doubles because a fused multiply-add loses nothing; ``log`` uses the series in
f / (2 + f) of fdlibm (Sun Microsystems, 1993). The coefficients are minimax fits of ``tools/fit_elementary.py``.

Examples
--------
>>> from ter.benchmarks.elementary import exp, oscillate, sinpi
>>> exp(0.0), sinpi(0.5), oscillate(0.0)
(1.0, 1.0, 0.0)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ter._jit import compiled
from ter.benchmarks.instructions import float_of_bits, fma, nearest, shifted_by_52, to_bits

__all__ = [
    "cos",
    "cospi",
    "exp",
    "float_of_bits",
    "fma",
    "inlined",
    "log",
    "log_magnitude",
    "nearest",
    "oscillate",
    "oscillate_skew",
    "power",
    "ripple",
    "rippled",
    "sin",
    "sinpi",
    "skewed",
    "to_bits",
]

P = ParamSpec("P")
R = TypeVar("R")


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a scalar function so that LLVM always inlines it into its compiled caller."""
    return compiled(function, cache=True, forceinline=True)


INF, NAN = float("inf"), float("nan")
SMALLEST_NORMAL = 2.2250738585072014e-308

# Adding this puts the nearest integer of x, |x| < 2**51, into the low bits of the sum: AVX2 has no instruction for
# float64 -> int64. Subtracting it again leaves the integer as a float64.
SHIFTER = 6755399441055744.0  # 1.5 * 2**52

PI_1, PI_2, PI_3 = 3.141592653589793, 1.224646799147353e-16, 2.165713347843828e-32
INVERSE_PI = 0.3183098861837907
LN2_1, LN2_2 = 0.6931471805599453, 2.3190468138462996e-17
INVERSE_LN2 = 1.4426950408889634

# log(1 + f) = 2 s + s z P(z), s = f / (2 + f), z = s * s
L0, L1, L2, L3, L4, L5, L6 = (
    0.6666666666666734,
    0.3999999999941638,
    0.2857142874201372,
    0.22222198610957308,
    0.18183562396488437,
    0.15314099045866136,
    0.1479547317741727,
)
# the same with a term less, for an absolute error
M0, M1, M2, M3, M4, M5 = (
    0.6666666666658749,
    0.40000000052136797,
    0.2857141715117496,
    0.2222337022566741,
    0.18123687671704825,
    0.1681930264615864,
)
# exp(r) = 1 + r + r * r * P(r)
E0, E1, E2, E3, E4, E5, E6, E7, E8, E9 = (
    0.5000000000000011,
    0.16666666666666413,
    0.04166666666653025,
    0.008333333333494305,
    0.001388888894360117,
    0.00019841269506841198,
    2.480149313265091e-05,
    2.7557586210211793e-06,
    2.7630235155721905e-07,
    2.5000090634363347e-08,
)
# exp(r) = 1 + r + r * r * P(r), |r| <= 0.098
R0, R1, R2, R3, R4, R5, R6 = (
    0.5000000000000018,
    0.16666666666727775,
    0.041666666665500965,
    0.00833333300137077,
    0.001388889087503214,
    0.00019846695344816277,
    2.4794051706893965e-05,
)
# sin(r) = r + r * z * P(z), z = r * r
S0, S1, S2, S3, S4, S5, S6, S7 = (
    -0.16666666666666666,
    0.008333333333333196,
    -0.0001984126984120922,
    2.7557319211137457e-06,
    -2.5052106872817374e-08,
    1.605893970657452e-10,
    -7.642991504805769e-13,
    2.721175103508912e-15,
)
# sin(pi r) = r * P(z), one term less: error 2.1e-16
U0, U1, U2, U3, U4, U5, U6, U7 = (
    3.1415926535897927,
    -5.167712780049753,
    2.5501640398597765,
    -0.5992645287757083,
    0.08214587825650946,
    -0.0073703610713289356,
    0.00046597761579796943,
    -2.1122951427558505e-05,
)

# The factors of log|z| in T_osz, over pi
TEN_OVER_PI, SEVEN_POINT_NINE_OVER_PI = 3.1830988618379066, 2.514648100851946
FIVE_AND_A_HALF_OVER_PI, THREE_POINT_ONE_OVER_PI = 1.7507043740108488, 0.9867606471697511

SIGN_BIT = -(2**63)
MAGNITUDE_BITS = 2**63 - 1
EXPONENT_1022 = 1022 << 52
FRACTION_BITS = 2**52 - 1
SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
EXPONENT_OFFSET = 0x3FF0000000000000 - SQRT_HALF_BITS
TWO_52_BITS = 0x4330000000000000  # pattern of 2**52: an integer below 2**52 put into its low bits gives their sum
TWO_52_AND_BIAS = 4503599627370496.0 + 1023.0


@inlined
def _log_normal(x: float) -> float:
    """Natural logarithm of a normal positive number; anything else gives a wrong number."""
    bits = to_bits(x) + EXPONENT_OFFSET
    exponent = float_of_bits(shifted_by_52(bits) | TWO_52_BITS) - TWO_52_AND_BIAS
    f = float_of_bits((bits & FRACTION_BITS) + SQRT_HALF_BITS) - 1.0  # x = 2**exponent (1 + f), sqrt(1/2) <= 1 + f
    s = f / (2.0 + f)
    z = s * s
    z2 = z * z
    low = fma(fma(L3, z, L2), z2, fma(L1, z, L0))
    series = z * fma(fma(L6, z2, fma(L5, z, L4)), z2 * z2, low)
    half_square = 0.5 * f * f
    return fma(exponent, LN2_1, f - (half_square - fma(s, half_square + series, exponent * LN2_2)))


@inlined
def log(x: float) -> float:
    """Natural logarithm, below 2 ulp.

    ``log(1) == 0``. Zero and subnormal numbers give -inf, inf gives inf, negative numbers and NaN give NaN.
    """
    y = _log_normal(x)
    y = y if x < INF else x
    y = y if x >= SMALLEST_NORMAL else -INF
    return y if x >= 0.0 else NAN


@inlined
def _exp_between(x: float) -> float:
    """Exponential for -708.7 <= x <= 710.1, which the scale below needs; other x give a wrong number, NaN gives NaN."""
    shifted = fma(x, INVERSE_LN2, SHIFTER)
    n = shifted - SHIFTER  # -1022 <= n <= 1024
    r = fma(-n, LN2_2, fma(-n, LN2_1, x))
    r2 = r * r
    r4 = r2 * r2
    low = fma(fma(E3, r, E2), r2, fma(E1, r, E0))
    high = fma(fma(E7, r, E6), r2, fma(E5, r, E4))
    p = fma(fma(fma(E9, r, E8), r4, high), r4, low)
    scale = float_of_bits((to_bits(shifted) << 52) + EXPONENT_1022)  # 2**(n - 1), and 0 for n = -1022
    return fma(2.0, fma(r2, p, r), 2.0) * scale


@inlined
def exp(x: float) -> float:
    """Exponential, below 2 ulp; ``exp(0) == 1``.

    Results below 2**-1021.5 = 3.15e-308 (x < -708.05) are 0; results too large for a float64 (x > 709.7827) are inf.
    """
    x = -708.7 if x < -708.7 else x  # NaN passes both
    x = 710.1 if x > 710.1 else x
    return _exp_between(x)


@inlined
def _sin_near(r: float) -> float:
    """Sine for |r| <= pi / 2."""
    z = r * r
    z2 = z * z
    low = fma(fma(S4, z, S3), z2, fma(S2, z, S1))
    series = z2 * fma(fma(S7, z2, fma(S6, z, S5)), z2 * z2, low)
    return fma(r, fma(S0, z, series), r)  # S0 comes last: it is the term whose rounding counts


@inlined
def sin(x: float) -> float:
    """Sine, below 2 ulp for |x| <= 2**30; beyond, and for inf, NaN."""
    shifted = fma(x, INVERSE_PI, SHIFTER)
    n = shifted - SHIFTER
    r = fma(-n, PI_3, fma(-n, PI_2, fma(-n, PI_1, x)))
    y = float_of_bits(to_bits(_sin_near(r)) ^ (to_bits(shifted) << 63))
    return y if abs(x) <= 1073741824.0 else NAN


@inlined
def cos(x: float) -> float:
    """Cosine, below 2 ulp for |x| <= 2**30; beyond, and for inf, NaN."""
    a = abs(x)
    shifted = fma(a, INVERSE_PI, -0.5) + SHIFTER
    n = (shifted - SHIFTER) + 0.5  # a = n pi + r, n odd multiples of 1/2
    r = fma(-n, PI_3, fma(-n, PI_2, fma(-n, PI_1, a)))
    y = float_of_bits(to_bits(-_sin_near(r)) ^ (to_bits(shifted) << 63))
    return y if a <= 1073741824.0 else NAN


@inlined
def sinpi(x: float) -> float:
    """Sine of pi x, below 2 ulp for all finite x; NaN for inf.

    Whole numbers give 0 and odd multiples of 1/2 give 1 or -1, exactly.
    """
    y = fma(-2.0, nearest(0.5 * x), x)  # exact, in [-1, 1]
    a = abs(y)
    b = 1.0 - a
    r = a if a < b else b
    sign = to_bits(y) & SIGN_BIT
    return float_of_bits(to_bits(_sin_near(PI_1 * r)) ^ sign)


@inlined
def cospi(x: float) -> float:
    """Cosine of pi x, below 2 ulp for all finite x; NaN for inf.

    Whole numbers give 1 or -1 and odd multiples of 1/2 give 0, exactly.
    """
    y = fma(-2.0, nearest(0.5 * x), x)
    return _sin_near(PI_1 * (0.5 - abs(y)))


@inlined
def power(x: float, y: float) -> float:
    """x ** y for x > 0 as exp(y log x): the relative error grows as |y log x| times 2e-16.

    ``power(0, y)`` is 0 for y > 0, inf for y < 0 and NaN for y = 0.
    """
    return exp(y * log(x))


@inlined
def _sine_wave(h: float, c: float) -> float:
    """sin(pi c h), absolute error below 1e-15."""
    shifted = fma(h, c, SHIFTER)
    r = fma(h, c, SHIFTER - shifted)
    z = r * r
    z2 = z * z
    low = fma(fma(U3, z, U2), z2, fma(U1, z, U0))
    high = fma(fma(U7, z, U6), z2, fma(U5, z, U4))
    y = r * fma(high, z2 * z2, low)
    return float_of_bits(to_bits(y) ^ (to_bits(shifted) << 63))


@inlined
def log_magnitude(z: float) -> float:
    """Stage 1 of `oscillate`: h = log|z|, absolute error below 2 units of its last place.

    What has no normal logarithm (zero, subnormal numbers, infinity, NaN) gives any finite number.
    """
    bits = (to_bits(z) & MAGNITUDE_BITS) + EXPONENT_OFFSET
    exponent = float_of_bits(shifted_by_52(bits) | TWO_52_BITS) - TWO_52_AND_BIAS
    f = float_of_bits((bits & FRACTION_BITS) + SQRT_HALF_BITS) - 1.0
    s = f / (2.0 + f)
    w = s * s
    w2 = w * w
    series = fma(fma(M5, w, M4), w2 * w2, fma(fma(M3, w, M2), w2, fma(M1, w, M0)))
    return fma(exponent, LN2_1, fma(s * w, series, 2.0 * s))


@inlined
def ripple(h: float, z: float) -> float:
    """Stage 2 of `oscillate`: 0.049 (sin(c1 h) + sin(c2 h))."""
    positive = z > 0.0
    first = _sine_wave(h, TEN_OVER_PI if positive else FIVE_AND_A_HALF_OVER_PI)
    second = _sine_wave(h, SEVEN_POINT_NINE_OVER_PI if positive else THREE_POINT_ONE_OVER_PI)
    return 0.049 * (first + second)


@inlined
def rippled(z: float, a: float) -> float:
    """Stage 3 of `oscillate`: z exp(a) for |a| <= 0.098."""
    a2 = a * a
    p = fma(fma(R6, a2, fma(R5, a, R4)), a2 * a2, fma(fma(R3, a, R2), a2, fma(R1, a, R0)))
    return fma(z, fma(a2, p, a), z)


@inlined
def skewed(y: float, g: float, bt: float) -> float:
    """Last stage of `oscillate_skew`: y ** (1 + bt sqrt(y)) for y > 0, given g = log(y); y for the others."""
    return y * exp(bt * math.sqrt(y if y > 0.0 else 0.0) * g)


@inlined
def oscillate(z: float) -> float:
    """T_osz(z) = z exp(0.049 (sin(c1 h) + sin(c2 h))), h = log|z|, below 4 ulp where |h| < 10.

    (c1, c2) is (10, 7.9) for z > 0 and (5.5, 3.1) for z < 0. The error grows slowly with |h|, whose rounding counts ten
    times inside the sine. Zero gives zero; a subnormal number changes by 10 % at most; infinity gives infinity or NaN.

    A long array is transformed faster by one loop for each of the stages `log_magnitude`, `ripple`, `rippled`, with the
    same bits: more of the iterations of a short loop are under way at a time.
    """
    return rippled(z, ripple(log_magnitude(z), z))


@inlined
def oscillate_skew(z: float, bt: float) -> float:
    """T_asy(T_osz(z)): with y = T_osz(z), y ** (1 + bt sqrt(y)) for z > 0 and y for the others.

    `bt` is beta i / (D - 1) of the coordinate. For z <= 0 the result has the bits of `oscillate`.
    """
    h = log_magnitude(z)
    a = ripple(h, z)
    return skewed(rippled(z, a), h + a, bt)
