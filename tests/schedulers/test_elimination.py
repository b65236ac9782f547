"""Elimination: rounds that double, then fixed shares."""

from collections import Counter

import pytest

import ter
from ter.schedulers.elimination import Elimination
from tests.schedulers.stories import told

ENDS = {0: 5.0, 1: 3.0, 2: 4.0}


def test_the_worst_leaves_after_each_round_and_rounds_double():
    choices = told(Elimination(race=10, slice=4), "abc", lambda _, c: (9.0, ENDS[c.index]), 6)
    assert [(c.index, c.evaluations) for c in choices] == [(0, 10), (1, 10), (2, 10), (1, 20), (2, 20), (1, 4)]
    assert choices[-1].origin == "incumbent"


def test_afterwards_shares_are_by_the_last_places_for_good():
    choices = told(Elimination(race=10, slice=4), "abc", lambda _, c: (9.0, ENDS[c.index]), 5 + 70)[5:]
    assert Counter(c.index for c in choices) == {1: 40, 2: 20, 0: 10}


def test_one_heuristic_needs_no_race():
    assert [(c.index, c.evaluations) for c in told(Elimination(slice=4), "a", lambda *_: (9.0, 8.0), 2)] == [(0, 4)] * 2


@pytest.mark.parametrize("settings", [{"race": 0}, {"slice": 0}])
def test_settings_outside_their_range_are_refused(settings):
    with pytest.raises(ter.InvalidArgument, match=r"(race|slice) must lie in \[1"):
        Elimination(**settings)
