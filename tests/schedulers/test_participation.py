"""MOS's participation: shares move from the worse to the best, and stay shares."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.core.action import Action
from ter.schedulers.participation import Participation, adjusted, quality_of

NAMES = ("a", "b", "c")


def done(index: int, evaluations: int, quality: float) -> Action:
    after = 10.0 * math.exp(-quality * evaluations)
    return Action(0, NAMES[index], float(evaluations), evaluations, 10.0, after)


def test_two_steps_by_hand():
    story = Participation(step=300, least=0.2, adjustment=0.3).story(NAMES)
    first = next(story)
    assert (first.index, first.evaluations, first.probabilities) == (0, 100, (1.0, 0.0, 0.0))
    second = story.send(done(0, 100, 0.5))
    third = story.send(done(1, 100, 0.25))  # gives 0.3 * 0.5 / 3 = 0.05
    fourth = story.send(done(2, 100, 0.0))  # gives 0.3 / 3 = 0.1
    assert (second.index, third.index, fourth.index) == (1, 2, 0)
    assert fourth.evaluations == round(300 * (1 / 3 + 0.15))
    fifth = story.send(done(0, 145, 0.0))
    sixth = story.send(done(1, 85, 0.0))
    assert (fifth.evaluations, sixth.evaluations) == (round(300 * (1 / 3 - 0.05)), round(300 * (1 / 3 - 0.1)))
    again = story.send(done(2, 70, 0.0))  # nobody gained anything: nothing changes
    assert again.evaluations == fourth.evaluations


@given(
    st.lists(st.floats(0.01, 1.0), min_size=1, max_size=6),
    st.lists(st.floats(0.0, 1e9), min_size=6, max_size=6),
    st.floats(0.0, 1.0),
    st.floats(0.0, 1.0),
)
def test_shares_stay_shares(parts, quality, least, adjustment):
    shares = [part / sum(parts) for part in parts]
    least = min(least, *shares)
    new = adjusted(shares, quality[: len(shares)], least, adjustment)
    assert sum(new) == pytest.approx(1.0) and min(new) >= least - 1e-12
    best = max(quality[: len(shares)])
    assert all(after >= before for after, before, q in zip(new, shares, quality, strict=False) if q == best)


def test_the_quality_is_the_sum_of_relative_gains_per_evaluation():
    assert quality_of(Action(0, "a", 5.0, 5, 10.0, 5.0)) == math.log(2) / 5
    assert quality_of(Action(0, "a", 5.0, 5, 10.0, 0.0)) == 0.2
    assert quality_of(Action(0, "a", 5.0, 5, -10.0, -15.0)) == 0.1
    for nothing in ((0, 10.0, 5.0), (5, math.inf, 5.0), (5, 0.0, -5.0), (5, 3.0, 3.0)):
        assert quality_of(Action(0, "a", 5.0, *nothing)) == 0.0


@pytest.mark.parametrize(
    ("wrong", "words"), [({"step": 0}, "step"), ({"least": 1.5}, "least"), ({"adjustment": -1}, "adj")]
)
def test_wrong_settings_are_refused(wrong, words):
    with pytest.raises(ter.InvalidArgument, match=words):
        Participation(**wrong)


def test_a_run_spends_what_the_shares_say():
    result = ter.minimize(
        lambda x: float((x**2).sum()),
        ter.box(-1, 1, dimension=6),
        budget=2_400,
        rng=1,
        heuristics=["ls1", "cc", "gs"],
        scheduler=Participation(step=600),
    )
    turns = np.array([action.nfev for action in result.actions[:3]])
    assert turns.tolist() == [200, 200, 200]
