from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.core.reward import REWARDS, improvement, log, relative, reward_named


def action(before: float, after: float, cost: float = 4.0) -> ter.Action:
    return ter.Action(0, "a", cost=cost, nfev=4, before=before, after=after)


@pytest.mark.parametrize(
    ("before", "after", "cost", "expected"),
    [
        (10, 2, 4, 2.0),
        (-1, -5, 2, 2.0),
        (1, -1, 4, 0.5),
        (5, 5, 4, 0.0),
        (5, 2, 0, 0.0),
        (math.inf, 2, 4, math.inf),
        (math.inf, math.inf, 4, 0.0),
        (math.inf, 2, 0, 0.0),
    ],
)
def test_improvement_is_the_difference_per_cost(before, after, cost, expected):
    assert improvement(action(before, after, cost)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (10, 2, 0.8 / 4),
        (-1, -5, 4 / 4),
        (1, -1, 2 / 4),
        (0, -5, 0.0),
        (8, 0, 1 / 4),
        (5, 5, 0.0),
        (math.inf, 3, math.inf),
        (math.inf, math.inf, 0.0),
    ],
)
def test_relative_is_the_share_of_the_value_before(before, after, expected):
    assert relative(action(before, after)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (10, 1, math.log(10) / 4),
        (-1, -5, math.log1p(4 / 5) / 4),
        (1, -1, math.log(3) / 4),
        (5, 5, 0.0),
        (math.inf, 3, math.inf),
        (math.inf, math.inf, 0.0),
        (1, 0, -math.log(2.2250738585072014e-308) / 4),
        (1e10, 0, (math.log(1e10) - math.log(2.2250738585072014e-308)) / 4),
    ],
)
def test_log_is_the_logarithm_of_the_ratio(before, after, expected):
    assert log(action(before, after)) == pytest.approx(expected, rel=1e-12)


def test_log_does_not_depend_on_the_unit_of_positive_values():
    assert log(action(8.0, 2.0)) == pytest.approx(log(action(8e9, 2e9)), rel=1e-12)


values = st.floats(allow_nan=False, allow_infinity=False) | st.just(math.inf)


@given(st.sampled_from(sorted(REWARDS)), values, values, st.floats(0, 1e12))
def test_rewards_are_never_negative_and_never_nan(name, a, b, cost):
    reward = REWARDS[name](action(max(a, b), min(a, b), cost))
    assert reward >= 0


def test_unknown_rewards_are_refused():
    with pytest.raises(ter.UnknownName, match="unknown reward 'logg'; did you mean 'log'"):
        reward_named("logg")
