"""Build the table of exact values against which `ter.benchmarks.elementary` is tested.

Run ``python -m tools.build_elementary_reference`` (needs mpmath). Every value is computed with 200 bits and stored as
the nearest double and the rest in units of its last place. The points are random ones from the ranges in use, and those
where such functions go wrong: next to zeros, to ends of the reduced interval and to the limits of float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from mpmath import mp, mpf
from numpy.typing import NDArray

from tools.archives import ROOT
from tools.arrays import write_arrays

TARGET = ROOT / "tests" / "data" / "reference" / "elementary.npz"
COUNT = 240  # random points per range
LIMIT = 2.0**30  # of sin and cos

Points = NDArray[np.float64]


def neighbours(values: Iterable[float]) -> Points:
    """Return the values with the doubles next to them."""
    return np.array([w for v in values for w in (math.nextafter(v, -math.inf), v, math.nextafter(v, math.inf))])


def close_to_multiples(number: mpf, limit: float) -> Points:
    """Return doubles m 2**e up to `limit` that lie very close to multiples of `number`.

    Such m are the numerators of the convergents of number / 2**e; the last two that fit 53 bits are taken.
    """
    found = []
    for exponent in range(-52, int(math.log2(limit)) - 51):
        rest = mp.ldexp(number, -exponent)
        (p, q), (following_p, following_q) = (0, 1), (1, 0)
        while following_p < 2**53:
            if following_q and math.ldexp(following_p, exponent) <= limit:
                found.append((exponent, following_q, math.ldexp(following_p, exponent)))
            whole = int(mp.floor(rest))
            rest = 1 / (rest - whole)
            p, q, following_p, following_q = (
                following_p,
                following_q,
                whole * following_p + p,
                whole * following_q + q,
            )
    hardest = {exponent: sorted(f[1:] for f in found if f[0] == exponent)[-2:] for exponent, _, _ in found}
    return np.array(sorted({x for pairs in hardest.values() for _, x in pairs}))


def points(rng: np.random.Generator) -> dict[str, Points]:
    """Return the arguments for every function."""

    def uniform(*ranges: tuple[float, float]) -> Points:
        return np.concatenate([rng.uniform(low, high, COUNT) for low, high in ranges])

    def spread(low: int, high: int) -> Points:
        return np.ldexp(rng.uniform(1.0, 2.0, COUNT), rng.integers(low, high, COUNT, endpoint=True))

    signs = rng.choice([-1.0, 1.0], COUNT)
    near_one = 1.0 + signs * spread(-52, -3)
    multiples = neighbours(k * math.pi / 2 for k in (1, 2, 3, 4, 5, 6, 11, 22, 44, 355, 710, 103993, 245850922))
    angles = np.concatenate(
        [uniform((-1.6, 1.6), (-20, 20), (-8e3, 8e3), (-1e6, 1e6)), signs * spread(-60, 29), multiples, [1e6, LIMIT]]
        + [close_to_multiples(mp.pi / 2, LIMIT)]
    )
    halves = np.concatenate(
        [uniform((-0.5, 0.5), (-5, 5), (-1e3, 1e3)), signs * spread(-60, 60), neighbours(k / 4 for k in range(1, 12))]
    )
    sizes = np.concatenate([uniform((-200, 200), (-2, 2)), signs * spread(-1018, 1020), near_one, -near_one])
    return {
        "log": np.concatenate(
            [
                spread(-1022, 1023),
                uniform((0, 2), (0, 200)),
                near_one,
                neighbours([0.5, math.sqrt(0.5), 1.0, math.sqrt(2.0), 2.0, 1e300]),
                [2.0**-1022, 1.7976931348623157e308],
            ]
        ),
        "exp": np.concatenate(
            [
                uniform((-708, 709.7), (-20, 20), (-1, 1)),
                signs * spread(-60, 0),
                neighbours(k * math.log(2) / 2 for k in (-2001, -21, -3, -2, -1, 1, 2, 3, 21, 2001, 2047)),
                [-708.049, 709.782712893384],
            ]
        ),
        "sin": angles,
        "cos": angles,
        "sinpi": halves,
        "cospi": halves,
        "oscillate_log": sizes,
        "oscillate": sizes,
        "oscillate_skew": np.concatenate([uniform((-200, 200), (0, 30)), signs * spread(-1018, 10), near_one]),
    }


def oscillated_log(z: mpf) -> mpf:
    """Exponent of T_osz."""
    h = mp.log(abs(z))
    c1, c2 = (mpf(10), mpf("7.9")) if z > 0 else (mpf("5.5"), mpf("3.1"))
    return h + mpf("0.049") * (mp.sin(c1 * h) + mp.sin(c2 * h))


def oscillated_skew(z: mpf, bt: mpf) -> mpf:
    """T_asy after T_osz."""
    y = mp.exp(oscillated_log(z))
    return y ** (1 + bt * mp.sqrt(y)) if z > 0 else -y


EXACT: dict[str, Callable[..., mpf]] = {
    "log": mp.log,
    "exp": mp.exp,
    "sin": mp.sin,
    "cos": mp.cos,
    "sinpi": mp.sinpi,
    "cospi": mp.cospi,
    "oscillate_log": oscillated_log,
    "oscillate": lambda z: mp.sign(z) * mp.exp(oscillated_log(z)),
    "oscillate_skew": oscillated_skew,
}


def main() -> None:
    """Write the table."""
    mp.prec = 200
    rng = np.random.default_rng(20130)
    arguments = points(rng)
    factors = rng.uniform(0.0, 0.2, arguments["oscillate_skew"].size)
    arrays: dict[str, NDArray[np.float64] | NDArray[np.float32]] = {"oscillate_skew_bt": factors}
    for name, x in arguments.items():
        columns = (x, factors) if name == "oscillate_skew" else (x,)
        exact = [EXACT[name](*map(mpf, row)) for row in zip(*(c.tolist() for c in columns), strict=True)]
        value = np.array([float(v) for v in exact])
        arrays[f"{name}_x"] = x
        arrays[f"{name}_value"] = value
        rest = [float((v - w) / math.ulp(w)) for v, w in zip(exact, value.tolist(), strict=True)]
        arrays[f"{name}_rest"] = np.array(rest, dtype=np.float32)
    write_arrays(TARGET, arrays)


if __name__ == "__main__":
    main()
