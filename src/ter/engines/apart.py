"""Evaluations in a process beside a worker of somebody else's, so that they can be killed and the worker cannot.

A worker of a cluster may have work of others, and need not have anybody who starts it again. So what takes too long, or
crashes, does so in a process of ours, which ends with the worker, with the run, or when its time is over.
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

from ter.engines.posting import Answer, Block, LostBlock, Task
from ter.engines.processes import ProcessBackend

__all__ = ["Apart", "Sent"]


@dataclass(frozen=True)
class Sent:
    """A task as it is sent: whoever only hands it on need not load it."""

    packed: bytes
    vectorized: bool

    @classmethod
    def of(cls, task: Task) -> Sent:
        """Return a task as it is sent."""
        return cls(task.content(), task.vectorized)

    def content(self) -> bytes:
        """Return what is sent to a worker process."""
        return self.packed


class Apart:
    """Does a task in processes of its own, one for each thread that calls it at the same time.

    They are kept from call to call, and end when nobody has this object any more. A copy, sent to another worker, has
    its own.

    Parameters
    ----------
    task : Sent
        What is to be done.
    timeout : float
        Seconds that a call of the objective may take.

    Examples
    --------
    >>> import numpy as np
    >>> apart = Apart(Sent.of(Task(np.sum, vectorized=False)), timeout=60.0)
    >>> apart(Block(0, np.ones((1, 3)))).outcome.values
    array([3.])
    """

    def __init__(self, task: Sent, timeout: float) -> None:
        self._task, self._timeout = task, timeout
        self._idle: list[ProcessBackend] = []
        # Not at the end of the interpreter: there the processes end by themselves.
        weakref.finalize(self, _close, self._idle).atexit = False

    def __call__(self, block: Block) -> Answer | LostBlock:
        """Evaluate the points of a block; what takes too long, or ends its process three times, is lost."""
        try:
            backend = self._idle.pop()
        except IndexError:
            backend = ProcessBackend(1, self._timeout)
        try:
            (answer,) = backend.run(self._task, [block], lambda: True)
        except BaseException:
            backend.close()
            raise
        self._idle.append(backend)
        return answer

    def __reduce__(self) -> tuple[type[Apart], tuple[Sent, float]]:
        return Apart, (self._task, self._timeout)


def _close(idle: list[ProcessBackend]) -> None:
    """End the processes, in a thread: whoever has dropped the last reference must not wait."""
    while idle:
        threading.Thread(target=idle.pop().close, name="ter.apart", daemon=True).start()
