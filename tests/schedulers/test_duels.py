"""Duels: only gains of the same time are compared."""

import pytest

import ter
from ter.schedulers.duels import Duels
from tests.schedulers.stories import told

DUELS = Duels(race=100, slice=20, probe=5, probing=1.0)


def indices(choices):
    return [(c.index, c.evaluations) for c in choices]


def test_a_challenger_that_is_slower_than_the_leader_is_sent_away():
    def outcome(turn, choice):
        if choice.origin == "own":
            return 9.0, float(choice.index)
        return (9.0, 8.0) if choice.index == 0 else (9.0, 9.0)

    choices = told(DUELS, "abc", outcome, 9)
    assert indices(choices[3:]) == [(0, 10), (0, 10), (1, 5), (0, 10), (0, 10), (2, 5)]


def test_a_challenger_leads_if_it_is_still_faster_at_the_end_of_a_trial():
    def outcome(turn, choice):
        if choice.origin == "own":
            return 9.0, float(choice.index)
        return (9.0, 8.0) if choice.index == 0 else (9.0, 2.0)

    choices = told(DUELS, "ab", outcome, 9)
    assert indices(choices[2:]) == [(0, 10), (0, 10), (1, 5), (1, 10), (1, 10), (1, 10), (1, 10)]


def test_a_trial_that_slows_down_is_no_victory():
    trial = iter([5.0, 7.9, 8.5])

    def outcome(turn, choice):
        if choice.origin == "own":
            return 9.0, float(choice.index)
        return (9.0, 7.0) if choice.index == 0 else (9.0, next(trial, 9.0))

    choices = told(DUELS, "ab", outcome, 8)
    assert indices(choices[2:]) == [(0, 10), (0, 10), (1, 5), (1, 10), (1, 10), (0, 10)]


def test_if_nobody_gains_the_lead_goes_round_and_probes_double():
    choices = told(DUELS, "ab", lambda _, c: (9.0, 9.0), 11)
    assert indices(choices[2:]) == [(0, 10), (0, 10), (1, 5), (1, 10), (1, 10), (0, 10), (0, 10), (0, 10), (1, 20)]


def test_probes_take_no_more_than_their_part():
    scheduler = Duels(race=100, slice=20, probe=5, probing=0.02)
    gains = told(scheduler, "ab", lambda _, c: (9.0, 8.0 if c.index == 0 else 9.0), 200)
    probes = sum(c.evaluations for c in gains[2:] if c.index == 1)
    assert 0.01 * sum(c.evaluations for c in gains) < probes <= 0.02 * sum(c.evaluations for c in gains) + 5


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"slice": 1}, "slice must lie in"), ({"probe": 0}, "probe must"), ({"probing": 2}, "probing must")],
)
def test_settings_outside_their_range_are_refused(settings, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        Duels(**settings)
