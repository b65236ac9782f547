"""SaNSDE: compiled kernels against their plain twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.sansde import SaNSDE, draw_rates, learn, select_sansde, vary_sansde
from ter.heuristics.subspace import Workspace
from tests.heuristics.batches import squares, subspace_of
from tests.naive.sansde import NaiveSaNSDE, probability
from tests.naive.splitmix import SplitMix

states = st.integers(0, 2**64 - 1)


def population(seed: int, size: int, k: int):
    rng = np.random.default_rng(seed)
    lower, upper = np.full(k, -1.0), np.linspace(0.5, 2.0, k)
    upper[0] = lower[0] if seed % 3 == 0 else upper[0]  # a fixed variable now and then
    members = rng.uniform(lower, upper, (size, k))
    fitness = rng.permutation(size).astype(float)
    naive = NaiveSaNSDE(SplitMix(seed), members.tolist(), fitness.tolist(), lower.tolist(), upper.tolist())
    return members, fitness, (lower, upper), naive


@given(states, st.integers(4, 20), st.integers(1, 8), st.floats(0.01, 0.99))
def test_a_generation_agrees_with_its_twin(seed, size, k, mean):
    members, fitness, box, naive = population(seed, size, k)
    random = np.array([seed], dtype=np.uint64)
    rates = np.empty(size)
    draw_rates(random, mean, rates)
    np.testing.assert_allclose(rates, naive.draw_rates(mean), rtol=1e-13)
    assert ((rates > 0) & (rates < 1)).all()

    learned, choices, trials = np.array([0.4, 0.7, mean]), np.empty((2, size), dtype=np.int64), np.empty((size, k))
    vary_sansde(random, members, fitness, learned, rates, box, choices, trials)
    naive_trials, rules, laws = naive.vary(0.4, 0.7, rates.tolist())
    assert choices.tolist() == [rules, laws]
    np.testing.assert_allclose(trials, naive_trials, rtol=1e-9, atol=1e-9)  # folding back amplifies the last bits
    assert int(random[0]) == naive.random.state
    assert ((trials >= box[0] - 1e-15) & (trials <= box[1] + 1e-15)).all()

    values = np.random.default_rng(seed).choice([-3.0, 0.0, 2.0, 50.0, math.inf], size)
    tally = np.zeros(10)
    select_sansde(members, fitness, trials, values, rates, choices, tally)
    won = naive.select(trials.tolist(), values.tolist(), rates.tolist(), (rules, laws))
    assert members.tolist() == naive.members and fitness.tolist() == naive.fitness
    assert tally[:4].tolist() == [*won["rules"][0], *won["rules"][1]]
    assert tally[4:8].tolist() == [*won["laws"][0], *won["laws"][1]]
    assert tally[8:].tolist() == [won["weighted"], won["weights"]]


def test_learning_follows_the_shares_of_success():
    tally = np.array([6.0, 2, 1, 3, 2, 2, 3, 1, 1.2, 2.0])  # wins and losses: rules, then laws; then the rates
    learned = np.array([0.5, 0.5, 0.5])
    learn(tally, learned)
    assert learned.tolist() == pytest.approx([0.75 / (0.75 + 0.25), 0.5 / (0.5 + 0.75), 0.6])
    assert learned[0] == probability(6, 2, 1, 3) and learned[1] == probability(2, 2, 3, 1)


def test_without_a_success_the_mean_rate_stays():
    tally = np.array([1.0, 9, 1, 9, 1, 9, 1, 9, 0, 0])
    learned = np.array([0.5, 0.5, 0.3])
    learn(tally, learned)
    assert learned.tolist() == [0.5, 0.5, 0.3]


@pytest.mark.parametrize("budget", [0, 1, 14, 15, 400])
def test_an_evolution_uses_its_budget_exactly(budget):
    rng = np.random.default_rng(1)
    batches, subspace = subspace_of(squares, ter.box(-1, 1, dimension=3))
    SaNSDE(15).minimise(subspace, rng.uniform(-1, 1, (15, 3)), budget, rng, Workspace())
    assert sum(batches.sizes) == budget


def test_it_minimises_a_sphere():
    rng = np.random.default_rng(1)
    batches, subspace = subspace_of(squares, ter.box(-5, 5, dimension=6), math.inf)
    SaNSDE(15).minimise(subspace, rng.uniform(-5, 5, (15, 6)), 6000, rng, Workspace())
    assert batches.lowest < 1e-6


def test_it_goes_on_from_any_evaluation_with_the_same_bits():
    ends = []
    for step in (1, 7, 400):
        _, subspace = subspace_of(squares, ter.box(-5, 5, dimension=6), math.inf)
        differing = SaNSDE(15).first(np.random.default_rng(1).uniform(-5, 5, (15, 6)), np.random.default_rng(2))
        for budget in range(step, 400 + step, step):
            SaNSDE(15).go_on(differing, subspace, min(400, budget))
        ends.append((differing.members.tolist(), differing.learned.tolist(), differing.used, differing.generation))
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][2:] == (400, 25) and ends[0][1] != [0.5, 0.5, 0.5]


def test_the_mean_crossover_rate_can_be_carried_on():
    _, subspace = subspace_of(squares, ter.box(-5, 5, dimension=6), math.inf)
    differing = SaNSDE(15).first(np.ones((15, 6)), np.random.default_rng(2), rate=0.9)
    SaNSDE(15).go_on(differing, subspace, 30)
    assert 0.8 < differing.rates.mean() < 1
