"""With ``unit="seconds"`` schedulers prefer what really pays per second, with slow functions, moves and workers.

The clock is simulated and moved by the objective alone, so nothing here depends on the machine.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

import ter
from ter.schedulers import TER, Duels, Halving, Stretches
from tests.run.simulated import SimulatedClock, SimulatedPool

BOX = ter.box(0, 1, dimension=3)
WIDTH = 16
SCHEDULERS = {
    "ter": TER(window=10),
    "sliding-window-ucb": "sliding-window-ucb",
    "discounted-thompson": "discounted-thompson",
    "exp3s": "exp3s",
    "stretches": Stretches(race=32, slice=32, stretch=256),
    "duels": Duels(race=32, slice=32, probe=32, probing=0.2),
    "halving": Halving(race=32, patience=0, slice=32, stretch=256, memory=0.6),  # few stretches: it must learn fast
}


@dataclass(frozen=True)
class Descent:
    """Goes down by the same amount with each evaluation, and asks for `size` of them at a time, or for moves."""

    name: str
    gain: float
    size: int = 1
    moves: bool = False

    def cost(self, dimension):
        return 32

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        while allowance.remaining:
            steps = allowance.x[0] - self.gain * np.arange(1, 1 + min(self.size, allowance.remaining))
            if self.moves:
                allowance.evaluate_moves([0], steps[:, None])
            else:
                allowance.evaluate(np.column_stack([steps, np.zeros((steps.size, 2))]))
        return state


POINTS, ROWS = Descent("points", gain=3e-6), Descent("rows", gain=1e-6, size=WIDTH)


class Slow:
    """Takes a second for a point."""

    def __init__(self, clock):
        self.clock = clock

    def __call__(self, x):
        self.clock.work(1.0)
        return 1.0 + float(x[0])


class Moving(Slow):
    """Takes a hundredth of a second for a move."""

    def start(self, x):
        return x

    def move(self, base, coordinates, values):
        self.clock.work(0.01)
        return 1.0 + float(values[0])

    def commit(self, base, coordinates, values):
        base[coordinates] = values


def effort(heuristics, unit, scheduler="ter", fun=Slow, width=1, evaluations=3_000):
    """Return the part that each heuristic has in the second half of the evaluations, and the result."""
    clock = SimulatedClock()
    with clock.in_place():
        result = ter.minimize(
            fun(clock),
            BOX,
            x0=np.array([1.0, 0.0, 0.0]),
            budget=ter.Budget(evaluations=evaluations, unit=unit),
            rng=1,
            heuristics=heuristics,
            scheduler=SCHEDULERS[scheduler],
            workers=1 if width == 1 else SimulatedPool(clock, width),
            step=1.0,
        )
    parts, later = Counter(), result.actions[result.nit // 2 :]
    for action in later:
        parts[action.heuristic] += action.nfev / sum(each.nfev for each in later)
    return parts, result


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_whoever_keeps_the_workers_busy_is_preferred_by_the_second(scheduler):
    """Points gain three times as much per evaluation; rows gain five times as much per second on 16 workers."""
    by_count, _ = effort([POINTS, ROWS], "evaluations", scheduler, width=WIDTH)
    by_clock, result = effort([POINTS, ROWS], "seconds", scheduler, width=WIDTH)
    assert by_clock["rows"] > 0.5 > by_count["rows"]
    for action in result.actions:
        rounds = math.ceil(action.nfev / WIDTH) if action.heuristic == "rows" else action.nfev
        assert action.cost == pytest.approx(rounds)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_without_workers_rows_do_not_pay(scheduler):
    by_clock, result = effort([POINTS, ROWS], "seconds", scheduler)
    assert by_clock["points"] > 0.5
    assert all(action.cost == pytest.approx(action.nfev) for action in result.actions)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_moves_that_take_less_time_are_preferred_by_the_second(scheduler):
    arms = [Descent("points", gain=3e-6), Descent("moves", gain=1e-6, moves=True)]
    by_count, _ = effort(arms, "evaluations", scheduler, fun=Moving)
    by_clock, result = effort(arms, "seconds", scheduler, fun=Moving)
    assert by_clock["moves"] > 0.5 > by_count["moves"]
    for action in result.actions:
        assert action.cost == pytest.approx(action.nfev * (0.01 if action.heuristic == "moves" else 1.0))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_papers_portfolio_leaves_fewer_workers_idle_by_the_second(seed):
    """LS1 goes point by point; the coevolution and SHADE come in generations."""

    def run(unit):
        clock = SimulatedClock()

        def fun(x):
            clock.work(1.0)
            return float((np.logspace(0, 3, 40) * x * x).sum() + 10 * abs(x).sum())

        pool = SimulatedPool(clock, WIDTH)
        with clock.in_place():
            budget = ter.Budget(seconds=300.0, unit=unit)
            box, three = ter.box(-5, 4, dimension=40), ["ls1", "cc", "gs"]
            return ter.minimize(fun, box, budget=budget, rng=seed, workers=pool, heuristics=three)

    by_count, by_clock = run("evaluations"), run("seconds")
    assert by_clock.sequence.count("ls1") < by_count.sequence.count("ls1")
    assert by_clock.nfev > 1.1 * by_count.nfev and by_clock.workers_busy > 1.1 * by_count.workers_busy
