"""The loop: Algorithm 1 of the paper.

while resources are left:
    choose an action from the rewards in the window          scheduler.choose
    apply it to f, from the best point known                 heuristic.act
    record its efficiency                                    scheduler.reward_of
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ter.core.action import Action
from ter.core.errors import AllowanceSpent
from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler
from ter.core.stop import StopReason
from ter.core.streams import Seed, stream
from ter.run.evaluator import Evaluator
from ter.run.walker import Walker

__all__ = ["run_loop", "start_points"]

CHUNK_BYTES = 32 * 2**20

# So many actions in a row per heuristic without an evaluation: whatever the scheduler starts has nothing left to do.
IDLE_TURNS = 10


def run_loop(
    evaluator: Evaluator,
    heuristics: Sequence[Heuristic],
    scheduler: Scheduler,
    seed: Seed,
    *,
    actions: list[Action],
    share: float = 1.0,
    on_choice: Callable[[str, tuple[float, ...]], None] | None = None,
    on_action: Callable[[], bool] | None = None,
) -> StopReason:
    """Run actions until something ends the run; return what it was.

    Parameters
    ----------
    evaluator : Evaluator
        Holds the incumbent, the books and the budget.
    heuristics, scheduler : the portfolio and who chooses from it
    seed : int
        Root of all random streams.
    actions : list
        The record; new actions are appended.
    share : float
        No initiation gets more than this share of the seconds and of the cost in the budget.
    on_choice, on_action : callable, optional
        Told before and after each action; `on_action` returns True to stop.
    """
    names = [heuristic.name for heuristic in heuristics]
    states = [h.start(evaluator.box, stream(seed, f"{h.name}/start")) for h in heuristics]
    trajectories = Trajectories(evaluator)
    idle = 0  # actions in a row that evaluated nothing
    while evaluator.stopped is None:
        turn = len(actions)
        choice = scheduler.choose(actions, names, stream(seed, "scheduler", turn))
        if choice is None:
            evaluator.stop(StopReason.SEQUENCE)
            break
        heuristic = heuristics[choice.index]
        incumbent = evaluator.lend(choice.evaluations or heuristic.cost(evaluator.box.dimension), share)
        if not incumbent.remaining:
            break
        allowance = incumbent if choice.origin == "incumbent" else trajectories.of(heuristic.name)
        if on_choice is not None:
            on_choice(heuristic.name, choice.probabilities)
        before, count, used, entered = evaluator.y, evaluator.count, evaluator.used(), allowance.y
        try:
            with suppress(AllowanceSpent):  # cut in the middle of a call: see Heuristic for what the state is then
                states[choice.index] = heuristic.act(
                    states[choice.index], allowance, stream(seed, heuristic.name, turn)
                )
        finally:  # recorded even if the objective raises
            action = Action(
                index=turn,
                heuristic=heuristic.name,
                cost=evaluator.used() - used,
                nfev=evaluator.count - count,
                before=before,
                after=evaluator.y,
                probabilities=choice.probabilities,
                seconds=evaluator.spent.seconds,
                own=None if choice.origin == "incumbent" else (entered, allowance.y),
            )
            actions.append(replace(action, reward=scheduler.reward_of(action)))
        idle = idle + 1 if action.nfev == 0 else 0
        if idle >= IDLE_TURNS * len(names):
            evaluator.stop(StopReason.IDLE)
        if on_action is not None and on_action():
            evaluator.stop(StopReason.CALLBACK)
    reason = evaluator.stopped
    return StopReason.BUDGET if reason is None else reason


class Trajectories:
    """The heuristics' own trajectories: all begin where the run began, and each is walked by one heuristic only."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._start = evaluator.x, evaluator.y
        self._walkers: dict[str, Walker] = {}

    def of(self, name: str) -> Walker:
        """Return the trajectory of a heuristic."""
        if name not in self._walkers:
            self._walkers[name] = self._evaluator.branch(*self._start)
        return self._walkers[name]


def start_points(evaluator: Evaluator, x0: np.ndarray | None, n: int, rng: np.random.Generator) -> None:
    """Evaluate the first points: those the user gave, else `n` points drawn uniformly from the box.

    They are drawn and evaluated in blocks, so that memory stays bounded when D is large.
    """
    box = evaluator.box
    if x0 is not None:
        evaluator.lend(len(x0)).evaluate(x0)
        return
    block = max(1, CHUNK_BYTES // (8 * box.dimension))
    allowance = evaluator.lend(n)
    for first in range(0, n, block):
        if not allowance.remaining:
            return
        size = min(block, n - first)
        X = rng.random((size, box.dimension))
        X *= box.width
        X += box.lower
        allowance.evaluate(X)
