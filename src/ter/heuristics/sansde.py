"""SaNSDE: self-adaptive differential evolution with neighbourhood search, the optimiser of the DECC family.

References
----------
.. [1] Z. Yang, K. Tang, X. Yao, "Self-adaptive differential evolution with neighborhood search", CEC 2008.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ter._jit import kernel
from ter.core.box import Vector
from ter.core.ledger import Integers
from ter.heuristics.crossover import cross
from ter.heuristics.evolution import gaussian_around, write_row
from ter.heuristics.splitmix import RandomState, below, normal, seed_random, uniform
from ter.heuristics.subspace import Matrix, Subspace, Workspace

__all__ = ["Differing", "SaNSDE"]

LEARNING = 24  # generations between updates of the probabilities and of the mean crossover rate
REDRAW = 5  # generations between redraws of the crossover rates

# Fields of `learned`.
BEST_RULE = 0  # probability of current-to-best/2; otherwise rand/1
GAUSSIAN = 1  # probability of a Gaussian scale factor; otherwise Cauchy
RATE = 2  # mean crossover rate
# Fields of `successes`: successes and failures of the two rules, then of the two laws of the scale factor; last, the
# weighted sum of successful crossover rates and the sum of the weights.
RULES, LAWS, RATES = 0, 4, 8


@dataclass
class Differing:
    """A population under way, with its trials and what it has learned."""

    random: RandomState
    members: Matrix
    fitness: Vector
    trials: Matrix
    values: Vector
    learned: Vector
    successes: Vector
    rates: Vector
    choices: Integers
    generation: int  # -1 while the members themselves are evaluated
    evaluated: int  # trials whose values are known; the others wait for the next initiation
    used: int = 0  # evaluations


@dataclass(frozen=True)
class SaNSDE:
    """Differential evolution that learns which of two rules and two laws of the scale factor pay.

    Parameters
    ----------
    population : int
        Members.
    """

    population: int = 15

    def minimise(
        self, subspace: Subspace, members: Matrix, budget: int, rng: np.random.Generator, workspace: Workspace
    ) -> None:
        """Evolve a first population, whose first member is the center, for so many evaluations."""
        differing = self._around(members, workspace.matrix("trials", *members.shape), rng, 0.5)
        differing.used = subspace.first_fitness(members, differing.fitness, budget)
        self.go_on(differing, subspace, budget)

    def first(self, members: Matrix, rng: np.random.Generator, *, rate: float = 0.5) -> Differing:
        """Begin with members whose values are not known, and a mean crossover rate; nothing is evaluated."""
        differing = self._around(members, members.copy(), rng, rate)
        differing.generation, differing.evaluated = -1, 0
        return differing

    def go_on(self, differing: Differing, subspace: Subspace, budget: int) -> None:
        """Evolve until so many evaluations are used in all, or the allowance is used up."""
        size = len(differing.members)
        while differing.used < budget and (remaining := subspace.allowance.remaining):
            if differing.evaluated == size:
                self._begin_generation(differing, subspace)
            known = differing.evaluated
            end = min(size, known + min(budget - differing.used, remaining))
            differing.values[known:end] = subspace.evaluate(differing.trials[known:end])
            differing.used += end - known
            differing.evaluated = end
            if end == size:
                self._end_generation(differing)

    def _around(self, members: Matrix, trials: Matrix, rng: np.random.Generator, rate: float) -> Differing:
        size = len(members)
        return Differing(
            random=seed_random(rng),
            members=members,
            fitness=np.full(size, np.inf),
            trials=trials,
            values=np.empty(size),
            learned=np.array([0.5, 0.5, rate]),
            successes=_no_successes(),
            rates=np.empty(size),
            choices=np.empty((2, size), dtype=np.int64),
            generation=0,
            evaluated=size,
        )

    def _begin_generation(self, differing: Differing, subspace: Subspace) -> None:
        d, box = differing, (subspace.lower, subspace.upper)
        if d.generation % REDRAW == 0:
            draw_rates(d.random, d.learned[RATE], d.rates)
        vary_sansde(d.random, d.members, d.fitness, d.learned, d.rates, box, d.choices, d.trials)
        d.evaluated = 0

    def _end_generation(self, differing: Differing) -> None:
        d = differing
        if d.generation < 0:
            d.fitness[:] = d.values
        else:
            select_sansde(d.members, d.fitness, d.trials, d.values, d.rates, d.choices, d.successes)
        d.generation += 1
        if d.generation and d.generation % LEARNING == 0:
            learn(d.successes, d.learned)
            d.successes = _no_successes()

    def compile(self, *, compiled: bool) -> None:
        """Compile: the same for all kinds of objectives."""
        size = self.population
        random, members, fitness = np.ones(1, dtype=np.uint64), np.full((size, 2), 0.5), np.zeros(size)
        learned, rates, choices = np.full(3, 0.5), np.full(size, 0.5), np.zeros((2, size), dtype=np.int64)
        gaussian_around(np.random.default_rng(0), members[0].copy(), np.ones(2), np.zeros(2), np.ones(2), members)
        draw_rates(random, 0.5, rates)
        vary_sansde(random, members, fitness, learned, rates, (np.zeros(2), np.ones(2)), choices, members.copy())
        select_sansde(members, fitness, members.copy(), fitness.copy(), rates, choices, _no_successes())
        learn(_no_successes(), learned)


def _no_successes() -> Vector:
    successes = np.ones(10)
    successes[RATES:] = 0.0
    return successes


@kernel
def draw_rates(random: RandomState, mean: float, rates: Vector) -> None:
    """Draw a crossover rate in (0, 1) for each member."""
    for i in range(rates.shape[0]):
        rate = -1.0
        while not 0.0 < rate < 1.0:
            rate = mean + 0.1 * normal(random)
        rates[i] = rate


@kernel
def vary_sansde(
    random: RandomState,
    members: Matrix,
    fitness: Vector,
    learned: Vector,
    rates: Vector,
    box: tuple[Vector, Vector],
    choices: Integers,
    trials: Matrix,
) -> None:
    """Write one trial per member; `choices` tells the rule and the law used."""
    lower, upper = box
    size, k = members.shape
    best = np.argmin(fitness)
    taken = np.empty(k, dtype=np.bool_)
    for i in range(size):
        a, b, c, d = below(random, size), below(random, size), below(random, size), below(random, size)
        if uniform(random) < learned[GAUSSIAN]:
            choices[1, i] = 0
            scale = abs(0.5 + 0.3 * normal(random))
        else:
            choices[1, i] = 1
            scale = abs(normal(random) / normal(random))
        choices[0, i] = 0 if uniform(random) < learned[BEST_RULE] else 1
        cross(random, rates[i], True, taken)
        for j in range(k):
            x = members[i, j]
            if choices[0, i] == 0:
                v = x + scale * (members[best, j] - x)
                v += scale * (members[a, j] - members[b, j] + members[c, j] - members[d, j])
            else:
                v = members[c, j] + scale * (members[a, j] - members[b, j])
            width = upper[j] - lower[j]
            # Outside: reflected at the bound, as often as needed.
            if v > upper[j]:
                v = upper[j] - (v - upper[j]) % width if width > 0.0 else upper[j]
            elif v < lower[j]:
                v = lower[j] + (lower[j] - v) % width if width > 0.0 else lower[j]
            trials[i, j] = v if taken[j] else x


@kernel
def select_sansde(
    members: Matrix,
    fitness: Vector,
    trials: Matrix,
    values: Vector,
    rates: Vector,
    choices: Integers,
    successes: Vector,
) -> None:
    """Replace members by trials that are not worse, and count which choices succeeded."""
    for i in range(members.shape[0]):
        better = values[i] < fitness[i]
        outcome = 0 if better else 1
        successes[RULES + 2 * choices[0, i] + outcome] += 1.0
        successes[LAWS + 2 * choices[1, i] + outcome] += 1.0
        if better:
            gain = fitness[i] - values[i] if fitness[i] < math.inf else 1.0
            successes[RATES] += gain * rates[i]
            successes[RATES + 1] += gain
        if values[i] <= fitness[i] and values[i] < math.inf:
            write_row(members, i, trials[i])
            fitness[i] = values[i]


@kernel
def learn(successes: Vector, learned: Vector) -> None:
    """Update the probabilities from the shares of successes, and the mean crossover rate from the gains."""
    for choice, first in ((BEST_RULE, RULES), (GAUSSIAN, LAWS)):
        one = successes[first] / (successes[first] + successes[first + 1])
        other = successes[first + 2] / (successes[first + 2] + successes[first + 3])
        learned[choice] = one / (one + other)
    if 0.0 < successes[RATES + 1] < math.inf:
        learned[RATE] = min(0.99, max(0.01, successes[RATES] / successes[RATES + 1]))
