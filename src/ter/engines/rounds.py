"""Evaluate blocks, and those that were lost once more, point by point, to find out which points are to blame."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from ter.core.backend import LOOK, Backend
from ter.core.failure import Failure
from ter.engines.calls import Outcome, joined
from ter.engines.posting import Answer, Block, Lost, Task, in_order

__all__ = ["evaluated"]


def evaluated(backend: Backend, task: Task, blocks: Sequence[Block], go_on: Callable[[], bool]) -> Outcome:
    """Return the values of the blocks' points: of all, or of the first ones if the run must end before.

    Points behind one that is not known then are given up, too, so that values keep their places.
    """
    look = _Look(go_on)
    returned = backend.run(task, blocks, look)
    answers = in_order(returned, blocks, whole=not look.ended)
    outcomes: list[Outcome] = []
    for answer, block in zip(answers, blocks, strict=False):
        outcome = _outcome(answer, block, backend, task, look)
        if _interrupted(outcome, look):
            break
        outcomes.append(outcome)
        if len(outcome.values) < len(block):
            break
    return joined(outcomes)


class _Look:
    """Asks whether to go on, and remembers if not."""

    def __init__(self, go_on: Callable[[], bool]) -> None:
        self._go_on = go_on
        self.ended = False

    def __call__(self) -> bool:
        self.ended = self.ended or not self._go_on()
        return not self.ended


def _outcome(answer: Answer | Lost, block: Block, backend: Backend, task: Task, look: _Look) -> Outcome:
    if isinstance(answer, Answer):
        return answer.outcome
    if len(block) > 1 and not task.vectorized:
        return evaluated(backend, task, block.singles(0), look)
    text = f"{type(answer.error).__name__}: {answer.error}"
    failures = [Failure(row, answer.error, text) for row in range(len(block))]
    return Outcome(np.full(len(block), np.inf), None, failures)


def _interrupted(outcome: Outcome, look: _Look) -> bool:
    """Tell whether Ctrl-C has ended evaluations of a worker: it reaches all processes that share a terminal."""
    if not any(isinstance(failure.error, KeyboardInterrupt) for failure in outcome.failures):
        return False
    time.sleep(LOOK)  # it may come here a little later
    return not look()
