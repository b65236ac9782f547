"""Evolution strategies on all variables that need linear memory and linear time.

A strategy draws points ``mean + sigma * scale * scales * s``, ranks them, and moves its mean to the weighted mean of
the better half. Its steps `s` are normal numbers, perhaps mixed with directions in which the mean has moved; `scales`
are one number per variable. How these and the step size `sigma` adapt is a matter of `Rates`: sep-CMA-ES [1]_ adapts
the scales and goes by the length of its path, Rm-ES [2]_ keeps directions and goes by success.

The first generation draws its points with step sizes on a ladder, each rung by a factor shorter than the one before;
the strategy begins with the step size of the best point. So a first step size that is too long, or a new place, costs
one generation and not hundreds.

References
----------
.. [1] R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", PPSN 2008.
.. [2] Z. Li, Q. Zhang, "A simple yet efficient evolution strategy for large-scale black-box optimization", IEEE
   Transactions on Evolutionary Computation 22, 2018.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ter._jit import inner, kernel
from ter.core.box import Vector
from ter.core.ledger import COUNT, LIMIT, PAUSE, RAISED, Integers, Walk
from ter.heuristics.ma_es import LARGEST, SMALLEST
from ter.heuristics.mirroring import mirrored
from ter.heuristics.ranking import rank
from ter.heuristics.splitmix import RandomState, fill_bell, normal
from ter.heuristics.subspace import Matrix
from ter.objectives.unchecked import Floats, Ints, pointer

__all__ = ["Rates", "Strategy", "adapt", "draw", "generate", "make_strategy"]

LADDER = 1e-6  # the last rung of the first generation's ladder, as a share of the first
ABOVE_RUNG = 3.0  # the mean of many good points bears a longer step than one
FLAT = 1e-12  # a spread of a generation's values, as a share of the value, at which it makes no progress
PATIENCE = 10  # such generations in a row

# Fields of the counters; the generations of the directions follow, then the order of the points.
EVALUATED = 0  # points whose values are known; the others wait for the next initiation
GENERATION = 1
USED = 2  # directions
FLAT_FOR = 3  # generations in a row
STALLED = 4  # whether nothing is left to be gained
COUNTERS = 5

# Fields of the floats; the better values of the last generation follow, then the shares of the directions in a step.
SIGMA = 0  # in units of the scale
SUCCESS = 1  # smoothed
LOWEST = 2  # value drawn
FLOATS = 3

# Rows of the memory; the directions follow, then the normal numbers of each point, then the steps `s` of each point.
MEAN = 0
SCALES = 1  # of the variables
PATH = 2  # of the step size
TRAIL = 3  # along which the mean moved: of the scales, or of the directions
LOWER, UPPER, SCALE = 4, 5, 6  # the box
MOVED, SQUARES = 7, 8  # to write on
VECTORS = 9


class Strategy(NamedTuple):
    """What adapts; arrays that are changed in place.

    There are few of them, since each array that is handed to compiled code takes a tenth of a second to compile.
    """

    random: RandomState
    floats: Vector
    counters: Integers
    memory: Matrix

    @property
    def mean(self) -> Vector:
        """Where the points are drawn around."""
        mean: Vector = self.memory[MEAN]
        return mean


class Rates(NamedTuple):
    """How a strategy adapts; the names are those of the papers."""

    weights: Vector  # of the better half
    mu_eff: float
    c_sigma: float
    damping: float
    c_c: float  # of the trail
    c_1: float  # of the scales
    c_mu: float
    mixing: float  # share of a direction in the variance of a step
    gap: int  # generations that lie between two directions
    by_success: bool
    ladder: bool


def make_strategy(
    size: int, directions: int, mean: Vector, sigma: float, box: tuple[Vector, Vector, Vector], random: RandomState
) -> Strategy:
    """Return a strategy around a mean; nothing is drawn yet."""
    floats = np.zeros(FLOATS + size // 2 + directions)
    floats[:FLOATS], floats[FLOATS : FLOATS + size // 2] = (sigma, 0.0, np.inf), np.inf
    memory = np.empty((VECTORS + directions + 2 * size, mean.size))
    memory[MEAN], memory[SCALES], memory[[PATH, TRAIL]] = mean, 1.0, 0.0
    memory[[LOWER, UPPER, SCALE]] = box
    return Strategy(random, floats, np.zeros(COUNTERS + directions + size, dtype=np.int64), memory)


@kernel
def draw(strategy: Strategy, rates: Rates, points: Matrix) -> None:
    """Draw the points of a generation, inside the box."""
    size, n = points.shape
    memory, floats, drawn = pointer(strategy.memory), pointer(strategy.floats), pointer(points)
    directions = memory + VECTORS * n
    steps = memory + (strategy.memory.shape[0] - size) * n
    used, ladder = strategy.counters[USED], rates.ladder and strategy.counters[GENERATION] == 0
    for r in range(size):
        bell, step = steps + (r - size) * n, steps + r * n
        fill_bell(strategy.random, bell, n)
        shares = floats + FLOATS + size // 2
        own = draw_shares(strategy.random, rates.mixing, used, shares)
        for j in range(n):
            step[j] = own * bell[j]
        for k in range(used):
            share, direction = shares[k], directions + k * n
            for j in range(n):
                step[j] += share * direction[j]
        sigma = floats[SIGMA]
        if ladder:
            sigma *= LADDER ** (r / (size - 1.0))
        place(memory, sigma, step, drawn + r * n, n)


@inner
def draw_shares(random: RandomState, mixing: float, used: int, shares: Floats) -> float:
    """Draw the shares of the directions in a step; return that of the normal numbers."""
    own, kept = 1.0, math.sqrt(1.0 - mixing)
    for k in range(used - 1, -1, -1):
        shares[k] = own * math.sqrt(mixing) * normal(random)
        own *= kept
    return own


@inner
def place(memory: Floats, sigma: float, step: Floats, point: Floats, n: int) -> None:
    """Write the point at the end of a step, mirrored into the box."""
    mean, scales, scale = memory + MEAN * n, memory + SCALES * n, memory + SCALE * n
    lower, upper = memory + LOWER * n, memory + UPPER * n
    outside = 0
    for j in range(n):  # without branches, so it vectorises
        v = mean[j] + sigma * scale[j] * scales[j] * step[j]
        v = 2.0 * lower[j] - v if v < lower[j] else v
        v = 2.0 * upper[j] - v if v > upper[j] else v
        point[j] = v
        outside += 0 if (lower[j] <= v) & (v <= upper[j]) else 1
    if outside > 0:
        for j in range(n):
            if not lower[j] <= point[j] <= upper[j]:
                point[j] = mirrored(point[j], lower[j], upper[j])


@kernel
def adapt(strategy: Strategy, rates: Rates, values: Vector) -> None:
    """Learn from the values of a generation; nothing if all points failed."""
    size, n, mu = values.shape[0], strategy.memory.shape[1], rates.weights.shape[0]
    directions = strategy.memory.shape[0] - VECTORS - 2 * size
    memory, floats, counters = pointer(strategy.memory), pointer(strategy.floats), pointer(strategy.counters)
    known, order = pointer(values), counters + COUNTERS + directions
    rank(known, order, size)
    best = known[order[0]]
    if not best < math.inf:
        return
    worst = known[order[size - 1]]
    counters[FLAT_FOR] = counters[FLAT_FOR] + 1 if worst - best <= FLAT * abs(best) else 0
    before = floats + FLOATS
    if rates.ladder and counters[GENERATION] == 0:
        climb(floats, order[0], size)
    else:
        weights, normals = pointer(rates.weights), memory + (VECTORS + directions) * n
        move_mean(memory, floats[SIGMA], weights, mu, order, normals + size * n, n)
        if not rates.by_success:
            follow_path(memory, floats, rates, n)
        elif counters[GENERATION] > 1:
            floats[SUCCESS] = (1.0 - rates.c_sigma) * floats[SUCCESS] + rates.c_sigma * (
                gained_ranks(before, known, order, weights, mu) - 0.3
            )
            floats[SIGMA] *= math.exp(floats[SUCCESS] / rates.damping)
        floats[SIGMA] = SMALLEST if floats[SIGMA] < SMALLEST else LARGEST if floats[SIGMA] > LARGEST else floats[SIGMA]
        if rates.c_mu > 0.0:
            adapt_scales(memory, rates, weights, order, normals, n)
        if directions > 0:
            keep_direction(memory, directions, counters, rates, n)
    floats[LOWEST] = best if best < floats[LOWEST] else floats[LOWEST]
    for m in range(mu):
        before[m] = known[order[m]]
    counters[GENERATION] += 1
    if counters[FLAT_FOR] >= PATIENCE or floats[SIGMA] <= SMALLEST:
        counters[STALLED] = 1


@inner
def climb(floats: Floats, rung: int, size: int) -> None:
    """Take the step size of the best point of the ladder."""
    share = ABOVE_RUNG * LADDER ** (rung / (size - 1.0))
    floats[SIGMA] *= share if share < 1.0 else 1.0


@inner
def move_mean(memory: Floats, sigma: float, weights: Floats, mu: int, order: Ints, steps: Floats, n: int) -> None:
    """Move the mean to that of the better points, and write the mean of their steps."""
    mean, scales, scale, moved = memory + MEAN * n, memory + SCALES * n, memory + SCALE * n, memory + MOVED * n
    lower, upper = memory + LOWER * n, memory + UPPER * n
    for j in range(n):
        moved[j] = 0.0
    for m in range(mu):
        w, step = weights[m], steps + order[m] * n
        for j in range(n):
            moved[j] += w * step[j]
    outside = 0
    for j in range(n):
        v, width = mean[j] + sigma * scale[j] * scales[j] * moved[j], upper[j] - lower[j]
        mean[j] = v
        outside += 0 if (lower[j] - width <= v) & (v <= upper[j] + width) else 1
    if outside > 0:  # such go back by two widths: mirrored, that is the same point
        for j in range(n):
            width = upper[j] - lower[j]
            if not lower[j] - width <= mean[j] <= upper[j] + width:
                mean[j] = lower[j] + (mean[j] - lower[j]) % (2.0 * width) if width > 0.0 else lower[j]


@inner
def follow_path(memory: Floats, floats: Floats, rates: Rates, n: int) -> None:
    """Adapt the step size by the path's length."""
    path, moved = memory + PATH * n, memory + MOVED * n
    keep, add = 1.0 - rates.c_sigma, math.sqrt(rates.c_sigma * (2.0 - rates.c_sigma) * rates.mu_eff)
    length = 0.0
    for j in range(n):
        path[j] = keep * path[j] + add * moved[j]
    for j in range(n):
        length += path[j] * path[j]
    change = rates.c_sigma / rates.damping * (math.sqrt(length / n) - 1.0)
    floats[SIGMA] *= math.exp(change if change < 1.0 else 1.0)


@inner
def gained_ranks(before: Floats, values: Floats, order: Ints, weights: Floats, mu: int) -> float:
    """Return by how many ranks the better values are ahead of those of the last generation, relative to their number.

    Equal values are no success: where nothing is left to be gained, steps get shorter and the descent ends.
    """
    i = j = 0
    total = 0.0
    for place in range(2 * mu):
        if i < mu and (j >= mu or values[order[i]] < before[j]):
            total -= weights[i] * place
            i += 1
        else:
            total += weights[j] * place
            j += 1
    return total / mu


@inner
def adapt_scales(memory: Floats, rates: Rates, weights: Floats, order: Ints, normals: Floats, n: int) -> None:
    """Adapt the scales to what is normal in the steps of the better points, and to the trail of the mean.

    Where there are directions, the trail is theirs: scales learn what directions do not explain.
    """
    scales, path, trail = memory + SCALES * n, memory + PATH * n, memory + TRAIL * n
    moved, squares = memory + MOVED * n, memory + SQUARES * n
    length = 0.0
    for j in range(n):
        squares[j] = 0.0
        length += path[j] * path[j]
    add = math.sqrt(rates.c_c * (2.0 - rates.c_c) * rates.mu_eff) if length < (2.0 + 4.0 / (n + 1.0)) * n else 0.0
    for m in range(rates.weights.shape[0]):
        w, bell = weights[m], normals + order[m] * n
        for j in range(n):
            squares[j] += w * bell[j] * bell[j]
    if rates.c_1 > 0.0:
        for j in range(n):
            trail[j] = (1.0 - rates.c_c) * trail[j] + add * scales[j] * moved[j]
    for j in range(n):
        variance = scales[j] * scales[j] * (1.0 - rates.c_1 - rates.c_mu + rates.c_mu * squares[j])
        scales[j] = math.sqrt(variance + rates.c_1 * trail[j] * trail[j])


@inner
def keep_direction(memory: Floats, rows: int, counters: Ints, rates: Rates, n: int) -> None:
    """Put the trail of the mean among the directions, in the place of the one that is nearest to its successor.

    If all of them are farther apart than the gap, it takes the place of the oldest. They stay in order of age.
    """
    ages, trail, moved, directions = counters + COUNTERS, memory + TRAIL * n, memory + MOVED * n, memory + VECTORS * n
    add = math.sqrt(rates.c_c * (2.0 - rates.c_c) * rates.mu_eff)
    for j in range(n):
        trail[j] = (1.0 - rates.c_c) * trail[j] + add * moved[j]
    if counters[USED] < rows:
        counters[USED] += 1
    else:
        out, least = 0, rates.gap + 1
        for k in range(1, rows):
            if ages[k] - ages[k - 1] < least:
                out, least = k, ages[k] - ages[k - 1]
        for k in range(out, rows - 1):
            ages[k] = ages[k + 1]
            for j in range(k * n, (k + 1) * n):
                directions[j] = directions[j + n]
    last = counters[USED] - 1
    ages[last] = counters[GENERATION]
    for j in range(n):
        directions[last * n + j] = trail[j]


@kernel
def generate(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    points: Matrix,
    values: Vector,
    strategy: Strategy,
    rates: Rates,
) -> int:
    """Go on from generation to generation, until nothing is left to be gained."""
    ledger, counters, size = walk.ledger, strategy.counters, points.shape[0]
    while counters[STALLED] == 0:
        known = counters[EVALUATED]
        if known < size:
            left = ledger[LIMIT] - ledger[COUNT]
            end = size if size - known <= left else known + left
            done = batch(walk, coordinates, points[known:end], values[known:end])
            if done <= 0:
                return done
            counters[EVALUATED] = end
            if ledger[RAISED]:
                return done
        if counters[EVALUATED] == size:
            adapt(strategy, rates, values)
            draw(strategy, rates, points)
            counters[EVALUATED] = 0
        if ledger[COUNT] >= ledger[PAUSE]:
            break
    return 1
