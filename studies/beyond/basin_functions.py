"""Functions of several wide basins, put together at random: smooth where one stands, and yet with many local minima.

A look at curvatures takes them for smooth, and going downhill ends soon in a minimum that is not the best one. Each
number gives a function of 90 to 500 variables, ``made(7)``; nothing is chosen by hand. Those with odd numbers are for
tuning, those with even numbers for looking whether what was tuned holds for others of the kind. For most of them
nobody knows the least value.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numba
import numpy as np

import ter

__all__ = ["BASINS", "BASINS_HELD_OUT", "made"]

NUMBERS = range(1, 49)


@numba.njit
def ripples(z, length, height):
    """Return a bowl with ripples, as long as told and as high as told in squares of their length."""
    total = 0.0
    for i in range(z.shape[0]):
        total += z[i] * z[i] + height * length * length * (1.0 - math.cos(2.0 * math.pi * z[i] / length))
    return total


@numba.njit
def hollows(z, length, height):
    """Return the sum of far and near hollows whose depth grows with the distance, on a bowl."""
    total = 0.0
    for i in range(z.shape[0]):
        a = abs(z[i]) / length
        total += 0.1 * z[i] * z[i] - height * length * z[i] * math.sin(math.sqrt(100.0 * a))
    return total


@numba.njit
def rotors(z, edges, bonds):
    """Return the energy of rotors whose neighbours want to differ by given angles."""
    total = 0.0
    for k in range(edges.shape[0]):
        total -= bonds[k, 0] * math.cos(z[edges[k, 0]] - z[edges[k, 1]] - bonds[k, 1])
    return total


@numba.njit
def wells(z, centres, depths, width):
    """Return the depth in the deepest of several wells, seen from far away as a sum of distances."""
    best = np.inf
    for k in range(centres.shape[0]):
        distance = 0.0
        for i in range(z.shape[0]):
            distance += abs(z[i] - centres[k, i]) ** 1.5
        best = min(best, depths[k] + width * distance)
    return best


def network(w, hidden, inputs):
    """Return the answers of a network with one hidden layer."""
    weights = w.reshape(hidden, -1)
    return np.tanh(inputs @ weights[:, :-1].T) @ weights[:, -1]


@numba.njit
def chains(z, links, targets, posts):
    """Return how far chains of links end from where they should, and how near they come to posts on the way."""
    total = 0.0
    for c in range(targets.shape[0]):
        x = y = angle = 0.0
        for i in range(links):
            angle += z[c * links + i]
            x += math.cos(angle)
            y += math.sin(angle)
            for p in range(posts.shape[0]):
                total += 20.0 * math.exp(-((x - posts[p, 0]) ** 2) - (y - posts[p, 1]) ** 2)
        total += (x - targets[c, 0]) ** 2 + (y - targets[c, 1]) ** 2
    return total


def made(number: int) -> ter.Problem:
    """Return the function with a number, the same one whenever it is asked for."""
    rng = np.random.default_rng([2027, number])
    kind, n = int(rng.integers(6)), int(rng.integers(100, 501))
    if kind < 4:
        return _turned(kind, n, rng)
    if kind == 4:
        features = int(rng.integers(5, 20))
        hidden, samples = n // (features + 1), int(rng.choice([50, 100, 200]))
        inputs = rng.standard_normal((samples, features))
        targets = network(2.0 * rng.standard_normal(hidden * (features + 1)), hidden, inputs)
        box = ter.box(-5, 5, dimension=hidden * (features + 1))
        return ter.Problem(lambda w: float(np.mean((network(w, hidden, inputs) - targets) ** 2)), box, f_opt=0.0)
    links = int(rng.integers(5, 40))
    count = n // links
    targets = rng.uniform(-0.7, 0.7, (count, 2)) * links
    posts = rng.uniform(-0.7, 0.7, (int(rng.integers(1, 8)), 2)) * links
    box = ter.box(-math.pi, math.pi, dimension=count * links)
    return ter.Problem(lambda z: float(chains(z, links, targets, posts)), box)


def _turned(kind: int, n: int, rng: np.random.Generator) -> ter.Problem:
    """Return ripples, hollows, rotors or wells, their variables turned in groups or not."""
    size = int(rng.choice([1, 5, 25, 100, n]))
    optimum, order = 4.0 * rng.uniform(-1, 1, n), rng.permutation(n)
    turns = [np.linalg.qr(rng.standard_normal((m, m)))[0] for m in np.diff([*range(0, n, size), n])]
    scales = 10.0 ** (float(rng.choice([0.0, 0.5, 1.0])) * rng.uniform(-0.5, 0.5, n))
    length, height = 10.0 / float(rng.choice([1.5, 2.5, 4.0, 6.0])), float(rng.choice([0.1, 0.3, 1.0]))
    edges = np.array([rng.choice(n, 2, replace=False) for _ in range(int(rng.choice([2, 4, 8])) * n)])
    bonds = np.column_stack([np.abs(rng.standard_normal(len(edges))), rng.uniform(-math.pi, math.pi, len(edges))])
    centres, depths = rng.uniform(-4, 4, (12, n)), float(n) * rng.uniform(0, 1, 12)

    def value(x: np.ndarray) -> float:
        z, begin = (x - optimum)[order], 0
        for turn in turns:
            z[begin : begin + len(turn)] = turn @ z[begin : begin + len(turn)]
            begin += len(turn)
        z *= scales
        if kind == 0:
            return float(ripples(z, length, height))
        if kind == 1:
            return float(hollows(z, length, height))
        return float(rotors(z, edges, bonds) if kind == 2 else wells(z, centres, depths, 0.5))

    return ter.Problem(value, ter.box(-5, 5, dimension=n), f_opt=0.0 if kind == 0 else None)


def _numbered(numbers: range) -> dict[str, Callable[[], ter.Problem]]:
    return {f"basins {number}": lambda number=number: made(number) for number in numbers}


BASINS = _numbered(NUMBERS[::2])
BASINS_HELD_OUT = _numbered(NUMBERS[1::2])
