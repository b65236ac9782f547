"""CC-CMA-ES: cooperative coevolution with an evolution strategy on groups made from learned variances.

There is one mean, one step size and one covariance matrix for the whole run. Group after group, a strategy gets its
part of them, adapts it for a few generations and gives it back. When all groups were visited, new ones are made: of
similar variances (MiVD), of different ones (MaVD), or at random (RaVD). How often a way of grouping is taken depends
on what it brought.

References
----------
.. [1] J. Liu, K. Tang, "Scaling up covariance matrix adaptation evolution strategy using cooperative coevolution",
   IDEAL 2013.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.ma_es import MAES, USED, Adapting
from ter.heuristics.subspace import Matrix, Subspace

__all__ = ["CCCMAES", "CCCMAESState", "Covariance", "different_variances", "random_groups", "similar_variances"]

FULL = 10_000  # variables: beyond, the covariances would take more than a gigabyte, and only variances are kept


def similar_variances(variances: Vector, size: int, rng: np.random.Generator) -> list[Integers]:
    """Put neighbours in the order of the variances into one group (MiVD).

    Examples
    --------
    >>> similar_variances(np.array([3.0, 1.0, 4.0, 2.0]), 2, np.random.default_rng(1))
    [array([1, 3]), array([0, 2])]
    """
    return _cut(np.argsort(variances, kind="stable"), size)


def different_variances(variances: Vector, size: int, rng: np.random.Generator) -> list[Integers]:
    """Deal the variables in the order of their variances out to all groups (MaVD).

    Examples
    --------
    >>> different_variances(np.array([3.0, 1.0, 4.0, 2.0]), 2, np.random.default_rng(1))
    [array([0, 1]), array([2, 3])]
    """
    order, count = np.argsort(variances, kind="stable"), -(-len(variances) // size)
    return [np.sort(order[first::count]) for first in range(count)]


def random_groups(variances: Vector, size: int, rng: np.random.Generator) -> list[Integers]:
    """Group at random (RaVD)."""
    return _cut(rng.permutation(len(variances)), size)


def _cut(order: Integers, size: int) -> list[Integers]:
    return [np.sort(order[first : first + size]) for first in range(0, len(order), size)]


Grouping = Callable[[Vector, int, np.random.Generator], list[Integers]]
GROUPINGS: tuple[Grouping, ...] = (similar_variances, different_variances, random_groups)
TITLES = ("MiVD", "MaVD", "RaVD")


class Covariance:
    """The covariance matrix of all variables; in very many of them the variances only.

    Examples
    --------
    >>> covariance = Covariance(3)
    >>> covariance.learn(np.array([0, 2]), np.array([[4.0, 1.0], [1.0, 2.0]]))
    >>> covariance.of(np.array([0, 1]))
    array([[4., 0.],
           [0., 1.]])
    """

    def __init__(self, dimension: int, *, full: int = FULL) -> None:
        self.variances = np.ones(dimension)
        self._matrix = np.eye(dimension) if dimension <= full else None

    def of(self, group: Integers) -> Matrix:
        """Return the part of a group."""
        part: Matrix = np.diag(self.variances[group]) if self._matrix is None else self._matrix[np.ix_(group, group)]
        return part

    def learn(self, group: Integers, matrix: Matrix) -> None:
        """Replace the part of a group."""
        self.variances[group] = np.diagonal(matrix)
        if self._matrix is not None:
            self._matrix[np.ix_(group, group)] = matrix


@dataclass
class CCCMAESState:
    """What CC-CMA-ES keeps between its initiations. Its random numbers are its own."""

    rng: np.random.Generator
    covariance: Covariance
    sigma: float
    credit: Matrix  # per grouping: what its last sweeps brought; 1 where it was not tried
    mean: Vector | None = None  # before the first initiation
    sweep: int = 0
    grouping: int = 0
    before: float = np.inf  # the incumbent's value when the sweep began
    groups: list[Integers] = field(default_factory=list)  # still to be visited
    adapting: Adapting | None = None  # the strategy on the first of these, once it was begun
    total: int = 0  # groups of the sweep

    @property
    def remark(self) -> str:
        """Say which grouping, and how far the sweep has come."""
        left = len(self.groups)
        return f"{TITLES[self.grouping]}, group {self.total - left + (left > 0)} of {self.total}" if self.total else ""


@dataclass(frozen=True)
class CCCMAES:
    """Cooperative coevolution with an evolution strategy on groups made from learned variances.

    Parameters
    ----------
    group : int
        Variables per group.
    population : int
        Points per generation.
    depth : int
        Evaluations per group and sweep, rounded up to whole generations.
    spread : float
        First step size, as a fraction of the box's scale.
    window : int
        How many sweeps decide which grouping is taken.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=["cc-cma-es"])
    >>> result.fun < 1e-2
    True
    """

    group: int = 50
    population: int = 50
    depth: int = 500
    spread: float = 0.5
    window: int = 5
    evaluations: float = 25.0
    name: str = "cc-cma-es"

    def __post_init__(self) -> None:
        require_whole("group", self.group, low=1)
        require_whole("population", self.population, low=2)
        require_whole("depth", self.depth, low=1)
        require_in("spread", self.spread, low=0.0, high=10.0, open_low=True)
        require_whole("window", self.window, low=1)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the strategy's kernels."""
        self._strategy.compile(compiled=compiled)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for a group at least."""
        return max(self._share, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> CCCMAESState:
        """Begin with a matrix that knows nothing, and with equal credit for all groupings."""
        return CCCMAESState(rng, Covariance(box.dimension), self.spread, np.ones((len(GROUPINGS), self.window)))

    def act(self, state: CCCMAESState, allowance: Allowance, rng: np.random.Generator) -> CCCMAESState:
        """Go on with the sweep; each strategy works around the incumbent with a mean of its own."""
        if state.mean is None:
            state.mean = allowance.x
        while allowance.remaining:
            if not state.groups:
                self._begin_sweep(state, allowance.y)
            group = state.groups[0]
            subspace, strategy = Subspace.of(allowance, group), self._strategy
            if state.adapting is None:
                state.adapting = strategy.first(
                    subspace, state.mean[group], state.rng, sigma=state.sigma, covariance=state.covariance.of(group)
                )
            strategy.go_on(state.adapting, subspace, self._share)
            adapted = state.adapting.strategy
            if adapted.counters[USED] == self._share:
                state.mean[group], state.sigma = adapted.mean, float(adapted.sigma[0])
                state.covariance.learn(group, state.adapting.covariance)
                state.adapting = None
                del state.groups[0]
                if not state.groups:
                    _reward(state, allowance.y)
        return state

    def _begin_sweep(self, state: CCCMAESState, y: float) -> None:
        merit = np.exp(state.credit.sum(axis=1) - state.credit.sum(axis=1).max())
        state.grouping = int(state.rng.choice(len(GROUPINGS), p=merit / merit.sum()))
        state.groups = GROUPINGS[state.grouping](state.covariance.variances, self.group, state.rng)
        state.before, state.total = y, len(state.groups)

    @property
    def _share(self) -> int:
        return -(-self.depth // self.population) * self.population

    @property
    def _strategy(self) -> MAES:
        return MAES(self.population, self.spread, bounds="clip", active=False)


def _reward(state: CCCMAESState, y: float) -> None:
    """Note by which share the sweep has improved the value; the others get 1 again, so that they are tried some day."""
    before, column = state.before, state.sweep % state.credit.shape[1]
    state.credit[:, column] = 1.0
    if np.isfinite(before):
        state.credit[state.grouping, column] = min(1.0, (before - y) / abs(before)) if before != 0.0 else 0.0
    state.sweep += 1
