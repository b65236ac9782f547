"""What runs in a worker process: it takes the objective once, then evaluates block after block.

A worker leads a process group of its own, so that whatever the objective starts (a simulator, for example) ends with
it, and Ctrl-C in a terminal reaches the parent alone.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ter.engines.posting import Block, Task

__all__ = ["BYE", "HELLO", "READY", "THREADS", "Unloaded", "kill_group", "serve"]

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
THREADS = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES} | {"VECLIB_MAXIMUM_THREADS": "1"}
"""What tells the libraries of a worker to keep to one thread."""

HELLO, READY, BYE = b"hello", b"ready", b"bye"
WATCH = 0.5  # seconds between two looks at who the parent is


class Unloaded(Exception):
    """The objective cannot be made again in the worker."""


def serve(connection: Connection, life: Connection, parent: int) -> None:
    """Evaluate what comes through the connection, until the parent says goodbye or ends.

    Parameters
    ----------
    connection : Connection
        Where the task, then blocks come from, and where answers go to.
    life : Connection
        Nothing ever comes from there; it breaks when the parent ends, however it does.
    parent : int
        Its process.
    """
    _lead_a_group()
    threading.Thread(target=_follow, args=(life, parent), daemon=True).start()
    with suppress(EOFError, ConnectionError):
        connection.send_bytes(HELLO)
        try:
            task: Task = pickle.loads(connection.recv_bytes())  # noqa: S301 - from the parent
        except (EOFError, ConnectionError):
            raise
        except BaseException as error:  # noqa: BLE001 - it runs anybody's code
            connection.send_bytes(pickle.dumps(Unloaded(f"{type(error).__name__}: {error}")))
            return
        connection.send_bytes(READY)
        _work(task, connection)


def _work(task: Task, connection: Connection) -> None:
    base: Any = None
    while (content := connection.recv_bytes()) != BYE:
        block: Block = pickle.loads(content)  # noqa: S301 - from the parent
        if block.coordinates is not None:
            base = base if block.base is None else block.base
            block = block.on(base)
        connection.send_bytes(pickle.dumps(task(block), protocol=5))


def _lead_a_group() -> None:
    """Leave signals to the parent; what the objective starts gets the usual handlers, as these are not inherited."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)


def _follow(life: Connection, parent: int) -> None:
    """Do not outlive the parent. Its other children may keep the pipe open, so its number is looked at, too."""
    with suppress(OSError):
        while not life.poll(WATCH) and (os.name != "posix" or os.getppid() == parent):
            pass
    kill_group(os.getpid())
    os._exit(1)  # where there are no groups


def kill_group(pid: int) -> None:
    """Kill a worker, and what its objective has started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
