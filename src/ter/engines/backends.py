"""Make a backend of what the user passed as ``workers``."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, wait
from typing import Any

import numpy as np

from ter.core.backend import LOOK, Backend
from ter.core.errors import InvalidArgument, add_note
from ter.engines.dask import DaskBackend, is_address, is_client
from ter.engines.parcels import Post
from ter.engines.posting import Block
from ter.engines.processes import ProcessBackend

__all__ = ["ExecutorBackend", "MapBackend", "choose_backend"]

MOST_WORKERS = 10_000  # processes of one machine
REPLACED = "Workers that die are replaced with workers=n, where n is a number."


def choose_backend(workers: Any, timeout: float | None = None) -> Backend | None:
    """Return the backend for an int, an executor, a map-like callable or a Dask cluster; None for serial evaluation.

    Parameters
    ----------
    workers : int, Executor, callable, Dask client or address
        Who evaluates.
    timeout : float, optional
        Seconds that an evaluation may take; then it is in a process that can be killed.

    Examples
    --------
    >>> choose_backend(1) is None, choose_backend(1, timeout=60.0).width
    (True, 1)
    """
    if isinstance(workers, (int, np.integer)) and not isinstance(workers, bool):
        width = _width(int(workers))
        return None if width == 1 and timeout is None else ProcessBackend(width, timeout)
    on_cluster = is_address(workers) or is_client(workers)
    if not (on_cluster or isinstance(workers, Executor) or callable(workers)):
        raise InvalidArgument(
            "workers must be an int, a concurrent.futures.Executor or a map-like callable, or a Dask client or the "
            f"address of its scheduler, got {type(workers).__name__}"
        )
    if on_cluster:
        return DaskBackend(workers, timeout)
    if timeout is not None:
        raise InvalidArgument(
            "evaluation_timeout must go with a number of workers, which can be killed, or with a Dask cluster, got "
            f"{type(workers).__name__}; pass workers=n, or end long evaluations inside the objective"
        )
    return ExecutorBackend(workers) if isinstance(workers, Executor) else MapBackend(workers)


def _width(workers: int) -> int:
    if workers == -1:
        return os.cpu_count() or 1
    if not 1 <= workers <= MOST_WORKERS:
        rule = ">= 1" if workers < 1 else f"<= {MOST_WORKERS}"
        raise InvalidArgument(f"workers must be {rule}, or -1 for one per core, got {workers}")
    return workers


class ExecutorBackend:
    """Any ``concurrent.futures.Executor`` of the user's; it is never shut down here."""

    takes_single_points = True
    keeps_base = False

    def __init__(self, executor: Executor) -> None:
        self._executor, self._post = executor, Post()
        self.width = int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1)

    def prepare(self, task: Any) -> None:
        """Leave that to the user."""

    def run(self, task: Any, blocks: Sequence[Any], go_on: Callable[[], bool]) -> Iterator[Any]:
        """Submit every block, and yield what comes back; what has not begun when the run ends is cancelled."""
        return self._post.deliver(self._submit, task, blocks, self.width, go_on)

    def _submit(self, task: Any, blocks: Sequence[Block], go_on: Callable[[], bool]) -> Iterator[Any]:
        pending, seen = set[Any](), 0
        try:
            while pending or seen < len(blocks):
                for k in range(seen, len(blocks)):  # more may have come
                    pending.add(self._executor.submit(task, blocks[k]))
                    seen = k + 1
                done, pending = wait(pending, timeout=LOOK, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                if pending and not go_on():
                    break
        except BrokenExecutor as error:
            add_note(error, REPLACED)
            raise
        finally:
            for future in pending:
                future.cancel()

    def close(self) -> None:
        """Leave the executor as it is: it belongs to the user."""


class MapBackend:
    """A callable like the built-in ``map``, for example the ``map`` of a pool.

    It is called in a thread of its own, since the maps of pools wait for all answers, and for those of workers that
    Ctrl-C has ended forever. The built-in ``map`` itself evaluates here.
    """

    takes_single_points = True
    keeps_base = False

    def __init__(self, function: Callable[..., Any]) -> None:
        self._map, self._post = function, Post()
        self.width = os.cpu_count() or 1

    def prepare(self, task: Any) -> None:
        """Leave that to the user."""

    def run(self, task: Any, blocks: Sequence[Any], go_on: Callable[[], bool]) -> Iterator[Any]:
        """Map the task over the blocks; when the run ends, the map is left alone."""
        return self._post.deliver(self._mapped, task, blocks, self.width, go_on)

    def _mapped(self, task: Any, blocks: Sequence[Block], go_on: Callable[[], bool]) -> Iterator[Any]:
        blocks = list(blocks)  # those that are there by now
        if self._map is map:
            for block in blocks:
                yield task(block)
                if block is not blocks[-1] and not go_on():
                    return
            return
        news: queue.Queue[tuple[str, Any]] = queue.Queue()
        threading.Thread(target=self._call, args=(task, blocks, news), name="ter.workers", daemon=True).start()
        while True:
            try:
                kind, item = news.get(timeout=LOOK)
            except queue.Empty:
                if not go_on():
                    return
                continue
            if kind == "raised":
                raise item
            if kind == "end":
                return
            yield item

    def _call(self, task: Callable[..., Any], blocks: Sequence[Any], news: queue.Queue[tuple[str, Any]]) -> None:
        try:
            answers = self._map(task, blocks)
            if not isinstance(answers, Iterable):
                raise InvalidArgument(
                    f"workers must return an answer for each block, as map does, got {type(answers).__name__}"
                )
            for answer in answers:
                news.put(("answer", answer))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread of the run
            news.put(("raised", error))
        else:
            news.put(("end", None))

    def close(self) -> None:
        """Leave the pool behind the callable as it is."""
