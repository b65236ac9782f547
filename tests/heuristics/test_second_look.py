"""A second look: which groups are light, and what is put together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics.second_look import SecondLook, joined, moved_away
from ter.testing.rehearsal import Rehearsal

BOX = ter.box(-5, 5, dimension=6)


class Looking:
    """A heuristic that does nothing but look, with a given number of evaluations."""

    name = "looking"

    def __init__(self, groups: list[np.ndarray], among: float = np.inf) -> None:
        self.groups, self.among, self.done = groups, among, False

    def cost(self, dimension):
        return 100

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        if state is None:
            state = SecondLook(np.array(allowance.x), allowance.y, 50, np.full(len(self.groups), self.among))
        self.done = state.go_on(allowance, self.groups)
        return state


def uneven(x: np.ndarray) -> float:
    """A heavy pair, and four light variables of which two interact."""
    return float(1e9 * (x[0] + x[1]) ** 2 + 1e-3 * ((x[2] - x[3]) ** 2 + x[4] ** 2 + x[5] ** 2))


GROUPS = [np.array([0, 1]), np.array([2, 4]), np.array([3, 5])]


def test_light_groups_are_analysed_and_heavy_ones_left_alone():
    looking = Looking(GROUPS)
    rehearsal = Rehearsal(looking, uneven, BOX)
    rehearsal.act(300)
    look = rehearsal.state
    assert looking.done and look.light.tolist() == [False, True, True]
    assert [group.tolist() for group in look.analysis.structure().groups] == [[2, 3]]
    assert look.among[0] == look.effects[0] and look.among[1] == look.among[2] == look.effects[1:].max()
    moved = (rehearsal.points != rehearsal.points[0])[4:]
    assert not moved[:, :2].any() and moved[:, 2:].any()


def test_a_group_that_was_not_drowned_is_not_analysed_again():
    looking = Looking(GROUPS, among=1.0)  # the largest effect that they were analysed with
    rehearsal = Rehearsal(looking, uneven, BOX)
    assert rehearsal.act(300) == 3 and looking.done and rehearsal.state.analysis is None


@pytest.mark.parametrize("piece", [1, 2, 5])
def test_it_goes_on_where_it_was_cut(piece):
    whole, pieces = Rehearsal(Looking(GROUPS), uneven, BOX), Rehearsal(Looking(GROUPS), uneven, BOX)
    whole.act(300)
    while not pieces.heuristic.done:
        pieces.act(piece)
    assert whole.points.tolist() == pieces.points.tolist()


def test_a_value_that_failed_has_no_effect():
    looking = Looking(GROUPS)
    rehearsal = Rehearsal(looking, lambda x: np.nan if x[2] != 2.5 else uneven(x), BOX)
    rehearsal.act(300)
    assert rehearsal.state.effects[1] == 0.0 and looking.done


def test_what_is_moved_stays_in_the_box():
    x = np.array([-5.0, 5.0, 0.0, 4.0, -4.0, 1.0])
    assert BOX.contains(moved_away(x, BOX, 1.0)) and (moved_away(x, BOX, 0.5) != x).all()


def test_a_union_that_gets_too_large_is_not_made():
    groups = [np.array([0, 1]), np.array([2, 3])]
    assert [group.tolist() for group in joined(groups, [np.array([1, 2])], most=3)] == [[0, 1], [2, 3]]


@given(st.lists(st.sets(st.integers(0, 12), min_size=2), max_size=6), st.integers(2, 13))
def test_groups_never_share_a_variable_and_none_is_lost(found, most):
    groups = [np.array([0, 1, 2]), np.array([5, 6])]
    result = joined(groups, [np.array(sorted(each)) for each in found], max(3, most))
    members = np.concatenate(result).tolist()
    assert len(members) == len(set(members)) and {0, 1, 2, 5, 6} <= set(members)
    assert all(group.size <= max(3, most) for group in result)
