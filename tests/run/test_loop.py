"""The loop: what schedulers may decide, and what is left of an initiation that was cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import ter
from ter.core.errors import InvalidArgument
from ter.core.scheduler import Choice
from ter.heuristics import LS1, SHADE
from tests.spies import ENGINES, minimize_on

BOX = ter.box(-5, 5, dimension=8)


def sphere(x):
    return float((x * x).sum())


@dataclass(frozen=True)
class Given:
    """Makes choices that were laid down before."""

    choices: tuple[Choice, ...]

    def reward_of(self, action):
        return 0.0

    def choose(self, history, names, rng):
        return self.choices[len(history)] if len(history) < len(self.choices) else None


@dataclass(frozen=True)
class Race:
    """Every heuristic runs from the start on its own trajectory; then the best one runs on, twice as long each time."""

    evaluations: int = 40

    def reward_of(self, action):
        return 0.0

    def choose(self, history, names, rng):
        certain = [tuple(float(i == j) for j in range(len(names))) for i in range(len(names))]
        turn = len(history)
        if turn < len(names):
            return Choice(turn, certain[turn], self.evaluations, "own")
        best = min(range(len(names)), key=lambda i: history[i].own[1])
        return Choice(best, certain[best], self.evaluations * 2 ** (turn - len(names)))


def test_a_choice_says_for_how_long():
    choices = (Choice(0, (1.0, 0.0), 7), Choice(1, (0.0, 1.0), 30), Choice(0, (1.0, 0.0)))
    result = ter.minimize(
        sphere, BOX, budget=5_000, rng=1, heuristics=[LS1(evaluations=2), SHADE()], scheduler=Given(choices)
    )
    assert [action.nfev for action in result.actions] == [7, 30, 16]


def test_the_budget_is_kept_whatever_a_choice_says():
    result = ter.minimize(
        sphere, BOX, budget=100, rng=1, heuristics=["ls1"], scheduler=Given((Choice(0, (1.0,), 10**9),) * 3)
    )
    assert result.nfev == 100 and result.nit == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_own_trajectories_begin_at_the_start_and_are_moved_by_nobody_else(engine):
    a, b = (1.0, 0.0), (0.0, 1.0)
    choices = (
        Choice(0, a, 12, "own"),
        Choice(1, b, 12, "own"),
        Choice(0, a, 60),
        Choice(1, b, 9, "own"),
        Choice(0, a, 9, "own"),
    )
    heuristics = [LS1(name="one"), LS1(name="other")]
    start = np.full(8, 2.3)
    result = minimize_on(engine, BOX, budget=1_000, rng=1, x0=start, heuristics=heuristics, scheduler=Given(choices))
    first, second, third, fourth, fifth = result.actions
    assert first.own[0] == second.own[0] == first.before  # both begin where the run began
    assert third.own is None
    assert fourth.own[0] == second.own[1] and fifth.own[0] == first.own[1]
    assert fourth.own[1] > third.after  # its trajectory is behind the incumbent, which stays the best
    assert result.fun == third.after == min(action.after for action in result.actions)


def test_a_heuristic_alone_on_its_own_trajectory_is_a_heuristic_alone():
    ends = []
    for origin in ("incumbent", "own"):
        scheduler = Given((Choice(0, (1.0,), 300, origin),) * 3)
        result = ter.minimize(sphere, BOX, budget=2_000, rng=1, heuristics=["gs"], scheduler=scheduler)
        ends.append((result.fun, result.x.tobytes(), result.curve.tobytes(), result.nfev))
    assert ends[0] == ends[1]


def test_a_race_can_be_written_as_a_scheduler():
    result = ter.minimize(sphere, BOX, budget=1_000, rng=1, heuristics=["ls1", "gs"], scheduler=Race())
    values = [action.own[1] for action in result.actions[:2]]
    winner = ("ls1", "gs")[int(np.argmin(values))]
    assert set(result.sequence[2:]) == {winner}
    assert [action.nfev for action in result.actions[2:5]] == [40, 80, 160] and result.nfev == 1_000


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"evaluations": 0}, r"evaluations of a choice must be a whole number >= 1, got 0; leave it out"),
        ({"evaluations": 2.5}, r"whole number >= 1, got 2.5"),
        ({"share": 0.0}, r"share of a choice must lie in \(0, 1\], got 0.0"),
        ({"share": 2}, r"share of a choice must lie in \(0, 1\], got 2"),
        ({"origin": ""}, r"origin of a choice must be 'incumbent', 'own' or the name of a trajectory, got ''"),
    ],
)
def test_wrong_choices_are_refused(wrong, message):
    with pytest.raises(InvalidArgument, match=message):
        Choice(0, (1.0,), **wrong)


@dataclass(frozen=True)
class Sparing:
    """Lends a tenth of the cost, whatever a heuristic would take."""

    def choose(self, history, names, rng):
        return Choice(0, (1.0,), share=0.1)

    def reward_of(self, action):
        return 0.0


def test_a_scheduler_may_lend_a_part_of_the_cost():
    budget = ter.Budget(cost=500.0, unit="cost")
    fun = lambda x: ter.Value(sphere(x), cost=0.5)  # noqa: E731
    result = ter.minimize(
        fun, BOX, budget=budget, rng=1, heuristics=[ter.heuristics.LS1(evaluations=1e9)], scheduler=Sparing()
    )
    assert len(result.actions) >= 10 and max(action.cost for action in result.actions) <= 50.0
    assert result.spent.cost == 500.0


@dataclass(frozen=True)
class Counting:
    """Changes its state in place, and asks for more than it has."""

    name: str = "counting"

    def cost(self, dimension):
        return 10

    def start(self, box, rng):
        return {"calls": 0, "returned": 0}

    def act(self, state, allowance, rng):
        seen.append(dict(state))
        while True:
            state["calls"] += 1
            allowance.evaluate_point(allowance.x)
        state["returned"] += 1
        return state


seen: list[dict[str, int]] = []


def test_what_was_changed_in_a_state_survives_a_cut():
    seen.clear()
    ter.minimize(sphere, BOX, budget=31, rng=1, x0=np.ones(8), heuristics=[Counting()])
    assert [state["calls"] for state in seen] == [0, 11, 22] and all(state["returned"] == 0 for state in seen)


def test_actions_know_when_they_ended():
    result = ter.minimize(sphere, BOX, budget=2_000, rng=1)
    seconds = [action.seconds for action in result.actions]
    assert seconds == sorted(seconds) and 0 < seconds[0] <= seconds[-1] <= result.spent.seconds
