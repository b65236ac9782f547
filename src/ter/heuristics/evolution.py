"""The machinery of success-history differential evolution, shared by the global search and by cooperative coevolution.

A generation is *vary* (compiled), *evaluate a batch* (whatever the objective is), *select* (compiled). The loop over
generations exists once: around a compiled objective it runs compiled, too.

The population may shrink as in L-SHADE [2]_. The crossover rate's memory learns the weighted mean of the successful
rates, as in SHADE [1]_; L-SHADE's Lehmer mean favours large rates, which costs much where variables are separable:
cooperative coevolution alone ended at 36 instead of 5.8 on LSO13's Rastrigin function (3 million evaluations, seed 1).

The *loose* variant is that of SHADE-ILS's program [3]_: scale factors are normal instead of Cauchy and may be negative
or above 1, crossover rates may leave [0, 1], no coordinate crosses over for certain, and the second difference comes
from the archive alone, which begins as a copy of the population.

References
----------
.. [1] R. Tanabe, A. Fukunaga, "Success-history based parameter adaptation for differential evolution", CEC 2013.
.. [2] R. Tanabe, A. Fukunaga, "Improving the search performance of SHADE using linear population size reduction",
   CEC 2014.
.. [3] D. Molina, A. LaTorre, F. Herrera, "SHADE with iterative local search for large-scale global optimization",
   CEC 2018.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ter._jit import inner, kernel
from ter.core.box import Vector
from ter.core.ledger import COUNT, PAUSE, RAISED, Integers, Walk
from ter.engines.compiled import compile_batches
from ter.heuristics.crossover import cross
from ter.heuristics.ranking import rank
from ter.heuristics.splitmix import RandomState, below, cauchy, normal, seed_random, uniform
from ter.heuristics.subspace import EVERYTHING, Matrix, Subspace, Workspace
from ter.objectives.unchecked import pointer

__all__ = ["DRAWN_GREED", "Evolving", "Shade", "adopt", "archive_all", "gaussian_around", "uniform_in"]

DRAWN_GREED = 0.0  # as a share: it is drawn for each trial
TERMINAL = -1.0  # marks a memory cell whose successful crossover rates were all 0; it stays so

# Fields of the counters.
SIZE = 0  # members
ARCHIVED = 1  # rows of the archive in use
CELL = 2  # memory cell to be written next
USED = 3  # evaluations
EVALUATED = 4  # trials whose values are known; the others wait for the next initiation


class Population(NamedTuple):
    """What evolves."""

    random: RandomState
    members: Matrix
    fitness: Vector
    counters: Integers
    archive: Matrix
    history: Matrix  # rows: scale factor, crossover rate
    drawn: Matrix  # the same for the trials
    lower: Vector
    upper: Vector


class Course(NamedTuple):
    """How it is to evolve."""

    most: int  # members at the beginning
    least: int  # and at the end
    greed: float
    archive: float  # rows of the archive per member
    budget: int
    loose: bool = False  # the variant of SHADE-ILS's program


class Evolving(NamedTuple):
    """A population under way, with its trials."""

    population: Population
    trials: Matrix
    values: Vector


@dataclass(frozen=True)
class Shade:
    """Success-history adaptive differential evolution (current-to-pbest/1/bin with an archive).

    Parameters
    ----------
    population : (int, int)
        First and last size; it shrinks linearly with the evaluations used.
    memory : int
        Cells of the success history.
    greed : float
        Share of the population that counts as best; `DRAWN_GREED` to draw it for each trial, from 2 members to 0.2.
    archive : float
        Size of the archive, as a multiple of the population.
    loose : bool
        The variant of SHADE-ILS's program; see above.
    """

    population: tuple[int, int]
    memory: int = 6
    greed: float = 0.11
    archive: float = 2.6
    loose: bool = False

    def minimise(
        self, subspace: Subspace, members: Matrix, budget: int, rng: np.random.Generator, workspace: Workspace
    ) -> None:
        """Evolve a first population, whose first member is the center, for so many evaluations."""
        evolving = self.first(subspace, members, budget, rng, workspace)
        self.go_on(evolving, subspace, budget)

    def first(
        self, subspace: Subspace, members: Matrix, budget: int, rng: np.random.Generator, workspace: Workspace
    ) -> Evolving:
        """Evaluate a first population, as far as the budget goes, and write the first trials."""
        evolving = self._around(members, subspace.lower, subspace.upper, seed_random(rng), workspace)
        population = evolving.population
        population.counters[USED] = subspace.first_fitness(members, population.fitness, budget)
        if self.loose:
            archive_all(population)
        vary(population, self.greed, self.loose, evolving.trials)
        return evolving

    def go_on(self, evolving: Evolving, subspace: Subspace, budget: int) -> None:
        """Evolve for so many evaluations, those that are counted as used included."""
        course = Course(*self.population, self.greed, self.archive, budget, self.loose)
        while evolving.population.counters[USED] < budget and subspace.allowance.remaining:
            subspace.run(evolve, evolving.trials, evolving.values, evolving.population, course)

    def compile(self, *, compiled: bool) -> None:
        """Compile for compiled objectives, or for others."""
        members, lower, upper = np.full((self.population[0], 2), 0.5), np.zeros(2), np.ones(2)
        gaussian_around(np.random.default_rng(0), members[0].copy(), upper, lower, upper, members)
        population, trials, values = self._around(members, lower, upper, np.ones(1, dtype=np.uint64), Workspace())
        if self.loose:
            archive_all(population)
        vary(population, self.greed, self.loose, trials)
        course = Course(*self.population, self.greed, self.archive, 120, self.loose)
        if compiled:
            compile_batches(evolve, (EVERYTHING, trials, values, population, course))
        else:
            select(population, course, trials, np.ones(self.population[0]))

    def _around(
        self, members: Matrix, lower: Vector, upper: Vector, random: RandomState, workspace: Workspace
    ) -> Evolving:
        most, k = members.shape
        population = Population(
            random=random,
            members=members,
            fitness=np.full(most, np.inf),
            counters=np.array([most, 0, 0, 0, 0]),
            archive=workspace.matrix("archive", max(1, round(self.archive * most)), k),
            history=np.full((2, self.memory), 0.5),
            drawn=np.empty((2, most)),
            lower=lower,
            upper=upper,
        )
        return Evolving(population, workspace.matrix("trials", most, k), np.empty(most))


def gaussian_around(
    rng: np.random.Generator, center: Vector, spread: Vector, lower: Vector, upper: Vector, members: Matrix
) -> None:
    """Fill `members`: the center first, then Gaussian points around it.

    Coordinates outside the box are drawn uniformly from their range.

    Examples
    --------
    >>> zero, one, members = np.zeros(2), np.ones(2), np.empty((3, 2))
    >>> gaussian_around(np.random.default_rng(1), zero, 0.1 * one, -one, one, members)
    >>> members[0]
    array([0., 0.])
    """
    rng.standard_normal(out=members)
    place(seed_random(rng), center, spread, lower, upper, members)


@inner
def write_row(rows: Matrix, r: int, row: Vector) -> None:
    """Replace a row; Numba's own assignment to a slice takes two seconds to compile."""
    for j in range(row.shape[0]):
        rows[r, j] = row[j]


def uniform_in(rng: np.random.Generator, center: Vector, lower: Vector, upper: Vector, members: Matrix) -> None:
    """Fill `members`: the center first, then uniform points of the box.

    Examples
    --------
    >>> zero, one, members = np.zeros(2), np.ones(2), np.empty((3, 2))
    >>> uniform_in(np.random.default_rng(1), zero, -one, one, members)
    >>> members[0]
    array([0., 0.])
    """
    rng.random(out=members)
    members *= upper - lower
    members += lower
    np.minimum(members, upper, out=members)  # rounding may lead beyond
    members[0] = center


@kernel
def place(random: RandomState, center: Vector, spread: Vector, lower: Vector, upper: Vector, members: Matrix) -> None:
    """Turn standard normal numbers into members around the center, inside the box."""
    write_row(members, 0, center)
    for r in range(1, members.shape[0]):
        for j in range(members.shape[1]):
            v = center[j] + spread[j] * members[r, j]
            if not (lower[j] <= v <= upper[j]):
                v = min(lower[j] + uniform(random) * (upper[j] - lower[j]), upper[j])
            members[r, j] = v


@inner
def combine(
    parent: Vector,
    best: Vector,
    first: Vector,
    second: Vector,
    scale: float,
    taken: NDArray[np.bool_],
    lower: Vector,
    upper: Vector,
    trial: Vector,
) -> None:
    """Write the trial: current-to-pbest/1 where `taken`, the parent elsewhere. Without branches, so it vectorises."""
    for j in range(trial.shape[0]):
        x = parent[j]
        v = x + scale * (best[j] - x) + scale * (first[j] - second[j])
        # Outside: half-way between the parent and the bound.
        v = 0.5 * (x + lower[j]) if v < lower[j] else v
        v = 0.5 * (x + upper[j]) if v > upper[j] else v
        trial[j] = v if taken[j] else x


@kernel
def vary(population: Population, greed: float, loose: bool, trials: Matrix) -> None:
    """Write one trial per member, and the scale factors and crossover rates drawn for them."""
    random, members, fitness, counters, archive, history, drawn, lower, upper = population
    size, archived = counters[SIZE], counters[ARCHIVED]
    ranking = np.empty(size, dtype=np.int64)
    rank(pointer(fitness), pointer(ranking), size)
    elite = max(min(2, size), round(greed * size))
    k = members.shape[1]
    taken = np.empty(k, dtype=np.bool_)
    for i in range(size):
        cell = below(random, history.shape[1])
        rate = scale = 0.0
        if loose:
            rate = history[1, cell] + 0.1 * normal(random)
            scale = history[0, cell] + 0.1 * normal(random)
        else:
            if history[1, cell] != TERMINAL:
                rate = min(1.0, max(0.0, history[1, cell] + 0.1 * normal(random)))
            while scale <= 0.0:
                scale = history[0, cell] + 0.1 * cauchy(random)
            scale = min(1.0, scale)
        drawn[0, i], drawn[1, i] = scale, rate
        if greed == DRAWN_GREED:
            elite = max(min(2, size), round(2 + (0.2 * size - 2) * uniform(random)))
        best = ranking[below(random, elite)]
        first = below(random, size)
        while first == i and size > 1:
            first = below(random, size)
        if loose and archived > 0:
            second = size + below(random, archived)
        else:
            second = below(random, size + archived)
            while second in (i, first) and size + archived > 2:
                second = below(random, size + archived)
        other = members[second] if second < size else archive[second - size]
        cross(random, min(1.0, max(0.0, rate)), not loose, taken)
        combine(members[i], members[best], members[first], other, scale, taken, lower, upper, trials[i])


@kernel
def select(population: Population, course: Course, trials: Matrix, values: Vector) -> None:
    """Replace members by trials that are not worse, learn from those that are better, and shrink."""
    random, members, fitness, counters, archive, history, drawn, _, _ = population
    size = counters[SIZE]
    weight = scale = scale2 = rate = 0.0
    for i in range(size):
        y = values[i]
        if y < fitness[i]:
            # The first finite value of a member cannot be weighed against infinity: it counts as its own size.
            gain = fitness[i] - y if fitness[i] < math.inf else 1.0
            weight += gain
            scale += gain * drawn[0, i]
            scale2 += gain * drawn[0, i] * drawn[0, i]
            rate += gain * drawn[1, i]
            if counters[ARCHIVED] < archive.shape[0]:
                write_row(archive, counters[ARCHIVED], members[i])
                counters[ARCHIVED] += 1
            else:
                write_row(archive, below(random, archive.shape[0]), members[i])
        if y <= fitness[i] and y < math.inf:
            write_row(members, i, trials[i])
            fitness[i] = y
    if weight > 0.0 and weight < math.inf:
        cell = counters[CELL]
        if scale != 0.0:  # factors of both signs may cancel
            history[0, cell] = scale2 / scale  # weighted Lehmer mean
        if not course.loose and (history[1, cell] == TERMINAL or rate == 0.0):
            history[1, cell] = TERMINAL
        else:
            history[1, cell] = rate / weight  # weighted mean
        counters[CELL] = (cell + 1) % history.shape[1]
    wanted = round(course.most + (course.least - course.most) * counters[USED] / course.budget)
    if wanted < size:
        shrink(members, fitness, counters, archive, wanted, max(1, round(course.archive * wanted)))


@kernel
def evolve(
    batch: Callable[[Walk, Integers, Matrix, Vector], int],
    walk: Walk,
    coordinates: Integers,
    trials: Matrix,
    values: Vector,
    population: Population,
    course: Course,
) -> int:
    """Go on from generation to generation; small populations would spend most of their time on calls from Python."""
    ledger, counters = walk.ledger, population.counters
    while counters[USED] < course.budget:
        known = counters[EVALUATED]
        if known < counters[SIZE]:
            end = min(counters[SIZE], known + course.budget - counters[USED])
            done = batch(walk, coordinates, trials[known:end], values[known:end])
            if done <= 0:
                return done
            counters[USED] += end - known
            counters[EVALUATED] = end
            if ledger[RAISED]:
                return done
        if counters[EVALUATED] == counters[SIZE]:
            select(population, course, trials, values)
            vary(population, course.greed, course.loose, trials)
            counters[EVALUATED] = 0
        if ledger[COUNT] >= ledger[PAUSE]:
            break
    return 1


@inner
def shrink(members: Matrix, fitness: Vector, counters: Integers, archive: Matrix, wanted: int, room: int) -> None:
    """Drop the worst members until `wanted` are left, and the last rows of the archive beyond `room`."""
    while counters[SIZE] > wanted:
        size = counters[SIZE]
        worst = 0
        for i in range(1, size):
            if fitness[i] > fitness[worst]:
                worst = i
        if worst != size - 1:
            write_row(members, worst, members[size - 1])
            fitness[worst] = fitness[size - 1]
        counters[SIZE] = size - 1
    counters[ARCHIVED] = min(counters[ARCHIVED], room)


@kernel
def archive_all(population: Population) -> None:
    """Begin the archive anew with a copy of all members, as far as there is room."""
    counters, archive = population.counters, population.archive
    counters[ARCHIVED] = min(counters[SIZE], archive.shape[0])
    for i in range(counters[ARCHIVED]):
        write_row(archive, i, population.members[i])


def adopt(population: Population, x: Vector, y: float) -> None:
    """Put a point that is better than all members in the place of the worst."""
    fitness = population.fitness[: population.counters[SIZE]]
    if y < fitness.min():
        worst = int(fitness.argmax())
        population.members[worst], fitness[worst] = x, y
