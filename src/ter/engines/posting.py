"""Blocks of points that are sent to workers with a number, and answers that say which block they are of.

So an answer is taken for the block it belongs to in whatever order a map-like callable returns them, and answers that
are missing, doubled, cut short or of something else are noticed before they are taken for values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.core.errors import InvalidArgument
from ter.engines.calls import Outcome, call_block

__all__ = ["Answer", "Block", "Task", "in_order"]


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of a batch on their way to a worker."""

    index: int
    rows: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a worker returns for a block: its number, its length, and what came of it."""

    index: int
    length: int
    outcome: Outcome


@dataclass(frozen=True)
class Task:
    """What a worker does with a block; a class, so that it can travel to workers."""

    fun: Callable[..., Any]
    vectorized: bool

    def __call__(self, block: Block) -> Answer:
        """Evaluate the rows; a failure does not end the block, so that every row has its place."""
        index, length = block.index, len(block)
        return Answer(index, length, call_block(self.fun, block.rows, self.vectorized, stop_at_failure=False))


def in_order(answers: Sequence[Any], blocks: Sequence[Block]) -> list[Outcome]:
    """Return the outcomes of the blocks, block by block, whatever the order of the answers.

    Raises
    ------
    InvalidArgument
        If there is not exactly one whole answer for each block.

    Examples
    --------
    >>> blocks = [Block(0, np.zeros((1, 2))), Block(1, np.ones((1, 2)))]
    >>> task = Task(lambda x: x.sum(), vectorized=False)
    >>> [outcome.values.tolist() for outcome in in_order([task(blocks[1]), task(blocks[0])], blocks)]
    [[0.0], [2.0]]
    """
    for answer in answers:
        if not isinstance(answer, Answer):
            raise _broken(f"got {type(answer).__name__} for a block", blocks)
    if len(answers) != len(blocks):
        raise _broken(f"got {len(answers)}", blocks)
    found = {answer.index: answer for answer in answers}
    if sorted(found) != list(range(len(blocks))):
        raise _broken("got several for the same block", blocks)
    for block in blocks:
        answer = found[block.index]
        if not len(block) == answer.length == len(answer.outcome.values):
            raise _broken(f"got {len(answer.outcome.values)} values for a block of {len(block)} points", blocks)
    return [found[block.index].outcome for block in blocks]


def _broken(seen: str, blocks: Sequence[Block]) -> InvalidArgument:
    return InvalidArgument(
        f"workers must return what the task returned, once for each of {len(blocks)} blocks, {seen}; "
        "pass a callable that does what the built-in map does"
    )
