"""Writers of a store that are killed in the middle of a transaction; what was acknowledged must be there afterwards."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from ter.experiment import Store
from tests.experiment.helpers import record, whole

__all__ = ["attack", "campaign"]

ROOT = Path(__file__).parents[2]
RECORDS = 60  # in a store when it is full; none is written after that

# Between two statements of a transaction SQLite calls the trace; the process kills itself at one of these calls, or a
# moment later from another thread, which hits the commit itself.
WRITER = """
import os, signal, sys, threading, time
from tests.experiment.helpers import record
from ter.experiment.store import Store

path, statement, delay, last = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
with Store(path, write=True) as store:
    seen, inside = 0, False

    def die():
        time.sleep(delay)
        os.kill(os.getpid(), signal.SIGKILL)

    def look(text):
        global seen
        seen += 1
        if seen == statement:
            if delay:
                threading.Thread(target=die).start()
            else:
                os.kill(os.getpid(), signal.SIGKILL)

    done = len(store)
    store.connection.set_trace_callback(look)
    for seed in range(done + 1, last + 1):
        print("begin", seed, flush=True)
        store.add(record(seed, fun=1.0 / seed))
        print("stored", seed, flush=True)
"""


def attack(path: Path, rng: random.Random) -> tuple[bool, list[str]]:
    """Let a writer go on with a store until it dies; return whether that was in a transaction, and what is wrong."""
    statement, delay = rng.randrange(1, 40), rng.choice([0.0, 0.0, rng.uniform(0, 3e-3)])
    command = [sys.executable, "-c", WRITER, str(path), str(statement), str(delay), str(RECORDS)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    if ran.returncode not in (0, -signal.SIGKILL):
        return False, [f"the writer failed: {ran.stderr[-300:]}"]
    lines = ran.stdout.split("\n")[:-1]
    stored = [int(line.split()[1]) for line in lines if line.startswith("stored")]
    inside = bool(lines) and lines[-1].startswith("begin")
    with Store(path) as store:
        there = sorted(store.records(), key=lambda each: each.run)
    broken = []
    if [each.run for each in there] != list(range(1, len(there) + 1)):
        broken.append(f"records {[each.run for each in there]} are there")
    if stored and not stored[-1] <= len(there) <= stored[-1] + 1:
        broken.append(f"{stored[-1]} were acknowledged, {len(there)} are there")
    broken += [
        f"record {each.run} is another one"
        for each in there
        if whole(each) != whole(record(each.run, fun=1.0 / each.run))
    ]
    return inside, broken


def campaign(tries: int, seed: int = 1) -> tuple[Counter[str], list[str]]:
    """Kill writers until so many of them died inside a transaction."""
    rng, tried, broken = random.Random(seed), Counter[str](), []
    with TemporaryDirectory() as folder:
        while tried["kills inside a transaction"] < tries:
            path = Path(folder) / f"store {sum(tried.values())}.sqlite"
            for _ in range(8):  # one store after several deaths
                inside, wrong = attack(path, rng)
                tried["kills inside a transaction" if inside else "kills between transactions"] += 1
                broken += [f"kills, seed {seed}: {each}" for each in wrong]
    return tried, broken
