"""CSO: the competitive swarm optimiser.

The swarm is paired at random. In each pair the better particle stays as it is; the other one learns from it and from
the centre of the swarm. There is no global and no personal best, which keeps large swarms diverse for long.

References
----------
.. [1] R. Cheng, Y. Jin, "A competitive swarm optimizer for large scale optimization", IEEE Transactions on Cybernetics
   45, 2015.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ter._jit import inner, kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import Integers
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.splitmix import GOLDEN, RandomState, below, mix, seed_random
from ter.heuristics.subspace import Matrix, uniform_members

__all__ = ["CSO", "CSOState"]

# From so many variables on: particles, and the pull towards the centre on separable and on other functions.
PUBLISHED = (
    (5000, 1500, 0.2, 0.2),
    (2000, 1000, 0.2, 0.2),
    (1000, 500, 0.15, 0.1),
    (500, 250, 0.1, 0.05),
    (1, 100, 0.0, 0.0),
)

PART = np.uint64((1 << 21) - 1)  # three random numbers of 21 bits each are cut from one of 64
UNIT = 1.0 / (1 << 21)


@dataclass
class Swarm:
    """The particles, and those of them that are being evaluated."""

    members: Matrix
    velocities: Matrix
    fitness: Vector
    rows: Matrix  # the particles that moved
    losers: Integers  # which ones they are
    evaluated: int  # how many of them have their values; the others wait for the next initiation


@dataclass
class CSOState:
    """What CSO keeps between its initiations. Its random numbers are its own."""

    rng: np.random.Generator
    random: RandomState
    swarm: Swarm | None = None  # before the first initiation


@dataclass(frozen=True)
class CSO:
    """The competitive swarm optimiser.

    Parameters
    ----------
    swarm : int, optional
        Particles; by default as published: 100, and 250, 500, 1000, 1500 from 500, 1000, 2000, 5000 variables on. The
        last particle of an odd swarm sits a generation out.
    phi : float, optional
        Pull towards the centre of the swarm; by default as published for functions that are not separable: 0, and
        0.05, 0.1, 0.2 from 500, 1000, 2000 variables on.
    evaluations : float
        Evaluations per initiation and variable. Where initiations end does not matter.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=[ter.heuristics.CSO(swarm=20)])
    >>> result.fun < 1e-2
    True
    """

    swarm: int | None = None
    phi: float | None = None
    evaluations: float = 25.0
    name: str = "cso"

    def __post_init__(self) -> None:
        if self.swarm is not None:
            require_whole("swarm", self.swarm, low=2)
        if self.phi is not None:
            require_in("phi", self.phi, low=0.0, high=np.inf)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def size(self, dimension: int) -> int:
        """Particles in so many variables."""
        return _published(dimension)[0] if self.swarm is None else self.swarm

    def pull(self, dimension: int) -> float:
        """The pull towards the centre in so many variables."""
        return _published(dimension)[2] if self.phi is None else self.phi

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the competition."""
        members, box = np.zeros((2, 1)), (np.zeros(1), np.ones(1))
        losers, rows = np.zeros(1, dtype=np.int64), np.zeros((1, 1))
        compete(np.ones(1, dtype=np.uint64), members, members.copy(), np.zeros(2), 0.1, box, losers, rows)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for the first swarm and two generations at least."""
        return max(2 * self.size(dimension), int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> CSOState:
        """Begin without a swarm."""
        return CSOState(rng, seed_random(rng))

    def act(self, state: CSOState, allowance: Allowance, rng: np.random.Generator) -> CSOState:
        """Go on from generation to generation."""
        dimension = allowance.dimension
        box, pull = (np.array(allowance.box.lower), np.array(allowance.box.upper)), self.pull(dimension)
        swarm = state.swarm
        if swarm is None:
            swarm = state.swarm = self._first(state.rng, allowance)
        else:
            _adopt(swarm, allowance.x, allowance.y)
        half = len(swarm.members) // 2
        while remaining := allowance.remaining:
            if swarm.evaluated == len(swarm.losers):
                if len(swarm.losers) > half:  # those of the first generation are all particles
                    swarm.rows, swarm.losers = np.empty((half, dimension)), np.empty(half, dtype=np.int64)
                s = swarm
                compete(state.random, s.members, s.velocities, s.fitness, pull, box, s.losers, s.rows)
                swarm.evaluated = 0
            known = swarm.evaluated
            end = min(len(swarm.losers), known + remaining)
            swarm.fitness[swarm.losers[known:end]] = allowance.evaluate(swarm.rows[known:end])
            swarm.evaluated = end
        return state

    def _first(self, rng: np.random.Generator, allowance: Allowance) -> Swarm:
        size = self.size(allowance.dimension)
        members, fitness = uniform_members(rng, size, allowance), np.full(size, np.inf)
        fitness[0] = allowance.y
        return Swarm(members, np.zeros_like(members), fitness, members, np.arange(size), evaluated=1)


def _published(dimension: int) -> tuple[int, float, float]:
    """Return the published size of the swarm, and the pull on separable and on other functions."""
    return next(row[1:] for row in PUBLISHED if dimension >= row[0])


def _adopt(swarm: Swarm, x: Vector, y: float) -> None:
    """Put an incumbent that others found in the place of the worst particle."""
    if y < swarm.fitness.min():
        worst = int(swarm.fitness.argmax())
        swarm.members[worst], swarm.fitness[worst] = x, y


@kernel
def compete(
    random: RandomState,
    members: Matrix,
    velocities: Matrix,
    fitness: Vector,
    pull: float,
    box: tuple[Vector, Vector],
    losers: Integers,
    rows: Matrix,
) -> None:
    """Pair the particles and move the loser of each pair; write which ones these are, and where they are."""
    size, n = members.shape
    order = np.empty(size, dtype=np.int64)
    for i in range(size):  # a random permutation
        j = below(random, i + 1)
        order[i] = order[j]
        order[j] = i
    center = np.empty(n)
    for j in range(n):
        center[j] = 0.0
    for i in range(size):
        for j in range(n):
            center[j] += members[i, j]
    for j in range(n):
        center[j] /= size
    for pair in range(losers.shape[0]):
        first, second = order[2 * pair], order[2 * pair + 1]
        loser, winner = (first, second) if fitness[first] > fitness[second] else (second, first)
        losers[pair] = loser
        learn_from(random, members, velocities, loser, winner, center, pull, box, rows, pair)


@inner
def learn_from(
    random: RandomState,
    members: Matrix,
    velocities: Matrix,
    loser: int,
    winner: int,
    center: Vector,
    pull: float,
    box: tuple[Vector, Vector],
    rows: Matrix,
    pair: int,
) -> None:
    """Move a particle towards the winner and the centre. Without branches, so it vectorises."""
    lower, upper = box
    counter, n = random[0], center.shape[0]
    for j in range(n):
        z = mix(counter + np.uint64(j + 1) * GOLDEN)
        x = members[loser, j]
        v = ((z >> np.uint64(43)) * UNIT) * velocities[loser, j]
        v += (((z >> np.uint64(22)) & PART) * UNIT) * (members[winner, j] - x)
        v += pull * ((((z >> np.uint64(1)) & PART) * UNIT) * (center[j] - x))
        velocities[loser, j] = v
        x = min(upper[j], max(lower[j], x + v))
        members[loser, j] = x
        rows[pair, j] = x
    random[0] = counter + np.uint64(n) * GOLDEN
