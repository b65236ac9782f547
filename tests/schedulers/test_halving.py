"""Halving: a race in rounds from which most leave, patience for investments, then the winner as long as it gains."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import ter
from ter.core.action import Action
from ter.schedulers.halving import Halving
from tests.schedulers.stories import told

ENDS = {0: 5.0, 1: 3.0, 2: 4.0, 3: 9.0, 4: 8.0, 5: 7.0}
SMALL = Halving(race=10, growth=2.0, stay=1 / 3, patience=0, slice=4, stretch=40, floor=0.05)


def test_a_third_stays_after_each_round_and_rounds_get_longer():
    choices = told(SMALL, "abcdef", lambda _, c: (9.5, ENDS[c.index]), 9)
    assert [(c.index, c.evaluations, c.origin) for c in choices[:8]] == [
        *((index, 10, "own") for index in range(6)),
        *((index, 20, "own") for index in (1, 2)),
    ]
    assert (choices[8].index, choices[8].evaluations, choices[8].origin) == (1, 4, "incumbent")


def test_afterwards_the_winner_goes_on_and_nobody_is_below_the_floor():
    choices = told(SMALL, "abc", lambda _, c: (9.5, ENDS[c.index]), 3 + 100)[3:]
    started = Counter(c.index for c in choices)
    assert set(started) == {0, 1, 2} and started[1] == max(started.values())


def test_shares_move_to_whoever_gains_when_the_winner_runs_dry():
    def outcome(number, choice):
        if choice.origin == "own":
            return 9.5, ENDS[choice.index]
        return (3.0, 2.5) if choice.index == 2 else (3.0, 3.0)

    choices = told(SMALL, "abc", outcome, 3 + 150)[3:]
    assert Counter(c.index for c in choices[:10]).most_common(1)[0][0] == 1
    assert Counter(c.index for c in choices[-50:]).most_common(1)[0][0] == 2


def actions_of(scheduler, names, investing, rounds):
    """Tell the story with a heuristic that says for how long it invests; return the choices."""
    story, choices, done = scheduler.story(names), [], Counter()
    choice = next(story)
    for number in range(rounds):
        choices.append(choice)
        done[choice.index] += choice.evaluations
        choice = story.send(
            Action(
                index=number,
                heuristic=names[choice.index],
                probabilities=choice.probabilities,
                cost=float(choice.evaluations),
                nfev=choice.evaluations,
                before=9.5,
                after=ENDS[choice.index],
                reward=0.0,
                own=(9.5, ENDS[choice.index]),
                origin=choice.origin,
                investing=done[choice.index] < investing.get(choice.index, 0),
            )
        )
    return choices


@pytest.mark.parametrize(("patience", "rounds"), [(0, 1), (25, 2), (30, 3), (1_000, 5)])
def test_who_invests_is_judged_when_it_is_ready_or_patience_ends(patience, rounds):
    scheduler = Halving(race=10, patience=patience, slice=4, stretch=40)
    choices = actions_of(scheduler, "abc", {0: 50}, 8)
    assert [c.index for c in choices[: rounds + 2]] == [*[0] * rounds, 1, 2]


def test_patience_is_for_the_first_round_only():
    scheduler = Halving(race=10, patience=1_000, slice=4, stretch=40, stay=0.5)
    choices = actions_of(scheduler, "abcd", {1: 10**9}, 200)
    first = [c.index for c in choices].index(2)
    assert [c.index for c in choices[:first]] == [0, *[1] * 100]
    assert [(c.index, c.evaluations) for c in choices[first + 2 : first + 4]] == [(1, 20), (2, 20)]


def test_a_third_stays_and_whoever_would_soon_overtake_too():
    # Two of three stay; in the second round the first one gains 2 in 20 evaluations and the leader 0.1, at a gap of 3.
    values = {0: [9.0, 8.0, 6.0, 1.0, 0.5], 1: [9.0, 3.0, 2.9, 2.8, 2.7], 2: [9.0, 8.9, 8.9, 8.9, 8.9]}
    for patience, expected in ((0, []), (120, []), (240, [(1, 40), (0, 40)])):
        seen = Counter()

        def outcome(_, choice, seen=seen):
            at = min(seen[choice.index], 3)
            seen[choice.index] += 1
            return values[choice.index][at], values[choice.index][at + 1]

        scheduler = Halving(race=10, growth=2.0, stay=0.5, patience=patience, slice=4, stretch=40)
        choices = told(scheduler, "abc", outcome, 8)
        own = [(c.index, c.evaluations) for c in choices if c.origin == "own"]
        assert own == [(0, 10), (1, 10), (2, 10), (1, 20), (0, 20), *expected]
        assert choices[len(own)].index == (0 if expected else 1)


def test_a_winner_that_has_converged_leaves_the_evaluations_to_the_others():
    def waves(x):
        return float((x * x + 3 * (1 - np.cos(4 * x))).sum())

    box, scheduler = ter.box(-5, 5, dimension=6), Halving(50, patience=0, slice=200, stretch=1_000)
    result = ter.minimize(waves, box, budget=6_000, rng=1, heuristics=["lbfgsb", "gs"], scheduler=scheduler)
    assert result.nfev == 6_000 and result.status is ter.StopReason.BUDGET
    idle = [action.heuristic for action in result.actions if action.nfev == 0]
    assert "lbfgsb" in idle and "gs" not in idle


def after_convergence(scheduler, length, investing=()):
    """Return who is started after the winner has had nothing to do; whoever is named invests all the time."""
    story = scheduler.story("abc")
    choice, converged, seen = next(story), False, []
    while len(seen) < length:
        if choice.origin == "incumbent" and converged:
            seen.append(choice.index)
        nfev = choice.evaluations
        if choice.origin == "incumbent" and choice.index == 1 and not converged:  # b has won, and has nothing to do
            converged, nfev = True, 0
        action = Action(
            index=0, heuristic="abc"[choice.index], probabilities=choice.probabilities, cost=float(nfev), nfev=nfev,
            before=3.0, after=3.0, reward=0.0, own=(9.5, ENDS[choice.index]), investing=choice.index in investing,
        )  # fmt: skip
        choice = story.send(action)
        assert not (converged and choice.origin == "own")
    return seen


def test_when_the_winner_has_converged_all_of_them_share_one_incumbent():
    assert set(Counter(after_convergence(SMALL, 30)).values()) == {10}
    seen = after_convergence(replace(SMALL, second=1_000), 32)
    assert seen[:2] == [2, 0]  # the others have a turn each, and nobody invests
    assert set(Counter(seen[2:]).values()) == {10}


@pytest.mark.parametrize(("second", "turns"), [(1, 1), (12, 3), (60, 15)])
def test_when_the_winner_has_converged_whoever_invests_goes_on_alone_for_a_while(second, turns):
    scheduler = replace(SMALL, second=second)
    assert after_convergence(scheduler, turns + 1, investing=[2]) == [2] * turns + [0]
    assert after_convergence(scheduler, turns + 1, investing=[0]) == [2] + [0] * turns


def test_second_turns_are_for_runs_that_have_no_time_to_share():
    assert Halving.fitted(100, 10_000).second == 5_000
    assert Halving.fitted(100, 20_000).second == 0


def test_a_winner_that_invests_goes_on_alone_as_long_as_patience_lasts():
    scheduler = Halving(race=10, patience=18, slice=4, stretch=40, floor=0.3)  # others would be next soon
    for investing, alone in ((0, 1), (3, 3), (50, 5)):
        choices = actions_of(scheduler, "abc", {1: 10 + 4 * investing}, 40)
        after = [c.index for c in choices if c.origin == "incumbent"]
        assert after[:alone] == [1] * alone and set(after[: alone + 3]) == {0, 1, 2}


@pytest.mark.parametrize(("nfev", "gains", "wins"), [(10, False, 0), (3, True, 0), (3, False, 1)])
def test_who_stops_early_and_has_gained_nothing_steps_aside(nfev, gains, wins):
    """Even if its value is the best: it is where all of them began."""
    story, ends = Halving(race=10, patience=0, slice=4, stretch=40).story("ab"), {0: 5.0, 1: 6.0}
    choice = next(story)
    for _ in range(2):
        end = ends[choice.index]
        begin, used = (end + 1.0 if gains else end, nfev) if choice.index == 0 else (9.5, 10)
        action = Action(index=0, heuristic="a", cost=10.0, nfev=used, before=5.0, after=5.0, own=(begin, end))
        choice = story.send(action)
    assert (choice.index, choice.origin) == (wins, "incumbent")


def test_if_all_step_aside_they_race_all_the_same():
    story, indices = Halving(race=10, patience=0, slice=4, stretch=40).story("abc"), []
    choice = next(story)
    for _ in range(5):
        indices.append((choice.index, choice.origin))
        choice = story.send(Action(index=0, heuristic="a", cost=1.0, nfev=1, before=5.0, after=5.0, own=(5.0, 5.0)))
    assert indices[:3] == [(0, "own"), (1, "own"), (2, "own")] and indices[3][1] == "incumbent"


def test_in_a_rematch_the_two_best_meet_again():
    for rematch, rounds in ((False, [(0, 10), (1, 10)]), (True, [(0, 10), (1, 10), (1, 20), (0, 20)])):
        scheduler = replace(SMALL, rematch=rematch)
        choices = told(scheduler, "ab", lambda _, c: (9.5, ENDS[c.index]), 6)
        assert [(c.index, c.evaluations) for c in choices if c.origin == "own"] == rounds


def test_who_invests_goes_on_in_slices():
    scheduler = Halving(race=10, patience=100, slice=30, stretch=300)
    choices = actions_of(scheduler, "ab", {0: 60}, 4)
    assert [(c.index, c.evaluations) for c in choices] == [(0, 10), (0, 30), (0, 30), (1, 10)]


def test_the_first_one_may_have_an_opening_and_the_race_begins_where_it_ends():
    choices = told(replace(SMALL, opening=7), "abc", lambda _, c: (9.5, ENDS[c.index]), 5)
    assert [(c.index, c.evaluations, c.origin) for c in choices[:4]] == [
        (0, 7, "incumbent"),
        *((index, 10, "own") for index in range(3)),
    ]


@pytest.mark.parametrize(("invests", "openings"), [(0, [7]), (8, [7, 30])])
def test_an_opening_is_prolonged_once_while_the_first_one_invests(invests, openings):
    choices = actions_of(replace(SMALL, opening=7, prolonged=30), "abc", {0: invests}, 5)
    assert [c.evaluations for c in choices if c.origin == "incumbent"][: len(openings)] == openings
    assert (choices[len(openings)].origin, choices[len(openings)].evaluations) == ("own", 10)


def test_only_those_who_are_named_race_and_all_share_afterwards():
    choices = told(replace(SMALL, racers=("c", "a")), "abc", lambda _, c: (9.5, ENDS[c.index]), 300)
    assert [c.index for c in choices[:2]] == [0, 2]
    assert {c.index for c in choices if c.origin == "own"} == {0, 2}
    assert {c.index for c in choices if c.origin == "incumbent"} == {0, 1, 2}


def test_a_portfolio_without_those_who_race_is_refused():
    replace(SMALL, racers=("a", "c")).check("abc")
    with pytest.raises(ter.InvalidArgument, match="racers must be among the heuristics, got a, x among a, b; add"):
        replace(SMALL, racers=("a", "x")).check("ab")
    with pytest.raises(ter.InvalidArgument, match="racers must be among the heuristics, got x among"):
        ter.minimize(sum, ter.box(0, 1, dimension=3), budget=99, scheduler=Halving(racers=("x",)))


def test_openings_are_prolonged_in_runs_of_some_length_only():
    prolonged = {each: Halving.fitted(100, each * 100).prolonged for each in (30, 99, 100, 199, 200, 3_000)}
    assert prolonged == {30: 0, 99: 0, 100: 1_500, 199: 1_500, 200: 0, 3_000: 0}


def test_one_heuristic_needs_no_race():
    assert [(c.index, c.evaluations) for c in told(SMALL, "a", lambda *_: (9.0, 8.0), 2)] == [(0, 4)] * 2


@pytest.mark.parametrize(
    "settings",
    [
        {"race": 0},
        {"slice": 0},
        {"stretch": 0},
        {"patience": -1},
        {"opening": -1},
        {"prolonged": -1},
        {"second": -1},
        {"growth": 0.5},
        {"stay": 0.0},
        {"floor": 2.0},
    ],
)
def test_settings_outside_their_range_are_refused(settings):
    with pytest.raises(ter.InvalidArgument, match=f"{next(iter(settings))} must lie in"):
        Halving(**settings)
