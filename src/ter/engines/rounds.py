"""Evaluate blocks, and those that were lost once more, point by point, to find out which points are to blame."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from ter.core.backend import LOOK, Backend
from ter.core.failure import Failure
from ter.engines.calls import Outcome, joined
from ter.engines.posting import Answer, Block, InOrder, LostBlock, Task

__all__ = ["evaluated"]


def evaluated(
    backend: Backend,
    task: Task,
    blocks: Sequence[Block],
    go_on: Callable[[], bool],
    tell: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Return the values of the blocks' points: of all, or of the first ones if the run must end before.

    Points behind one that is not known then are given up, too, so that values keep their places. A vectorized objective
    may round by the shape of its blocks, and the others would be cut in another way: then all are given up.

    Parameters
    ----------
    backend, task, blocks
        Who does what with what.
    go_on : callable
        Asked now and then.
    tell : callable, optional
        Gets the outcomes of the blocks, in order, as soon as they are known.
    """
    outcomes: list[Outcome] = []
    for outcome in _outcomes(backend, task, blocks, _Look(go_on)):
        outcomes.append(outcome)
        if tell is not None and not task.vectorized:
            tell(outcome)
    if task.vectorized and len(outcomes) < len(blocks):
        return joined([])
    return joined(outcomes)


class _Look:
    """Asks whether to go on, and remembers if not."""

    def __init__(self, go_on: Callable[[], bool]) -> None:
        self._go_on = go_on
        self.ended = False

    def __call__(self) -> bool:
        self.ended = self.ended or not self._go_on()
        return not self.ended


def _outcomes(backend: Backend, task: Task, blocks: Sequence[Block], look: _Look) -> Iterator[Outcome]:
    """Yield what came of the first blocks, in order; a block that was lost keeps its place, and is tried at the end."""
    order, lost = InOrder(blocks), None
    returned: Any = backend.run(task, blocks, look)
    with closing(returned) as answers:
        for answer in answers:
            order.take(answer)
            while lost is None and (known := order.next()) is not None:
                if isinstance(known, LostBlock):
                    lost = known
                elif _interrupted(known, look):
                    return
                else:
                    yield known.outcome
    if not look.ended:
        order.require_all()
    while (known := lost or order.next()) is not None:
        lost = None
        if isinstance(known, Answer) and _interrupted(known, look):
            return
        outcome = known.outcome if isinstance(known, Answer) else _tried_again(known, blocks, backend, task, look)
        if len(outcome.values) < len(blocks[known.index]):
            if outcome.values.size:
                yield outcome
            return
        yield outcome


def _tried_again(lost: LostBlock, blocks: Sequence[Block], backend: Backend, task: Task, look: _Look) -> Outcome:
    block = blocks[lost.index]
    if len(block) > 1 and not task.vectorized:
        return evaluated(backend, task, block.singles(0), look)
    text = f"{type(lost.error).__name__}: {lost.error}"
    failures = [Failure(row, lost.error, text) for row in range(len(block))]
    return Outcome(np.full(len(block), np.inf), None, failures)


def _interrupted(answer: Answer, look: _Look) -> bool:
    """Tell whether Ctrl-C has ended evaluations of a worker: it reaches all processes that share a terminal."""
    if not any(issubclass(type(failure.error), KeyboardInterrupt) for failure in answer.outcome.failures):
        return False
    time.sleep(LOOK)  # it may come here a little later
    return not look()
