"""Real processes for tests: coordinators, schedulers, workers; and patience with a limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from ter.experiment.record import Record
from ter.experiment.store import Store, StoreError

LIMIT = 240.0  # seconds; a fresh machine compiles for a minute or two

PLAN = """
problems = ["lso13/f1", "lso13/f4"]
runs = 4
budget = 12_000
milestones = [1_000, 10_000]
seed = 3

[[algorithms]]
name = "ter"
window = 7
ls1 = {evaluations = 2}
cc = {evaluations = 2}
gs = {evaluations = 1, population = 20}

[[algorithms]]
name = "ls"

[[algorithms]]
name = "gs"
"""


def start(*words: str, output: int | IO[str] = subprocess.PIPE) -> subprocess.Popen[str]:
    """Start a Python module as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        stdout=output,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    )


@contextmanager
def started(*words: str, output: int | IO[str] = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """Start a process, and kill it at the end if it still runs."""
    process = start(*words, output=output)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def kill(pid: int) -> None:
    """Kill -9."""
    os.kill(pid, signal.SIGKILL)


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for a condition; fail at once if the process that should bring it about has ended."""
    deadline = time.monotonic() + LIMIT
    while not condition():
        if process is not None and process.poll() is not None and not condition():
            raise AssertionError(f"it ended with code {process.returncode}:\n{process.communicate()[0]}")
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.03)


def stored(path: Path) -> list[Record]:
    """The records of a store that somebody may be writing to, or that is not there yet."""
    try:
        with Store(path) as store:
            return list(store.records())
    except StoreError:
        return []


def count(path: Path) -> int:
    """How many records there are."""
    try:
        with Store(path) as store:
            return len(store)
    except StoreError:
        return 0


def is_alive(pid: int) -> bool:
    """Tell whether a process is there, and not only waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Cluster:
    """A scheduler and the workers of a Dask cluster."""

    def __init__(self, folder):
        self._stack, self._folder, self._number = ExitStack(), folder, 0
        self._file = folder / "scheduler.json"
        self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        wait_until(lambda: self._file.exists() and self._file.read_text().endswith("}"))
        self.address = json.loads(self._file.read_text())["address"]

    def worker(self, *options):
        """Start a worker with one thread and no nanny, or with other options."""
        self._number += 1
        folder = str(self._folder / f"worker{self._number}")
        return self._start("dask_worker", "--nthreads", "1", "--local-directory", folder, *(options or ("--no-nanny",)))

    def _start(self, program, *options):
        words = (f"distributed.cli.{program}", "--scheduler-file", str(self._file), "--no-dashboard", *options)
        # Nobody reads a pipe meanwhile, and a full one would block them.
        log = self._stack.enter_context((self._folder / f"log {program} {self._number}").open("w"))
        return self._stack.enter_context(started(*words, output=log))

    def close(self):
        self._stack.close()
