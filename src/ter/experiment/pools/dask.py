"""Runs on the workers of a Dask cluster."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from ter.core.errors import ClusterError, TerError
from ter.engines.dask import connected
from ter.engines.queued import ended_within
from ter.experiment.pool import Ended, Lost, PoolError
from ter.experiment.record import Record
from ter.experiment.rehearsal import rehearse
from ter.experiment.spec import RunSpec
from ter.experiment.work import work

__all__ = ["DaskPool"]

LOOK = 1.0  # seconds between looks at the number of workers
FETCH = 20.0  # seconds to fetch a record from its worker


class DaskPool:
    """One run per thread of the cluster's workers; they may come and go.

    Parameters
    ----------
    cluster : str or distributed.Client
        The scheduler's address, or a client, which is left open.
    """

    def __init__(self, cluster: Any) -> None:
        self._own = isinstance(cluster, str)
        self._client = _connect(cluster) if self._own else cluster
        self._ended: queue.Queue[Any] = queue.Queue()
        self._specs: dict[str, RunSpec] = {}
        self._futures: dict[str, Any] = {}
        self._preparing: list[Any] = []
        self._threads, self._looked = 0, -LOOK
        self._number = count()

    @property
    def ready(self) -> bool:
        """Whether one worker of each machine has compiled everything."""
        return all(future.done() for future in self._preparing)

    @property
    def slots(self) -> int:
        """Threads of all workers; none before they are ready."""
        if not self.ready:
            return 0
        if time.monotonic() - self._looked >= LOOK:
            self._threads, self._looked = sum(self._ask_threads().values()), time.monotonic()
        return self._threads

    def prepare(self, specs: Sequence[RunSpec]) -> None:
        """Let one worker of each machine compile; those that come later do it on their own."""
        hosts = {_host(address): address for address in sorted(self._ask_threads(), reverse=True)}
        self._preparing = [self._begin(rehearse, list(specs), [address]) for address in hosts.values()]

    def submit(self, spec: RunSpec) -> None:
        """Begin a run."""
        future = self._begin(work, spec)
        self._specs[future.key], self._futures[future.key] = spec, future
        future.add_done_callback(self._ended.put)

    def wait(self, seconds: float) -> list[Ended]:
        """Collect what has ended."""
        self._require_scheduler()
        if not self.ready:
            time.sleep(min(seconds, 0.05))
            return []
        return [outcome for ended in ended_within(self._ended, seconds) for outcome in self._outcome(ended)]

    def close(self) -> None:
        """Take back what was not begun; what a worker has begun it finishes, for nobody."""
        if self._client.status == "running":
            futures = [*self._futures.values(), *self._preparing]
            self._client.cancel(futures, force=True)
        self._futures.clear()
        self._preparing.clear()
        if self._own:
            self._client.close()

    def _begin(self, task: Any, argument: Any, workers: list[str] | None = None) -> Any:
        # Keys of ours: Dask would take two calls with equal arguments for one.
        key = f"ter-{id(self):x}-{time.time_ns():x}-{next(self._number)}"
        return self._client.submit(task, argument, key=key, workers=workers, allow_other_workers=workers is not None)

    def _outcome(self, future: Any) -> Iterable[Ended]:
        from distributed import CancelledError, KilledWorker, TimeoutError

        spec = self._specs[future.key]
        try:
            record: Record = future.result(timeout=FETCH)
        except TimeoutError:  # its worker died with the record: Dask does the run again
            future.add_done_callback(self._ended.put)
            return []
        except KilledWorker as error:
            outcome: Ended = (spec, Lost(f"the workers died: {error}", final=True))
        except CancelledError:
            self._require_scheduler()
            outcome = (spec, Lost("the cluster cancelled the run"))
        except TerError:
            raise
        except Exception as error:
            raise PoolError(
                f"Dask workers must be able to import ter, got {type(error).__name__}: {error}; install the same "
                "version of ter there"
            ) from error
        else:
            outcome = (spec, record)
        del self._specs[future.key], self._futures[future.key]
        return [outcome]

    def _ask_threads(self) -> dict[str, int]:
        self._require_scheduler()
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError as error:  # Dask's own errors of communication are of this kind
            raise self._unreachable(str(error)) from error
        return threads

    def _require_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._unreachable(f"a client that is {self._client.status!r}")

    def _unreachable(self, found: str) -> PoolError:
        return PoolError(
            f"the Dask scheduler must stay within reach, got {found}; what ended is in the store: start again to go on"
        )


def _connect(address: str) -> Any:
    try:
        return connected(address)
    except ClusterError as error:
        raise PoolError(str(error)) from error


def _host(address: str) -> str:
    return address.rpartition(":")[0]
