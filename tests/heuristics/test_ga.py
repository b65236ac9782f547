"""The genetic algorithm of MOS."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import ter
from ter.heuristics.ga import GA, Rates, breed, survive
from ter.testing.rehearsal import Rehearsal, sphere
from tests.spies import minimize_on, same_run

BOX = ter.box(-5, 5, dimension=60)


def grown(fitness, rates=(0.0, 0.5, 0.0, 0.1), seed=1):
    """A population whose member i is at i everywhere, with its children."""
    n = len(fitness)
    genes = GA(n)._first(np.zeros(60), 0.0, ter.box(-n, 2 * n, dimension=60), np.random.default_rng(seed))
    genes.members[:], genes.fitness[:] = np.arange(n)[:, None], fitness
    breed(genes, Rates(*rates))
    return genes


def test_parents_win_tournaments_of_two():
    n = 2000
    parents = grown(np.arange(n, dtype=float)).children[:, 0]  # copies: no crossover, no mutation
    # The better of two uniform members: its rank has the distribution 1 - (1 - u)**2.
    assert stats.kstest(parents / n, lambda u: 1 - (1 - np.clip(u, 0, 1)) ** 2).pvalue > 1e-3


def test_blending_draws_from_the_parents_interval_longer_by_half_at_both_ends():
    genes = grown([0.0, 0.0], rates=(1.0, 0.5, 0.0, 0.1), seed=3)  # parents at 0 and 1, or twice the same
    children = genes.children
    wide = children[np.ptp(children, axis=1) > 0]
    assert len(wide) > 0 and stats.kstest((wide[0] + 0.5) / 2, "uniform").pvalue > 1e-3
    assert ((children >= -0.5) & (children <= 1.5)).all()


@pytest.mark.parametrize("rate", [0.01, 0.3, 1.0])
def test_each_coordinate_mutates_with_its_probability(rate):
    n = 400
    genes = grown(np.zeros(n), rates=(0.0, 0.5, rate, 0.001))
    parents = np.round(np.median(genes.children, axis=1) if rate < 0.4 else genes.children.mean(axis=1))
    changes = genes.children - parents[:, None]
    mutated = changes != 0
    assert mutated.mean() == pytest.approx(rate, abs=4 * np.sqrt(rate * (1 - rate) / mutated.size) + 1e-12)
    assert stats.chisquare(mutated.sum(axis=0) + 1e-9).pvalue > 1e-3  # the same for every coordinate
    assert stats.kstest(changes[mutated] / (0.001 * 3 * n), "norm").pvalue > 1e-3


def test_the_best_of_parents_and_children_survive():
    rng = np.random.default_rng(1)
    for _ in range(50):
        genes = grown(rng.integers(0, 9, 7).astype(float))
        genes.values[:] = rng.choice([0.0, 3.5, 4.0, 8.0, np.inf], 7)
        expected = np.sort(np.concatenate([genes.fitness, genes.values]))[:7]
        values = dict(zip(genes.members[:, 0].tolist(), genes.fitness.tolist(), strict=True))
        genes.children[:] = 100 + np.arange(7)[:, None]
        values |= dict(zip(genes.children[:, 0].tolist(), genes.values.tolist(), strict=True))
        survive(genes)
        assert np.sort(genes.fitness).tolist() == expected.tolist()
        assert [values[x] for x in genes.members[:, 0].tolist()] == genes.fitness.tolist()


def test_the_first_population_is_the_incumbent_and_uniform_points():
    rehearsal = Rehearsal(GA(population=200), sphere, BOX)
    rehearsal.act(200)
    assert stats.kstest(rehearsal.points[1:].ravel() / 10 + 0.5, "uniform").pvalue > 1e-3
    members = rehearsal.state.genes.members
    assert (members == 2.5).all(axis=1).sum() == 1 and len(np.unique(members, axis=0)) == 200


def test_a_better_incumbent_takes_the_place_of_the_worst_member():
    rehearsal = Rehearsal(GA(population=20), sphere, BOX)
    rehearsal.act(60)
    rehearsal.evaluator.lend(1).evaluate_point(np.full(60, 0.01))
    rehearsal.act(1)
    assert (rehearsal.state.genes.members == 0.01).all(axis=1).sum() == 1


@pytest.mark.parametrize("cut", [1, 7, 30])
def test_it_does_not_matter_where_it_is_cut(cut):
    ends = []
    for limit in (cut, 210):
        rehearsal = Rehearsal(GA(population=20), sphere, ter.box(-5, 5, dimension=5))
        for _ in range(210 // limit):
            assert rehearsal.act(limit) == limit
        ends.append(rehearsal.points)
    assert np.array_equal(*ends)


def test_compiled_and_plain_generations_are_the_same():
    box = ter.box(-5, [5, 1, 9, 2, 3], dimension=5)
    options = {"budget": 3000, "rng": 4, "heuristics": [GA(population=30, evaluations=33)]}
    assert same_run(minimize_on("python", box, **options), minimize_on("compiled", box, **options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 1}, r"population must lie in \[2, inf\], got 1"),
        ({"crossover": 1.5}, r"crossover must lie in \[0, 1\], got 1.5"),
        ({"mutation": -0.1}, r"mutation must lie in \[0, 1\], got -0.1"),
        ({"blend": -1.0}, "blend must lie in"),
        ({"deviation": -1.0}, "deviation must lie in"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
def test_settings_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        GA(**options)
