"""Fading rates: whoever lowers the logarithm fastest runs longer and longer."""

import pytest

import ter
from ter.schedulers.fading_rates import FadingRates
from tests.schedulers.stories import told

RULE = FadingRates(race=10, slice=10, probe=5, longest=80, fading=1000, probing=0.0)


def test_the_leader_runs_for_longer_and_longer():
    choices = told(RULE, "ab", lambda _, c: (9.0, 1.0 + c.index), 8)
    assert [(c.index, c.evaluations) for c in choices[2:]] == [(0, 10), (0, 20), (0, 40), (0, 80), (0, 80), (0, 80)]


def test_probes_go_to_whom_nobody_saw_for_longest():
    rule = FadingRates(race=10, slice=10, probe=5, longest=10, fading=1000, probing=1.0)
    choices = told(rule, "abc", lambda _, c: (9.0, 1.0 if c.index == 0 else 9.0), 9)
    assert [(c.index, c.evaluations) for c in choices[3:]] == [(0, 10), (1, 5), (0, 10), (2, 5), (0, 10), (1, 5)]


def test_who_gains_nothing_any_more_loses_the_lead():
    rule = FadingRates(race=10, slice=10, probe=5, longest=10, fading=30, probing=1.0)

    def outcome(_, choice):
        return (9.0, 1.0 + choice.index) if choice.origin == "own" else (9.0, 9.0 if choice.index == 0 else 8.0)

    turns = [choice for choice in told(rule, "ab", outcome, 12)[2:] if choice.evaluations == 10]
    assert turns[0].index == 0 and turns[-1].index == 1


@pytest.mark.parametrize("name", ["race", "slice", "probe", "longest", "fading"])
def test_settings_outside_their_range_are_refused(name):
    with pytest.raises(ter.InvalidArgument, match=f"{name} must lie in"):
        FadingRates(**{name: 0})
