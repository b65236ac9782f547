"""Evaluations on the workers of a Dask cluster."""

from __future__ import annotations

import pickle
import queue
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

from ter.core.backend import LOOK
from ter.core.errors import ClusterError, EvaluationLost, MissingExtra
from ter.engines.apart import Apart, Sent
from ter.engines.posting import Answer, Block, LostBlock, Task
from ter.engines.queued import ended_within

__all__ = ["DaskBackend", "connected", "is_address", "is_client"]

CONNECT = 20.0  # seconds to find the scheduler
FETCH = 20.0  # seconds to fetch an answer from its worker
RECOUNT = 1.0  # seconds between looks at the number of workers


def is_client(workers: object) -> bool:
    """Tell whether something is a Dask client, without importing Dask.

    Examples
    --------
    >>> is_client("tcp://127.0.0.1:8786")
    False
    """
    return type(workers).__module__.partition(".")[0] == "distributed" and hasattr(workers, "submit")


def is_address(workers: object) -> bool:
    """Tell whether something is the address of a scheduler.

    Examples
    --------
    >>> is_address("tcp://127.0.0.1:8786"), is_address("2")
    (True, False)
    """
    return isinstance(workers, str) and "://" in workers


def connected(address: str) -> Any:
    """Return a client of the scheduler at an address.

    Raises
    ------
    ClusterError
        If none answers there.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra.named("distributed", "dask", "a Dask cluster") from error
    try:
        client: Any = Client  # untyped
        return client(address, timeout=CONNECT, name="ter", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"a Dask scheduler must answer at the address, got {address!r}: {error}; start one with `dask scheduler`"
        ) from error


class DaskBackend:
    """The workers of a cluster, which may come and go; points of a worker that dies are evaluated by another one.

    Parameters
    ----------
    cluster : str or distributed.Client
        The scheduler's address, or a client, which is left open.
    timeout : float, optional
        Seconds that a call of the objective may take. Then it is evaluated in processes beside the workers, which can
        be killed: a worker goes on, with whatever else it does.
    """

    takes_single_points = True
    keeps_base = False

    def __init__(self, cluster: Any, timeout: float | None = None) -> None:
        self._own = isinstance(cluster, str)
        self._client = connected(cluster) if self._own else cluster
        self._timeout = timeout
        self._number = count()
        self._width, self._counted = 1, -RECOUNT
        self._sent: tuple[Any, Any] | None = None  # the task that was sent last, and what stands for it on the cluster

    @property
    def width(self) -> int:
        """Threads of all workers."""
        if time.monotonic() - self._counted >= RECOUNT:
            self._width, self._counted = max(1, sum(self._client.nthreads().values())), time.monotonic()
        return self._width

    def prepare(self, task: Task) -> None:
        """Send the objective to the cluster, once; from there on workers have it from each other."""
        if self._sent is None or self._sent[0] is not task:
            with warnings.catch_warnings():  # Dask would rather have large things read from files
                warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
                self._sent = (task, self._sent_task(task))

    def run(self, task: Task, blocks: Sequence[Block], go_on: Callable[[], bool]) -> Iterator[Answer | LostBlock]:
        """Submit every block, and yield what comes back; what has not begun when the run ends is cancelled."""
        self.prepare(task)
        ended: queue.Queue[Any] = queue.Queue()
        pending: dict[str, tuple[Any, Block]] = {}
        seen = 0
        try:
            while pending or seen < len(blocks):
                for k in range(seen, len(blocks)):  # more may have come
                    future = self._submit(_evaluate, self._sent[1] if self._sent else None, blocks[k])
                    pending[future.key] = (future, blocks[k])
                    seen = k + 1
                    future.add_done_callback(ended.put)
                for future in ended_within(ended, LOOK):
                    answer = self._answer(future, pending[future.key][1])
                    if answer is None:
                        future.add_done_callback(ended.put)
                        continue
                    del pending[future.key]
                    yield answer
                if pending and not go_on():
                    break
                self._require_scheduler()
        finally:
            if pending and self._client.status == "running":
                self._client.cancel([future for future, _ in pending.values()], force=True)

    def close(self) -> None:
        """Leave the cluster, and a client of the user's, as they were."""
        self._sent = None
        if self._own:
            self._client.close()

    def _sent_task(self, task: Task) -> Any:
        if self._timeout is None:
            return self._submit(pickle.loads, task.content())
        return self._submit(Apart, Sent.of(task), self._timeout)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        # Keys of ours: Dask would take two calls with equal arguments for one.
        key = f"ter-{id(self):x}-{time.time_ns():x}-{next(self._number)}"
        return self._client.submit(function, *arguments, key=key)

    def _answer(self, future: Any, block: Block) -> Answer | LostBlock | None:
        """Return what came of a block; None if Dask is about to evaluate it again."""
        from distributed import KilledWorker, TimeoutError

        try:
            answer: Answer | LostBlock = future.result(timeout=FETCH)
        except TimeoutError:  # its worker died with the answer
            return None
        except KilledWorker as error:
            return LostBlock(
                block.index,
                EvaluationLost(
                    f"an evaluation must not end its worker, got several on the cluster that died: {error}; look for a "
                    "crash in the objective, or pass on_error='worst' to count such points as failed"
                ),
            )
        except Exception as error:
            self._require_scheduler()
            raise ClusterError(
                f"Dask workers must be able to import ter and to load fun, got {type(error).__name__}: {error}; "
                "install the same version of ter there, and the modules of fun"
            ) from error
        return answer

    def _require_scheduler(self) -> None:
        if self._client.status != "running":
            raise ClusterError(
                f"the Dask scheduler must stay within reach, got a client that is {self._client.status!r}; with "
                "checkpoint=... the run can go on when it is back"
            )


def _evaluate(task: Task | Apart, block: Block) -> Answer | LostBlock:
    return task(block)
