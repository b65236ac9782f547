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

NAMES = ("lines", "diver", "slopes", "wide")
RACE = Halving(race=10, patience=0, slice=4, stretch=40, racers=("diver", "wide"))
PLUNGE = Plunge(RACE, "diver", 20)
DIVES = [("diver", 20, "incumbent"), ("diver", 40, "incumbent")]


def started(values, *, nfev=20, turns=6, scheduler=PLUNGE):
    """Tell the story of a run whose first two initiations come to these values; return who is started, and where."""
    story, seen = scheduler.story(NAMES), []
    choice = next(story)
    for turn in range(turns):
        seen.append((NAMES[choice.index], choice.evaluations, choice.origin))
        n = choice.evaluations if turn else nfev
        before, after = values[turn : turn + 2] if turn < 2 else (1.0, 0.5)
        own = (before, after) if choice.origin == "own" else None
        choice = story.send(
            Action(turn, NAMES[choice.index], float(n), n, before, after, own=own, origin=choice.origin)
        )
    return seen


def racing(seen):
    """Return who was started on a trajectory of its own, in order."""
    return list(dict.fromkeys(name for name, _, origin in seen if origin == "own"))


def test_if_nearly_all_is_gained_at_first_few_race_and_then_all_share():
    seen = started([1e9, 1e3, 1.0], turns=300)
    assert seen[:4] == [*DIVES, ("diver", 10, "own"), ("wide", 10, "own")]
    assert racing(seen) == ["diver", "wide"]
    assert {name for name, _, origin in seen[4:] if origin == "incumbent"} == set(NAMES)


@pytest.mark.parametrize(
    ("values", "few"),
    [
        ([20.0, 10.0, 8.5], True),
        ([20.0, 10.0, 8.0], False),  # five times the second gain, no more
        ([20.0, 10.0, 10.0], True),
        ([20.0, 20.0, 20.0], False),
        ([20.0, 20.0, 10.0], False),
        ([math.inf, 10.0, 9.9], False),  # nobody knows how much was gained
        ([math.inf, math.inf, math.inf], False),
    ],
)
def test_walls_are_where_the_first_gain_is_many_times_the_second(values, few):
    seen = started(values)
    assert seen[:2] == DIVES
    assert racing(seen) == (["diver", "wide"] if few else list(NAMES))
    assert not few or racing(started(values, scheduler=replace(PLUNGE, steep=1e9))) == (
        ["diver", "wide"] if values[1] == values[2] else list(NAMES)
    )


def test_a_diver_that_finds_another_kind_of_function_dives_once():
    seen = started([1e9, 1e3, 1.0], nfev=19)
    assert seen[:2] == [DIVES[0], ("lines", 10, "own")]


@given(
    st.lists(st.integers(0, 2**20), min_size=3, max_size=3).map(lambda drawn: sorted(drawn, reverse=True)),
    st.integers(-20, 20),
    st.integers(-(2**30), 2**30),
)
def test_neither_a_factor_nor_a_constant_changes_who_races(values, power, constant):
    moved = [2.0**power * (value + constant) for value in map(float, values)]
    assert started(moved) == started([float(value) for value in values])


def test_hurried_runs_of_the_default_begin_with_a_plunge():
    for per_variable, kind in ((30, Plunge), (59, Plunge), (60, Halving), (100, Halving)):
        assert type(default_profile(1000, ter.Budget(evaluations=1000 * per_variable)).scheduler) is kind
    fitted = Plunge.fitted(1000, 30_000)
    assert fitted.race == Halving.fitted(1000, 30_000) and fitted.evaluations == 500
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
        Plunge("halving", "diver", 10)
    with pytest.raises(ter.InvalidArgument, match=r"evaluations must lie in \[1, inf\], got 0"):
        replace(PLUNGE, evaluations=0)
    with pytest.raises(ter.InvalidArgument, match="steep must lie in"):
        replace(PLUNGE, steep=0.0)


def test_a_portfolio_without_the_strategy_is_refused():
    PLUNGE.check(NAMES)
    with pytest.raises(ter.InvalidArgument, match="diver must be among the heuristics, got 'rm-es' among lines, diver"):
        replace(PLUNGE, diver="rm-es").check(NAMES)
