"""Blocks of points that are sent to workers with a number, and answers that say which block they are of.

So an answer is taken for the block it belongs to in whatever order a map-like callable returns them, and answers that
are missing, doubled, cut short or of something else are noticed before they are taken for values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ter.core.box import Vector
from ter.core.errors import EvaluationLost, InvalidArgument
from ter.engines.calls import Outcome, call_block, moved_rows

__all__ = ["Answer", "Block", "InOrder", "LostBlock", "Sendable", "Task"]


@dataclass(frozen=True, eq=False)
class Block:
    """Points of a batch on their way to a worker: whole, or as what differs from a base.

    Attributes
    ----------
    index : int
        Its number in the batch.
    rows : array
        The points; if there are `coordinates`, the values of these.
    coordinates : array or None
        Where the points differ from the base.
    base : array or None
        The point they differ from; None if the worker has it already.

    Examples
    --------
    >>> Block(0, np.array([[5.0], [6.0]]), np.array([1]), np.zeros(3)).points()
    array([[0., 5., 0.],
           [0., 6., 0.]])
    """

    index: int
    rows: NDArray[np.float64]
    coordinates: NDArray[np.int64] | None = None
    base: Vector | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def points(self) -> NDArray[np.float64]:
        """Return the points themselves, in an array that whoever gets it may write to."""
        if self.coordinates is None:
            return self.rows.copy()
        if self.base is None:
            raise ValueError("the base of a block must be there before its points are asked for")
        return moved_rows(self.base, self.coordinates, self.rows)

    def on(self, base: Vector | None) -> Block:
        """Return it with another base, or without one."""
        return replace(self, base=base)

    def singles(self, first: int) -> list[Block]:
        """Return blocks of one point each, numbered from `first`."""
        return [replace(self, index=first + k, rows=self.rows[k : k + 1]) for k in range(len(self))]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a worker returns for a block: its number, its length, and what came of it."""

    index: int
    length: int
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class LostBlock:
    """Stands for the answer of a block that came to no end."""

    index: int
    error: EvaluationLost


class Sendable(Protocol):
    """What worker processes need of a task."""

    @property
    def vectorized(self) -> bool:
        """Whether it takes rows."""
        ...

    def content(self) -> bytes:
        """Return what is sent to a worker process."""
        ...


@dataclass(frozen=True)
class Task:
    """What a worker does with a block; a class, so that it can travel to workers."""

    fun: Callable[..., Any]
    vectorized: bool

    def __call__(self, block: Block) -> Answer:
        """Evaluate the points; a failure does not end the block, so that every row has its place."""
        index, length = block.index, len(block)
        return Answer(index, length, call_block(self.fun, block.points(), self.vectorized, stop_at_failure=False))

    def content(self) -> bytes:
        """Return what is sent to a worker process.

        Raises
        ------
        InvalidArgument
            If the objective cannot be sent.
        """
        import cloudpickle  # which knows functions and classes of notebooks

        try:
            content: bytes = cloudpickle.dumps(self)
        except Exception as error:
            raise InvalidArgument(
                f"fun must be picklable to be sent to worker processes, got {type(error).__name__}: {error}; open "
                "files, connections and locks inside the call, or pass workers=ThreadPoolExecutor(...)"
            ) from error
        return content


class InOrder:
    """Takes answers as they come, and gives them block by block, if they are right.

    Examples
    --------
    >>> blocks = [Block(0, np.zeros((1, 2))), Block(1, np.ones((1, 2)))]
    >>> task, answers = Task(lambda x: x.sum(), vectorized=False), InOrder(blocks)
    >>> answers.take(task(blocks[1]))
    >>> answers.next() is None
    True
    >>> answers.take(task(blocks[0]))
    >>> [answers.next().outcome.values.tolist() for _ in blocks]
    [[0.0], [2.0]]
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks, self._found, self._given = blocks, dict[int, Answer | LostBlock](), 0

    def take(self, answer: Any) -> None:
        """Keep an answer.

        Raises
        ------
        InvalidArgument
            If it is not the whole answer of a block, or that block has one.
        """
        if not isinstance(answer, Answer | LostBlock):
            raise self._broken(f"got {type(answer).__name__} for a block")
        if answer.index in self._found or not 0 <= answer.index < len(self._blocks):
            raise self._broken(f"got {len(self._found) + 1}, several for the same block")
        length = len(self._blocks[answer.index])
        if isinstance(answer, Answer) and not length == answer.length == len(answer.outcome.values):
            raise self._broken(f"got {len(answer.outcome.values)} values for a block of {length} points")
        self._found[answer.index] = answer

    def next(self) -> Answer | LostBlock | None:
        """Return the answer of the next block; None if it is not there yet."""
        answer = self._found.get(self._given)
        self._given += answer is not None
        return answer

    def require_all(self) -> None:
        """Raise InvalidArgument if a block has no answer."""
        if len(self._found) < len(self._blocks):
            raise self._broken(f"got {len(self._found)}")

    def _broken(self, seen: str) -> InvalidArgument:
        return InvalidArgument(
            f"workers must return what the task returned, once for each of {len(self._blocks)} blocks, {seen}; "
            "pass a callable that does what the built-in map does"
        )
