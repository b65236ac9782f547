"""The loop: Algorithm 1 of the paper.

while resources are left:
    choose an action from the rewards in the window          scheduler.choose, asked by decisions.next
    apply it to f, from the best point known                 portfolio.act
    record its efficiency                                    scheduler.reward_of
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace

from ter.core.action import Action
from ter.core.heuristic import Heuristic
from ter.core.scheduler import Scheduler
from ter.core.stop import StopReason
from ter.core.streams import Seed
from ter.run.checkpointing import Checkpointing
from ter.run.decisions import Decisions
from ter.run.evaluator import Evaluator
from ter.run.portfolio import Portfolio

__all__ = ["run_loop"]

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
    checkpoint: Checkpointing | None = None,
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
    checkpoint : Checkpointing, optional
        Takes a snapshot now and then, and puts the last one back first.
    on_choice, on_action : callable, optional
        Told before and after each action; `on_action` returns True to stop.
    """
    idle = 0  # actions in a row that evaluated nothing
    with closing(Portfolio(evaluator.incumbent, heuristics, seed)) as portfolio:
        decisions = Decisions(scheduler, portfolio.names, seed)
        if checkpoint is not None:
            idle = checkpoint.restore(portfolio, actions)
        while evaluator.stopped is None:
            if checkpoint is not None:
                checkpoint.offer(portfolio, actions, idle)
            turn = len(actions)
            choice = decisions.next(actions)
            if choice is None:
                evaluator.stop(StopReason.SEQUENCE)
                break
            allowance = portfolio.place(choice, evaluator.lend(portfolio.cost(choice), min(share, choice.share)))
            if not allowance.remaining:
                break
            if on_choice is not None:
                on_choice(portfolio.names[choice.index], choice.probabilities)
            before, count, used, entered = evaluator.y, evaluator.count, evaluator.used(), allowance.y
            state, whole = None, False
            try:
                state = portfolio.act(choice, allowance, turn)
                whole = True
            finally:  # recorded even if the objective raises
                action = Action(
                    index=turn,
                    heuristic=portfolio.names[choice.index],
                    cost=evaluator.used() - used,
                    nfev=evaluator.count - count,
                    before=before,
                    after=evaluator.y,
                    probabilities=choice.probabilities,
                    seconds=evaluator.spent.seconds,
                    own=None if choice.origin == "incumbent" else (entered, allowance.y),
                    origin=choice.origin,
                    grade=getattr(state, "grade", None),
                    remark=getattr(state, "remark", ""),
                    investing=getattr(state, "investing", False),
                )
                if checkpoint is not None and whole:  # else what ended it says why
                    action = checkpoint.repeated(action)
                actions.append(replace(action, reward=scheduler.reward_of(action)))
                if checkpoint is not None:
                    checkpoint.acted(actions[-1], whole=whole)
            idle = idle + 1 if action.nfev == 0 else 0
            if idle >= IDLE_TURNS * len(heuristics):
                evaluator.stop(StopReason.IDLE)
            if on_action is not None and on_action():
                evaluator.stop(StopReason.CALLBACK)
    reason = evaluator.stopped
    return StopReason.BUDGET if reason is None else reason
