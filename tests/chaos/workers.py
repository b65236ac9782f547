"""Worker processes, and now and then their coordinator, are killed with SIGKILL at random moments."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ter
from tests.chaos.kills import PATIENCE, begun
from tests.chaos.subjects import BOX, facts

__all__ = ["campaign"]

ALGORITHMS = ("default", "gs", "ter")
BUDGET = 1_500
MEAN = 1.0  # seconds between two kills: a worker takes about as long to come to life
COORDINATOR = 0.15  # the share of kills that the coordinator gets
GRACE = 30.0  # seconds until a worker without a coordinator counts as left behind


def go(algorithm: str, folder: Path | None, workers: int = 2) -> ter.Result:
    """Begin the run, or go on with it; a function inside is sent by value, so that workers need not import it."""

    def fun(x: Any) -> float:
        time.sleep(0.003 * (workers > 1))
        return float((x * x).sum() + abs(x).sum())

    problem = ter.Problem(fun, BOX, name="slow")
    return ter.algorithm(algorithm).minimize(problem, budget=BUDGET, rng=7, workers=workers, checkpoint=folder)


@cache
def undisturbed(algorithm: str) -> dict[str, Any]:
    """Run without workers and kills."""
    return facts(go(algorithm, None, workers=1))


def workers_of(process: int) -> list[int]:
    """Return the worker processes of a coordinator."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process and b"popen_loky" in (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except (OSError, IndexError):  # it has just ended
            continue
    return found


def gone(processes: list[int]) -> bool:
    """Wait until processes have ended; tell whether they did."""
    deadline = time.monotonic() + GRACE
    while any(b"popen_loky" in _words(each) for each in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _words(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def disturbed(algorithm: str, folder: Path, answer: Path, rng: random.Random, tried: Counter[str]) -> str | None:
    """Kill somebody now and then until the run comes to its end; return what went wrong."""
    process, deadline = begun(lambda: go(algorithm, folder), answer), time.monotonic() + PATIENCE
    while True:
        time.sleep(rng.expovariate(1 / MEAN))
        if os.waitpid(process, os.WNOHANG)[0]:
            return None
        workers = workers_of(process)
        if rng.random() < COORDINATOR or time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            if time.monotonic() > deadline:
                return "it hangs"
            tried["coordinators killed"] += 1
            if not gone(workers):
                return "a worker outlived its coordinator"
            process = begun(lambda: go(algorithm, folder), answer)
        elif workers:
            try:
                os.kill(rng.choice(workers), signal.SIGKILL)
                tried["workers killed"] += 1
            except ProcessLookupError:  # it has ended by itself
                continue


def campaign(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Kill workers and coordinators until there were so many kills; runs must come to the undisturbed end."""
    rng, tried, broken = random.Random(seed), Counter[str](), list[str]()
    number = rng.randrange(len(ALGORITHMS))
    with TemporaryDirectory() as place:
        while tried["workers killed"] + tried["coordinators killed"] < tries:
            algorithm, answer = ALGORITHMS[number % len(ALGORITHMS)], Path(place) / "answer"
            number += 1
            expected = undisturbed(algorithm)
            wrong = disturbed(algorithm, Path(place) / f"run {number}", answer, rng, tried)
            found = {} if wrong else json.loads(answer.read_text())
            tried["runs on workers that came to their end"] += 1
            if found != expected:
                broken.append(f"{algorithm}, run {number}: {wrong or found.get('error') or found.get('fun')}")
    return tried, broken
