"""More functions for tuning, of 100 to 400 variables: fits, a cluster, a network, control; rotated ones; ripples."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

import ter

__all__ = ["FUNCTIONS"]

Vector = np.ndarray


def _problem(fun: Callable[[Vector], float], low: float, high: float, dimension: int) -> ter.Problem:
    return ter.Problem(fun, ter.box(low, high, dimension=dimension))


def _rotation(dimension: int, seed: int) -> Vector:
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((dimension, dimension)))[0]


def griewank(n: int = 300) -> ter.Problem:
    """Return Griewank's function, rotated."""
    rotation, optimum = _rotation(n, 1), np.random.default_rng(2).uniform(-300, 300, n)
    roots = np.sqrt(np.arange(1, n + 1))

    def value(x: Vector) -> float:
        z = rotation @ (x - optimum)
        return float(z @ z / 4000 - np.prod(np.cos(z / roots)) + 1)

    return _problem(value, -600, 600, n)


def ackley(n: int = 200) -> ter.Problem:
    """Return Ackley's function, rotated."""
    rotation, optimum = _rotation(n, 3), np.random.default_rng(4).uniform(-20, 20, n)

    def value(x: Vector) -> float:
        z = rotation @ (x - optimum)
        waves = math.exp(np.cos(2 * np.pi * z).mean())
        return float(-20 * math.exp(-0.2 * math.sqrt(z @ z / n)) - waves + 20 + math.e)

    return _problem(value, -32, 32, n)


def huber(n: int = 300) -> ter.Problem:
    """Return a robust regression with scales over one and a half decades."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((500, n)) * np.logspace(0, -1.5, n)
    wanted = rows @ rng.uniform(-1, 1, n) + rng.standard_t(2, 500) * 0.1

    def value(x: Vector) -> float:
        error = np.abs(rows @ x - wanted)
        return float(np.where(error < 0.1, error * error / 0.2, error - 0.05).sum())

    return _problem(value, -3, 3, n)


def absolute(n: int = 150) -> ter.Problem:
    """Return a regression by absolute errors."""
    rng = np.random.default_rng(6)
    rows = rng.standard_normal((400, n))
    wanted = rows @ rng.uniform(-1, 1, n) + rng.standard_normal(400)
    return _problem(lambda x: float(np.abs(rows @ x - wanted).sum()), -3, 3, n)


def morse(n: int = 180) -> ter.Problem:
    """Return the energy of a cluster of particles with Morse's potential."""

    def value(x: Vector) -> float:
        places = x.reshape(-1, 3)
        between = places[:, None] - places[None]
        distances = np.sqrt((between * between).sum(2) + 1e-12)[np.triu_indices(len(places), 1)]
        e = np.minimum(np.exp(-3 * (distances - 1)), 50)
        return float((e * (e - 2)).sum())

    return _problem(value, -2.5, 2.5, n)


def network(hidden: int = 28) -> ter.Problem:
    """Return the error of a small network on a function of ten inputs."""
    rng = np.random.default_rng(7)
    inputs = rng.standard_normal((200, 10))
    wanted = np.sin(inputs[:, 0] * 2) + inputs[:, 1] * inputs[:, 2]

    def value(x: Vector) -> float:
        first, shift, second = x[: 10 * hidden].reshape(10, hidden), x[10 * hidden : 11 * hidden], x[11 * hidden : -1]
        return float(((np.tanh(inputs @ first + shift) @ second + x[-1] - wanted) ** 2).mean())

    return _problem(value, -3, 3, 12 * hidden + 1)


def wood(n: int = 400) -> ter.Problem:
    """Return Wood's function, in a chain."""
    optimum = np.random.default_rng(8).uniform(-3, 3, n)

    def value(x: Vector) -> float:
        z = x - optimum + 1
        a, b, c, d = z[0:-3:2], z[1:-2:2], z[2:-1:2], z[3::2]
        first = 100 * (b - a * a) ** 2 + (1 - a) ** 2 + 90 * (d - c * c) ** 2 + (1 - c) ** 2
        return float((first + 10 * (b + d - 2) ** 2 + 0.1 * (b - d) ** 2).sum())

    return _problem(value, -10, 10, n)


def weierstrass(n: int = 100) -> ter.Problem:
    """Return Weierstrass's function, rotated."""
    rotation, optimum = _rotation(n, 9), np.random.default_rng(10).uniform(-0.4, 0.4, n)
    heights, waves = 0.5 ** np.arange(12), 3.0 ** np.arange(12)
    least = float(n * (heights * np.cos(np.pi * waves)).sum())

    def value(x: Vector) -> float:
        z = rotation @ (x - optimum)
        return float((heights * np.cos(2 * np.pi * np.outer(z + 0.5, waves))).sum() - least)

    return _problem(value, -0.5, 0.5, n)


def steering(n: int = 200) -> ter.Problem:
    """Return what it costs to steer a point through a field of forces, past an obstacle."""
    goal, obstacle, dt = np.array([6.0, 4.0]), np.array([3.0, 2.0]), 0.1

    def value(x: Vector) -> float:
        place, speed, cost = np.zeros(2), np.zeros(2), 0.0
        for thrust in x.reshape(-1, 2):
            field = np.array([math.sin(place[1]), -math.cos(place[0])])
            speed = speed * 0.98 + dt * (thrust + field)
            place = place + dt * speed
            beside = place - obstacle
            cost += 1e-3 * (thrust @ thrust) + 0.02 * math.exp(-4 * (beside @ beside))
        return float(cost + (place - goal) @ (place - goal) + 0.5 * (speed @ speed))

    return _problem(value, -4, 4, n)


def covariance(rows: int = 30, columns: int = 10) -> ter.Problem:
    """Return the error of a factor of a matrix of low rank."""
    factor = np.random.default_rng(12).standard_normal((rows, columns))
    wanted = factor @ factor.T

    def value(x: Vector) -> float:
        made = x.reshape(rows, columns)
        return float(((made @ made.T - wanted) ** 2).sum())

    return _problem(value, -3, 3, rows * columns)


def sines(n: int = 200) -> ter.Problem:
    """Return Schwefel's sines: each variable's best minimum is far from its second best."""
    return _problem(lambda x: float(418.9829 * n - (x * np.sin(np.sqrt(np.abs(x)))).sum()), -500, 500, n)


def trid(n: int = 200) -> ter.Problem:
    """Return a parabola whose neighbours interact, with its minimum far away."""
    return _problem(lambda x: float(((x - 1) ** 2).sum() - (x[1:] * x[:-1]).sum()), -n * n / 100, n * n / 100, n)


def largest(n: int = 150) -> ter.Problem:
    """Return the largest of rotated absolute values."""
    rotation, optimum = _rotation(n, 14), np.random.default_rng(15).uniform(-3, 3, n)
    return _problem(lambda x: float(np.abs(rotation @ (x - optimum)).max()), -5, 5, n)


FUNCTIONS = {
    made.__name__: made
    for made in (
        griewank, ackley, huber, absolute, morse, network, wood, weierstrass, steering, covariance, sines, trid,
        largest,
    )
}  # fmt: skip
