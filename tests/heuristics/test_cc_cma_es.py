"""CC-CMA-ES: what is special to it."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics.cc_cma_es import (
    CCCMAES,
    GROUPINGS,
    Covariance,
    different_variances,
    random_groups,
    similar_variances,
)
from ter.testing.rehearsal import Rehearsal, sphere, stairs

BOX = ter.box(-5, 5, dimension=5)
VARIANCES = np.array([7.0, 1.0, 6.0, 2.0, 5.0, 3.0, 4.0])


def rehearsed(*pieces: int, fun=stairs, **options) -> Rehearsal:
    rehearsal = Rehearsal(CCCMAES(**{"group": 2, "population": 6, "depth": 12, **options}), fun, BOX)
    for piece in pieces:
        rehearsal.act(piece)
    return rehearsal


def test_groups_have_similar_or_different_variances():
    rng = np.random.default_rng(1)
    similar = [VARIANCES[group].tolist() for group in similar_variances(VARIANCES, 3, rng)]
    assert [sorted(group) for group in similar] == [[1, 2, 3], [4, 5, 6], [7]]
    different = [VARIANCES[group].tolist() for group in different_variances(VARIANCES, 3, rng)]
    assert [sorted(group) for group in different] == [[1, 4, 7], [2, 5], [3, 6]]


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize(("dimension", "size"), [(1, 50), (7, 3), (6, 3), (120, 50)])
def test_every_variable_is_in_one_group_of_at_most_the_size(grouping, dimension, size):
    groups = grouping(np.ones(dimension), size, np.random.default_rng(1))
    assert sorted(np.concatenate(groups).tolist()) == list(range(dimension))
    assert max(map(len, groups)) <= size and len(groups) == -(-dimension // size)


def test_random_groups_are_drawn_anew():
    rng = np.random.default_rng(1)
    first, second = (random_groups(np.ones(40), 20, rng)[0].tolist() for _ in range(2))
    assert first != second


def test_the_covariance_of_variables_that_were_grouped_is_remembered():
    covariance = Covariance(4)
    covariance.learn(np.array([0, 1]), np.array([[2.0, 0.5], [0.5, 3.0]]))
    covariance.learn(np.array([1, 2]), np.array([[4.0, 0.7], [0.7, 5.0]]))
    assert covariance.of(np.arange(3)).tolist() == [[2.0, 0.5, 0.0], [0.5, 4.0, 0.7], [0.0, 0.7, 5.0]]
    assert covariance.variances.tolist() == [2.0, 4.0, 5.0, 1.0]


def test_in_very_many_variables_only_variances_are_kept():
    covariance = Covariance(4, full=3)
    covariance.learn(np.array([0, 1]), np.array([[2.0, 0.5], [0.5, 3.0]]))
    assert covariance.of(np.array([0, 1])).tolist() == [[2.0, 0.0], [0.0, 3.0]]


def test_the_groups_of_a_sweep_follow_each_other_and_hand_the_step_size_on():
    rehearsal = rehearsed(12)
    state = rehearsal.state
    assert state.adapting is None and len(state.groups) == 2 and state.sigma != 0.5
    later = np.concatenate(state.groups)
    assert (rehearsal.points[:, later] == 2.5).all()  # where the rehearsal began
    sigma = state.sigma
    rehearsal.act(1)
    assert state.adapting.strategy.sigma[0] == sigma
    assert (state.adapting.strategy.path == 0).all()


def test_where_initiations_end_does_not_matter():
    whole, pieces = rehearsed(400), rehearsed(*[1] * 30, *[7] * 50, 20)
    assert len(whole.points) == 401 and whole.points.tolist() == pieces.points.tolist()


def test_the_share_of_the_improvement_is_credited_to_the_grouping():
    rehearsal = rehearsed(36, fun=sphere)
    state = rehearsal.state
    gain = 1 - rehearsal.evaluator.y / sphere(np.full(5, 2.5))
    expected = np.ones((3, 5))
    expected[state.grouping, 0] = gain
    assert 0 < gain < 1 and state.credit == pytest.approx(expected)
    rehearsal.act(36)
    assert (state.credit[:, 2:] == 1).all() and state.sweep == 2


def test_what_brings_nothing_is_taken_less_often():
    heuristic = CCCMAES()
    state = heuristic.start(BOX, np.random.default_rng(1))
    state.credit[1] = 0.0
    taken = []
    for _ in range(300):
        heuristic._begin_sweep(state, 1.0)
        taken.append(state.grouping)
    assert min(taken.count(0), taken.count(2)) > 100 > 10 > taken.count(1)  # e^-5 against 1


def test_depths_are_whole_generations():
    assert CCCMAES(group=2, population=6, depth=13).cost(1) == 25
    assert CCCMAES(population=6, depth=31).cost(1) == 36 and CCCMAES().cost(1000) == 25_000


def test_it_solves_a_rotated_ellipsoid_that_fits_into_a_group():
    rotation, _ = np.linalg.qr(np.random.default_rng(3).standard_normal((5, 5)))
    weights = 10.0 ** np.arange(5)
    rehearsal = rehearsed(12_000, fun=lambda x: float(weights @ (rotation @ (x - 1)) ** 2), group=5, population=10)
    assert rehearsal.evaluator.y < 1e-8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": 0}, r"group must lie in \[1"),
        ({"population": 1}, r"population must lie in \[2"),
        ({"depth": 0}, r"depth must lie in \[1"),
        ({"spread": 0.0}, r"spread must lie in \(0, 10\]"),
        ({"window": 0}, r"window must lie in \[1"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        CCCMAES(**options)
