"""Elementary functions: exact to 2 ulp, the same bits alone and in a vectorised loop, defined at every argument."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ter.benchmarks import elementary
from ter.core.box import Vector

pytestmark = pytest.mark.slow

TABLE = np.load(Path(__file__).parent.parent / "data" / "reference" / "elementary.npz")
BASIC = ("log", "exp", "sin", "cos", "sinpi", "cospi")
UNARY = (*BASIC, "oscillate")
BINARY = ("power", "oscillate_skew")
BT = 0.137
SMALLEST_NORMAL = 2.0**-1022
LARGEST = float(np.finfo(np.float64).max)
INF, NAN = math.inf, math.nan

needs_long_double = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="long double has no more bits than double here"
)


@cache
def loop(name: str) -> Callable[..., Vector]:
    """The function over an array, as kernels use it."""
    function = getattr(elementary, name)

    @numba.njit(error_model="numpy")
    def unary(x):
        y = np.empty(x.size)
        for i in range(x.size):
            y[i] = function(x[i])
        return y

    @numba.njit(error_model="numpy")
    def binary(x, b):
        y = np.empty(x.size)
        for i in range(x.size):
            y[i] = function(x[i], b[i])
        return y

    return binary if name in BINARY else unary


def mapped(name: str, x: Vector) -> Vector:
    """The function of every element; the second argument of binary ones is `BT`."""
    return loop(name)(x, np.full(x.size, BT)) if name in BINARY else loop(name)(x)


def called(name: str, x: Vector) -> Vector:
    """The same by one call after the other."""
    function = getattr(elementary, name)
    more = (BT,) if name in BINARY else ()
    return np.array([function(value, *more) for value in x.tolist()])


def same_bits(a: Vector, b: Vector) -> bool:
    """Equal bit by bit; the bits of NaN do not count."""
    patterns = [np.where(np.isnan(v), NAN, v).view(np.int64) for v in (a, b)]
    return np.array_equal(*patterns)


def errors(name: str, y: Vector) -> Vector:
    """Distance of `y` from the table, in units of the last place of the exact value."""
    value, rest = TABLE[f"{name}_value"], TABLE[f"{name}_rest"]
    return np.abs((y - value) / np.spacing(np.abs(value)) - rest)


def every_kind_of_number(rng: np.random.Generator, size: int) -> Vector:
    """Any bit pattern, and numbers of everyday size."""
    patterns = rng.integers(-(2**63), 2**63, size // 4).view(np.float64)
    usual = [rng.uniform(-scale, scale, size // 4) for scale in (1.0, 100.0, 1e4)]
    return rng.permutation(np.concatenate([patterns, *usual]))


# accuracy


@pytest.mark.parametrize("name", BASIC)
def test_two_ulp_against_exact_values(name):
    assert errors(name, mapped(name, TABLE[f"{name}_x"])).max() <= 2


def test_the_table_can_tell():
    x = TABLE["sin_x"]
    assert errors("sin", np.array([math.sin(v) for v in x]))[np.abs(x) <= 1e6].max() <= 1
    assert errors("sin", np.sin(np.remainder(x, 2 * np.pi))).max() > 1e6


@needs_long_double
@pytest.mark.parametrize(
    ("name", "exact", "low", "high"),
    [
        ("log", np.log, 0.5, 2.0),
        ("log", np.log, 1e-300, 1e3),
        ("exp", np.exp, -2.0, 2.0),
        ("exp", np.exp, -708.0, 709.7),
        ("sin", np.sin, -1.6, 1.6),
        ("sin", np.sin, -1e3, 1e3),
        ("cos", np.cos, -1.6, 1.6),
        ("cos", np.cos, -1e3, 1e3),
        ("sinpi", lambda x: np.sin(np.longdouble(np.pi) * x + np.longdouble(1.2246467991473532e-16) * x), -0.5, 0.5),
        ("cospi", lambda x: np.cos(np.longdouble(np.pi) * x + np.longdouble(1.2246467991473532e-16) * x), -0.3, 0.3),
    ],
)
def test_two_ulp_against_long_double(name, exact, low, high, rng):
    x = rng.uniform(low, high, 50_000)
    wanted = exact(x.astype(np.longdouble))
    unit = np.spacing(np.abs(wanted.astype(np.float64)))
    assert float((np.abs(mapped(name, x) - wanted) / unit).max()) <= 2


def test_the_oscillation_errs_little():
    x, value = TABLE["oscillate_x"], TABLE["oscillate_value"]
    relative = np.abs(mapped("oscillate", x) / value - 1)
    # Ten times the rounding of the logarithm enters the sine, 0.049 of that the result.
    assert (relative / (1 + 0.4 * np.abs(np.log(np.abs(x))))).max() <= 4.5e-16


def test_the_skewed_oscillation_errs_in_proportion_to_its_exponent():
    x, bt, value = TABLE["oscillate_skew_x"], TABLE["oscillate_skew_bt"], TABLE["oscillate_skew_value"]
    y = mapped("oscillate", x)
    exponent = np.where(x > 0, bt * np.sqrt(np.abs(y)) * np.abs(np.log(np.abs(y))), 0)
    relative = np.abs(loop("oscillate_skew")(x, bt) / value - 1)
    assert (relative / (1 + 0.4 * np.abs(np.log(np.abs(x))) + 2 * exponent)).max() <= 4.5e-16


def test_a_power_errs_in_proportion_to_its_exponent(rng):
    x, y = rng.uniform(0.01, 200, 1000), rng.uniform(-20, 20, 1000)
    relative = np.abs(loop("power")(x, y) / x**y - 1)
    assert (relative / (1 + np.abs(y * np.log(x)))).max() <= 4.5e-16


# scalar and vector code


@pytest.mark.parametrize("name", (*UNARY, *BINARY))
def test_a_loop_gives_the_bits_of_single_calls(name, rng):
    x = every_kind_of_number(rng, 100_000)
    assert same_bits(mapped(name, x), called(name, x))


@pytest.mark.parametrize("name", (*UNARY, *BINARY))
def test_remainders_of_a_loop_have_the_same_bits(name, rng):
    x = every_kind_of_number(rng, 80)
    alone = called(name, x)
    for start in range(8):
        for length in range(1, 41):
            assert same_bits(mapped(name, x[start : start + length]), alone[start : start + length])


@pytest.mark.parametrize("name", (*UNARY, *BINARY))
@given(x=hnp.arrays(np.float64, st.integers(1, 40)))
def test_any_numbers_give_the_same_bits_in_a_loop(name, x):
    assert same_bits(mapped(name, x), called(name, x))


def test_stages_in_loops_of_their_own_give_the_same_bits(rng):
    log_magnitude, ripple, rippled, skewed = (
        getattr(elementary, name) for name in ("log_magnitude", "ripple", "rippled", "skewed")
    )

    @numba.njit(error_model="numpy")
    def staged(z, bt, skewing):
        y, g = z.copy(), np.empty(z.size)
        for i in range(z.size):
            g[i] = log_magnitude(y[i])
        for i in range(z.size):
            a = ripple(g[i], y[i])
            y[i] = rippled(y[i], a)
            g[i] = g[i] + a
        if skewing:
            for i in range(z.size):
                y[i] = skewed(y[i], g[i], bt)
        return y

    z = every_kind_of_number(rng, 10_000)
    assert same_bits(staged(z, BT, False), mapped("oscillate", z))
    assert same_bits(staged(z, BT, True), mapped("oscillate_skew", z))


# symmetries and exact values

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite)
def test_symmetries(x):
    assert elementary.sin(-x) == -elementary.sin(x) or abs(x) > 2**30
    assert elementary.cos(-x) == elementary.cos(x) or abs(x) > 2**30
    assert elementary.sinpi(-x) == -elementary.sinpi(x)
    assert elementary.cospi(-x) == elementary.cospi(x)


@given(finite, st.floats(0.0, 0.2))
def test_the_oscillation_keeps_the_sign_and_the_skew_leaves_the_negative_side(z, bt):
    y = elementary.oscillate(z)
    assert y == z == 0 or math.copysign(1.0, y) == math.copysign(1.0, z)
    assert elementary.oscillate_skew(-abs(z), bt) == elementary.oscillate(-abs(z))
    assert elementary.oscillate_skew(z, 0.0) == y


@given(st.integers(-(2**52), 2**52))
def test_whole_numbers_and_halves(k):
    sign = 1.0 if k % 2 == 0 else -1.0
    assert elementary.sinpi(float(k)) == 0
    assert elementary.cospi(float(k)) == sign
    if abs(k) < 2**51:
        assert elementary.sinpi(k + 0.5) == sign
        assert elementary.cospi(k + 0.5) == 0


def test_exact_values():
    assert elementary.exp(0.0) == 1 and elementary.log(1.0) == 0
    assert elementary.sin(0.0) == 0 and elementary.cos(0.0) == 1
    assert elementary.sin(math.pi / 2) == 1 and elementary.cos(math.pi) == -1
    assert elementary.power(1.0, 1e300) == 1
    assert [elementary.oscillate(z) for z in (1.0, -1.0)] == [1, -1]
    assert elementary.oscillate_skew(1.0, BT) == 1


def test_sines_stay_within_one(rng):
    x = rng.uniform(-1e6, 1e6, 100_000)
    for name in ("sin", "cos", "sinpi", "cospi"):
        assert np.abs(mapped(name, x)).max() <= 1


def test_exponential_and_logarithm_grow():
    assert (np.diff(mapped("exp", np.linspace(-708, 709, 100_001))) > 0).all()
    assert (np.diff(mapped("log", np.geomspace(1e-307, 1e308, 100_001))) > 0).all()


# the ends of the range


@pytest.mark.parametrize("name", (*UNARY, *BINARY))
@pytest.mark.parametrize("bits", [0x7FF8000000000000, 0x7FF0000000000001, 0x7FFFFFFFFFFFFFFF, 0xFFF8000000000ABC])
def test_not_a_number_stays_so(name, bits):
    nan = np.array([bits], dtype=np.uint64).view(np.float64)
    assert np.isnan(mapped(name, np.repeat(nan, 9))).all()


def test_a_second_argument_that_is_not_a_number():
    assert math.isnan(elementary.power(2.0, NAN))
    assert math.isnan(elementary.oscillate_skew(2.0, NAN))


@pytest.mark.parametrize(
    ("name", "x", "wanted"),
    [
        ("log", 0.0, -INF),
        ("log", -0.0, -INF),
        ("log", 5e-324, -INF),
        ("log", INF, INF),
        ("log", -5e-324, NAN),
        ("log", -1.0, NAN),
        ("log", -INF, NAN),
        ("exp", 709.782712893384, 1.7976931348622732e308),
        ("exp", 709.7827128933841, INF),
        ("exp", LARGEST, INF),
        ("exp", INF, INF),
        ("exp", -708.06, 0.0),
        ("exp", -746.0, 0.0),
        ("exp", -LARGEST, 0.0),
        ("exp", -INF, 0.0),
        ("sin", 2.0**30 + 1, NAN),
        ("sin", -INF, NAN),
        ("cos", -(2.0**30) - 1, NAN),
        ("cos", INF, NAN),
        ("sinpi", LARGEST, 0.0),
        ("sinpi", INF, NAN),
        ("cospi", LARGEST, 1.0),
        ("cospi", 2.0**53 - 1, -1.0),
        ("cospi", -INF, NAN),
        ("power", 0.0, 0.0),
        ("power", INF, INF),
        ("power", -1.0, NAN),
    ],
)
def test_ends_of_the_range(name, x, wanted):
    np.testing.assert_array_equal(mapped(name, np.full(5, x)), wanted)


@pytest.mark.parametrize("z", [0.0, -0.0, 5e-324, -5e-324, 2.0**-1023, -(2.0**-1023)])
def test_what_has_no_normal_logarithm_hardly_changes(z):
    for name in ("oscillate", "oscillate_skew"):
        np.testing.assert_allclose(mapped(name, np.full(5, z)), z, rtol=0.11, atol=5e-324)
    assert elementary.oscillate(0.0) == elementary.oscillate_skew(0.0, BT) == 0


@pytest.mark.parametrize("z", [INF, -INF])
def test_infinity_gives_no_number(z):
    assert not np.isfinite(mapped("oscillate", np.full(5, z))).any()


def test_tiny_arguments_are_their_own_sine():
    x = np.array([5e-324, -1e-310, SMALLEST_NORMAL, -1e-200, 1e-9])
    assert same_bits(mapped("sin", x), x)
    assert same_bits(mapped("cos", x), np.ones(5))
    assert same_bits(mapped("exp", x[:4]), np.ones(4))


# instructions


def test_instructions():
    @numba.njit
    def each(x):
        product = elementary.fma(1.0 + x, 1.0 - x, -1.0)
        return product, elementary.nearest(2.5), elementary.to_bits(x), elementary.float_of_bits(elementary.to_bits(x))

    product, nearest, bits, again = each(2.0**-30)
    assert product == -(2.0**-60)  # rounded twice it would be 0
    assert (nearest, again) == (2.0, 2.0**-30)
    assert bits == np.array([2.0**-30]).view(np.int64)[0]
