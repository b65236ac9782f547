"""Bandits of the literature."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.core.action import Action
from ter.schedulers.bandits import EXP3S, DiscountedThompson, SlidingWindowUCB, scaled_rewards

NAMES = ["a", "b"]


def history(*pairs):
    return [Action(t, name, 1.0, 1, 9.0, 9.0, reward, (0.5, 0.5)) for t, (name, reward) in enumerate(pairs)]


def chosen(scheduler, actions, seed=1):
    return scheduler.choose(actions, NAMES, np.random.default_rng(seed))


@given(st.lists(st.integers(0, 1000), max_size=30), st.integers(-30, 30))
def test_rewards_are_parts_of_the_largest_of_late_whatever_their_scale(rewards, exponent):
    plain = scaled_rewards(history(*(("a", float(r)) for r in rewards)), 5)
    other = scaled_rewards(history(*(("a", r * 2.0**exponent) for r in rewards)), 5)
    assert plain.tolist() == other.tolist() and all(0.0 <= r <= 1.0 for r in plain)


def test_an_infinite_reward_is_1_and_finite_ones_beside_it_are_0():
    assert scaled_rewards(history(("a", 2.0), ("a", math.inf), ("b", 3.0)), 2).tolist() == [1.0, 1.0, 0.0]


def test_ucb_by_hand():
    actions = history(("a", 4.0), ("b", 1.0), ("a", 2.0))  # scaled 1, 1/4, 1/2
    bonus = math.sqrt(math.log(3) / 2), math.sqrt(math.log(3))
    assert 0.75 + 0.3 * bonus[0] > 0.25 + 0.3 * bonus[1] and 0.75 + 9 * bonus[0] < 0.25 + 9 * bonus[1]
    assert chosen(SlidingWindowUCB(), actions).index == 0 and chosen(SlidingWindowUCB(bonus=9.0), actions).index == 1


def test_ucb_returns_to_whom_the_window_has_forgotten():
    assert chosen(SlidingWindowUCB(window=2), history(("b", 1.0), ("a", 1.0), ("a", 1.0))).index == 1


def test_exp3s_by_hand():
    scheduler = EXP3S(exploration=0.2, sharing=0.0)
    weight = math.exp(0.2 * (1.0 / 0.5) / 2)
    expected = 0.8 * weight / (weight + 1) + 0.1
    assert chosen(scheduler, history(("a", 7.0))).probabilities == pytest.approx((expected, 1 - expected))


def test_exp3s_forgets():
    actions = history(*[("a", 1.0)] * 20, *[("b", 1.0)] * 20)
    assert chosen(EXP3S(sharing=0.3), actions).probabilities[1] > 0.5


def test_thompson_believes_late_rewards_more():
    actions = history(*[("a", 1.0), ("b", 0.0)] * 20, *[("a", 0.0), ("b", 1.0)] * 10)
    assert chosen(DiscountedThompson(discount=0.8), actions).probabilities[1] > 0.95
    assert chosen(DiscountedThompson(discount=1.0), actions).probabilities[1] < 0.05


def test_thompson_tells_what_it_samples_from():
    choices = [chosen(DiscountedThompson(), history(("a", 1.0), ("b", 0.4)), seed) for seed in range(300)]
    told = np.mean([choice.probabilities[0] for choice in choices])
    assert np.mean([choice.index == 0 for choice in choices]) == pytest.approx(told, abs=0.09)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SlidingWindowUCB(window=0), "window must lie in"),
        (lambda: SlidingWindowUCB(bonus=-1.0), "bonus must lie in"),
        (lambda: EXP3S(exploration=0.0), "exploration must lie in"),
        (lambda: EXP3S(sharing=2.0), "sharing must lie in"),
        (lambda: DiscountedThompson(discount=0.0), "discount must lie in"),
    ],
)
def test_settings_outside_their_range_are_refused(make, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        make()
