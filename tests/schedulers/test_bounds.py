"""The interval of exploitation, against all windows on a grid."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import ter
from ter.schedulers.ter import normalise, softmax

CASES = [(2, 2, 0.2), (2, 3, 0.2), (2, 4, 1.0), (3, 3, 0.2), (3, 3, 1.0), (3, 4, 0.5), (3, 5, 0.2)]


def exploitation(owners: tuple[int, ...], rewards: np.ndarray, actions: int, temperature: float) -> float:
    """Probability of the action with the highest mean, for records of the given owners."""
    scaled = normalise(np.asarray(rewards, dtype=float))
    means = np.array([scaled[np.equal(owners, a)].mean() for a in range(actions)])
    return float(softmax(means, temperature)[np.argmax(means)])


def assignments(actions: int, window: int) -> list[tuple[int, ...]]:
    """All ways to own the records of a window such that every action has one; the order does not matter."""
    owners = itertools.combinations_with_replacement(range(actions), window)
    return [owner for owner in owners if len(set(owner)) == actions]


def windows(actions: int, window: int):
    """All windows with records on a grid, not all equal."""
    grid = [0.0, 0.5, 0.99, 1.0] if window <= 4 else [0.0, 0.97, 1.0]
    for owners in assignments(actions, window):
        for rewards in itertools.product(grid, repeat=window):
            if len(set(rewards)) > 1:
                yield owners, np.array(rewards)


@pytest.mark.parametrize(("actions", "window", "temperature"), CASES)
def test_every_window_lies_between_the_bounds_and_the_upper_one_is_attained(actions, window, temperature):
    bounds = ter.exploitation_bounds(actions=actions, window=window, temperature=temperature)
    found = [exploitation(o, r, actions, temperature) for o, r in windows(actions, window)]
    assert bounds.lower - 1e-12 <= min(found)
    assert max(found) == pytest.approx(bounds.upper, abs=1e-12)


@pytest.mark.parametrize(("actions", "window", "temperature"), CASES)
def test_random_windows_lie_between_the_bounds(actions, window, temperature):
    bounds = ter.exploitation_bounds(actions=actions, window=window, temperature=temperature)
    rng = np.random.default_rng(1)
    owners = assignments(actions, window)
    for _ in range(1500):
        rewards = rng.random(window) ** rng.choice([0.05, 1.0, 20.0])
        value = exploitation(owners[rng.integers(len(owners))], rewards, actions, temperature)
        assert bounds.lower - 1e-12 <= value <= bounds.upper + 1e-12


@pytest.mark.parametrize(("actions", "window", "temperature"), CASES)
def test_the_lower_bound_is_approached(actions, window, temperature):
    bounds = ter.exploitation_bounds(actions=actions, window=window, temperature=temperature)
    rng = np.random.default_rng(2)
    lowest = math.inf
    for owners in assignments(actions, window):
        for start in itertools.product([0.0, 0.5, 1.0], repeat=window):
            if len(set(start)) > 1:
                value = exploitation(owners, np.array(start), actions, temperature)
                if value < lowest:
                    lowest, best = value, (owners, np.array(start))
    owners, rewards = best
    for scale in np.geomspace(0.3, 1e-4, 3000):  # a random descent from the best window of the grid
        trial = np.clip(rewards + scale * rng.standard_normal(window), 0, 1)
        if np.ptp(trial) > 0.5 and (value := exploitation(owners, trial, actions, temperature)) < lowest:
            lowest, rewards = value, trial
    assert bounds.lower - 1e-12 <= lowest < bounds.lower + 0.01


def test_the_papers_minimum_is_violated():
    # The paper means that exploitation is at least 0.457 for three actions, window 5 and temperature 1/5. With
    # records 1, 1, 0 of one action and 2/3 - d of each other one all means are nearly equal.
    d = 1e-6
    value = exploitation((0, 0, 0, 1, 2), np.array([1, 1, 0, 2 / 3 - d, 2 / 3 - d]), actions=3, temperature=0.2)
    assert value < 0.457
    assert value == pytest.approx(1 / 3, abs=1e-4)
    assert value >= ter.exploitation_bounds(actions=3, window=5, temperature=0.2).lower


def test_the_bounds_by_hand():
    low, high = ter.exploitation_bounds(actions=3, window=5, temperature=0.2)
    assert low == 1 / 3 and high == pytest.approx(math.exp(5) / (math.exp(5) + 2))
    low, high = ter.exploitation_bounds(actions=3, window=3, temperature=0.2)
    assert low == pytest.approx(math.exp(5) / (2 * math.exp(5) + 1))
    assert ter.exploitation_bounds(actions=1, window=4, temperature=0.2) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"actions": 0, "window": 5, "temperature": 1}, "actions must be a whole number >= 1, got 0"),
        ({"actions": 2.5, "window": 5, "temperature": 1}, "actions must be a whole number"),
        ({"actions": 3, "window": 2, "temperature": 1}, r"window must be a whole number >= actions \(3\), got 2"),
        ({"actions": 3, "window": 4.5, "temperature": 1}, "window must be a whole number"),
        ({"actions": 3, "window": 5, "temperature": 0}, "temperature must be a finite number > 0, got 0"),
        ({"actions": 3, "window": 5, "temperature": math.nan}, "temperature must be a finite number > 0"),
    ],
)
def test_bad_settings_are_refused(arguments, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        ter.exploitation_bounds(**arguments)


def test_the_papers_setting_is_suggested_for_its_interval():
    pairs = ter.suggest(actions=3, exploitation=(0.5, 0.99))
    assert (0.2, 5) in pairs


@pytest.mark.parametrize("actions", [2, 3, 5, 10])
@pytest.mark.parametrize("interval", [(0.5, 0.99), (0.0, 1.0), (0.7, 0.9999), (0.3, 0.8)])
def test_every_suggested_maximum_lies_in_the_interval(actions, interval):
    if interval[1] < 1 / (1 + (actions - 1) * math.exp(-1)):
        with pytest.raises(ter.InvalidArgument, match="widen the interval"):
            ter.suggest(actions=actions, exploitation=interval)
        return
    pairs = ter.suggest(actions=actions, exploitation=interval)
    assert 0 < len(pairs) <= 12 and len(set(pairs)) == len(pairs)
    for temperature, window in pairs:
        upper = ter.exploitation_bounds(actions=actions, window=window, temperature=temperature).upper
        assert interval[0] <= upper <= interval[1]
        assert window > actions
    temperatures = [pair.temperature for pair in pairs]
    assert temperatures == sorted(temperatures)


def test_most_limits_the_number_of_suggestions():
    assert len(ter.suggest(actions=3, exploitation=(0.1, 0.99), most=2)) == 2


@pytest.mark.parametrize("interval", [(0.9, 0.5), (-0.1, 0.5), (0.5, 1.1), (0.5, 0.5)])
def test_bad_intervals_are_refused(interval):
    with pytest.raises(ter.InvalidArgument, match="exploitation must be an interval 0 <= low < high <= 1, got"):
        ter.suggest(actions=3, exploitation=interval)


def test_one_action_leaves_nothing_to_suggest():
    with pytest.raises(ter.InvalidArgument, match="actions must be a whole number >= 2, got 1"):
        ter.suggest(actions=1, exploitation=(0.5, 0.9))
