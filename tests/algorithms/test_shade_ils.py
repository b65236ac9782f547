"""SHADE-ILS's story by hand."""

from __future__ import annotations

import pytest

import ter
from ter.algorithms.shade_ils import SHADEILSStory
from ter.core.action import Action
from ter.core.scheduler import Choice

NAMES = ("centre", "shade", "restart", "mts", "l-bfgs-b")


def told(gains: list[float]) -> list[Choice]:
    """Follow a story whose actions have these relative gains; return the choices."""
    telling = SHADEILSStory(evaluations=100).story(NAMES)
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


@pytest.mark.parametrize("wrong", [{"evaluations": 0}, {"threshold": 2.0}, {"patience": 0}])
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ter.InvalidArgument, match=next(iter(wrong))):
        SHADEILSStory(**wrong)
