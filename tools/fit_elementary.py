"""Compute the constants of `ter.benchmarks.elementary`: minimax polynomials by Remez' algorithm, and split numbers.

Run ``python -m tools.fit_elementary`` (needs mpmath). It writes the tables as they stand in that module, each with the
largest relative error of its approximation, the rounding of the coefficients to doubles included.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from mpmath import mp, mpf

Function = Callable[[mpf], mpf]
ROUNDS = 12  # exchanges of the reference points; four or five suffice
GRID = 600  # points among which the extrema of the error are looked for


@dataclass(frozen=True)
class Fit:
    """Minimise max ``|polynomial - target| * weight`` on [low, high]; the polynomial has `terms` coefficients."""

    name: str
    formula: str
    target: Function
    weight: Function
    low: mpf
    high: mpf
    terms: int


def value(coefficients: list[mpf], x: mpf) -> mpf:
    """Evaluate a polynomial, constant coefficient first."""
    return mp.polyval(coefficients[::-1], x)


def chebyshev_points(low: mpf, high: mpf, count: int) -> list[mpf]:
    """Return `count` points of [low, high], ends included, dense at the ends."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / (count - 1)) for k in range(count)]


def alternating_extrema(error: Function, low: mpf, high: mpf, count: int) -> list[mpf]:
    """Return the `count` points where `error`, changing its sign from one to the next, is largest."""
    best: list[tuple[mpf, mpf]] = []
    for point in chebyshev_points(low, high, GRID):
        height = error(point)
        if best and (best[-1][1] > 0) == (height > 0):
            if abs(height) > abs(best[-1][1]):
                best[-1] = (point, height)
        else:
            best.append((point, height))
    while len(best) > count:
        del best[0 if abs(best[0][1]) < abs(best[-1][1]) else -1]
    return [point for point, _ in best]


def remez(fit: Fit) -> list[mpf]:
    """Return the minimax polynomial of a fit."""
    width = (fit.high - fit.low) * mpf("0.93")  # not symmetric: the weight of exp is 0 in the middle
    reference = chebyshev_points(fit.low, fit.low + width, fit.terms + 1)
    coefficients: list[mpf] = []

    def error(x: mpf) -> mpf:
        return (value(coefficients, x) - fit.target(x)) * fit.weight(x)

    for _ in range(ROUNDS):
        rows = [[x**k for k in range(fit.terms)] + [(-1) ** i / fit.weight(x)] for i, x in enumerate(reference)]
        solution = mp.lu_solve(mp.matrix(rows), mp.matrix([fit.target(x) for x in reference]))
        coefficients = [solution[k] for k in range(fit.terms)]
        found = alternating_extrema(error, fit.low, fit.high, fit.terms + 1)
        if len(found) <= fit.terms:
            break
        reference = found
    return coefficients


def largest_error(fit: Fit, coefficients: list[float]) -> mpf:
    """Return the largest weighted error of rounded coefficients."""
    exact = [mpf(c) for c in coefficients]
    points = chebyshev_points(fit.low, fit.high, 4001)
    return max(abs((value(exact, x) - fit.target(x)) * fit.weight(x)) for x in points)


def fits() -> list[Fit]:
    """Return every approximation of the module; the weights make the error relative to the function itself."""
    tiny = mpf(10) ** -12  # keeps clear of 0 / 0
    sqrt, pi = mp.sqrt, mp.pi
    beyond = 1 + mpf(2) ** -20  # a reduced argument may lie a little outside
    half_log2, half_pi = mp.log(2) / 2 * beyond, pi / 2 * beyond
    ratio = (sqrt(2) - 1) / (sqrt(2) + 1)
    return [
        Fit(
            "L",
            "log(1 + f) = 2 s + s z P(z), s = f / (2 + f), z = s * s",
            lambda z: (mp.atanh(sqrt(z)) / sqrt(z) - 1) * 2 / z,
            lambda z: z * sqrt(z) / (2 * mp.atanh(sqrt(z))),
            tiny,
            ratio**2,
            7,
        ),
        Fit(
            "M",
            "the same with a term less",
            lambda z: (mp.atanh(sqrt(z)) / sqrt(z) - 1) * 2 / z,
            lambda z: z * sqrt(z) / (2 * mp.atanh(sqrt(z))),
            tiny,
            ratio**2,
            6,
        ),
        Fit(
            "E",
            "exp(r) = 1 + r + r * r * P(r)",
            lambda r: (mp.exp(r) - 1 - r) / r**2,
            lambda r: r**2 / mp.exp(r),
            -half_log2,
            half_log2,
            10,
        ),
        Fit(
            "R",
            "exp(r) = 1 + r + r * r * P(r), |r| <= 0.098",
            lambda r: (mp.exp(r) - 1 - r) / r**2,
            lambda r: r**2 / mp.exp(r),
            -mpf("0.09801"),
            mpf("0.09801"),
            7,
        ),
        Fit(
            "S",
            "sin(r) = r + r * z * P(z), z = r * r",
            lambda z: (mp.sin(sqrt(z)) / sqrt(z) - 1) / z,
            lambda z: z * sqrt(z) / mp.sin(sqrt(z)),
            tiny,
            half_pi**2,
            8,
        ),
        Fit(
            "U",
            "sin(pi r) = r * P(z), z = r * r",
            lambda z: mp.sin(pi * sqrt(z)) / sqrt(z),
            lambda z: sqrt(z) / mp.sin(pi * sqrt(z)),
            tiny,
            mpf(1) / 4,
            8,
        ),
    ]


def fma(a: float, b: float, c: float) -> float:
    """Return a * b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def sine(r: float, s: list[float]) -> float:
    """Evaluate the polynomial of the sine with the roundings of the module."""
    z = r * r
    z2 = z * z
    low = fma(fma(s[4], z, s[3]), z2, fma(s[2], z, s[1]))
    series = z2 * fma(fma(s[7], z2, fma(s[6], z, s[5])), z2 * z2, low)
    return fma(r, fma(s[0], z, series), r)


def with_exact_peak(s: list[float]) -> list[float]:
    """Move the second coefficient by as many last places as it takes to make the sine of pi / 2 exactly 1."""
    step = 1 if sine(math.pi / 2, s) < 1 else -1
    while sine(math.pi / 2, s) != 1:
        s = [s[0], s[1] + step * math.ulp(s[1]), *s[2:]]
    return s


def split(number: mpf, parts: int) -> list[float]:
    """Return doubles of equal sign whose sum is `number`; all but the first and the last are rounded towards 0."""
    found = [float(number)]
    while len(found) < parts:
        rest = number - mp.fsum(mpf(part) for part in found)
        nearest = float(rest)
        last = len(found) == parts - 1
        found.append(nearest if last or abs(mpf(nearest)) <= abs(rest) else math.nextafter(nearest, 0.0))
    return found


def main() -> None:
    """Write the constants."""
    mp.dps = 60
    lines = [
        f"PI_1, PI_2, PI_3 = {split(mp.pi, 3)}",
        f"INVERSE_PI = {float(1 / mp.pi)!r}",
        f"LN2_1, LN2_2 = {split(mp.log(2), 2)}",
        f"INVERSE_LN2 = {float(1 / mp.log(2))!r}",
        *(f"{c} / pi = {float(mpf(c) / mp.pi)!r}" for c in ("10", "7.9", "5.5", "3.1")),
    ]
    for fit in fits():
        coefficients = [float(c) for c in remez(fit)]
        if fit.name == "S":
            coefficients = with_exact_peak(coefficients)
        lines += [f"# {fit.formula}; error {mp.nstr(largest_error(fit, coefficients), 2)}", f"{fit.name}:"]
        lines += [f"    {coefficient!r}," for coefficient in coefficients]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
