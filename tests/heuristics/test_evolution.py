"""The machinery of SHADE: compiled kernels against their plain twins, given the same random state."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import ter
from ter.heuristics import evolution, splitmix
from ter.heuristics.evolution import (
    DRAWN_GREED,
    TERMINAL,
    Course,
    Population,
    Shade,
    adopt,
    gaussian_around,
    place,
    select,
    uniform_in,
    vary,
)
from ter.heuristics.splitmix import seed_random
from ter.heuristics.subspace import Workspace
from tests.from_python import from_python
from tests.heuristics.batches import squares, subspace_of
from tests.naive.shade import NaiveShade
from tests.naive.splitmix import SplitMix

below, bits, uniform = from_python(splitmix.below), from_python(splitmix.bits), from_python(splitmix.uniform)
cauchy, normal = from_python(splitmix.cauchy), from_python(splitmix.normal)
cross, shrink = from_python(evolution.cross), from_python(evolution.shrink)

states = st.integers(0, 2**64 - 1)


def state_of(seed: int) -> np.ndarray:
    return np.array([seed], dtype=np.uint64)


def test_splitmix_gives_the_published_numbers():
    # The first outputs of the reference implementation for the seed 1234567.
    random = state_of(1234567)
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [int(bits(random)) for _ in range(5)] == expected
    twin = SplitMix(1234567)
    assert [twin.bits() for _ in range(5)] == expected


@given(states)
def test_the_laws_agree_with_their_twins(seed):
    random, twin = state_of(seed), SplitMix(seed)
    for _ in range(5):
        assert uniform(random) == twin.uniform()
        assert normal(random) == pytest.approx(twin.normal(), rel=1e-14, abs=1e-300)
        assert cauchy(random) == pytest.approx(twin.cauchy(), rel=1e-14)
        assert below(random, 7) == twin.below(7)
    assert int(random[0]) == twin.state


def test_the_laws_have_the_right_distributions():
    random = state_of(1)
    n = 20_000
    assert stats.kstest([uniform(random) for _ in range(n)], "uniform").pvalue > 1e-3
    assert stats.kstest([normal(random) for _ in range(n)], "norm").pvalue > 1e-3
    assert stats.kstest([cauchy(random) for _ in range(n)], "cauchy").pvalue > 1e-3
    counts = np.bincount([below(random, 5) for _ in range(n)], minlength=5)
    assert stats.chisquare(counts).pvalue > 1e-3


@given(states, st.floats(0, 1) | st.sampled_from([0.0, 1.0]), st.integers(1, 33), st.booleans())
def test_crossover_agrees_with_its_twin(seed, rate, k, certain):
    random, twin = state_of(seed), SplitMix(seed)
    taken = np.zeros(k, dtype=np.bool_)
    for _ in range(3):
        cross(random, rate, certain, taken)
        assert taken.tolist() == twin.cross(rate, k, certain=certain)
        assert taken.any() or not certain
        assert int(random[0]) == twin.state
    assert rate < 1 or taken.all()
    assert rate > 0 or taken.sum() == certain


@given(states, st.integers(1, 6), st.integers(2, 8))
def test_first_populations_agree_with_their_twin(seed, k, size):
    normals = np.random.default_rng(seed).standard_normal((size, k))
    lower, upper = -np.arange(1.0, k + 1), np.arange(k) * 0.5
    center, spread = 0.5 * (lower + upper), 0.7 * (upper - lower)
    members, random, twin = normals.copy(), state_of(seed), SplitMix(seed)
    place(random, center, spread, lower, upper, members)
    expected = [center.tolist()]
    for row in normals[1:].tolist():
        point = []
        for j, z in enumerate(row):
            v = center[j] + spread[j] * z
            if v < lower[j] or v > upper[j]:
                v = min(lower[j] + twin.uniform() * (upper[j] - lower[j]), upper[j])
            point.append(v)
        expected.append(point)
    assert members.tolist() == expected
    assert int(random[0]) == twin.state


def test_first_populations_are_gaussian_around_the_center_and_inside():
    box = np.full(3, -1.0), np.full(3, 9.0)
    members = np.empty((4000, 3))
    gaussian_around(np.random.default_rng(1), np.full(3, 4.0), np.full(3, 0.5), *box, members)
    assert (members[0] == 4).all() and ((members >= -1) & (members <= 9)).all()
    assert stats.kstest((members[1:, 0] - 4) / 0.5, "norm").pvalue > 1e-3


def test_uniform_populations_fill_the_box_around_the_center():
    lower, upper, members = np.array([-1.0, 3.0, 2.0]), np.array([9.0, 4.0, 2.0]), np.empty((4000, 3))
    uniform_in(np.random.default_rng(1), np.array([4.0, 3.5, 2.0]), lower, upper, members)
    assert members[0].tolist() == [4.0, 3.5, 2.0] and (members[:, 2] == 2).all()
    assert stats.kstest((members[1:, 0] + 1) / 10, "uniform").pvalue > 1e-3
    assert stats.kstest(members[1:, 1] - 3, "uniform").pvalue > 1e-3


def population(seed: int, size: int, k: int, archived: int, infinite: int) -> tuple[Population, NaiveShade]:
    rng = np.random.default_rng(seed)
    lower, upper = np.full(k, -1.0), np.linspace(0.5, 2.0, k)
    members = rng.uniform(lower, upper, (size, k))
    fitness = rng.permutation(size).astype(float) * 1.5 - 2.0
    fitness[rng.permutation(size)[:infinite]] = math.inf
    room = round(2.6 * size)
    archive = rng.uniform(lower, upper, (room, k))
    history = np.array([rng.uniform(0.05, 1, 6), rng.choice([TERMINAL, 0.0, 0.5, 1.0], 6)])
    counters = np.array([size, min(archived, room), int(rng.integers(6)), 0, 0])
    naive = NaiveShade(
        random=SplitMix(seed),
        members=members.tolist(),
        fitness=fitness.tolist(),
        lower=lower.tolist(),
        upper=upper.tolist(),
        room=room,
        greed=0.11,
        scales=history[0].tolist(),
        rates=[None if rate == TERMINAL else rate for rate in history[1].tolist()],
        archive=archive[: counters[1]].tolist(),
        cell=int(counters[2]),
    )
    drawn = np.full((2, size), 0.5)
    return Population(state_of(seed), members, fitness, counters, archive, history, drawn, lower, upper), naive


def steady(size: int) -> Course:
    """Return a course on which nothing shrinks."""
    return Course(size, size, greed=0.11, archive=2.6, budget=100)


@given(
    states,
    st.integers(4, 30),
    st.integers(1, 9),
    st.integers(0, 80),
    st.booleans(),
    st.sampled_from([0.11, DRAWN_GREED]),
    st.booleans(),
)
def test_a_generation_agrees_with_its_twin(seed, size, k, archived, one_infinite, greed, loose):
    # At most one infinite value: how ties are ranked is nobody's promise.
    evolving, naive = population(seed, size, k, archived, int(one_infinite))
    random, members, fitness, counters, archive, history, drawn, lower, upper = evolving
    trials, naive.greed, naive.loose = np.empty((size, k)), greed, loose
    vary(evolving, greed, loose, trials)
    naive_trials, scales, rates = naive.vary()
    np.testing.assert_allclose(trials, naive_trials, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(drawn, [scales, rates], rtol=1e-13, atol=1e-16)
    assert int(random[0]) == naive.random.state
    assert ((trials >= lower) & (trials <= upper)).all()
    assert loose or ((drawn[0] > 0).all() and (drawn <= 1).all() and (drawn[1] >= 0).all())

    values = np.random.default_rng(seed).choice([-5.0, -1.0, 0.0, 1.0, 7.0, math.inf], size)
    select(evolving, steady(size)._replace(loose=loose), trials, values)
    naive.select(trials.tolist(), values.tolist(), drawn[0].tolist(), drawn[1].tolist())
    assert members.tolist() == naive.members and fitness.tolist() == naive.fitness
    assert archive[: counters[1]].tolist() == naive.archive
    assert (counters[1], counters[2]) == (len(naive.archive), naive.cell)
    assert history[0].tolist() == naive.scales
    assert [None if rate == TERMINAL else rate for rate in history[1].tolist()] == naive.rates
    assert int(random[0]) == naive.random.state

    wanted, room = max(4, size - 5), max(1, size // 2)
    shrink(members, fitness, counters, archive, wanted, room)
    naive.shrink(wanted, room)
    assert members[: counters[0]].tolist() == naive.members and fitness[: counters[0]].tolist() == naive.fitness
    assert archive[: counters[1]].tolist() == naive.archive


def test_selection_never_takes_a_failed_trial():
    evolving, _ = population(1, 6, 2, 0, 6)
    before = evolving.members.copy()
    select(evolving, steady(6), before + 1, np.full(6, np.inf))
    assert (evolving.members == before).all() and np.isinf(evolving.fitness).all() and evolving.counters[1] == 0


def test_the_population_shrinks_linearly_with_the_evaluations():
    rng = np.random.default_rng(1)
    batches, subspace = subspace_of(squares, ter.box(-1, 1, dimension=3))
    Shade((26, 4)).minimise(subspace, rng.uniform(-1, 1, (26, 3)), 600, rng, Workspace())
    sizes = batches.sizes
    assert sum(sizes) == 600 and sizes[0] == 25 and sizes[1] == 26
    used = np.cumsum(sizes)
    assert [round(26 - 22 * u / 600) for u in used[1:-2]] == sizes[2:-1]


@pytest.mark.parametrize("budget", [0, 1, 3, 25, 26, 27])
def test_short_evolutions_use_their_budget_exactly(budget):
    batches, subspace = subspace_of(lambda rows: np.ones(len(rows)), ter.box(-1, 1, dimension=3), 1.0)
    Shade((26, 4)).minimise(subspace, np.zeros((26, 3)), budget, np.random.default_rng(1), Workspace())
    assert sum(batches.sizes) == budget


def test_a_better_point_takes_the_place_of_the_worst_member():
    rng = np.random.default_rng(1)
    _, subspace = subspace_of(squares, ter.box(-1, 1, dimension=3))
    population = Shade((8, 8)).first(subspace, rng.uniform(-1, 1, (8, 3)), 20, rng, Workspace()).population
    worst, best = int(population.fitness.argmax()), float(population.fitness.min())
    adopt(population, np.full(3, 0.5), best)  # as good as the best is not better
    assert population.fitness.min() == best and not (population.members == 0.5).all(axis=1).any()
    adopt(population, np.full(3, 0.5), best - 1.0)
    assert population.fitness[worst] == best - 1.0 and population.members[worst].tolist() == [0.5] * 3


def test_seeds_come_from_the_stream():
    assert seed_random(np.random.default_rng(1)) == seed_random(np.random.default_rng(1))
    assert seed_random(np.random.default_rng(1)) != seed_random(np.random.default_rng(2))
