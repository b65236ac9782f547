"""Kernels of the deblurring problem: the costs of pixels, summed by strips of rows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["REACH", "ROUND", "STRIP", "TAPS", "VARIATION", "commit", "move", "start", "value"]

REACH = 4  # the blur mixes 9 x 9 pixels
TAPS = 2 * REACH + 1
VARIATION = 5e-4  # weight of the total variation
ROUND = 1e-4  # squared; rounds the corner of the total variation at 0
STRIP = 8  # pixels of a row that are summed before the row


@kernel
def blur_along_row(row: Vector, taps: Vector, q: int) -> float:
    """Return pixel `q` of a row after the horizontal blur; beyond the border the picture goes on as at the border."""
    total = 0.0
    for k in range(TAPS):
        total += taps[k] * row[min(max(q + k - REACH, 0), row.shape[0] - 1)]
    return total


@kernel
def pixel_cost(
    image: NDArray[np.float64], rows: NDArray[np.float64], observed: NDArray[np.float64], taps: Vector, p: int, q: int
) -> float:
    """Return the share of pixel (p, q) in the value; `rows` holds the picture after the horizontal blur."""
    side = image.shape[0]
    seen = 0.0
    for k in range(TAPS):
        seen += taps[k] * rows[min(max(p + k - REACH, 0), side - 1), q]
    miss = seen - observed[p, q]
    right = image[p, q + 1] - image[p, q] if q + 1 < side else 0.0
    below = image[p + 1, q] - image[p, q] if p + 1 < side else 0.0
    cost: float = 0.5 * miss * miss + VARIATION * math.sqrt(right * right + below * below + ROUND)
    return cost


@kernel
def parts(
    memory: Vector, side: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the four parts of the memory: picture after the horizontal blur, pixel costs, sums of strips and rows."""
    n, strips = side * side, -(-side // STRIP)
    rows = memory[:n].reshape(side, side)
    costs = memory[n : 2 * n].reshape(side, side)
    strip_sums = memory[2 * n : 2 * n + side * strips].reshape(side, strips)
    return rows, costs, strip_sums, memory[2 * n + side * strips :]


@kernel
def window(x: Vector, memory: Vector, floats: Vector, side: int, a: int, b: int, store: bool) -> float:
    """Return the value after pixel (a, b) changed; with `store`, the memory follows.

    The changed pixel is in `x`, and the horizontal blur of row `a` is up to date.
    """
    rows, costs, strip_sums, row_sums = parts(memory, side)
    image, observed, taps = x.reshape(side, side), floats[TAPS:].reshape(side, side), floats[:TAPS]
    left, right = max(b - REACH, 0), min(b + REACH, side - 1)
    total = 0.0
    for p in range(side):
        if abs(p - a) > REACH:
            total += row_sums[p]
            continue
        row_sum = 0.0
        for strip in range(strip_sums.shape[1]):
            strip_sum = strip_sums[p, strip]
            if left // STRIP <= strip <= right // STRIP:
                strip_sum = 0.0
                for q in range(strip * STRIP, min(side, (strip + 1) * STRIP)):
                    cost = costs[p, q]
                    if left <= q <= right:
                        cost = pixel_cost(image, rows, observed, taps, p, q)
                        if store:
                            costs[p, q] = cost
                    strip_sum += cost
                if store:
                    strip_sums[p, strip] = strip_sum
            row_sum += strip_sum
        if store:
            row_sums[p] = row_sum
        total += row_sum
    return total


@kernel
def row_costs(
    image: NDArray[np.float64], rows: NDArray[np.float64], observed: NDArray[np.float64], taps: Vector, p: int
) -> Vector:
    """Return the shares of all pixels of row `p`: the sums of `pixel_cost`, in an order that vectorises."""
    side = image.shape[0]
    seen = np.zeros(side)
    for k in range(TAPS):
        blurred_row = rows[min(max(p + k - REACH, 0), side - 1)]
        for q in range(side):
            seen[q] += taps[k] * blurred_row[q]
    here, below_row, target = image[p], image[min(p + 1, side - 1)], observed[p]
    for q in range(side - 1):
        miss = seen[q] - target[q]
        right = here[q + 1] - here[q]
        below = below_row[q] - here[q]
        seen[q] = 0.5 * miss * miss + VARIATION * math.sqrt(right * right + below * below + ROUND)
    seen[side - 1] = pixel_cost(image, rows, observed, taps, p, side - 1)
    return seen


@kernel
def start(x: Vector, memory: Vector, floats: Vector, ints: Integers) -> None:
    """Remember the horizontal blur, the costs of all pixels, and their sums by strip and by row."""
    side = ints[0]
    rows, costs, strip_sums, row_sums = parts(memory, side)
    image, observed, taps = x.reshape(side, side), floats[TAPS:].reshape(side, side), floats[:TAPS]
    padded = np.empty(side + 2 * REACH)
    for p in range(side):
        padded[:REACH] = image[p, 0]
        padded[REACH : REACH + side] = image[p]
        padded[REACH + side :] = image[p, side - 1]
        blurred_row = rows[p]
        blurred_row[:] = 0.0
        for k in range(TAPS):
            shifted = padded[k : k + side]
            for q in range(side):
                blurred_row[q] += taps[k] * shifted[q]
    strip_sums[:] = 0.0
    row_sums[:] = 0.0
    for p in range(side):
        costs[p] = row_costs(image, rows, observed, taps, p)
        for strip in range(strip_sums.shape[1]):
            for cost in costs[p, strip * STRIP : min(side, (strip + 1) * STRIP)]:
                strip_sums[p, strip] += cost
            row_sums[p] += strip_sums[p, strip]


@kernel
def value(x: Vector, floats: Vector, ints: Integers) -> float:
    """Evaluate as `start` does, into a memory of its own, and sum the rows."""
    side = ints[0]
    memory = np.empty(2 * side * side + side * (-(-side // STRIP)) + side)
    start(x, memory, floats, ints)
    total = 0.0
    for row_sum in memory[memory.shape[0] - side :]:
        total += row_sum
    return total


@kernel
def move(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> float:
    """Recompute the 9 x 9 pixels that see a changed one; a move of several pixels is a full evaluation."""
    before = x[coordinates]
    x[coordinates] = values
    if coordinates.shape[0] != 1:
        y = value(x, floats, ints)
        x[coordinates] = before
        return y
    side = ints[0]
    a, b = divmod(coordinates[0], side)
    left, right = max(b - REACH, 0), min(b + REACH, side - 1)
    row = memory[a * side : (a + 1) * side]
    kept = row[left : right + 1].copy()
    for q in range(left, right + 1):
        row[q] = blur_along_row(x[a * side : (a + 1) * side], floats[:TAPS], q)
    y = window(x, memory, floats, side, a, b, False)
    row[left : right + 1] = kept
    x[coordinates] = before
    return y


@kernel
def commit(x: Vector, memory: Vector, floats: Vector, ints: Integers, coordinates: Integers, values: Vector) -> None:
    """Update what is remembered."""
    before = x[coordinates]
    x[coordinates] = values
    side = ints[0]
    if coordinates.shape[0] != 1:
        start(x, memory, floats, ints)
    else:
        a, b = divmod(coordinates[0], side)
        row = memory[a * side : (a + 1) * side]
        for q in range(max(b - REACH, 0), min(b + REACH, side - 1) + 1):
            row[q] = blur_along_row(x[a * side : (a + 1) * side], floats[:TAPS], q)
        window(x, memory, floats, side, a, b, True)
    x[coordinates] = before
