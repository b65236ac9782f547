"""CSO: the compiled competition against its plain twin, and what is special to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.cso import CSO, compete
from ter.testing.rehearsal import Rehearsal, sphere, stairs
from tests.naive.cso import NaiveCSO
from tests.naive.splitmix import SplitMix


@given(st.integers(0, 2**64 - 1), st.integers(2, 15), st.integers(1, 9), st.floats(0, 0.5))
def test_a_generation_agrees_with_its_twin(seed, size, n, phi):
    rng = np.random.default_rng(seed)
    lower, upper = np.full(n, -1.0), np.linspace(-1.0, 2.0, n)
    members, velocities = rng.uniform(lower, upper, (size, n)), rng.standard_normal((size, n))
    fitness = rng.choice([0.0, 1.0, 2.0, math.inf], size)
    twin = NaiveCSO(
        SplitMix(seed), members.tolist(), velocities.tolist(), fitness.tolist(), lower.tolist(), upper.tolist(), phi
    )
    random, losers, rows = np.array([seed], dtype=np.uint64), np.empty(size // 2, np.int64), np.empty((size // 2, n))
    compete(random, members, velocities, fitness, phi, (lower, upper), losers, rows)
    assert losers.tolist() == twin.compete() and int(random[0]) == twin.random.state
    np.testing.assert_allclose(members, twin.members, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(velocities, twin.velocities, rtol=1e-12, atol=1e-14)
    assert (rows == members[losers]).all() and ((rows >= lower) & (rows <= upper)).all()


def test_the_three_numbers_of_a_coordinate_are_uniform_and_independent():
    n = 40_000
    pulls = []
    for winner, velocity, center in ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)):
        # The first particle loses from the origin; what it gains is one of the three numbers times 1.
        members, velocities = np.zeros((2, n)), np.full((2, n), velocity)
        members[1] = winner + 2 * center
        fitness = np.array([1.0, 0.0])
        box = np.full(n, -9.0), np.full(n, 9.0)
        rows = np.empty((1, n))
        compete(np.ones(1, np.uint64), members, velocities, fitness, center, box, np.empty(1, np.int64), rows)
        pulls.append(rows[0])
    pulls[2] -= 2 * pulls[1]  # the winner pulls, too, where it draws the centre
    assert all(p.min() >= 0 and p.max() < 1 and abs(p.mean() - 0.5) < 0.01 for p in pulls)
    assert np.abs(np.corrcoef(pulls) - np.eye(3)).max() < 0.02


@pytest.mark.parametrize(
    ("dimension", "size", "pull"),
    [(1, 100, 0.0), (499, 100, 0.0), (500, 250, 0.05), (905, 250, 0.05), (1000, 500, 0.1), (2000, 1000, 0.2),
     (5000, 1500, 0.2), (100_000, 1500, 0.2)],
)  # fmt: skip
def test_sizes_and_pulls_are_the_published_ones(dimension, size, pull):
    assert CSO().size(dimension) == size and CSO().pull(dimension) == pull
    assert CSO(swarm=7, phi=0.3).size(dimension) == 7 and CSO(swarm=7, phi=0.3).pull(dimension) == 0.3


def test_half_of_the_swarm_is_evaluated_per_generation_and_the_best_never_moves():
    rehearsal = Rehearsal(CSO(swarm=20), sphere, ter.box(-5, 5, dimension=4))
    rehearsal.act(19)
    swarm = rehearsal.state.swarm
    best = int(swarm.fitness.argmin())
    before = swarm.members.copy()
    rehearsal.act(10)
    assert (swarm.members != before).any(axis=1).sum() == 10 and (swarm.members[best] == before[best]).all()
    assert swarm.fitness.tolist() == [sphere(x) for x in swarm.members]


@pytest.mark.parametrize("swarm", [2, 9, 20])
def test_where_initiations_end_does_not_matter(swarm):
    ends = []
    for pieces in ([400], [1] * 30 + [7] * 50 + [20]):
        rehearsal = Rehearsal(CSO(swarm=swarm), stairs, ter.box(-5, 5, dimension=5))
        for piece in pieces:
            rehearsal.act(piece)
        ends.append(rehearsal.points.tolist())
    assert len(ends[0]) == 401 and ends[0] == ends[1]


def test_a_better_incumbent_takes_the_place_of_the_worst_particle():
    rehearsal = Rehearsal(CSO(swarm=10), sphere, ter.box(-5, 5, dimension=6))
    rehearsal.act(40)
    worst = int(rehearsal.state.swarm.fitness.argmax())
    rehearsal.evaluator.lend(1).evaluate_point(np.full(6, 0.01))
    rehearsal.act(1)
    swarm = rehearsal.state.swarm
    assert 0.01 in swarm.members[worst] or worst in swarm.losers


def test_it_minimises_a_sphere():
    rehearsal = Rehearsal(CSO(swarm=40), sphere, ter.box(-5, 5, dimension=10))
    rehearsal.act(8_000)
    assert rehearsal.evaluator.y < 1e-8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"swarm": 1}, r"swarm must lie in \[2"),
        ({"swarm": 4.5}, "swarm must be a whole number"),
        ({"phi": -0.1}, r"phi must lie in \[0"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        CSO(**options)
