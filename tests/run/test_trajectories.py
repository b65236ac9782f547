"""Trajectories with names, states that heuristics share, and schedulers told as a story."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import ter
from ter.core.action import Action
from ter.core.scheduler import Choice
from ter.core.script import Script
from ter.run.decisions import Decisions

BOX = ter.box(-1, 1, dimension=3)


def total(x: np.ndarray) -> float:
    return float((x**2).sum())


@dataclass
class Notes:
    points: list
    grade: float = 0.0
    remark: str = ""


@dataclass(frozen=True)
class Shift:
    """Moves its trajectory by a constant, also where that is worse, and notes where it was."""

    name: str
    by: float
    family: str = "shifts"

    def cost(self, dimension: int) -> int:
        return 1

    def start(self, box, rng) -> Notes:
        return Notes([])

    def act(self, state: Notes, allowance, rng) -> Notes:
        state.points.append((self.name, allowance.x[0]))
        y = allowance.evaluate_point(allowance.x + self.by)
        if hasattr(allowance, "jump"):
            allowance.jump(allowance.x + self.by, y)
        state.grade += 1
        state.remark = " ".join(f"{name}{x:.2f}" for name, x in state.points)
        return state


@dataclass(frozen=True)
class Told(Script):
    """Yields what it is given and keeps what it is sent."""

    steps: tuple[tuple[int, str], ...]
    anew: tuple[int, ...] = ()

    def story(self, names):
        for turn, (index, origin) in enumerate(self.steps):
            action = yield self.choice(index, names, origin=origin, anew=turn in self.anew)
            assert action.heuristic == names[index] and action.origin == origin


def actions_of(*steps: tuple[int, str], anew: tuple[int, ...] = ()) -> tuple[Action, ...]:
    run = ter.minimize(
        total,
        BOX,
        x0=np.full(3, 0.5),
        budget=100,
        rng=1,
        heuristics=[Shift("a", 0.1), Shift("b", -0.2)],
        scheduler=Told(steps, anew),
    )
    assert run.status is ter.StopReason.SEQUENCE
    return run.actions


def test_a_trajectory_is_shared_by_name_and_begins_where_the_run_began():
    first, second, third = actions_of((0, "east"), (1, "east"), (0, "west"))
    assert first.own[0] == pytest.approx(0.75) and first.own[1] == pytest.approx(1.08)
    assert second.own == pytest.approx((1.08, 0.48))
    assert third.own[0] == pytest.approx(0.75)  # another trajectory is still where the run began


def test_all_trajectories_begin_where_the_first_one_did():
    moved, east, again, west = actions_of((1, "incumbent"), (0, "east"), (1, "incumbent"), (0, "west"))
    assert moved.after == pytest.approx(0.27) and again.after == pytest.approx(0.03)
    assert east.own[0] == west.own[0] == moved.after


def test_a_family_has_one_state_per_trajectory():
    actions = actions_of((0, "east"), (1, "east"), (0, "west"), (0, "incumbent"), (1, "incumbent"), (1, "own"))
    assert [action.grade for action in actions] == [1, 2, 1, 1, 2, 3]
    assert actions[1].remark == "a0.50 b0.60"
    assert actions[5].remark.startswith("a") and actions[5].remark.endswith("b0.50")


def test_a_heuristic_that_begins_anew_has_forgotten_everything_and_stays_where_it_is():
    actions = actions_of((0, "east"), (1, "east"), (0, "east"), (1, "east"), anew=(2,))
    assert [action.grade for action in actions] == [1, 2, 1, 2]
    assert actions[2].own[0] == actions[1].own[1]


def test_the_end_of_a_story_ends_the_run():
    assert len(actions_of((0, "incumbent"))) == 1


def test_an_origin_must_be_a_name():
    for wrong in ("", None, 3):
        with pytest.raises(ter.InvalidArgument, match="origin of a choice must be 'incumbent', 'own' or the name"):
            Choice(0, (1.0,), origin=wrong)


def test_asking_a_story_step_by_step_is_asking_it_anew_each_time():
    script = Told(((0, "east"), (1, "west"), (0, "incumbent")))
    names, history = ("a", "b"), []
    decisions = Decisions(script, names, seed=1)
    for index, origin in script.steps:
        choice = decisions.next(history)
        assert choice == decisions.next(history) == script.choose(history, names, np.random.default_rng(0))
        assert (choice.index, choice.origin) == (index, origin)
        history.append(Action(len(history), names[index], 1.0, 1, 2.0, 1.0, origin=origin))
        decisions = pickle.loads(pickle.dumps(decisions))
    assert decisions.next(history) is None and script.choose(history, names, np.random.default_rng(0)) is None
