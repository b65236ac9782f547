"""What the algorithms of others are made of, beside plain twins: the same points in the same order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics import CCCMAES, DECCD, DECCDG2, LS1, ga
from ter.heuristics.ga import Genes, Rates
from ter.heuristics.mts_searches import LS2, LS3, AgentLS1
from ter.heuristics.solis_wets import SolisWets
from tests.heuristics.test_ls1 import search, staircase
from tests.naive.cc_cma_es import NaiveCCCMAES
from tests.naive.decc import NaiveDECC
from tests.naive.ga import NaiveGA
from tests.naive.ls1 import NaiveIndex, NaiveReduced
from tests.naive.mts import NaiveSearches
from tests.naive.solis_wets import NaiveSolisWets
from tests.naive.splitmix import SplitMix

KINDS = st.sampled_from(["bowl", "stairs", "valley"])
STARTS = st.sampled_from([-1.0, 0.2, 1.5])


def bowl(x: np.ndarray) -> float:
    return 1.0 + float(sum((v - 0.1) ** 2 for v in x.tolist()))


def valley(x: np.ndarray) -> float:
    return bowl(x) + 10 * float(x.sum()) ** 2


FUNCTIONS = {"bowl": bowl, "stairs": staircase, "valley": valley}


def uneven(dimension: int) -> ter.Box:
    return ter.box(np.full(dimension, -1.0), np.linspace(1.5, 3, dimension))


# The searches of MTS and MOS


@pytest.mark.parametrize("order", ["index", "reduced"])
@given(st.integers(1, 7), st.integers(1, 60), KINDS, STARTS, st.sampled_from([1e-15, 0.05]))
def test_ls1_in_the_orders_of_mts_and_mos(order, dimension, per_variable, kind, start, smallest):
    box, fun, evaluations = uneven(dimension), FUNCTIONS[kind], per_variable * dimension
    options = {"scalar": True, "step": (0.5, 0.5), "reset": (0.4, 0.4), "smallest": smallest, "others": 0.0}
    points, _ = search(LS1(order=order, **options), fun, box, [start] * dimension, [evaluations])
    x, scale = np.full(dimension, start), np.full(dimension, float(np.mean(box.width)))
    twin = {"index": NaiveIndex, "reduced": NaiveReduced}[order](
        fun, box.lower, box.upper, lambda: 0.5 * scale, np.full(dimension, smallest), True, x, fun(x)
    )
    twin.redraw = lambda: 0.4 * scale
    twin.search(evaluations)
    assert points == twin.evaluated


@given(st.integers(1, 6), st.integers(1, 12), KINDS, STARTS)
def test_ls2_of_mts(dimension, calls, kind, start):
    box, fun = uneven(dimension), FUNCTIONS[kind]
    points, _ = search(LS2(sweeps=calls), fun, box, [start] * dimension, [10**4])
    twin = searches(fun, box, start, LS2())
    twin.ls2(calls)
    np.testing.assert_allclose(points, twin.evaluated, rtol=0, atol=1e-14)


@given(st.integers(1, 6), st.integers(1, 3), KINDS, STARTS)
def test_ls3_of_mts(dimension, calls, kind, start):
    box, fun = uneven(dimension), FUNCTIONS[kind]
    points, _ = search(LS3(sweeps=calls), fun, box, [start] * dimension, [10**4])
    twin, rng = searches(fun, box, start, LS3()), np.random.default_rng(12)
    for _ in range(calls):
        twin.ls3(rng.random((dimension, 3)))
    np.testing.assert_allclose(points, twin.evaluated, rtol=1e-12, atol=1e-12)


def searches(fun, box, start, heuristic) -> NaiveSearches:
    x = [start] * box.dimension
    random = SplitMix(int(heuristic.start(box, np.random.default_rng(11)).random[0]))
    return NaiveSearches(fun, box.lower.tolist(), box.upper.tolist(), x, fun(np.array(x)), random)


def test_ls1_of_an_agent_has_the_settings_of_the_twin():
    own, plain = AgentLS1(), LS1(order="index", scalar=True, step=(0.5, 0.5), reset=(0.4, 0.4))
    assert all(getattr(own, name) == getattr(plain, name) for name in ("order", "scalar", "step", "reset", "smallest"))


@given(st.integers(1, 7), st.integers(2, 40), KINDS, STARTS, st.booleans())
def test_solis_wets(dimension, trials, kind, start, comments):
    box, fun = uneven(dimension), FUNCTIONS[kind]
    settings = {"delta": 0.3, "successes": 2, "failures": 3, "longer": 2.0, "shorter": 0.5}
    if comments:
        settings |= {"failures": 5, "longer": 4.0, "shorter": 0.75}
    heuristic = SolisWets(**settings)
    points, _ = search(heuristic, fun, box, [start] * dimension, [trials])
    x = [start] * dimension
    twin = NaiveSolisWets(
        fun, box.lower.tolist(), box.upper.tolist(), x, fun(np.array(x)),
        SplitMix(int(heuristic.start(box, np.random.default_rng(11)).random[0])), *settings.values(),
    )  # fmt: skip
    twin.search(trials)
    np.testing.assert_allclose(points, twin.evaluated[: len(points)], rtol=1e-9, atol=1e-12)


@given(st.integers(0, 2**64 - 1), st.integers(2, 12), st.integers(1, 9), st.sampled_from([0.0, 0.01, 0.5, 1.0]))
def test_a_generation_of_the_genetic_algorithm(seed, size, k, mutation):
    rng = np.random.default_rng(seed)
    lower, upper = -np.arange(1.0, k + 1), np.arange(1.0, k + 1)
    members = lower + rng.random((size, k)) * (upper - lower)
    fitness, values = np.split(rng.permutation(2 * size).astype(float), 2)
    genes = Genes(
        np.array([seed], dtype=np.uint64), members, fitness, np.empty((size, k)), values, np.zeros(1, dtype=np.int64),
        lower, upper, upper - lower,
    )  # fmt: skip
    twin = NaiveGA(
        SplitMix(seed), members.tolist(), fitness.tolist(), lower.tolist(), upper.tolist(), 0.9, 0.5, mutation,
        (0.1 * (upper - lower)).tolist(),
    )  # fmt: skip
    ga.breed(genes, Rates(0.9, 0.5, mutation, 0.1))
    np.testing.assert_allclose(genes.children, twin.breed(), rtol=1e-12, atol=1e-12)
    assert int(genes.random[0]) == twin.random.state
    survivors = twin.survive(genes.children.tolist(), values.tolist())
    ga.survive(genes)
    assert genes.members[np.argsort(genes.fitness)].tolist() == survivors


# Cooperative coevolution


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize(("dimension", "group"), [(1, 2), (5, 2), (6, 3)])
def test_two_cycles_of_decc_d(kind, dimension, group):
    box, fun, x = uneven(dimension), FUNCTIONS[kind], np.full(dimension, 0.7)
    groups = math.ceil(dimension / group)
    points, _ = search(DECCD(population=6, group=group), fun, box, x.tolist(), [5 + 2 * (12 * groups + 6)])
    twin = NaiveDECC(fun, box.lower, box.upper, x, fun(x), np.random.default_rng(11))
    twin.begin(6)
    first = twin.members.copy()
    twin.delta_cycle(group, first)
    twin.delta_cycle(group, first)
    np.testing.assert_allclose(points, twin.evaluated, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_two_rounds_of_decc_dg2_on_groups_that_are_known(kind):
    box, fun, x, groups = uneven(5), FUNCTIONS[kind], np.full(5, 0.7), [[0, 3], [1, 2], [4]]
    heuristic = DECCDG2(groups=groups, population=6, generations=3)
    points, _ = search(heuristic, fun, box, x.tolist(), [5 + 2 * 3 * 24])
    twin = NaiveDECC(fun, box.lower, box.upper, x, fun(x), np.random.default_rng(11))
    twin.begin(6)
    for group in groups * 2:
        twin.visit(group, generations=3)
    np.testing.assert_allclose(points, twin.evaluated, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", ["bowl", "valley"])
@pytest.mark.parametrize(("dimension", "group"), [(4, 4), (7, 3)])
def test_sweeps_of_cc_cma_es(kind, dimension, group):
    box, fun, x = uneven(dimension), FUNCTIONS[kind], np.full(dimension, 0.7)
    sweeps, population, generations = 5, 8, 2
    heuristic = CCCMAES(group=group, population=population, depth=population * generations, spread=0.2, window=3)
    evaluations = sweeps * math.ceil(dimension / group) * population * generations
    points, _ = search(heuristic, fun, box, x.tolist(), [evaluations])
    twin = NaiveCCCMAES(fun, box.lower, box.upper, x, fun(x), np.random.default_rng(11), sigma=0.2)
    twin.sweeps(sweeps, group, population, generations, window=3)
    # Roots of a matrix are known up to signs of its vectors, which libraries choose alike; rounding grows with sweeps.
    np.testing.assert_allclose(points, twin.evaluated, rtol=1e-6, atol=1e-8)
