"""Kernels of the digits problem: the cross-entropy of a network, and of the network with one weight changed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["CLASSES", "DECAY", "PIXELS", "SAMPLES", "UNITS", "commit", "exponential", "move", "start", "value"]

PIXELS, CLASSES = 64, 10
SAMPLES = 64  # samples worked on at a time: a block fits the first-level cache
DECAY = 1e-4  # price of a squared weight
UNITS = 8  # hidden units whose votes are added up before the total


@kernel
def exponential(x: float) -> float:
    """exp(x) for |x| < 700, to a rounding or two.

    Written out because the compiler can then work on several samples at once, which it cannot do through a call of
    the C library; and because its bits are the same on every machine. Adding 1.5 * 2**52 rounds to a whole number.
    """
    shifted = x * 1.4426950408889634 + 6755399441055744.0
    n = shifted - 6755399441055744.0
    r = (x - n * 0.6931471803691238) - n * 1.9082149292705877e-10  # x = n log 2 + r, log 2 in two parts
    p = 1 / 39916800 + r * (1 / 479001600)
    p = 1 / 40320 + r * (1 / 362880 + r * (1 / 3628800 + r * p))
    p = 1 / 120 + r * (1 / 720 + r * (1 / 5040 + r * p))
    p = 1.0 + r * (1.0 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * p))))
    return p * np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)  # p * 2**n


@kernel
def activate(x: Vector, pixels: NDArray[np.float64], hidden: int, j: int, first: int, out: Vector) -> None:
    """Write the output of hidden unit `j` for the samples from `first` on."""
    out[:] = x[PIXELS * hidden + j]
    last = first + out.shape[0]
    for p in range(0, PIXELS, 4):  # four at a time spare three of four passes through memory
        u, v, w, z = x[p * hidden + j], x[(p + 1) * hidden + j], x[(p + 2) * hidden + j], x[(p + 3) * hidden + j]
        a, b = pixels[p][first:last], pixels[p + 1][first:last]
        c, d = pixels[p + 2][first:last], pixels[p + 3][first:last]
        for s in range(out.shape[0]):
            out[s] = (((out[s] + u * a[s]) + v * b[s]) + w * c[s]) + z * d[s]
    for s in range(out.shape[0]):
        twice = min(max(2.0 * out[s], -80.0), 80.0)  # tanh is 1 to the last bit beyond
        out[s] = 1.0 - 2.0 / (exponential(twice) + 1.0)


@kernel
def vote(
    x: Vector, units: NDArray[np.float64], hidden: int, block: int, first: int, j: int, fresh: Vector, k: int
) -> Vector:
    """Return what one block of hidden units adds to class `k`; unit `j` has the outputs `fresh`."""
    out = np.zeros(fresh.shape[0])
    for unit in range(block * UNITS, min(hidden, (block + 1) * UNITS)):
        weight = x[(PIXELS + 1) * hidden + unit * CLASSES + k]
        row = fresh if unit == j else units[unit][first : first + fresh.shape[0]]
        for s in range(out.shape[0]):
            out[s] += weight * row[s]
    return out


@kernel
def add(total: Vector, part: Vector) -> None:
    """Add `part` to `total`; a plain loop, which the compiler vectorises, unlike ``+=`` on slices."""
    for s in range(total.shape[0]):
        total[s] += part[s]


@kernel
def cross_entropy(scores: NDArray[np.float64], labels: Integers) -> float:
    """Return the summed cross-entropy of a block of samples."""
    n = labels.shape[0]
    top = scores[0].copy()
    for k in range(1, CLASSES):
        for s in range(n):
            top[s] = max(top[s], scores[k, s])
    odds = np.zeros(n)
    for k in range(CLASSES):
        for s in range(n):
            odds[s] += exponential(max(scores[k, s] - top[s], -600.0))
    product, total = 1.0, 0.0
    for s in range(n):
        product *= odds[s]  # each is at most 10, so one logarithm does for the block
        total += top[s] - scores[labels[s], s]
    return total + math.log(product)


@kernel
def decay(x: Vector) -> float:
    """Return the price of the weights; so cheap that it is never remembered."""
    total = 0.0
    for weight in x:
        total += weight * weight
    return DECAY * total


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate all samples, block by block."""
    hidden, n = ints[0], ints[1]
    pixels = floats.reshape(PIXELS, n)
    total = 0.0
    for first in range(0, n, SAMPLES):
        size = min(SAMPLES, n - first)
        units = np.empty((hidden, size))
        for j in range(hidden):
            activate(x, pixels, hidden, j, first, units[j])
        scores = np.empty((CLASSES, size))
        for k in range(CLASSES):
            scores[k] = x[75 * hidden + k]
            for block in range(-(-hidden // UNITS)):
                add(scores[k], vote(x, units, hidden, block, 0, -1, scores[k], k))
        total += cross_entropy(scores, ints[2 + first : 2 + first + size])
    return float(total / n + decay(x))


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Remember the outputs of all units, and the votes of each block of units for each class."""
    hidden, n = ints[0], ints[1]
    units = memory[: hidden * n].reshape(hidden, n)
    votes = memory[hidden * n :].reshape(-1, CLASSES, n)
    for j in range(hidden):
        activate(x, floats.reshape(PIXELS, n), hidden, j, 0, units[j])
    for block in range(votes.shape[0]):
        for k in range(CLASSES):
            votes[block, k] = vote(x, units, hidden, block, 0, -1, votes[block, k], k)


@kernel
def touched(hidden: int, i: int) -> tuple[int, int, int]:
    """Return the hidden unit whose output variable `i` changes (or -1), the block and the class (or -1: all)."""
    if i < (PIXELS + 1) * hidden:
        return i % hidden, (i % hidden) // UNITS, -1
    unit, k = divmod(i - (PIXELS + 1) * hidden, CLASSES)
    return -1, (unit // UNITS if unit < hidden else -1), k


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Recompute one unit and the votes of its block; a move of several weights is a full evaluation."""
    before = x[coordinates]
    x[coordinates] = values
    if coordinates.shape[0] != 1:
        y = value(x, floats, ints)
        x[coordinates] = before
        return y
    hidden, n = ints[0], ints[1]
    pixels = floats.reshape(PIXELS, n)
    units = memory[: hidden * n].reshape(hidden, n)
    votes = memory[hidden * n :].reshape(-1, CLASSES, n)
    j, changed, only = touched(hidden, coordinates[0])
    total = 0.0
    for first in range(0, n, SAMPLES):
        size = min(SAMPLES, n - first)
        fresh = np.empty(size)
        if j >= 0:
            activate(x, pixels, hidden, j, first, fresh)
        scores = np.empty((CLASSES, size))
        for k in range(CLASSES):
            scores[k] = x[75 * hidden + k]
            for block in range(votes.shape[0]):
                if block == changed and (only < 0 or only == k):
                    add(scores[k], vote(x, units, hidden, block, first, j, fresh, k))
                else:
                    add(scores[k], votes[block][k][first : first + size])
        total += cross_entropy(scores, ints[2 + first : 2 + first + size])
    y = total / n + decay(x)
    x[coordinates] = before
    return float(y)


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update what is remembered."""
    before = x[coordinates]
    x[coordinates] = values
    hidden, n = ints[0], ints[1]
    if coordinates.shape[0] != 1:
        start(x, memory, floats, ints)
    else:
        units = memory[: hidden * n].reshape(hidden, n)
        votes = memory[hidden * n :].reshape(-1, CLASSES, n)
        j, changed, _ = touched(hidden, coordinates[0])
        if j >= 0:
            activate(x, floats.reshape(PIXELS, n), hidden, j, 0, units[j])
        if changed >= 0:
            for k in range(CLASSES):
                votes[changed, k] = vote(x, units, hidden, changed, 0, -1, votes[changed, k], k)
    x[coordinates] = before
