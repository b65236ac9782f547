"""Processes that are killed with SIGKILL at random moments, again and again until the run comes to its end."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ter.checkpoint.frames import CheckpointError
from tests.chaos.subjects import SUBJECTS, facts, go, undisturbed

__all__ = ["PATIENCE", "begun", "campaign", "full_disks"]

PATIENCE = 120.0  # seconds until a run counts as hanging


def child(engine: str, algorithm: str, folder: Path, answer: Path, limit: int | None) -> int:
    """Start a run on an engine in a process of its own; return its id."""
    return begun(lambda: go(engine, algorithm, folder), answer, limit)


def begun(run: Callable[[], Any], answer: Path, limit: int | None = None) -> int:
    """Start a run in a process of its own, which writes what came of it; return its id."""
    process = os.fork()
    if process:
        return process
    try:
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        found: dict[str, Any] = facts(run())
    except CheckpointError as error:
        found = {"refused": str(error)}
    except BaseException as error:
        found = {"error": f"{type(error).__name__}: {error}"}
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    answer.write_text(json.dumps(found))
    os._exit(0)


def waited(process: int, seconds: float) -> bool:
    """Wait for a process so long, then kill it; tell whether it ended by itself."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if os.waitpid(process, os.WNOHANG)[0]:
            return True
        time.sleep(0.002)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return False


def campaign(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Kill runs until there were so many kills; each run must come to the end of the undisturbed one."""
    rng, tried, broken = random.Random(seed), Counter[str](), list[str]()
    number = rng.randrange(len(SUBJECTS))
    with TemporaryDirectory() as place:
        while tried["kills"] < tries:
            engine, algorithm = SUBJECTS[number % len(SUBJECTS)]
            expected, folder = undisturbed(engine, algorithm), Path(place) / f"run {number}"
            number += 1
            mean, answer = rng.choice([0.02, 0.1, 0.3]), Path(place) / "answer"
            for _ in range(12):
                if waited(child(engine, algorithm, folder, answer, None), 0.01 + rng.expovariate(1 / mean)):
                    break
                tried["kills"] += 1
                tried[f"kills on {engine}"] += 1
            else:
                if not waited(child(engine, algorithm, folder, answer, None), PATIENCE):
                    broken.append(f"{engine}, {algorithm}, run {number}: it hangs")
                    continue
            tried["runs that came to their end"] += 1
            found = json.loads(answer.read_text())
            if found != expected:
                broken.append(
                    f"{engine}, {algorithm}, run {number}: {found.get('error') or found.get('refused') or found['fun']}"
                )
    return tried, broken


def full_disks(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Let files reach a limit, as on a full disk; with room again, the run must go on."""
    rng, tried, broken = random.Random(seed), Counter[str](), []
    with TemporaryDirectory() as place:
        for number in range(tries):
            engine, algorithm = SUBJECTS[number % len(SUBJECTS)]
            folder, answer = Path(place) / f"run {number}", Path(place) / "answer"
            limit = rng.randrange(3_000, 140_000)
            waited(child(engine, algorithm, folder, answer, limit), PATIENCE)
            first = json.loads(answer.read_text())
            tried["disks that were full" if len(first) == 1 else "disks that were large enough"] += 1
            if "error" in first and "OSError" not in first["error"]:
                broken.append(f"{engine}, {algorithm}, limit {limit}: {first['error']}")
            waited(child(engine, algorithm, folder, answer, None), PATIENCE)
            found = json.loads(answer.read_text())
            if found != undisturbed(engine, algorithm):
                broken.append(f"{engine}, {algorithm}, limit {limit}: {found.get('error') or found.get('refused')}")
    return tried, broken
