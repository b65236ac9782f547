"""Worker processes of our own: those that die are replaced, those that take too long are killed.

Each has a pipe of its own, so it is always clear which block a worker took with it.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, current_process, process
from multiprocessing.connection import wait
from typing import Any

from ter.core.backend import LOOK
from ter.core.box import Vector
from ter.core.errors import EvaluationLost, EvaluationTimeout, TerError
from ter.engines.posting import Answer, Block, LostBlock, Sendable
from ter.engines.worker_process import BYE, HELLO, READY, THREADS, Unloaded, kill_group, serve

__all__ = ["MOST_DEATHS", "ProcessBackend"]

MOST_DEATHS = 3  # workers that may die of the same call
GOODBYE = 1.0  # seconds that workers get to end by themselves
LIGHT = 1 << 15  # bytes that fit into a pipe, so that nobody waits until they are read
ALIKE = 0.25  # of the mean: evaluations whose times differ by less, as a rule, may wait in a worker for their turn
BIRTH = threading.Lock()  # what is said of this process while it starts another one holds for all its threads


class ProcessBackend:
    """Local processes, started when they are first needed: functions of notebooks work, without a main guard.

    Parameters
    ----------
    width : int
        How many.
    timeout : float, optional
        Seconds that a call of the objective may take.
    """

    keeps_base = True

    def __init__(self, width: int, timeout: float | None = None) -> None:
        self.width = width
        self.takes_single_points = timeout is not None
        self._timeout = timeout
        self._workers: list[_Worker] = []
        self._content: tuple[Any, bytes] | None = None  # the task that was sent last
        self._pace = _Pace()

    def prepare(self, task: Sendable) -> None:
        """Start all processes; they come to life while the run prepares itself."""
        self._content_of(task)
        self._start(self.width)

    def run(self, task: Sendable, blocks: Sequence[Block], go_on: Callable[[], bool]) -> Iterator[Answer | LostBlock]:
        """Hand out blocks as workers become free, and yield what comes back."""
        content = self._content_of(task)
        waiting, deaths, left = deque[Block](), Counter[int](), 0
        seen = unborn = 0  # blocks so far; workers in a row that ended before they were ready
        try:
            while left or seen < len(blocks):
                waiting.extend(blocks[k] for k in range(seen, len(blocks)))  # more may have come
                left, seen = left + len(blocks) - seen, len(blocks)
                self._hand_out(waiting, left)
                for worker in self._with_news():
                    block, news = worker.block, worker.listen(content)
                    waiting.extendleft(worker.left_behind())
                    if isinstance(news, Unloaded):
                        raise _unloadable(news)
                    if isinstance(news, Answer):
                        left -= 1
                        self._pace.learn(news.outcome.busy / max(1, news.length))
                        yield news
                    elif news == READY:
                        unborn = 0
                    elif isinstance(news, EvaluationLost):
                        self._workers.remove(worker)
                        if block is None:
                            unborn += 1
                            self._require_births(unborn, worker.exitcode)
                            continue
                        deaths[block.index] += 1
                        alone = len(block) == 1 or task.vectorized  # otherwise its points are tried one by one
                        if alone and not isinstance(news, EvaluationTimeout) and deaths[block.index] < MOST_DEATHS:
                            waiting.appendleft(block)
                        else:
                            left -= 1
                            yield LostBlock(block.index, news)
                if left and not go_on():
                    break
        finally:
            self._stop([worker for worker in self._workers if worker.block is not None])

    def close(self) -> None:
        """End the processes: those that are idle get a moment to end by themselves."""
        deadline = time.monotonic() + GOODBYE
        for worker in self._workers:
            worker.say_goodbye()
        while time.monotonic() < deadline and not all(worker.ended for worker in self._workers):
            time.sleep(0.005)
        self._stop(self._workers)

    def _content_of(self, task: Sendable) -> bytes:
        if self._content is None or self._content[0] is not task:
            self._stop(self._workers)  # they have another task
            self._content = (task, task.content())
        return self._content[1]

    def _hand_out(self, waiting: deque[Block], wanted: int) -> None:
        self._start(min(self.width, wanted))
        for worker in [worker for worker in self._workers if worker.idle]:
            if not waiting:
                return
            if worker.take(waiting[0]):
                waiting.popleft()
            else:  # it died while it had nothing to do; another one is started at the next look
                self._stop([worker])
        for worker in self._workers if self._pace.even else ():
            if len(waiting) <= self.width:  # the last ones are for whoever is done first
                return
            if worker.ready and worker.take_another(waiting[0]):
                waiting.popleft()

    def _start(self, wanted: int) -> None:
        while len(self._workers) < wanted:
            self._workers.append(_Worker(self._timeout))

    def _with_news(self) -> list[_Worker]:
        attended = [worker for worker in self._workers if not worker.idle]
        speaking = set(wait([worker.connection for worker in attended], LOOK))
        return [worker for worker in attended if worker.connection in speaking or worker.ended or worker.late]

    def _stop(self, workers: list[_Worker]) -> None:
        for worker in list(workers):
            worker.kill()
            self._workers.remove(worker)

    def _require_births(self, unborn: int, code: int | None) -> None:
        if unborn > 2 * self.width + MOST_DEATHS:
            raise TerError(
                f"worker processes must be able to start and to load fun, got {unborn} that ended before, the last one "
                f"by {_cause(code)}; look at what they have written to the error output, or pass workers=1"
            )


class _Pace:
    """What is known of the times that evaluations take."""

    def __init__(self) -> None:
        self._mean = self._square = 0.0

    def learn(self, seconds: float) -> None:
        """Take note of an evaluation; those long ago count less."""
        new = 0.1 if self._mean else 1.0
        self._mean += new * (seconds - self._mean)
        self._square += new * (seconds * seconds - self._square)

    @property
    def even(self) -> bool:
        """Whether evaluations take about the same time."""
        return 0.0 < self._square <= (1.0 + ALIKE * ALIKE) * self._mean * self._mean


class _Worker:
    """One process, and what it is doing: a block, and perhaps one that waits there, so that it need not wait itself."""

    def __init__(self, timeout: float | None) -> None:
        from loky.backend import get_context

        self.connection, theirs = Pipe()
        their_life, self._life = Pipe(duplex=False)
        self.block: Block | None = None
        self._next: Block | None = None
        self.ready, self._buried = False, False
        self._timeout, self._deadline = timeout, float("inf")
        self._base: Vector | None = None
        context = get_context("loky")
        self._process = context.Process(target=serve, args=(theirs, their_life, os.getpid()), env=THREADS, daemon=False)
        with _children_allowed():
            self._process.start()
        # Otherwise an interpreter that ends during a run in another thread would wait for it.
        process._children.discard(self._process)  # type: ignore[attr-defined]
        theirs.close()
        their_life.close()

    @property
    def exitcode(self) -> int | None:
        """How the process ended, after it was buried."""
        code: int | None = self._process.exitcode
        return code

    @property
    def idle(self) -> bool:
        """Whether it waits for a block."""
        return self.ready and self.block is None

    @property
    def late(self) -> bool:
        """Whether its call takes too long."""
        return time.monotonic() >= self._deadline

    @property
    def ended(self) -> bool:
        """Whether the process is dead; it is not buried, so that its group keeps its number.

        That its pipe breaks does not tell: processes that the objective has forked may hold the other end.
        """
        if not hasattr(os, "waitid"):
            return not self._process.is_alive()
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody else has waited for it, and its number may be another's by now
            self._buried = True
            return True

    def take(self, block: Block) -> bool:
        """Begin a block; tell whether it could be sent."""
        if not self._send(block, self._packed(block)):
            return False
        self._begin(block)
        return True

    def take_another(self, block: Block) -> bool:
        """Take a block that waits for the end of the one under way; tell whether there is room for it."""
        if self.block is None or self._next is not None:
            return False
        content = self._packed(block)
        if len(content) > LIGHT or not self._send(block, content):
            return False
        self._next = block
        return True

    def left_behind(self) -> list[Block]:
        """Return the block that waits here, if the one under way came to no end: it is for others."""
        left = [self._next] if self._next is not None and self.connection.closed else []
        self._next = None if left else self._next
        return left

    def _packed(self, block: Block) -> bytes:
        known = block.base is not None and block.base is self._base
        return pickle.dumps(block.on(None) if known else block, protocol=5)

    def _send(self, block: Block, content: bytes) -> bool:
        try:
            self.connection.send_bytes(content)
        except OSError:
            return False
        self._base = self._base if block.base is None else block.base
        return True

    def _begin(self, block: Block | None) -> None:
        self.block, self._next = block, None
        timed = block is not None and self._timeout is not None
        self._deadline = time.monotonic() + (self._timeout or 0.0) if timed else float("inf")

    def listen(self, content: bytes) -> Any:
        """Return what it says: an answer, that it is ready, or what it ended of; None if it is not ready yet."""
        try:
            if self.connection.poll():
                message = self.connection.recv_bytes()
                if message == HELLO:
                    self.connection.send_bytes(content)
                    return None
                if message == READY:
                    self.ready = True
                    return READY
                self._begin(self._next)
                return pickle.loads(message)  # noqa: S301 - from a worker, which runs the user's code anyway
        except (EOFError, OSError):
            pass
        else:
            if self.late and not self.ended:
                self.kill()
                return _took_too_long(self._timeout)
        self.kill()
        return _died(self._process.exitcode)

    def say_goodbye(self) -> None:
        """Let it end if it is idle."""
        with suppress(OSError):
            self.connection.send_bytes(BYE)

    def kill(self) -> None:
        """End it at once, with all that its objective has started, and bury it."""
        if not (self.ended and self._buried):
            kill_group(self._process.pid)
            with suppress(ProcessLookupError):
                if hasattr(signal, "SIGKILL"):
                    os.kill(self._process.pid, signal.SIGKILL)
                else:
                    self._process.terminate()
        self._process.join(GOODBYE)
        self.connection.close()
        self._life.close()


@contextmanager
def _children_allowed() -> Iterator[None]:
    """Start a process from a daemonic one, as the workers of Dask are.

    These must not have children, since children would outlive them. Ours do not.
    """
    settings = current_process()._config  # type: ignore[attr-defined]
    with BIRTH:
        daemonic = settings.pop("daemon", None)
        try:
            yield
        finally:
            if daemonic is not None:
                settings["daemon"] = daemonic


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _died(code: int | None) -> EvaluationLost:
    return EvaluationLost(
        f"an evaluation must not end its worker process, got {_cause(code)}, after {MOST_DEATHS} tries; look for a "
        "crash in the objective or a lack of memory, or pass on_error='worst' to count such points as failed"
    )


def _took_too_long(timeout: float | None) -> EvaluationTimeout:
    return EvaluationTimeout(
        f"an evaluation must end within evaluation_timeout, got one that was killed after {timeout:g} s; allow more "
        "time, or pass on_error='worst' to count such points as failed"
    )


def _unloadable(news: Unloaded) -> TerError:
    return TerError(
        f"fun must be such that worker processes can load it, got {news} there; define it in a module that they can "
        "import, or in the script itself"
    )
