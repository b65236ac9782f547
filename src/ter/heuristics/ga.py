"""A genetic algorithm with real numbers, as in MOS: tournaments, blend crossover, Gaussian mutation, elitism.

References
----------
.. [1] L. Eshelman, J. Schaffer, "Real-coded genetic algorithms and interval-schemata", FOGA 2, 1993.
.. [2] A. LaTorre, S. Muelas, J.-M. Peña, "Large scale global optimization: experimental results with MOS-based hybrid
   algorithms", CEC 2013.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ter._jit import kernel
from ter.core.allowance import Allowance
from ter.core.box import Box, Vector
from ter.core.ledger import COUNT, LIMIT, PAUSE, RAISED, Integers, Walk
from ter.engines.compiled import compile_batches
from ter.heuristics.checks import require_in, require_whole
from ter.heuristics.evolution import uniform_in, write_row
from ter.heuristics.ranking import rank
from ter.heuristics.splitmix import RandomState, below, normal, seed_random, uniform
from ter.heuristics.subspace import EVERYTHING, Matrix
from ter.objectives.unchecked import hold, pointer

__all__ = ["GA", "GAState"]


class Genes(NamedTuple):
    """A population under way."""

    random: RandomState
    members: Matrix
    fitness: Vector
    children: Matrix
    values: Vector
    known: Integers  # one slot: how many of the children's values are known
    lower: Vector
    upper: Vector
    scale: Vector


class Rates(NamedTuple):
    """How children come about."""

    crossover: float
    blend: float
    mutation: float
    deviation: float


@dataclass
class GAState:
    """What the genetic algorithm keeps between its initiations: its population, None before the first one."""

    genes: Genes | None = None


@dataclass(frozen=True)
class GA:
    """A genetic algorithm on all coordinates, whose population is kept, with the settings of MOS.

    The first population is the incumbent and uniform points of the box. Parents win tournaments of two. Of parents and
    children the best survive. Between initiations the incumbent takes the place of the worst member if it is better
    than all.

    Parameters
    ----------
    population : int
        Members, and children of a generation; >= 2.
    crossover : float
        Probability that a child has two parents; otherwise it begins as a copy of one.
    blend : float
        Each coordinate of such a child is drawn uniformly from the parents' interval, longer at both ends by this
        fraction of it.
    mutation : float
        Probability of each coordinate to mutate.
    deviation : float
        Standard deviation of a mutation, as a fraction of the box's scale; the paper does not tell.
    evaluations : float
        Evaluations per initiation and variable.

    Examples
    --------
    >>> import ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=5), budget=4_000, rng=1,
    ...                       heuristics=[GA(population=50)])
    >>> result.fun < 1e-2
    True
    """

    population: int = 400
    crossover: float = 0.9
    blend: float = 0.5
    mutation: float = 0.01
    deviation: float = 0.1
    evaluations: float = 25.0
    name: str = "ga"

    def __post_init__(self) -> None:
        require_whole("population", self.population, low=2)
        for name in ("crossover", "mutation"):
            require_in(name, getattr(self, name), low=0.0, high=1.0)
        for name in ("blend", "deviation"):
            require_in(name, getattr(self, name), low=0.0, high=np.inf)
        require_in("evaluations", self.evaluations, low=0.0, high=np.inf, open_low=True)

    def cost(self, dimension: int) -> int:
        """Evaluations of one initiation; enough for two generations at least."""
        return max(2 * self.population, int(self.evaluations * dimension))

    def start(self, box: Box, rng: np.random.Generator) -> GAState:
        """Begin without a population."""
        return GAState()

    def act(self, state: GAState, allowance: Allowance, rng: np.random.Generator) -> GAState:
        """Breed generation after generation until the allowance is used up."""
        if state.genes is None:
            state.genes = self._first(allowance.x, allowance.y, allowance.box, rng)
        genes = state.genes
        children = genes.values[: genes.known[0]]  # among them may be the incumbent
        if allowance.y < min(genes.fitness.min(), children.min(initial=np.inf)):
            worst = int(genes.fitness.argmax())
            genes.members[worst], genes.fitness[worst] = allowance.x, allowance.y
        while allowance.remaining:
            allowance.run_batches(generations, EVERYTHING, genes.children, genes.values, genes, self._rates)
        return state

    def warm_up(self, *, compiled: bool) -> None:
        """Compile the generations."""
        genes = self._first(np.zeros(2), 1.0, Box(np.zeros(2), np.ones(2)), np.random.default_rng(0))
        genes.values[:] = 1.0
        survive(genes)
        breed(genes, self._rates)
        if compiled:
            compile_batches(generations, (EVERYTHING, genes.children, genes.values, genes, self._rates))

    @property
    def _rates(self) -> Rates:
        return Rates(float(self.crossover), float(self.blend), float(self.mutation), float(self.deviation))

    def _first(self, x: Vector, y: float, box: Box, rng: np.random.Generator) -> Genes:
        """Make the first population: the incumbent, whose first children are uniform points."""
        n = self.population
        genes = Genes(
            random=seed_random(rng),
            members=np.repeat(x[None, :], n, axis=0),
            fitness=np.full(n, np.inf),
            children=np.empty((n, box.dimension)),
            values=np.full(n, np.inf),
            known=np.zeros(1, dtype=np.int64),
            lower=box.lower.copy(),
            upper=box.upper.copy(),
            scale=box.scale.copy(),
        )
        genes.fitness[0] = y
        uniform_in(rng, genes.lower, genes.lower, genes.upper, genes.children)
        genes.children[0] = genes.lower + rng.random(box.dimension) * (genes.upper - genes.lower)
        return genes


@kernel
def breed(genes: Genes, rates: Rates) -> None:
    """Write the children of tournaments' winners."""
    random, members, fitness, children, _, _, lower, upper, scale = genes
    n, dimension = members.shape
    for r in range(n):
        first, second = below(random, n), below(random, n)
        parent = first if fitness[first] <= fitness[second] else second
        first, second = below(random, n), below(random, n)
        other = first if fitness[first] <= fitness[second] else second
        write_row(children, r, members[parent])
        if uniform(random) < rates.crossover:
            for j in range(dimension):
                low = min(members[parent, j], members[other, j])
                length = max(members[parent, j], members[other, j]) - low
                v = low + length * ((1.0 + 2.0 * rates.blend) * uniform(random) - rates.blend)
                children[r, j] = min(max(v, lower[j]), upper[j])
        # From one mutation to the next the distance is geometric: one logarithm instead of D random numbers.
        j = -1
        while rates.mutation > 0.0:
            skip = math.log(1.0 - uniform(random)) / math.log1p(-rates.mutation) if rates.mutation < 1.0 else 0.0
            if skip >= dimension - 1 - j:
                break
            j += 1 + int(skip)
            v = children[r, j] + rates.deviation * scale[j] * normal(random)
            children[r, j] = min(max(v, lower[j]), upper[j])


@kernel
def survive(genes: Genes) -> None:
    """Keep the best of members and children; children take the places of members that do not survive."""
    members, fitness, values = genes.members, genes.fitness, genes.values
    n = fitness.shape[0]
    both, ranking = np.empty(2 * n), np.empty(2 * n, dtype=np.int64)
    for i in range(n):
        both[i], both[n + i] = fitness[i], values[i]
    rank(pointer(both), pointer(ranking), 2 * n)
    hold(both)
    better, worse = 0, n
    while True:
        while better < n and ranking[better] < n:
            better += 1
        while worse < 2 * n and ranking[worse] >= n:
            worse += 1
        if better == n or worse == 2 * n:
            return
        child, place = ranking[better] - n, int(ranking[worse])
        write_row(members, place, genes.children[child])
        fitness[place] = values[child]
        better += 1
        worse += 1


@kernel
def generations(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    children: Matrix,
    values: Vector,
    genes: Genes,
    rates: Rates,
) -> int:
    """Go on from generation to generation."""
    ledger, known, n = walk.ledger, genes.known, values.shape[0]
    while ledger[COUNT] < ledger[LIMIT]:
        if known[0] < n:  # or the last call ended with a failure in a whole generation
            end = min(n, known[0] + ledger[LIMIT] - ledger[COUNT])
            done = batch(walk, coordinates, children[known[0] : end], values[known[0] : end])
            if done <= 0:
                return done
            known[0] = end
            if ledger[RAISED]:
                return done
        if known[0] == n:
            survive(genes)
            breed(genes, rates)
            known[0] = 0
        if ledger[COUNT] >= ledger[PAUSE]:
            break
    return 1
