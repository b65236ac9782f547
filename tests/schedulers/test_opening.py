"""An opening: one heuristic goes ahead, then another scheduler has the others."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.core.action import Action
from ter.schedulers import TER, Only, Opening, RoundRobin

NAMES = ("ahead", "a", "b")


def actions_of(*turns):
    return [Action(k, name, cost=n, nfev=n, before=1.0, after=0.5) for k, (name, n) in enumerate(turns)]


def told(*turns):
    """The choice after some turns, each a name and its evaluations."""
    history = actions_of(*turns)
    return Opening(RoundRobin(), evaluations=100).choose(history, NAMES, np.random.default_rng(1))


def test_the_first_goes_ahead_until_it_has_had_its_evaluations():
    assert told().index == told(("ahead", 60)).index == 0
    assert told(("ahead", 60), ("ahead", 40)).index == 1


def test_it_is_over_when_the_first_has_nothing_to_do_and_does_not_come_back():
    assert told(("ahead", 0)).index == 1
    assert told(("ahead", 60), ("ahead", 0), ("a", 10)).index == 2
    assert told(("ahead", 60), ("ahead", 0), ("a", 10), ("b", 10)).index == 1


def test_the_others_are_chosen_as_if_there_had_been_no_opening():
    rng = np.random.default_rng
    after = [Action(k, "ab"[k % 2], cost=5, nfev=5, before=9.0 - k, after=8.0 - k, reward=1.0 + k) for k in range(6)]
    alone = TER().choose(after, NAMES[1:], rng(3))
    behind = Opening(TER(), 10).choose([*actions_of(("ahead", 10)), *after], NAMES, rng(3))
    assert behind.index == alone.index + 1
    assert behind.probabilities == (0.0, *alone.probabilities)


def test_the_end_of_the_other_scheduler_is_the_end():
    replay = ter.schedulers.Replay(["a"])
    ended = actions_of(("ahead", 0), ("a", 1))
    assert Opening(replay, 10).choose(ended, NAMES, np.random.default_rng(1)) is None


def test_bad_settings_are_refused():
    with pytest.raises(ter.InvalidArgument, match="then must be a scheduler, got 'ter'"):
        Opening("ter", 10)
    with pytest.raises(ter.InvalidArgument, match=r"evaluations must lie in \[1, inf\], got 0"):
        Opening(TER(), 0)
    with pytest.raises(ter.InvalidArgument, match="at least one for afterwards, got ls1"):
        Opening(TER(), 10).check(["ls1"])
    with pytest.raises(ter.InvalidArgument, match="'x'"):
        Opening(Only("x"), 10).check(NAMES)
