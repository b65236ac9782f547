"""DECC-D: what is special to it."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.decomposition.grouping import delta_groups
from ter.heuristics.decc_d import DECCD
from ter.testing.rehearsal import Rehearsal, sphere, stairs

BOX = ter.box(-5, 5, dimension=5)


def test_variables_that_moved_about_as_far_are_grouped():
    groups = delta_groups(np.array([0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.0]), 3)
    assert [group.tolist() for group in groups] == [[6, 1, 3], [5, 4, 2], [0]]


def test_without_movement_groups_are_in_order():
    assert [group.tolist() for group in delta_groups(np.zeros(5), 2)] == [[0, 1], [2, 3], [4]]


def rehearsed(*pieces: int, **options: int) -> Rehearsal:
    rehearsal = Rehearsal(DECCD(**{"population": 6, "group": 2, **options}), stairs, BOX)
    for piece in pieces:
        rehearsal.act(piece)
    return rehearsal


def test_a_cycle_evaluates_members_and_trials_of_each_group_and_then_all_members():
    first, cycle = 5, 3 * 2 * 6 + 6  # the first member is the incumbent
    points = rehearsed(first + cycle).points[1 + first :]
    assert len(points) == cycle
    for number, group in enumerate([[0, 1], [2, 3], [4]]):  # nothing has moved before the first cycle
        block = points[12 * number : 12 * (number + 1)]
        others = np.setdiff1d(np.arange(5), group)
        assert (block[:, others] == block[0, others]).all() and len(np.unique(block[:, group], axis=0)) > 6
    whole = points[-6:]
    assert all((whole[:, i] != whole[0, i]).any() for i in range(5))


def test_groups_follow_how_far_variables_moved_in_the_last_cycle():
    rehearsal = rehearsed(5 + 42 + 1)
    state = rehearsal.state
    moved = np.abs(state.before - rehearsal.state.coevolving.members).mean(axis=0)
    assert not moved.any()  # the second cycle has begun, and its groups were made from the first one
    order = [i for group in state.coevolving.groups for i in group.tolist()]
    assert sorted(order) == [0, 1, 2, 3, 4] and len(state.coevolving.groups) == 3


def test_where_initiations_end_does_not_matter():
    whole, pieces = rehearsed(400), rehearsed(*[1] * 30, *[7] * 50, 20)
    assert len(whole.points) == 401 and whole.points.tolist() == pieces.points.tolist()


def test_a_context_that_others_changed_begins_the_group_anew():
    rehearsal = rehearsed(5 + 8)  # in the middle of the first group
    assert rehearsal.state.coevolving.differing.used == 8
    rehearsal.evaluator.lend(1).evaluate_point(np.full(5, 0.3))
    rehearsal.act(3)
    assert rehearsal.state.coevolving.differing.used == 3
    assert (rehearsal.points[-3:, 2:] == 0.3).all()


def test_it_minimises_a_sphere():
    rehearsal = Rehearsal(DECCD(population=20, group=4), sphere, ter.box(-5, 5, dimension=10))
    rehearsal.act(12_000)
    assert rehearsal.evaluator.y < 1e-6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 3}, r"population must lie in \[4"),
        ({"group": 0}, r"group must lie in \[1"),
        ({"generations": 0}, r"generations must lie in \[1"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
def test_parameters_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        DECCD(**options)
