"""Make a backend of what the user passed as ``workers``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from ter.core.backend import Backend
from ter.core.errors import InvalidArgument

__all__ = ["ExecutorBackend", "MapBackend", "ProcessBackend", "choose_backend"]

MOST_WORKERS = 10_000  # processes of one machine


def choose_backend(workers: Any) -> Backend | None:
    """Return the backend for an int, an executor or a map-like callable; None for serial evaluation.

    Examples
    --------
    >>> choose_backend(1) is None
    True
    """
    if isinstance(workers, Executor):
        return ExecutorBackend(workers)
    if isinstance(workers, (int, np.integer)) and not isinstance(workers, bool):
        workers = int(workers)
        if workers == -1:
            workers = os.cpu_count() or 1
        if not 1 <= workers <= MOST_WORKERS:
            rule = ">= 1" if workers < 1 else f"<= {MOST_WORKERS}"
            raise InvalidArgument(f"workers must be {rule}, or -1 for one per core, got {workers}")
        return None if workers == 1 else ProcessBackend(workers)
    if callable(workers):
        return MapBackend(workers)
    raise InvalidArgument(
        f"workers must be an int, a concurrent.futures.Executor or a map-like callable, got {type(workers).__name__}"
    )


class ExecutorBackend:
    """Any ``concurrent.futures.Executor`` of the user's; it is never shut down here."""

    takes_single_points = True

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.width = int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1)

    def run(self, task: Callable[..., Any], blocks: Sequence[Any]) -> list[Any]:
        """Submit every block, then collect by position."""
        futures = [self._executor.submit(task, block) for block in blocks]
        return [future.result() for future in futures]

    def close(self) -> None:
        """Leave the executor as it is: it belongs to the user."""


class MapBackend:
    """A callable like the built-in ``map``, for example the ``map`` of a pool."""

    takes_single_points = True

    def __init__(self, function: Callable[..., Any]) -> None:
        self._map = function
        self.width = os.cpu_count() or 1

    def run(self, task: Callable[..., Any], blocks: Sequence[Any]) -> list[Any]:
        """Map the task over the blocks."""
        answers = self._map(task, blocks)
        if not isinstance(answers, Iterable):
            raise InvalidArgument(
                f"workers must return an answer for each block, as map does, got {type(answers).__name__}"
            )
        return list(answers)

    def close(self) -> None:
        """Leave the pool behind the callable as it is."""


class ProcessBackend:
    """Local processes by loky: functions of notebooks and lambdas work, and no main guard is needed."""

    takes_single_points = False

    def __init__(self, width: int) -> None:
        self.width = width
        self._executor: Any = None

    def run(self, task: Callable[..., Any], blocks: Sequence[Any]) -> list[Any]:
        """Start the processes if needed, submit every block, collect by position."""
        if self._executor is None:
            from loky import ProcessPoolExecutor

            threads = max(1, (os.cpu_count() or 1) // self.width)
            self._executor = ProcessPoolExecutor(
                max_workers=self.width, timeout=300, initializer=_prepare_worker, initargs=(threads,)
            )
        futures = [self._executor.submit(task, block) for block in blocks]
        return [future.result() for future in futures]

    def close(self) -> None:
        """Stop the processes."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, kill_workers=True)
            self._executor = None


def _prepare_worker(threads: int) -> None:
    """Leave Ctrl-C to the parent, and keep BLAS from starting more threads than there are cores."""
    import signal

    import threadpoolctl

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threadpoolctl.threadpool_limits(threads)
