"""MA-ES: the matrix adaptation evolution strategy, CMA-ES without decompositions of a matrix.

A strategy draws points ``mean + sigma * scale * M z`` with standard normal `z`, ranks them, and moves its mean, its
step size `sigma` and its matrix `M` towards the better half. CMA-ES [1]_ keeps the covariance matrix ``C = M M'`` and
takes roots of it. MA-ES [2]_ adapts the root itself, with the same weights and rates, and behaves the same. As a sum of
outer products, the update of the matrix costs less than drawing the points: with 50 variables, one microsecond of
three per evaluation. A decomposition of a matrix in each generation would make that thirty.

References
----------
.. [1] N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, 2016.
.. [2] H.-G. Beyer, B. Sendhoff, "Simplify your covariance matrix adaptation evolution strategy", IEEE Transactions on
   Evolutionary Computation 21, 2017.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, kernel
from ter.core.box import Vector
from ter.core.errors import InvalidArgument, UnknownName
from ter.core.ledger import COUNT, PAUSE, RAISED, Integers, Walk
from ter.engines.compiled import compile_batches
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.clipped_steps import find_normals
from ter.heuristics.mirroring import mirrored
from ter.heuristics.ranking import rank
from ter.heuristics.splitmix import RandomState, fill_normal, seed_random
from ter.heuristics.subspace import EVERYTHING, Matrix, Subspace
from ter.objectives.unchecked import pointer

__all__ = ["MAES", "Adapting", "Strategy"]

SMALLEST, LARGEST = 1e-150, 10.0  # of the step size, in units of the scale

# Fields of the counters.
USED = 0  # evaluations
EVALUATED = 1  # points whose values are known; the others wait for the next initiation
FLAT = 2  # generations in a row whose values differ by no more than rounding

ROUNDING = 1e-12  # what rounding makes of a value, relative to it


class Strategy(NamedTuple):
    """What adapts."""

    random: RandomState
    mean: Vector
    sigma: Vector  # one slot, in units of the scale
    transposed: Matrix  # the transpose of M, whose rows kernels add; its diagonal, as one row, if that is all there is
    path: Vector
    normal: Matrix  # per point: its normal numbers z
    step: Matrix  # per point: M z
    moved: NDArray[np.bool_]  # per point: whether clipping changed its step
    counters: Integers
    lower: Vector
    upper: Vector
    scale: Vector


class Rates(NamedTuple):
    """How fast it adapts; the names are those of the tutorial."""

    weights: Vector  # of the points in the order of their values: mu positive ones, perhaps negative ones
    mu: int
    mu_eff: float
    c_sigma: float
    c_1: float
    c_mu: float
    damping: float
    clip: bool


class Adapting(NamedTuple):
    """A strategy under way, with the points it has drawn."""

    strategy: Strategy
    points: Matrix
    values: Vector

    @property
    def covariance(self) -> Matrix:
        """The matrix ``M M'``, which CMA-ES calls C."""
        transposed = self.strategy.transposed
        if len(transposed) < transposed.shape[1]:
            return np.diag(transposed[0] ** 2)
        return transposed.T @ transposed


@dataclass(frozen=True)
class MAES:
    """The (mu/mu_w, lambda) matrix adaptation evolution strategy.

    Parameters
    ----------
    population : int, optional
        Points per generation, lambda; by default ``4 + floor(3 ln n)`` for n variables.
    spread : float
        First step size, as a fraction of the box's scale.
    bounds : {"mirror", "clip"}
        What becomes of points outside the box. Mirrored, only what is evaluated moves, and the strategy goes on with
        the point that it drew; its mean may lie in a mirror image. Clipped, it goes on with the point on the border.
    active : bool
        Learn from the worse half, too, with negative weights, as CMA-ES does since 2016.
    diagonal : bool
        Adapt the diagonal of the matrix only, (n + 2)/3 times as fast [1]_: for variables that do not interact, or for
        very many of them. Memory and time per point are linear then.
    learning : float
        How much faster than in the tutorial the matrix learns from the points of a generation.

    References
    ----------
    .. [1] R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", PPSN 2008.

    Examples
    --------
    >>> MAES().size(50), MAES(population=50).size(50)
    (15, 50)
    """

    population: int | None = None
    spread: float = 0.3
    bounds: Literal["mirror", "clip"] = "mirror"
    active: bool = True
    diagonal: bool = False
    learning: float = 1.0

    def __post_init__(self) -> None:
        if self.population is not None:
            require_whole("population", self.population, low=2)
        require_in("spread", self.spread, low=0.0, high=LARGEST, open_low=True)
        require_in("learning", self.learning, low=0.0, high=10.0, open_low=True)
        if self.bounds not in ("mirror", "clip"):
            raise UnknownName.among("treatment of bounds", self.bounds, ["mirror", "clip"])
        if self.diagonal and self.bounds == "clip":
            raise InvalidArgument("a strategy with a diagonal mirrors at the bounds, got bounds='clip'; leave it out")

    def size(self, n: int) -> int:
        """Points per generation in `n` variables."""
        return 4 + int(3 * math.log(n)) if self.population is None else self.population

    def first(
        self,
        subspace: Subspace,
        mean: Vector,
        rng: np.random.Generator,
        *,
        sigma: float | None = None,
        covariance: Matrix | None = None,
    ) -> Adapting:
        """Draw the first points around a mean; nothing is evaluated."""
        if self.diagonal:
            transposed = np.ones((1, mean.size))
        else:
            transposed = np.eye(mean.size) if covariance is None else _transposed_root(covariance)
        box = subspace.lower, subspace.upper, subspace.scale
        return self._begin(mean, box, self.spread if sigma is None else sigma, transposed, seed_random(rng))

    def go_on(self, adapting: Adapting, subspace: Subspace, budget: int) -> None:
        """Adapt until so many evaluations are used in all, or the allowance is used up."""
        counters, rates = adapting.strategy.counters, self._rates(adapting.strategy.mean.size)
        while counters[USED] < budget and subspace.allowance.remaining:
            limit = min(budget, int(counters[USED]) + subspace.allowance.remaining)
            subspace.run(adapt_on, adapting.points, adapting.values, adapting.strategy, rates, limit)

    def next_generation(self, adapting: Adapting) -> None:
        """Adapt to a generation whose values are known, and draw the next one."""
        turn(adapting.strategy, _rates_of(self, adapting.strategy.mean.size), adapting.values, adapting.points)

    def compile(self, *, compiled: bool) -> None:
        """Compile for compiled objectives, or for others and for generations one by one."""
        box = np.zeros(1), np.ones(1), np.ones(1)
        adapting = self._begin(np.zeros(1), box, 0.1, np.eye(1), np.ones(1, dtype=np.uint64))
        strategy, points, values = adapting
        if compiled:
            compile_batches(adapt_on, (EVERYTHING, points, values, strategy, self._rates(1), 1))
        else:
            self.next_generation(adapting)

    def _begin(
        self, mean: Vector, box: tuple[Vector, Vector, Vector], sigma: float, transposed: Matrix, random: RandomState
    ) -> Adapting:
        n, size = mean.size, self.size(mean.size)
        strategy = Strategy(
            random=random,
            mean=mean.copy(),
            sigma=np.array([sigma]),
            transposed=transposed,
            path=np.zeros(n),
            normal=np.empty((size, n)),
            step=np.empty((size, n)),
            moved=np.zeros(size, dtype=np.bool_),
            counters=np.zeros(3, dtype=np.int64),
            lower=box[0],
            upper=box[1],
            scale=box[2],
        )
        points = np.empty((size, n))
        draw(strategy, self.bounds == "clip", points)
        return Adapting(strategy, points, np.empty(size))

    def _rates(self, n: int) -> Rates:
        """Return the rates for `n` variables: Table 1 of the tutorial."""
        size = self.size(n)
        mu = size // 2
        raw = math.log((size + 1) / 2) - np.log(np.arange(1, size + 1))
        better, worse = raw[:mu], raw[mu:]
        mu_eff = _effective(better)
        c_sigma = (mu_eff + 2) / (n + mu_eff + 5)
        c_1 = 2 / ((n + 1.3) ** 2 + mu_eff)
        c_mu = min(1 - c_1, self.learning * 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) ** 2 + mu_eff))
        if self.diagonal:
            c_1 *= (n + 2) / 3
            c_mu = min(1 - c_1, c_mu * (n + 2) / 3)
        damping = 1 + 2 * max(0.0, math.sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma
        weights = better / better.sum()
        if self.active and c_mu > 0.0:
            limits = 1 + c_1 / c_mu, 1 + 2 * _effective(worse) / (mu_eff + 2), (1 - c_1 - c_mu) / (n * c_mu)
            weights = np.concatenate([weights, min(limits) * worse / np.abs(worse).sum()])
        return Rates(weights, mu, mu_eff, c_sigma, c_1, c_mu, damping, self.bounds == "clip")


@lru_cache(maxsize=256)
def _rates_of(strategy: MAES, n: int) -> Rates:
    """Return the rates; computing them takes longer than a short generation."""
    return strategy._rates(n)


def _effective(weights: Vector) -> float:
    """Return how many equal weights would average as much noise away."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def _transposed_root(covariance: Matrix) -> Matrix:
    """Return the transpose of a root of a symmetric matrix; signs of its eigenvalues do not count."""
    values, vectors = np.linalg.eigh(covariance)
    return np.ascontiguousarray((vectors * np.sqrt(np.abs(values))).T)


@kernel
def draw(strategy: Strategy, clip: bool, points: Matrix) -> None:
    """Draw the points of a generation, inside the box."""
    random, mean, sigma, transposed, _, normal, step, moved, _, lower, upper, scale = strategy
    n = mean.shape[0]
    for r in range(points.shape[0]):
        fill_normal(random, normal[r])
        if transposed.shape[0] == n:
            combine_rows(transposed, normal, r, step)
        else:
            for j in range(n):
                step[r, j] = transposed[0, j] * normal[r, j]
        moved[r] = False
        for j in range(n):
            unit = sigma[0] * scale[j]
            v = mean[j] + unit * step[r, j]
            if not lower[j] <= v <= upper[j]:
                if clip:
                    v = lower[j] if v < lower[j] else upper[j]
                    if unit > 0.0:
                        step[r, j] = (v - mean[j]) / unit
                        moved[r] = True
                else:
                    v = mirrored(v, lower[j], upper[j])
            points[r, j] = v


@inner
def combine_rows(rows: Matrix, coefficients: Matrix, r: int, sums: Matrix) -> None:
    """Write the sum of `rows`, each times a coefficient of row `r`, into row `r` of `sums`."""
    n = rows.shape[1]
    for i in range(n):
        sums[r, i] = 0.0
    for j in range(rows.shape[0]):
        c = coefficients[r, j]
        for i in range(n):
            sums[r, i] += c * rows[j, i]


@kernel
def adapt(strategy: Strategy, rates: Rates, values: Vector) -> None:
    """Move the mean, the path, the matrix and the step size towards the better half; nothing if all points failed."""
    _, mean, sigma, transposed, path, normal, step, moved, counters, lower, upper, scale = strategy
    weights, mu, mu_eff, c_sigma, _, _, damping, clip = rates
    n = mean.shape[0]
    order = np.empty(values.shape[0], dtype=np.int64)
    rank(pointer(values), pointer(order), values.shape[0])
    best, worst = values[order[0]], values[order[values.shape[0] - 1]]
    counters[FLAT] = 0 if worst - best > ROUNDING * abs(best) else counters[FLAT] + 1
    if not best < math.inf:
        return
    if clip:
        find_normals(transposed, step, moved, order, weights.shape[0], normal)
    for j in range(n):
        z = d = 0.0
        for m in range(mu):
            z += weights[m] * normal[order[m], j]
            d += weights[m] * step[order[m], j]
        path[j] = (1.0 - c_sigma) * path[j] + math.sqrt(c_sigma * (2.0 - c_sigma) * mu_eff) * z
        v, width = mean[j] + sigma[0] * scale[j] * d, upper[j] - lower[j]
        if not lower[j] - width <= v <= upper[j] + width:  # back by two widths: mirrored, that is the same point
            v = lower[j] + (v - lower[j]) % (2.0 * width) if width > 0.0 else lower[j]
        mean[j] = v
    learn(transposed, path, normal, step, order, rates)
    length = 0.0
    for j in range(n):
        length += path[j] * path[j]
    expected = math.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))
    # Clipped steps can make the path very long: the step size grows by e at most.
    sigma[0] *= math.exp(min(1.0, c_sigma / damping * (math.sqrt(length) / expected - 1.0)))
    sigma[0] = min(LARGEST, max(SMALLEST, sigma[0]))


@inner
def learn(transposed: Matrix, path: Vector, normal: Matrix, step: Matrix, order: Integers, rates: Rates) -> None:
    """Add the outer products of the path and of the best steps to the matrix."""
    n, weights = path.shape[0], rates.weights
    gains, total = np.empty(weights.shape[0]), 0.0  # what a point's product is worth
    for m in range(weights.shape[0]):
        total += weights[m]
        gains[m] = 0.5 * rates.c_mu * weights[m]
        if weights[m] < 0.0:  # however long a bad step is, it takes away no more than a step of the expected length
            length = 0.0
            for j in range(n):
                length += normal[order[m], j] * normal[order[m], j]
            gains[m] *= n / length if length > 0.0 else 0.0
    kept, one = 1.0 - 0.5 * (rates.c_1 + rates.c_mu * total), 0.5 * rates.c_1
    if transposed.shape[0] < n:
        for j in range(n):
            factor = kept + one * path[j] * path[j]
            for m in range(weights.shape[0]):
                factor += gains[m] * normal[order[m], j] * normal[order[m], j]
            transposed[0, j] *= max(0.1, factor)
        return
    along = np.empty(n)  # M times the path
    for i in range(n):
        along[i] = 0.0
    for j in range(n):
        for i in range(n):
            along[i] += path[j] * transposed[j, i]
    for j in range(n):
        c = one * path[j]
        for i in range(n):
            transposed[j, i] = kept * transposed[j, i] + c * along[i]
        for m in range(weights.shape[0]):
            r = order[m]
            c = gains[m] * normal[r, j]
            for i in range(n):
                transposed[j, i] += c * step[r, i]


@kernel
def turn(strategy: Strategy, rates: Rates, values: Vector, points: Matrix) -> None:
    """Adapt, and draw the next generation."""
    adapt(strategy, rates, values)
    draw(strategy, rates.clip, points)


@kernel
def adapt_on(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    points: Matrix,
    values: Vector,
    strategy: Strategy,
    rates: Rates,
    budget: int,
) -> int:
    """Go on from generation to generation."""
    ledger, counters, size = walk.ledger, strategy.counters, points.shape[0]
    while counters[USED] < budget:
        known = counters[EVALUATED]
        if known < size:
            end = min(size, known + budget - counters[USED])
            done = batch(walk, coordinates, points[known:end], values[known:end])
            if done <= 0:
                return done
            counters[USED] += end - known
            counters[EVALUATED] = end
            if ledger[RAISED]:
                return done
        if counters[EVALUATED] == size:
            turn(strategy, rates, values, points)
            counters[EVALUATED] = 0
        if ledger[COUNT] >= ledger[PAUSE]:
            break
    return 1
