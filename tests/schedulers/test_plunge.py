"""Plunge: a strategy goes down first, and on a function with walls only some of the heuristics race."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.algorithms.profiles import default_profile
from ter.core.action import Action
from ter.schedulers import Halving, Plunge

NAMES = ("sweeps", "diver", "slopes", "wide")
RACE = Halving(race=10, patience=0, slice=4, stretch=40)
PLUNGE = Plunge(RACE, "diver", 20, opening=30, racers=("diver", "wide"))
FIRST = [("diver", 20, "incumbent"), ("diver", 40, "incumbent"), ("sweeps", 30, "incumbent")]


def started(gains, *, nfev=20, turns=7, start=1e9, scheduler=PLUNGE):
    """Tell the story of a run whose first initiations gain so much; return who is started, for how long, and where."""
    story, seen, values = scheduler.story(NAMES), [], [start]
    choice = next(story)
    for turn in range(turns):
        seen.append((NAMES[choice.index], choice.evaluations, choice.origin))
        n = choice.evaluations if turn else nfev
        known = values[-1] if math.isfinite(values[-1]) else 1e9
        values.append(known - (gains[turn] if turn < len(gains) else 0.0))
        before, after = values[-2:] if choice.origin == "incumbent" else (2.0, 1.0)
        own = (before, after) if choice.origin == "own" else None
        choice = story.send(
            Action(turn, NAMES[choice.index], float(n), n, before, after, own=own, origin=choice.origin)
        )
    return seen


def racing(seen):
    """Return who was started on a trajectory of its own, in order."""
    return list(dict.fromkeys(name for name, _, origin in seen if origin == "own"))


def test_on_a_function_with_walls_few_race_and_then_all_share():
    seen = started([64.0, 8.0, 4.0], turns=300)
    assert seen[:5] == [*FIRST, ("diver", 10, "own"), ("wide", 10, "own")]
    assert racing(seen) == ["diver", "wide"]
    assert {name for name, _, origin in seen[5:] if origin == "incumbent"} == set(NAMES)


@pytest.mark.parametrize(
    ("gains", "few"),
    [
        ([64.0, 8.0, 4.0], True),
        ([40.0, 8.0, 4.0], False),  # five times the second gain, no more
        ([64.0, 8.0, 8.0], False),  # the strategy is stuck, and sweeps are not
        ([64.0, 8.0, 0.0], False),  # so are sweeps
        ([64.0, 0.0, 0.0], False),
        ([0.0, 0.0, 0.0], False),
        ([0.0, 64.0, 4.0], False),
    ],
)
def test_walls_are_where_the_first_gain_is_many_times_the_second_and_nobody_is_stuck(gains, few):
    seen = started(gains)
    assert seen[:3] == FIRST
    assert racing(seen) == (["diver", "wide"] if few else list(NAMES))
    assert racing(started(gains, scheduler=replace(PLUNGE, steep=1e3))) == list(NAMES)


def test_nobody_knows_how_much_was_gained_where_the_first_value_is_infinite():
    assert racing(started([64.0, 8.0, 4.0], start=math.inf)) == list(NAMES)


def test_a_diver_that_finds_another_kind_of_function_dives_once():
    seen = started([64.0, 4.0], nfev=19)
    assert seen[:3] == [FIRST[0], FIRST[2], ("sweeps", 10, "own")]


@given(st.lists(st.integers(0, 99), min_size=3, max_size=3), st.integers(-20, 20), st.integers(-(2**30), 2**30))
def test_neither_a_factor_nor_a_constant_changes_who_races(gains, power, constant):
    factor = 2.0**power
    moved = started([factor * gain for gain in gains], start=factor * (1e9 + constant))
    assert moved == started([float(gain) for gain in gains])


def test_hurried_runs_of_the_default_begin_with_a_plunge():
    for per_variable, kind in ((30, Plunge), (59, Plunge), (60, Halving), (100, Halving)):
        assert type(default_profile(1000, ter.Budget(evaluations=1000 * per_variable)).scheduler) is kind
    fitted = Plunge.fitted(1000, 30_000)
    plain = Halving.fitted(1000, 30_000)
    assert fitted.race == replace(plain, opening=0) and fitted.racers == ("volleys", "rm-es", "wide-es")
    assert (fitted.evaluations, fitted.opening) == (500, plain.opening)
    assert Plunge.fitted(1, 40).evaluations == 1


def test_on_a_function_with_walls_a_hurried_run_does_without_slopes_in_the_race():
    def races(power):
        box = ter.box(-9, 9, dimension=400)
        result = ter.minimize(lambda x: float(((x - 1.0) ** 2).sum() ** power), box, budget=30 * 400, rng=1)
        assert result.sequence[:3] == ("rm-es", "rm-es", "volleys") and result.nfev == 30 * 400
        return {action.heuristic for action in result.actions if action.origin == "own"}

    assert races(32) == {"volleys", "rm-es", "wide-es"}
    assert races(1) == {"volleys", "lines", "groups", "rm-es", "quasi-newton", "wide-es"}


def test_bad_settings_are_refused():
    with pytest.raises(ter.InvalidArgument, match="race must be a Halving, got 'halving'"):
        Plunge("halving", "diver", 10, opening=10, racers=("diver",))
    with pytest.raises(ter.InvalidArgument, match=r"evaluations must lie in \[1, inf\], got 0"):
        replace(PLUNGE, evaluations=0)
    with pytest.raises(ter.InvalidArgument, match=r"opening must lie in \[1, inf\], got 0"):
        replace(PLUNGE, opening=0)
    with pytest.raises(ter.InvalidArgument, match="steep must lie in"):
        replace(PLUNGE, steep=0.0)


def test_a_portfolio_without_those_who_are_named_is_refused():
    PLUNGE.check(NAMES)
    with pytest.raises(
        ter.InvalidArgument, match="diver must be among the heuristics, got 'rm-es' among sweeps, diver"
    ):
        replace(PLUNGE, diver="rm-es").check(NAMES)
    with pytest.raises(ter.InvalidArgument, match="racers must be among the heuristics, got ls1 among sweeps"):
        replace(PLUNGE, racers=("ls1",)).check(NAMES)
