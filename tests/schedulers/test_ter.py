"""TER by hand arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

import ter
from ter.schedulers.ter import TER, normalise, softmax

NAMES = ["ls", "cc", "gs"]


def history(*records: tuple[str, float]) -> list[ter.Action]:
    return [
        ter.Action(i, name, cost=1.0, nfev=1, before=0.0, after=0.0, reward=reward)
        for i, (name, reward) in enumerate(records)
    ]


def choose(records: list[ter.Action], scheduler: TER | None = None, seed: int = 1):
    return (scheduler or TER()).choose(records, NAMES, np.random.default_rng(seed))


def test_a_window_computed_by_hand():
    # Window of five: rewards 2, 4, 0, 1, 3 become 0.5, 1, 0, 0.25, 0.75; ls has 0.5 and 0.25, cc 1 and 0.75, gs 0.
    records = history(("gs", 99.0), ("ls", 2), ("cc", 4), ("gs", 0), ("ls", 1), ("cc", 3))
    means = TER(window=5).estimate(records[1:], NAMES)
    assert means.tolist() == [0.375, 0.875, 0.0]
    weights = [math.exp(mean / 0.2) for mean in (0.375, 0.875, 0.0)]
    choice = choose(records)
    assert choice.probabilities == pytest.approx([w / sum(weights) for w in weights])


def test_what_fell_out_of_the_window_does_not_count():
    recent = [("ls", 2), ("cc", 4), ("gs", 0), ("ls", 1), ("cc", 3)]
    for forgotten in ([], [("ls", 1e9)], [("gs", 7), ("cc", 1e-9)] * 50):
        assert choose(history(*forgotten, *recent)) == choose(history(*recent))
    assert choose(history(("gs", 100), *recent), TER(window=6)) != choose(history(*recent))


def test_heuristics_without_a_record_come_first_in_portfolio_order():
    assert choose([]).index == 0 and choose([]).probabilities == (1, 0, 0)
    assert choose(history(("ls", 1))).index == 1
    assert choose(history(("cc", 1))).index == 0
    choice = choose(history(("cc", 1), ("ls", 5)))
    assert choice.index == 2 and choice.probabilities == (0, 0, 1)


def test_a_heuristic_whose_record_fell_out_is_started_again():
    assert choose(history(("gs", 1), *[("ls", 1), ("cc", 2)] * 2, ("ls", 3))).index == 2


@pytest.mark.parametrize("reward", [0.0, 3.5, 1e300, math.inf])
def test_equal_records_give_a_uniform_choice(reward):
    choice = choose(history(*[(name, reward) for name in NAMES]))
    assert choice.probabilities == pytest.approx([1 / 3] * 3)


def test_the_first_finite_value_is_worth_more_than_anything():
    choice = choose(history(("ls", math.inf), ("cc", 1e300), ("gs", 0)))
    weights = [math.exp(5), 1, 1]
    assert choice.probabilities == pytest.approx([w / sum(weights) for w in weights])


@pytest.mark.parametrize("temperature", [0.05, 0.2, 3.0])
def test_choices_follow_the_probabilities(temperature):
    scheduler = TER(temperature=temperature)
    records = history(("ls", 2), ("cc", 4), ("gs", 0), ("ls", 1), ("cc", 3))
    rng = np.random.default_rng(5)
    choices = [scheduler.choose(records, NAMES, rng) for _ in range(4000)]
    counts = np.bincount([choice.index for choice in choices], minlength=3)
    expected = np.array(choices[0].probabilities) * 4000
    enough = expected > 5
    assert counts[~enough].sum() <= 20
    if enough.sum() > 1:
        scaled = expected[enough] * counts[enough].sum() / expected[enough].sum()
        assert stats.chisquare(counts[enough], scaled).pvalue > 1e-3


def test_a_smaller_temperature_is_greedier():
    records = history(("ls", 2), ("cc", 4), ("gs", 0))
    greedy = [choose(records, TER(temperature=t)).probabilities[1] for t in (10, 1, 0.2, 0.05)]
    assert greedy == sorted(greedy) and greedy[0] < 0.4 and greedy[-1] > 0.99


rewards = hnp.arrays(np.float64, st.integers(1, 9), elements=st.floats(0, allow_infinity=True, allow_nan=False))


@given(rewards)
def test_normalised_rewards_keep_their_order_in_the_unit_interval(values):
    scaled = normalise(values)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    if len(set(values.tolist())) > 1:
        assert scaled[np.argmax(values)] == 1 and scaled[np.argmin(values)] == 0
        assert (np.diff(scaled[np.argsort(values)]) >= 0).all()
    else:
        assert len(set(scaled.tolist())) == 1


@pytest.mark.parametrize("values", [[5e-324, 0.0], [1e-323, 5e-324], [0.0, 5e-324, 5e-324]])
def test_the_smallest_rewards_there_are_can_be_told_apart(values):
    scaled = normalise(np.array(values))
    assert scaled.max() == 1 and scaled.min() == 0


def test_normalising_leaves_its_argument_alone():
    values = np.array([1.0, 3.0])
    normalise(values)
    assert values.tolist() == [1, 3]


@given(hnp.arrays(np.float64, st.integers(1, 6), elements=st.floats(0, 1)), st.floats(1e-3, 100))
def test_softmax_is_a_distribution_that_follows_the_means(means, temperature):
    p = softmax(means, temperature)
    assert p.sum() == pytest.approx(1) and (p >= 0).all()
    assert (np.diff(p[np.argsort(means)]) >= -1e-15).all()


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1e300)), max_size=12), st.integers(1, 8))
def test_every_history_gives_a_choice(records, window):
    choice = choose(history(*records), TER(window=window))
    assert 0 <= choice.index < 3 and sum(choice.probabilities) == pytest.approx(1)
    assert choice.probabilities[choice.index] > 0


def test_the_reward_is_that_of_the_name():
    action = ter.Action(0, "ls", cost=4, nfev=4, before=10, after=2)
    assert TER().reward_of(action) == 2.0
    assert TER(reward="relative").reward_of(action) == 0.2
    assert TER(reward="log").reward_of(action) == pytest.approx(math.log(5) / 4)


@pytest.mark.parametrize("temperature", [0, -1, math.inf, math.nan])
def test_the_temperature_must_be_positive(temperature):
    with pytest.raises(ter.InvalidArgument, match="temperature must be a finite number > 0, got"):
        TER(temperature=temperature)


@pytest.mark.parametrize("window", [0, -1, 2.5])
def test_the_window_must_be_a_whole_number(window):
    with pytest.raises(ter.InvalidArgument, match="window must be a whole number >= 1, got"):
        TER(window=window)


def test_a_window_written_as_a_float_works():
    assert choose(history(*[(name, 1.0) for name in NAMES]), TER(window=5.0)).probabilities == pytest.approx(
        [1 / 3] * 3
    )


def test_unknown_rewards_are_refused():
    with pytest.raises(ter.UnknownName, match="unknown reward 'gain'"):
        TER(reward="gain")
