"""The race at the beginning."""

import math

from ter.schedulers.elimination import Elimination
from ter.schedulers.race import raced, shares_by_rank
from tests.schedulers.stories import told


def test_all_run_as_long_on_trajectories_of_their_own():
    choices = told(Elimination(race=7), "abc", lambda turn, choice: (9.0, float(turn)), 3)
    assert [(c.index, c.evaluations, c.origin) for c in choices] == [(0, 7, "own"), (1, 7, "own"), (2, 7, "own")]


def test_those_who_do_not_take_part_have_no_end():
    race = raced("abc", 5, among=[1])
    next(race)
    try:
        race.send(told_action())
    except StopIteration as end:
        assert end.value == [math.inf, 3.0, math.inf]
    else:
        raise AssertionError("the race has not ended")


def told_action():
    from ter.core.action import Action

    return Action(0, "b", 5.0, 5, 9.0, 2.0, own=(9.0, 3.0), origin="own")


def test_ties_are_ranked_in_their_order():
    assert shares_by_rank([1.0, 1.0]) == [2 / 3, 1 / 3]
