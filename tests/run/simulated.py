"""A clock that only simulated work moves, and a pool whose workers are busy on it: seconds without waiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from heapq import heappop, heappush
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


class SimulatedWorkers:
    """A backend whose workers are busy on the clock; answers come when they are ready, and blocks may be added."""

    takes_single_points, keeps_base = True, False

    def __init__(self, clock: SimulatedClock, width: int) -> None:
        self._clock, self.width = clock, width

    def prepare(self, task: Any) -> None:
        pass

    def close(self) -> None:
        pass

    def run(self, task: Any, blocks: Sequence[Any], go_on: Callable[[], bool]) -> Iterator[Any]:
        clock, under_way, seen = self._clock, list[tuple[float, int, Any]](), 0
        free = [clock.now] * self.width
        while under_way or seen < len(blocks):
            for k in range(seen, len(blocks)):
                asked = clock.now
                clock.now = max(asked, heappop(free))
                answer = task(blocks[k])
                heappush(free, clock.now)
                heappush(under_way, (clock.now, k, answer))
                clock.now, seen = asked, k + 1
            ready, _, answer = heappop(under_way)
            clock.now = max(clock.now, ready)
            yield answer
            if not go_on():
                return
