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
from ter.heuristics.ma_es import LARGEST, SMALLEST, mirrored
from ter.heuristics.ranking import rank
from ter.heuristics.splitmix import RandomState, fill_bell, normal
from ter.heuristics.subspace import Matrix

__all__ = ["Rates", "Strategy", "adapt", "draw", "generate", "make_strategy"]

LADDER = 1e-6  # the last rung of the first generation's ladder, as a share of the first
ABOVE_RUNG = 3.0  # the mean of many good points bears a longer step than one
FLAT = 1e-12  # a spread of a generation's values, as a share of the value, at which it makes no progress
PATIENCE = 10  # such generations in a row

# Fields of the counters.
EVALUATED = 0  # points whose values are known; the others wait for the next initiation
GENERATION = 1
USED = 2  # directions
FLAT_FOR = 3  # generations in a row
STALLED = 4  # whether nothing is left to be gained

# Fields of the floats.
SIGMA = 0  # in units of the scale
SUCCESS = 1  # smoothed
LOWEST = 2  # value drawn


class Strategy(NamedTuple):
    """What adapts; arrays that are changed in place."""

    random: RandomState
    mean: Vector
    floats: Vector
    counters: Integers
    scales: Vector  # of the variables
    path: Vector  # of the step size
    trail: Vector  # along which the mean moved: of the scales, or of the directions
    directions: Matrix
    ages: Integers  # generations of the directions
    normals: Matrix  # per point: its normal numbers
    steps: Matrix  # per point: s
    before: Vector  # the better values of the last generation
    lower: Vector
    upper: Vector
    scale: Vector


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
    n = mean.size
    return Strategy(
        random=random,
        mean=mean.copy(),
        floats=np.array([sigma, 0.0, np.inf]),
        counters=np.zeros(5, dtype=np.int64),
        scales=np.ones(n),
        path=np.zeros(n),
        trail=np.zeros(n),
        directions=np.zeros((directions, n)),
        ages=np.zeros(directions, dtype=np.int64),
        normals=np.empty((size, n)),
        steps=np.empty((size, n)),
        before=np.full(size // 2, np.inf),
        lower=box[0],
        upper=box[1],
        scale=box[2],
    )


@kernel
def draw(strategy: Strategy, rates: Rates, points: Matrix) -> None:
    """Draw the points of a generation, inside the box."""
    random, mean, floats, counters, scales, _, _, directions, _, normals, steps, _, lower, upper, scale = strategy
    size, n = points.shape
    used = counters[USED]
    kept, shares = math.sqrt(1.0 - rates.mixing), np.empty(used)
    for r in range(size):
        step, point, bell = steps[r], points[r], normals[r]
        fill_bell(random, bell)
        own = 1.0
        for k in range(used - 1, -1, -1):
            shares[k] = own * math.sqrt(rates.mixing) * normal(random)
            own *= kept
        for j in range(n):
            step[j] = own * bell[j]
        for k in range(used):
            for j in range(n):
                step[j] += shares[k] * directions[k, j]
        sigma = floats[SIGMA]
        if rates.ladder and counters[GENERATION] == 0:
            sigma *= LADDER ** (r / (size - 1.0))
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
    floats, counters = strategy.floats, strategy.counters
    order = np.empty(values.shape[0], dtype=np.int64)
    rank(values, order)
    best = values[order[0]]
    if not best < math.inf:
        return
    worst = best
    for r in range(values.shape[0]):
        worst = max(worst, values[order[r]])
    counters[FLAT_FOR] = counters[FLAT_FOR] + 1 if worst - best <= FLAT * abs(best) else 0
    if rates.ladder and counters[GENERATION] == 0:
        climb(floats, order[0], values.shape[0])
    else:
        moved = np.zeros(strategy.mean.shape[0])
        move_mean(strategy, rates, order, moved)
        adapt_sigma(strategy, rates, values, order, moved)
        if rates.c_mu > 0.0:
            adapt_scales(strategy, rates, order, moved)
        if strategy.directions.shape[0] > 0:
            keep_direction(strategy, rates, moved)
    floats[LOWEST] = min(floats[LOWEST], best)
    for m in range(strategy.before.shape[0]):
        strategy.before[m] = values[order[m]]
    counters[GENERATION] += 1
    if counters[FLAT_FOR] >= PATIENCE or floats[SIGMA] <= SMALLEST:
        counters[STALLED] = 1


@inner
def climb(floats: Vector, rung: int, size: int) -> None:
    """Take the step size of the best point of the ladder."""
    floats[SIGMA] *= min(1.0, ABOVE_RUNG * LADDER ** (rung / (size - 1.0)))


@inner
def move_mean(strategy: Strategy, rates: Rates, order: Integers, moved: Vector) -> None:
    """Move the mean to that of the better points, and write the mean of their steps."""
    mean, steps, scales, lower, upper = strategy.mean, strategy.steps, strategy.scales, strategy.lower, strategy.upper
    n, sigma = mean.shape[0], strategy.floats[SIGMA]
    for m in range(rates.weights.shape[0]):
        w, step = rates.weights[m], steps[order[m]]
        for j in range(n):
            moved[j] += w * step[j]
    outside = 0
    for j in range(n):
        v, width = mean[j] + sigma * strategy.scale[j] * scales[j] * moved[j], upper[j] - lower[j]
        mean[j] = v
        outside += 0 if (lower[j] - width <= v) & (v <= upper[j] + width) else 1
    if outside > 0:  # such go back by two widths: mirrored, that is the same point
        for j in range(n):
            width = upper[j] - lower[j]
            if not lower[j] - width <= mean[j] <= upper[j] + width:
                mean[j] = lower[j] + (mean[j] - lower[j]) % (2.0 * width) if width > 0.0 else lower[j]


@inner
def adapt_sigma(strategy: Strategy, rates: Rates, values: Vector, order: Integers, moved: Vector) -> None:
    """Adapt the step size: by the ranks of this generation among those of the last one, or by the path's length."""
    floats, path, n = strategy.floats, strategy.path, moved.shape[0]
    if rates.by_success:
        if strategy.counters[GENERATION] > 1:
            success = gained_ranks(strategy.before, values, order, rates.weights)
            floats[SUCCESS] = (1.0 - rates.c_sigma) * floats[SUCCESS] + rates.c_sigma * (success - 0.3)
            floats[SIGMA] *= math.exp(floats[SUCCESS] / rates.damping)
    else:
        keep, add = 1.0 - rates.c_sigma, math.sqrt(rates.c_sigma * (2.0 - rates.c_sigma) * rates.mu_eff)
        length = 0.0
        for j in range(n):
            path[j] = keep * path[j] + add * moved[j]
        for j in range(n):
            length += path[j] * path[j]
        change = rates.c_sigma / rates.damping * (math.sqrt(length / n) - 1.0)
        floats[SIGMA] *= math.exp(min(1.0, change))
    floats[SIGMA] = min(LARGEST, max(SMALLEST, floats[SIGMA]))


@inner
def gained_ranks(before: Vector, values: Vector, order: Integers, weights: Vector) -> float:
    """Return by how many ranks the better values are ahead of those of the last generation, relative to their number.

    Equal values are no success: where nothing is left to be gained, steps get shorter and the descent ends.
    """
    mu = weights.shape[0]
    i = j = 0
    total = 0.0
    for place in range(2 * mu):
        if i < mu and (j >= mu or values[order[i]] < before[j]):
            total -= weights[i] * place
            i += 1
        else:
            total += weights[j] * place
            j += 1
    gained: float = total / mu
    return gained


@inner
def adapt_scales(strategy: Strategy, rates: Rates, order: Integers, moved: Vector) -> None:
    """Adapt the scales to what is normal in the steps of the better points, and to the trail of the mean.

    Where there are directions, the trail is theirs: scales learn what directions do not explain.
    """
    scales, trail, n = strategy.scales, strategy.trail, moved.shape[0]
    length = 0.0
    for j in range(n):
        length += strategy.path[j] * strategy.path[j]
    add = math.sqrt(rates.c_c * (2.0 - rates.c_c) * rates.mu_eff) if length < (2.0 + 4.0 / (n + 1.0)) * n else 0.0
    squares = np.zeros(n)
    for m in range(rates.weights.shape[0]):
        w, bell = rates.weights[m], strategy.normals[order[m]]
        for j in range(n):
            squares[j] += w * bell[j] * bell[j]
    if rates.c_1 > 0.0:
        for j in range(n):
            trail[j] = (1.0 - rates.c_c) * trail[j] + add * scales[j] * moved[j]
    for j in range(n):
        variance = scales[j] * scales[j] * (1.0 - rates.c_1 - rates.c_mu + rates.c_mu * squares[j])
        scales[j] = math.sqrt(variance + rates.c_1 * trail[j] * trail[j])


@inner
def keep_direction(strategy: Strategy, rates: Rates, moved: Vector) -> None:
    """Put the trail of the mean among the directions, in the place of the one that is nearest to its successor.

    If all of them are farther apart than the gap, it takes the place of the oldest. They stay in order of age.
    """
    directions, ages, trail, counters = strategy.directions, strategy.ages, strategy.trail, strategy.counters
    rows, n = directions.shape
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
            for j in range(n):
                directions[k, j] = directions[k + 1, j]
    last = counters[USED] - 1
    ages[last] = counters[GENERATION]
    for j in range(n):
        directions[last, j] = trail[j]


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
            end = min(size, known + ledger[LIMIT] - ledger[COUNT])
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
