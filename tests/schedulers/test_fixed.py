from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import ter
from ter.core.scheduler import Scheduler
from ter.schedulers import SCHEDULERS, Only, RandomChoice, Replay, RoundRobin
from ter.schedulers.catalogue import scheduler_named

NAMES = ["a", "b", "c"]


def turns(scheduler, n, seed=1):
    rng = np.random.default_rng(seed)
    past: list[ter.Action] = []
    choices = []
    for turn in range(n):
        choice = scheduler.choose(past, NAMES, rng)
        if choice is None:
            break
        choices.append(choice)
        past.append(ter.Action(turn, NAMES[choice.index], cost=1, nfev=1, before=1, after=1))
    return choices


def test_only_starts_one_again_and_again():
    assert [(c.index, c.probabilities) for c in turns(Only("b"), 4)] == [(1, (0, 1, 0))] * 4


def test_round_robin_takes_turns():
    assert [c.index for c in turns(RoundRobin(), 7)] == [0, 1, 2, 0, 1, 2, 0]
    assert turns(RoundRobin(), 2)[1].probabilities == (0, 1, 0)


def test_random_choice_is_uniform():
    choices = turns(RandomChoice(), 3000)
    assert {c.probabilities for c in choices} == {(1 / 3,) * 3}
    assert stats.chisquare(np.bincount([c.index for c in choices])).pvalue > 1e-3


def test_replay_follows_its_sequence_and_ends():
    assert [c.index for c in turns(Replay(["c", "a", "a"]), 10)] == [2, 0, 0]
    assert [c.index for c in turns(Replay(("c", "a"), cycle=True), 5)] == [2, 0, 2, 0, 2]


def test_replay_keeps_a_copy_of_its_sequence():
    sequence = ["a"]
    scheduler = Replay(sequence)
    sequence.append("b")
    assert len(turns(scheduler, 5)) == 1


@pytest.mark.parametrize("scheduler", [Only("x"), Replay(["x"])])
def test_names_outside_the_portfolio_are_refused(scheduler):
    with pytest.raises(ter.UnknownName, match="unknown heuristic in this portfolio 'x'; Valid names: a, b, c"):
        turns(scheduler, 1)


@pytest.mark.parametrize("sequence", [[], "ls1"])
def test_a_sequence_must_be_a_list_of_names(sequence):
    with pytest.raises(ter.InvalidArgument, match="sequence must be a list with at least one name, got"):
        Replay(sequence)


def test_all_record_the_improvement_per_resource():
    action = ter.Action(0, "a", cost=4, nfev=4, before=10, after=2)
    assert all(s.reward_of(action) == 2 for s in (Only("a"), RoundRobin(), RandomChoice(), Replay(["a"])))


def test_the_catalogue_makes_schedulers():
    for name in SCHEDULERS:
        if name in ("metered", "opening", "plunge", "only", "replay"):
            with pytest.raises(ter.InvalidArgument, match=r"pass ter\.schedulers"):
                scheduler_named(name)
        else:
            assert isinstance(scheduler_named(name), Scheduler)


def test_schedulers_with_the_same_settings_are_equal():
    assert Only("a") == Only("a") and ter.schedulers.TER() == ter.schedulers.TER() != ter.schedulers.TER(window=9)
