"""Runs in processes of this machine.

Each slot has an executor with one process of its own. When a process dies, it is clear which run it took with it, and
the others go on.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass
from typing import Any

from ter.engines.queued import ended_within
from ter.engines.worker_process import THREADS
from ter.experiment.pool import Ended, Lost
from ter.experiment.record import Record
from ter.experiment.rehearsal import RunInterrupted, rehearse
from ter.experiment.spec import RunSpec
from ter.experiment.work import work

__all__ = ["ProcessPool"]

WATCH = 0.5  # seconds between looks at the parent process


@dataclass
class _Slot:
    executor: Any
    busy: bool = False


class ProcessPool:
    """So many processes, by loky: no main guard is needed.

    Parameters
    ----------
    workers : int
        How many.
    """

    def __init__(self, workers: int) -> None:
        self._slots = [_Slot(_executor()) for _ in range(workers)]
        self._ended: queue.Queue[tuple[_Slot, RunSpec, Any]] = queue.Queue()
        self._preparing: list[Any] = []

    @property
    def ready(self) -> bool:
        """Whether the first process has compiled everything."""
        return all(future.done() for future in self._preparing)

    @property
    def slots(self) -> int:
        """The number of processes; none before they are ready."""
        return len(self._slots) if self.ready else 0

    def prepare(self, specs: Sequence[RunSpec]) -> None:
        """Let one process compile, so that the others find it done; they start meanwhile."""
        first, *others = self._slots
        self._preparing = [first.executor.submit(rehearse, list(specs))]
        for slot in others:
            slot.executor.submit(rehearse, [])

    def submit(self, spec: RunSpec) -> None:
        """Begin a run in a free process."""
        slot = next(slot for slot in self._slots if not slot.busy)
        slot.busy = True
        try:
            future = slot.executor.submit(work, spec)
        except BrokenExecutor:  # it died while it had nothing to do
            self._renew(slot)
            future = slot.executor.submit(work, spec)
        future.add_done_callback(lambda future: self._ended.put((slot, spec, future)))

    def wait(self, seconds: float) -> list[Ended]:
        """Collect what has ended; the slot of a process that died gets a new one."""
        if not self.ready:
            time.sleep(min(seconds, 0.05))
            return []
        return [self._outcome(*ended) for ended in ended_within(self._ended, seconds)]

    def close(self) -> None:
        """Kill all processes."""
        for slot in self._slots:
            slot.executor.shutdown(wait=True, kill_workers=True)

    def _outcome(self, slot: _Slot, spec: RunSpec, future: Any) -> Ended:
        slot.busy = False
        try:
            record: Record = future.result()
        except (BrokenExecutor, CancelledError) as error:
            self._renew(slot)
            return spec, Lost(f"the worker process died: {' '.join(str(error).split())}")
        except RunInterrupted as error:
            return spec, Lost(str(error))
        return spec, record

    def _renew(self, slot: _Slot) -> None:
        slot.executor.shutdown(wait=False, kill_workers=True)
        slot.executor = _executor()


def _executor() -> Any:
    from loky import ProcessPoolExecutor

    return ProcessPoolExecutor(max_workers=1, initializer=_prepare_worker, initargs=(os.getpid(),), env=THREADS)


def _prepare_worker(parent: int) -> None:
    """Leave Ctrl-C to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)  # at once: nobody is left to take the result
