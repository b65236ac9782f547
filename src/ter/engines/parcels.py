"""Tasks on their way to workers that cannot be addressed one by one: those of executors and maps.

A task with much data is sent by its name alone. A worker that does not know it says so, and then a few get the whole
task. So it travels about once to each worker, and not with every block.
"""

from __future__ import annotations

import pickle
import threading
import uuid
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from ter.engines.posting import Answer, Block, Task

__all__ = ["Parcel", "Post", "Unknown"]

Send = Callable[[Any, Sequence[Block], Callable[[], bool]], Iterator[Any]]

LIGHT = 1 << 18  # bytes that are sent with every block
KEPT: dict[str, Task] = {}
"""In a worker: the task that it has got last, by its name."""


class Once:
    """Evaluates each block of a batch once, however often a map calls its task: a second call gets the same answer.

    Examples
    --------
    >>> import numpy as np
    >>> once, block = Once(), Block(0, np.zeros((1, 2)))
    >>> first = once.answer("batch 1", Task(np.sum, vectorized=False), block)
    >>> first is once.answer("batch 1", Task(np.sum, vectorized=False), block)
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batch: Hashable = None
        self._answers: dict[int, Future[Answer]] = {}

    def answer(self, batch: Hashable, task: Task, block: Block) -> Answer:
        """Return what the task returns for a block, or has returned; whoever comes second waits for the first."""
        with self._lock:
            if batch != self._batch:
                self._batch, self._answers = batch, {}
            found = self._answers.get(block.index)
            answer = self._answers.setdefault(block.index, Future())
        if found is None:
            try:
                answer.set_result(task(block))
            except BaseException as error:
                answer.set_exception(error)
                raise
        return answer.result()


HERE = Once()
"""In a worker: what it has answered."""


@dataclass(frozen=True)
class Unknown:
    """The answer of a worker that has not got the task of a block."""

    index: int


class Parcel:
    """A task that can be called here, and sent.

    Examples
    --------
    >>> import numpy as np
    >>> sent = pickle.dumps(Parcel(Task(np.sum, vectorized=False)))
    >>> pickle.loads(sent)(Block(0, np.ones((1, 3)))).outcome.values
    array([3.])
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.batch = 0  # its number
        self._name = uuid.uuid4().hex
        self._content: bytes | None = None
        self._once = Once()

    def __call__(self, block: Block) -> Answer | Unknown:
        """Do the task, in this process."""
        return self._once.answer(self.batch, self.task, block)

    @property
    def whole(self) -> Callable[[Block], Answer | Unknown]:
        """The same, sent with all its data."""
        return _Whole(self)

    def sent(self, *, whole: bool) -> tuple[Any, ...]:
        """Return what pickle writes: how to unpack it, and the name and perhaps the content."""
        if self._content is None:
            self._content = self.task.content()
        small = len(self._content) <= LIGHT
        return _Arrived, (self._name, self.batch, self._content if whole or small else None)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.sent(whole=False)


class _Whole:
    def __init__(self, parcel: Parcel) -> None:
        self._parcel = parcel

    def __call__(self, block: Block) -> Answer | Unknown:
        return self._parcel(block)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._parcel.sent(whole=True)


class Post:
    """Delivers a task, and remembers under which name."""

    def __init__(self) -> None:
        self._parcel: Parcel | None = None

    def deliver(
        self, send: Send, task: Task, blocks: Sequence[Block], width: int, go_on: Callable[[], bool]
    ) -> Iterator[Any]:
        """Yield the answers of blocks; of those that come back since a worker lacks the task, a few are sent with it.

        Parameters
        ----------
        send : callable
            ``send(task, blocks, go_on)`` yields answers.
        task, blocks, go_on
            As for a backend.
        width : int
            How many workers there are.
        """
        if self._parcel is None or self._parcel.task is not task:
            self._parcel = Parcel(task)
        self._parcel.batch += 1
        rounds: list[tuple[Any, Sequence[Block]]] = [(self._parcel, blocks)]
        while rounds:
            way, part = rounds.pop()
            back: list[Block] = []
            answers: Any = send(way, part, go_on)
            with closing(answers):
                for answer in answers:
                    if isinstance(answer, Unknown):
                        back.append(blocks[answer.index])
                    else:
                        yield answer
            if back:
                rounds += [(self._parcel, back[width:]), (self._parcel.whole, back[:width])]
            rounds = [each for each in rounds if each[1]]
            if rounds and not go_on():
                return


class _Arrived:
    """A parcel in a worker."""

    def __init__(self, name: str, batch: int, content: bytes | None) -> None:
        self._name, self._batch = name, batch
        if content is not None and name not in KEPT:
            task = pickle.loads(content)  # noqa: S301 - from the process of the run
            KEPT.clear()  # the data of former runs
            KEPT[name] = task

    def __call__(self, block: Block) -> Answer | Unknown:
        task = KEPT.get(self._name)
        return Unknown(block.index) if task is None else HERE.answer((self._name, self._batch), task, block)
