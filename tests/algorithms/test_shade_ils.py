"""SHADE-ILS's story by hand."""

from __future__ import annotations

import pytest

import ter
from ter.algorithms.catalogue import Algorithm
from ter.algorithms.shade_ils import PROGRAM, SHADEILSStory, shade_ils
from ter.core.action import Action
from ter.core.scheduler import Choice

NAMES = ("centre", "shade", "restart", "mts", "l-bfgs-b")


def told(gains: list[float], story: SHADEILSStory | None = None) -> list[Choice]:
    """Follow a story whose actions have these relative gains; return the choices."""
    telling = (story or SHADEILSStory(evaluations=100)).story(NAMES)
    choices, y = [next(telling)], 1.0
    for gain in gains:
        name = NAMES[choices[-1].index]
        action = Action(0, name, 1.0, 1, y, y, own=(y, y * (1 - gain)), origin="current")
        y *= 1 - gain
        choices.append(telling.send(action))
    return choices


def names(choices: list[Choice]) -> list[str]:
    return [NAMES[choice.index] for choice in choices]


def test_each_local_search_once_then_the_one_that_gained_most_lately():
    #        centre shade mts  shade lbfgs shade lbfgs shade mts
    gains = [0.0, 0.5, 0.2, 0.1, 0.4, 0.1, 0.1, 0.1, 0.3]
    assert names(told(gains)) == [
        "centre", "shade", "mts", "shade", "l-bfgs-b", "shade", "l-bfgs-b", "shade", "mts", "shade",
    ]  # fmt: skip


def test_three_weak_iterations_in_a_row_restart_and_everything_begins_anew():
    weak = [0.02, 0.02]
    choices = told([0.0, *weak, *weak, 0.5, 0.0, *weak, *weak, *weak, 0.0, *weak, *weak])
    assert names(choices)[13] == "restart" and "restart" not in names(choices)[:13]
    assert names(choices)[14:18] == ["shade", "mts", "shade", "l-bfgs-b"]
    # After a restart each local search begins anew; SHADE's state was emptied by the restart itself. L-BFGS-B does so
    # always.
    assert [choice.anew for choice in choices[14:18]] == [False, True, False, True]
    assert [NAMES[choice.index] for choice in choices[2:13] if choice.anew] == ["l-bfgs-b"] * 4
    assert all(choice.origin == "current" for choice in choices)
    assert {choice.evaluations for choice in choices if NAMES[choice.index] in ("shade", "mts", "l-bfgs-b")} == {100}


@pytest.mark.parametrize(
    "wrong", [{"evaluations": 0}, {"threshold": 2.0}, {"patience": 0}, {"before": -1}, {"after": 0}]
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ter.InvalidArgument, match=next(iter(wrong))):
        SHADEILSStory(**wrong)


# As in the authors' program

LOYAL = SHADEILSStory(evaluations=100, before=70, after=30, loyal=True, renew=True, threshold=0.01)


def test_the_program_has_three_phases_with_a_preference_of_its_own_for_each_local_search():
    #        centre | mts  shade mts  | lbfgs shade lbfgs | ...; early: mts gains more; late: l-bfgs-b does
    gains = [0.0, 0.5, 0.1, 0.1, 0.0, 0.1, 0.4, 0.1, 0.1, 0.1]
    choices = told(gains, LOYAL)
    assert names(choices) == [
        "centre", "mts", "shade", "mts", "l-bfgs-b", "shade", "l-bfgs-b", "mts", "shade", "l-bfgs-b", "mts",
    ]  # fmt: skip
    assert [choice.evaluations for choice in choices[1:7]] == [70, 100, 30] * 2


def test_a_loyal_choice_stays_after_the_first_round_until_it_gains_less():
    # After SHADE: mts gains 0.4, l-bfgs-b 0.1, 0.1 again, then 0.05; only then mts has its turn.
    late = [0.4, 0.1, 0.1, 0.05, 0.2]
    gains = [0.0] + [gain for one in late for gain in (0.0, 0.1, one)]
    assert names(told(gains, LOYAL))[3::3] == ["mts", "l-bfgs-b", "l-bfgs-b", "l-bfgs-b", "mts"]
    impatient = SHADEILSStory(evaluations=100, before=70, after=30, threshold=0.01)
    assert names(told(gains, impatient))[3::3] == ["mts", "l-bfgs-b", "mts", "mts", "l-bfgs-b"]


def test_a_weak_iteration_lets_the_local_search_after_shade_begin_anew():
    only_mts = SHADEILSStory(evaluations=9, before=9, loyal=True, renew=True, threshold=0.01)
    telling = only_mts.story(("centre", "shade", "restart", "mts"))
    anew, y = [], 1.0
    choice = next(telling)
    for gain in [0.0, 0.5, 0.0, 0.0, 0.001, 0.0, 0.0, 0.0, 0.0, 0.0]:
        anew.append(choice.anew)
        choice = telling.send(Action(0, "any", 1.0, 1, y, y, own=(y, y * (1 - gain)), origin="current"))
        y *= 1 - gain
    # The centre and SHADE begin; after the second iteration, which was weak, MTS does.
    assert anew == [True, *(False, True, False), *(False, False, False), *(True, False, False)]


def test_both_sets_of_settings():
    paper, program = shade_ils(), shade_ils(settings="program")
    assert paper.scheduler == SHADEILSStory(evaluations=25_000, threshold=0.05, patience=3)
    assert program.scheduler == PROGRAM and (PROGRAM.before, PROGRAM.after, PROGRAM.threshold) == (25_000, 5_000, 0.01)
    assert [(h.low, h.high) for h in (paper.heuristics[2], program.heuristics[2])] == [(0.0, 0.1), (-0.01, 0.01)]
    assert not paper.heuristics[1].loose and program.heuristics[1].loose and program.heuristics[1].archive == 2.0
    with pytest.raises(ter.UnknownName, match="unknown settings of shade-ils 'code'"):
        shade_ils(settings="code")


def test_the_program_runs_through_its_phases_and_restarts():
    story = SHADEILSStory(evaluations=300, before=300, after=60, loyal=True, renew=True, threshold=0.9, patience=2)
    profile = shade_ils(story, settings="program")
    algorithm = Algorithm("shade-ils-program", "", lambda dimension, budget: profile)
    problem = ter.problem("lso08/f1", dimension=6)
    result = algorithm.minimize(problem, budget=6_000, rng=1)
    assert result.nfev == 6_000
    assert result.sequence[:7] == ("centre", "mts-ls1", "shade", "mts-ls1", "l-bfgs-b", "shade", "l-bfgs-b")
    assert "restart" in result.sequence
    again = algorithm.minimize(problem, budget=6_000, rng=1)
    assert again.sequence == result.sequence and again.fun == result.fun
