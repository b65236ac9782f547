"""Functions for the verdict: nobody has tuned anything on them, and none is in a suite or in `functions.py`.

Each has 100 to 1000 variables in the box [-5, 5]^D, an optimum at a known place and with a known value that is not 0.
Shifts, rotations and data come from a fixed seed for each function. All are compiled, so programs of any library pay
the same.

Layout of `floats`: the optimal value, the point where the variables are shifted to, then what the function needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numba
import numpy as np

import ter

__all__ = ["UNSEEN", "unseen"]

Vector = np.ndarray
SEED = 2718
HALF_WIDTH = 5.0
TALLEST = 10.0  # of Gallagher's peaks
PEAKS = 21
POWERS_OF_TWO = 32  # of Katsuura's sum
RANK = 5
ROWS, COLUMNS = 40, 30  # of the matrix that is factorised
LOWEST = min(np.roots([4.0, 0.0, -32.0, 5.0]).real)  # of Styblinski and Tang's function of one variable


class Made(NamedTuple):
    """What a function is made of: where its optimum is, where variables are shifted to, and its constants."""

    optimum: Vector
    shift: Vector
    floats: Vector = np.empty(0)
    ints: Vector = np.empty(0, dtype=np.int64)
    least: float = 0.0  # its value at the optimum, without the offset


@numba.njit(error_model="numpy", nogil=True)
def moved(x: Vector, floats: Vector) -> Vector:
    """Return the shifted variables."""
    z = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        z[i] = x[i] - floats[1 + i]
    return z


@numba.njit(error_model="numpy", nogil=True)
def times(matrix: Vector, z: Vector, rows: int) -> Vector:
    """Return a matrix, stored column by column, times a vector; the inner loop has no sum, so it is vectorised."""
    result = np.zeros(rows)
    for c in range(z.shape[0]):
        for r in range(rows):
            result[r] += matrix[c * rows + r] * z[c]
    return result


@numba.njit(error_model="numpy", nogil=True)
def turned(x: Vector, floats: Vector) -> Vector:
    """Return the shifted and rotated variables."""
    n = x.shape[0]
    return times(floats[1 + n :], moved(x, floats), n)


@numba.njit(error_model="numpy", nogil=True)
def levy(x: Vector, floats: Vector, ints: Vector) -> float:
    """Lévy's function, rotated: many local minima on a bowl."""
    z = turned(x, floats)
    n = z.shape[0]
    total = math.sin(math.pi * (1.0 + z[0] / 4.0)) ** 2
    for i in range(n - 1):
        w = z[i] / 4.0
        total += w * w * (1.0 + 10.0 * math.sin(math.pi * (w + 1.0) + 1.0) ** 2)
    w = z[n - 1] / 4.0
    return floats[0] + total + w * w * (1.0 + math.sin(2.0 * math.pi * (w + 1.0)) ** 2)


@numba.njit(error_model="numpy", nogil=True)
def zakharov(x: Vector, floats: Vector, ints: Vector) -> float:
    """Zakharov's function: a sphere and one direction that counts more than all others, to the fourth power."""
    z = moved(x, floats)
    total = slope = 0.0
    for i in range(z.shape[0]):
        total += z[i] * z[i]
        slope += 0.5 * (i + 1.0) * z[i]
    return floats[0] + total + slope**2 + slope**4


@numba.njit(error_model="numpy", nogil=True)
def katsuura(x: Vector, floats: Vector, ints: Vector) -> float:
    """Katsuura's function, rotated: rugged on every scale, nowhere differentiable."""
    z = turned(x, floats)
    n = z.shape[0]
    logarithm = 0.0
    for i in range(n):
        total, power = 0.0, 1.0
        for _ in range(POWERS_OF_TWO):
            power *= 2.0
            total += abs(power * z[i] - np.rint(power * z[i])) / power
        logarithm += math.log(1.0 + (i + 1.0) * total)
    return floats[0] + math.expm1(10.0 / n**1.2 * logarithm)


@numba.njit(error_model="numpy", nogil=True)
def schaffer(x: Vector, floats: Vector, ints: Vector) -> float:
    """Schaffer's function of neighbours, rotated and stretched by 10: waves that become narrower to the optimum."""
    z = turned(x, floats)
    n = z.shape[0]
    total = 0.0
    for i in range(n - 1):
        a, b = 10.0 ** (0.5 * i / (n - 1.0)) * z[i], 10.0 ** (0.5 * (i + 1.0) / (n - 1.0)) * z[i + 1]
        s = math.sqrt(math.sqrt(a * a + b * b))
        total += s + s * math.sin(50.0 * s**0.4) ** 2
    return floats[0] + (total / (n - 1.0)) ** 2


@numba.njit(error_model="numpy", nogil=True)
def gallagher(x: Vector, floats: Vector, ints: Vector) -> float:
    """Gallagher's peaks: 21 rotated hills, each stretched in its own way, with no common structure."""
    n = x.shape[0]
    z = times(floats[1 + n : 1 + n + n * n], x, n)
    hills = floats[1 + n + n * n :]  # for each: its height, its rotated place, its scales
    highest = 0.0
    for k in range(PEAKS):
        at = k * (2 * n + 1)
        distance = 0.0
        for i in range(n):
            d = z[i] - hills[at + 1 + i]
            distance += hills[at + 1 + n + i] * d * d
        highest = max(highest, hills[at] * math.exp(-0.5 / n * distance))
    return floats[0] + (TALLEST - highest) ** 2


@numba.njit(error_model="numpy", nogil=True)
def step_ellipsoid(x: Vector, floats: Vector, ints: Vector) -> float:
    """An ellipsoid in steps between two rotations: plateaus, and a tiny slope in one direction."""
    n = x.shape[0]
    z = turned(x, floats)
    first = abs(z[0])
    for i in range(n):
        z[i] *= 10.0 ** (0.5 * i / (n - 1.0))
        z[i] = math.floor(0.5 + z[i]) if abs(z[i]) > 0.5 else math.floor(0.5 + 10.0 * z[i]) / 10.0
    z = times(floats[1 + n + n * n :], z, n)
    total = 0.0
    for i in range(n):
        total += 100.0 ** (i / (n - 1.0)) * z[i] * z[i]
    return floats[0] + 0.1 * max(first / 1e4, total)


@numba.njit(error_model="numpy", nogil=True)
def happy_cat(x: Vector, floats: Vector, ints: Vector) -> float:
    """Beyer and Finck's HappyCat: a sharp ridge bent to a sphere, with a small slope along it."""
    z = moved(x, floats)
    n = z.shape[0]
    square = total = 0.0
    for i in range(n):
        square += z[i] * z[i]
        total += z[i]
    return floats[0] + abs(square - n) ** 0.25 + (0.5 * square + total) / n + 0.5


@numba.njit(error_model="numpy", nogil=True)
def styblinski(x: Vector, floats: Vector, ints: Vector) -> float:
    """Styblinski and Tang's function: separable, two valleys for each variable."""
    z = moved(x, floats)
    total = 0.0
    for i in range(z.shape[0]):
        square = z[i] * z[i]
        total += 0.5 * (square * square - 16.0 * square + 5.0 * z[i])
    return floats[0] + total


@numba.njit(error_model="numpy", nogil=True)
def dixon_price(x: Vector, floats: Vector, ints: Vector) -> float:
    """Dixon and Price's function: a chain of neighbours, whose weights grow."""
    z = moved(x, floats)
    total = (z[0] - 1.0) ** 2
    for i in range(1, z.shape[0]):
        total += (i + 1.0) * (2.0 * z[i] * z[i] - z[i - 1]) ** 2
    return floats[0] + total


@numba.njit(error_model="numpy", nogil=True)
def powell_quads(x: Vector, floats: Vector, ints: Vector) -> float:
    """Powell's singular function of groups of four, hidden in a random order: flat around the optimum."""
    z = moved(x, floats)
    total = 0.0
    for k in range(0, z.shape[0], 4):
        a, b, c, d = z[ints[k]], z[ints[k + 1]], z[ints[k + 2]], z[ints[k + 3]]
        total += (a + 10.0 * b) ** 2 + 5.0 * (c - d) ** 2 + (b - 2.0 * c) ** 4 + 10.0 * (a - d) ** 4
    return floats[0] + total


@numba.njit(error_model="numpy", nogil=True)
def logistic(x: Vector, floats: Vector, ints: Vector) -> float:
    """Logistic regression with features of different scales: smooth, convex, everything interacts."""
    n, samples, ridge = x.shape[0], ints[0], floats[1 + x.shape[0]]
    margins = times(floats[2 + n :], x, samples)  # each row already has the sign of its label
    total = 0.0
    for k in range(samples):
        m = margins[k]
        total += math.log1p(math.exp(-m)) if m > 0.0 else math.log1p(math.exp(m)) - m
    total /= samples
    for i in range(n):
        total += 0.5 * ridge * x[i] * x[i]
    return floats[0] + total


@numba.njit(error_model="numpy", nogil=True)
def localisation(x: Vector, floats: Vector, ints: Vector) -> float:
    """Find the places of sensors in the plane from distances between neighbours and to a few known places."""
    n = x.shape[0]
    lengths, anchors = floats[1 + n : 1 + n + ints.shape[0] // 2], floats[1 + n + ints.shape[0] // 2 :]
    total = 0.0
    for k in range(ints.shape[0] // 2):
        i, j = ints[2 * k], ints[2 * k + 1]
        if j >= 0:
            u, v = x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]
        else:
            u, v = x[2 * i] - anchors[-2 * j - 2], x[2 * i + 1] - anchors[-2 * j - 1]
        total += (u * u + v * v - lengths[k]) ** 2
    return floats[0] + total


@numba.njit(error_model="numpy", nogil=True)
def factorisation(x: Vector, floats: Vector, ints: Vector) -> float:
    """Factorise a matrix of low rank: smooth, with whole surfaces of optima."""
    matrix = floats[1 + x.shape[0] :]
    right = ROWS * RANK
    total = 0.0
    for i in range(ROWS):
        for j in range(COLUMNS):
            product = -matrix[i * COLUMNS + j]
            for k in range(RANK):
                product += x[i * RANK + k] * x[right + j * RANK + k]
            total += product * product
    return floats[0] + total


@numba.njit(error_model="numpy", nogil=True)
def absolute_residuals(x: Vector, floats: Vector, ints: Vector) -> float:
    """Sum of the absolute residuals of linear equations with a solution: convex, with a kink everywhere."""
    n, rows = x.shape[0], ints[0]
    residuals = times(floats[1 + n :], moved(x, floats), rows)
    total = 0.0
    for r in range(rows):
        total += abs(residuals[r])
    return floats[0] + total


def _rotation(rng: np.random.Generator, n: int) -> Vector:
    return np.asarray(np.linalg.qr(rng.standard_normal((n, n)))[0])


def _shifted(rng: np.random.Generator, n: int) -> Made:
    optimum = rng.uniform(-3.0, 3.0, n)
    return Made(optimum, optimum)


def _rotated(rng: np.random.Generator, n: int) -> Made:
    return _shifted(rng, n)._replace(floats=_rotation(rng, n).ravel())


def _rotated_twice(rng: np.random.Generator, n: int) -> Made:
    return _shifted(rng, n)._replace(floats=np.concatenate([_rotation(rng, n).ravel(), _rotation(rng, n).ravel()]))


def _gallagher(rng: np.random.Generator, n: int) -> Made:
    rotation, places = _rotation(rng, n), rng.uniform(-4.0, 4.0, (PEAKS, n))
    heights = np.append(TALLEST, np.linspace(1.1, 9.1, PEAKS - 1))
    conditions = np.append(1e3, 1000.0 ** (2.0 * rng.permutation(PEAKS - 1) / (PEAKS - 2)))
    parts = [rotation.T.ravel()]
    for height, place, condition in zip(heights, places, conditions, strict=True):
        scales = rng.permutation(condition ** (np.linspace(-0.25, 0.25, n)))
        parts += [[height], rotation @ place, scales]
    return Made(places[0], places[0], np.concatenate(parts))


def _happy_cat(rng: np.random.Generator, n: int) -> Made:
    shift = rng.uniform(-3.0, 3.0, n)
    return Made(shift - 1.0, shift)


def _styblinski(rng: np.random.Generator, n: int) -> Made:
    shift = rng.uniform(-1.5, 1.5, n)
    least = 0.5 * n * (LOWEST**4 - 16.0 * LOWEST**2 + 5.0 * LOWEST)
    return Made(shift + LOWEST, shift, least=float(least))


def _dixon_price(rng: np.random.Generator, n: int) -> Made:
    shift, z = rng.uniform(-3.0, 3.0, n), np.ones(n)
    for i in range(1, n):
        z[i] = math.sqrt(z[i - 1] / 2.0)
    return Made(shift + z, shift)


def _quads(rng: np.random.Generator, n: int) -> Made:
    return _shifted(rng, n)._replace(ints=rng.permutation(n))


def _logistic(rng: np.random.Generator, n: int) -> Made:
    """Draw samples, and find the optimum by Newton's method."""
    samples, ridge = 3 * n // 2, 3e-3
    features = rng.standard_normal((samples, n)) @ rng.standard_normal((n, n)) / math.sqrt(n)
    features *= 10.0 ** rng.uniform(-1.0, 1.0, n)
    labels = np.sign(features @ rng.standard_normal(n) + 0.5 * np.std(features) * rng.standard_normal(samples))
    signed = features * labels[:, None]
    x = np.zeros(n)
    for _ in range(100):
        p = 1.0 / (1.0 + np.exp(signed @ x))
        gradient = ridge * x - signed.T @ p / samples
        x -= np.linalg.solve(signed.T @ (signed * (p * (1.0 - p))[:, None]) / samples + ridge * np.eye(n), gradient)
    least = float(np.logaddexp(0.0, -signed @ x).mean() + 0.5 * ridge * x @ x)
    return Made(x, np.zeros(n), np.concatenate([[ridge], signed.T.ravel()]), np.array([samples]), least)


def _localisation(rng: np.random.Generator, n: int) -> Made:
    """Draw sensors and ten anchors; those nearer than 1.5 know their distance, which is kept squared."""
    sensors, anchors = rng.uniform(-4.5, 4.5, (n // 2, 2)), rng.uniform(-4.5, 4.5, (10, 2))
    ends, lengths = [], []
    for i, here in enumerate(sensors):
        others = [(j, sensors[j]) for j in range(i)] + [(-1 - j, anchor) for j, anchor in enumerate(anchors)]
        for j, there in others:
            if (square := float(((here - there) ** 2).sum())) < 1.5**2:
                ends += [i, j]
                lengths.append(square)
    return Made(sensors.ravel(), np.zeros(n), np.concatenate([lengths, anchors.ravel()]), np.array(ends))


def _factorisation(rng: np.random.Generator, n: int) -> Made:
    factors = rng.uniform(-2.0, 2.0, n) * np.tile([1.0, 0.7, 0.5, 0.3, 0.2], n // RANK)
    left, right = factors[: ROWS * RANK].reshape(ROWS, RANK), factors[ROWS * RANK :].reshape(COLUMNS, RANK)
    return Made(factors, np.zeros(n), (left @ right.T).ravel())


def _residuals(rng: np.random.Generator, n: int) -> Made:
    rows = 3 * n // 2
    matrix = rng.standard_normal((rows, n)) * 10.0 ** rng.uniform(-1.0, 1.0, n) / math.sqrt(n)
    return _shifted(rng, n)._replace(floats=matrix.T.ravel(), ints=np.array([rows]))


# The function, what it is made of, and its variables.
UNSEEN: dict[str, tuple[Callable[..., float], Callable[[np.random.Generator, int], Made], int]] = {
    "levy": (levy, _rotated, 200),
    "zakharov": (zakharov, _shifted, 500),
    "katsuura": (katsuura, _rotated, 100),
    "schaffer": (schaffer, _rotated, 300),
    "gallagher": (gallagher, _gallagher, 100),
    "step-ellipsoid": (step_ellipsoid, _rotated_twice, 200),
    "happy-cat": (happy_cat, _happy_cat, 500),
    "styblinski": (styblinski, _styblinski, 1000),
    "dixon-price": (dixon_price, _dixon_price, 1000),
    "powell-quads": (powell_quads, _quads, 1000),
    "logistic": (logistic, _logistic, 400),
    "localisation": (localisation, _localisation, 400),
    "factorisation": (factorisation, _factorisation, (ROWS + COLUMNS) * RANK),
    "absolute-residuals": (absolute_residuals, _residuals, 300),
}


def unseen(name: str) -> ter.Problem:
    """Build one of `UNSEEN`."""
    value, make, dimension = UNSEEN[name]
    rng = np.random.default_rng([SEED, list(UNSEEN).index(name)])
    offset = round(rng.uniform(100.0, 900.0), 2) * rng.choice([-1.0, 1.0])
    made = make(rng, dimension)
    floats = np.concatenate([[offset], made.shift, made.floats])
    objective = ter.CompiledObjective(value, floats=floats, ints=made.ints)
    box = ter.box(-HALF_WIDTH, HALF_WIDTH, dimension=dimension)
    return ter.Problem(objective, box, name=f"unseen/{name}", f_opt=offset + made.least, x_opt=made.optimum)
