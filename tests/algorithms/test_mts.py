"""MTS's story by hand, and its orthogonal array."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.algorithms.mts import MTSStory
from ter.core.action import Action
from ter.heuristics.placing import OrthogonalArray

NAMES = ("place", "ls1", "ls2", "ls3")


def told(story: MTSStory, grade, value, turns: int) -> list[tuple[str, str]]:
    """Follow a story in which `grade` and `value` are functions of the search and the agent; return who was started."""
    telling = story.story(NAMES)
    choice, started = next(telling), []
    for turn in range(turns):
        name = NAMES[choice.index]
        started.append((name, choice.origin))
        action = Action(
            turn, name, 1.0, 1, 9.0, 9.0, own=(9.0, value(name, choice.origin)), origin=choice.origin,
            grade=grade(name, choice.origin),
        )  # fmt: skip
        choice = telling.send(action)
    return started


def test_an_iteration_by_hand():
    # Agent 1 does best with ls2, agent 2 with ls3; agent 2 has the better value, agent 1 the better grades.
    grades = {("ls2", "agent 1"): 5.0, ("ls3", "agent 2"): 2.0}
    values = {"agent 1": 7.0, "agent 2": 3.0}
    story = MTSStory(agents=2, foreground=1, tests=2, repetitions=3, for_the_best=2)
    started = told(story, lambda s, a: grades.get((s, a), 0.0), lambda s, a: values[a], 26 + 6)
    tests = ["ls1", "ls1", "ls2", "ls2", "ls3", "ls3"]
    assert started[:2] == [("place", "agent 1"), ("place", "agent 2")]
    assert started[2:11] == [(name, "agent 1") for name in (*tests, "ls2", "ls2", "ls2")]
    assert started[11:20] == [(name, "agent 2") for name in (*tests, "ls3", "ls3", "ls3")]
    assert started[20:22] == [("ls1", "agent 2")] * 2  # the best agent gets the first search
    assert started[22:31] == [(name, "agent 1") for name in (*tests, "ls2", "ls2", "ls2")]  # only it is left
    assert started[31] == ("ls1", "agent 2")


def test_an_agent_that_did_not_take_part_keeps_its_grade():
    # Agent 1 is worth 3 at first and nothing later: then agent 2 with its old grade comes back.
    seen = iter([3.0] * 4 + [1.0] * 4)
    story = MTSStory(agents=2, foreground=1, tests=1, repetitions=1, for_the_best=0)
    started = told(story, lambda s, a: 0.0 if s == "place" else next(seen, 0.0), lambda s, a: 1.0, 2 + 8 + 4 + 4)
    assert [agent for _, agent in started[10:]] == ["agent 1"] * 4 + ["agent 2"] * 4


@pytest.mark.parametrize("wrong", [{"agents": 0}, {"foreground": 6}, {"tests": 0.5}, {"for_the_best": -1}])
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ter.InvalidArgument, match=next(iter(wrong))):
        MTSStory(**wrong)


def test_every_level_of_the_array_comes_once_per_variable():
    box = ter.Box.read([(-1.0, 3.0)] * 40 + [(5.0, 5.0)])
    design = OrthogonalArray(5).start(box, np.random.default_rng(1))
    points = np.array(design.points)
    assert np.sort(points[:, 0]).tolist() == [-1.0, 0.0, 1.0, 2.0, 3.0]
    assert (np.sort(points, axis=0)[:, :40] == np.sort(points[:, 0])[:, None]).all()
    assert len({tuple(column) for column in points[:, :40].T.tolist()}) > 20
    assert (points[:, 40] == 5.0).all()


def test_one_point_is_the_centre():
    assert OrthogonalArray(1).start(ter.box(0, 4, dimension=2), np.random.default_rng(1)).points[0].tolist() == [
        2.0,
        2.0,
    ]
