"""Stretches: shares follow what each heuristic gains in the same stretch."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.core.action import Action
from ter.schedulers.race import shares_by_rank
from ter.schedulers.stretches import Stretches, entitled, learned

NAMES = ("a", "b")


def done(choice, gain=0.0, end=1.0):
    own = (9.0, end) if choice.origin == "own" else None
    n = choice.evaluations
    return Action(0, NAMES[choice.index], float(n), n, 100.0, 100.0 - gain, own=own, origin=choice.origin)


def test_a_race_then_a_stretch_by_hand():
    story = Stretches(race=50, slice=10, stretch=100, growth=0.0, memory=0.5, floor=0.1).story(NAMES)
    first = next(story)
    second = story.send(done(first, end=5.0))
    assert [(c.index, c.evaluations, c.origin) for c in (first, second)] == [(0, 50, "own"), (1, 50, "own")]
    choice, sequence = story.send(done(second, end=3.0)), []
    assert choice.origin == "incumbent"
    for _ in range(10):
        sequence.append(choice.index)
        choice = story.send(done(choice, gain=3.0 if choice.index == 0 else 1.0))
    assert sequence == [1, 0, 1, 1, 0, 1, 0, 1, 1, 0]  # shares 0.1 + 0.8 / 3 and 0.1 + 0.8 * 2 / 3
    sequence.clear()
    for _ in range(100):  # the first gained three times as much: its share is 0.1 + 0.8 * (0.5 / 3 + 0.5 * 0.75)
        sequence.append(choice.index)
        choice = story.send(done(choice))
    assert sequence.count(0) == round(100 * (0.1 + 0.8 * (0.5 / 3 + 0.5 * 0.75)))


def test_stretches_grow_with_the_run():
    story = Stretches(race=0, slice=10, stretch=10, growth=1.0, memory=0.0, floor=0.0).story(NAMES)
    choice, sequence = next(story), []
    for turn in range(32):  # whoever runs first in a stretch gains, and has all of the next one
        sequence.append(choice.index)
        first = turn & (turn - 1) == 0  # stretches begin at 0, 1, 2, 4, 8, ...
        choice = story.send(done(choice, gain=float(first)))
    assert set(sequence) == {0}


shares = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=7).map(lambda parts: [p / sum(parts) for p in parts])


@given(shares, st.data(), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_shares_stay_shares_and_nobody_falls_below_the_floor(old, data, memory, floor):
    some = st.lists(st.floats(0.0, 1e300) | st.just(math.inf), min_size=len(old), max_size=len(old))
    new = learned(old, data.draw(some), [1.0 + i for i in range(len(old))], memory)
    due = entitled(new, floor)
    assert sum(new) == pytest.approx(1.0) and sum(due) == pytest.approx(1.0)
    assert min(due) >= min(floor, 1.0 / len(old)) - 1e-12


@given(st.lists(st.integers(0, 1000), min_size=3, max_size=3), st.integers(-20, 20))
def test_the_scale_of_the_gains_does_not_matter(gains, exponent):
    old, costs = [0.2, 0.3, 0.5], [1.0, 2.0, 4.0]
    scaled = [gain * 2.0**exponent for gain in gains]
    assert learned(old, gains, costs, 0.5) == learned(old, scaled, costs, 0.5)


def test_who_gains_nothing_for_a_long_time_keeps_its_floor():
    now = [0.5, 0.5]
    for _ in range(50):
        now = learned(now, [1.0, 0.0], [1.0, 1.0], 0.6)
    assert entitled(now, 0.04) == pytest.approx([0.96, 0.04])


def test_ranks():
    assert shares_by_rank([3.0, 1.0, math.inf]) == [2 / 7, 4 / 7, 1 / 7]


@pytest.mark.parametrize(("scale", "offset"), [(1.0, 1024.0), (0.25, 0.0), (8.0, -512.0)])
def test_decisions_do_not_depend_on_scale_and_offset_of_the_values(scale, offset):
    def stairs(x):  # whole numbers, so that nothing is lost in rounding
        return float(np.floor(8 * np.abs(x)).sum())

    box, scheduler = ter.box(-9, 9, dimension=6), Stretches(race=60, slice=30, stretch=200)
    plain = ter.minimize(stairs, box, budget=4_000, rng=1, scheduler=scheduler)
    other = ter.minimize(lambda x: scale * stairs(x) + offset, box, budget=4_000, rng=1, scheduler=scheduler)
    assert plain.sequence == other.sequence and other.fun == scale * plain.fun + offset
    assert [a.probabilities for a in plain.actions] == [a.probabilities for a in other.actions]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"race": -1}, "race must lie in"),
        ({"slice": 0}, "slice must lie in"),
        ({"stretch": 0}, "stretch must lie in"),
        ({"memory": 1.5}, "memory must lie in"),
        ({"floor": -0.1}, "floor must lie in"),
    ],
)
def test_settings_outside_their_range_are_refused(settings, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        Stretches(**settings)
