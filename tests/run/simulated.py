"""A clock that only simulated work moves, and a pool whose workers are busy on it: seconds without waiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch


class SimulatedClock:
    """What ``time.perf_counter`` tells, as long as it is in place."""

    def __init__(self) -> None:
        self.now = 0.0

    def work(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let everybody look at this clock."""
        with patch.object(time, "perf_counter", lambda: self.now):
            yield


class SimulatedPool(Executor):
    """Workers side by side: a call goes to whoever is free first, and whoever fetches its answer waits for it."""

    def __init__(self, clock: SimulatedClock, width: int) -> None:
        self._clock, self._max_workers = clock, width
        self._free = [0.0] * width

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        clock, worker = self._clock, min(range(len(self._free)), key=self._free.__getitem__)
        asked = clock.now
        clock.now = max(asked, self._free[worker])
        answer = fn(*args, **kwargs)
        future = _Answer(clock, clock.now)
        self._free[worker], clock.now = clock.now, asked
        future.set_result(answer)
        return future


class _Answer(Future[Any]):
    def __init__(self, clock: SimulatedClock, ready: float) -> None:
        super().__init__()
        self._clock, self._ready = clock, ready

    def result(self, timeout: float | None = None) -> Any:
        self._clock.now = max(self._clock.now, self._ready)
        return super().result(timeout)
