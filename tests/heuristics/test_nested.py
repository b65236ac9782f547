"""An algorithm as a heuristic: it keeps the contract, and pauses lose nothing of its turns."""

from __future__ import annotations

import ter
from ter.algorithms.profiles import paper, with_parts
from ter.core.profile import Profile
from ter.heuristics.nested import Nested
from ter.schedulers.fixed import RoundRobin
from ter.testing.rehearsal import Rehearsal, sphere


def small(dimension: int) -> Profile:
    heuristics = [ter.heuristics.LS1(evaluations=8), ter.heuristics.SHADE(population=5, keep=True, evaluations=10)]
    return with_parts(paper(), heuristics, RoundRobin())


class TestNested(ter.testing.HeuristicContract):
    make = staticmethod(lambda: Nested("nested", small))


class TestNestedTER(ter.testing.HeuristicContract):
    make = staticmethod(lambda: Nested("nested", lambda dimension: paper()))


def actions_after(*limits: int) -> list[ter.Action]:
    rehearsal = Rehearsal(Nested("nested", small), sphere, ter.box(-5, 5, dimension=5))
    for limit in limits:
        assert rehearsal.act(limit) == limit
    return rehearsal.state.actions


def test_turns_go_on_over_the_ends_of_allowances():
    whole = actions_after(500)
    pieces = actions_after(*[7] * 71, 3)
    assert [action.heuristic for action in whole] == [action.heuristic for action in pieces]
    assert [action.nfev for action in whole] == [action.nfev for action in pieces] == [40, 50] * 5 + [40]
    assert [action.before for action in whole[1:]] == [action.after for action in whole[:-1]]


def test_where_allowances_end_does_not_matter_for_heuristics_that_keep_what_they_need():
    assert actions_after(90, 90) == actions_after(*[1] * 180)


def test_turns_are_rewarded_by_the_algorithm_itself():
    actions = actions_after(200)
    assert actions[0].reward == (actions[0].before - actions[0].after) / 40
