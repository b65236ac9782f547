"""A search in processes that are killed."""

from __future__ import annotations

import signal
import sqlite3
import sys
from dataclasses import replace

import pytest

from ter.experiment.best_known import BestStore, Search, find_best
from ter.experiment.store import StoreError
from tests.experiment.best_known.helpers import content
from tests.experiment.processes import kill, started, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="kill -9")]

SEARCH = Search("lso13/f1", budget=12_000, algorithm="default", runs=2, first=8)


def runs_in(path):
    try:
        BestStore(path).close()  # rolls back what was under way
        return len(content(path)[1])
    except (StoreError, sqlite3.Error):
        return 0


def command(path, *words):
    search = ("lso13/f1", "--budget", "12000", "--algorithm", "default", "--runs", "2", "--first", "8")
    return ("ter", "best", *search, "--sequences", "20", "--store", str(path), "--quiet", *words)


def test_kill_9_loses_nothing_and_two_processes_find_what_one_does(tmp_path):
    path, serial = tmp_path / "best.sqlite", tmp_path / "serial.sqlite"
    with started(*command(path, "--workers", "2")) as searching:
        wait_until(lambda: runs_in(path) >= 5, searching)
        kill(searching.pid)
        assert searching.wait() == -signal.SIGKILL
    begun = runs_in(path)
    assert 5 <= begun < 40
    with started(*command(path, "--workers", "2")) as searching:
        output, _ = searching.communicate()
        assert searching.returncode == 0, output
    best = find_best(SEARCH, serial, sequences=20, workers=1)
    assert content(path) == content(serial) and len(content(serial)[1]) == 40
    with BestStore(path) as store:
        assert [replace(known, code=best.code) for known in store.known()] == [best]
    assert f"as no. {best.number} ({best.origin}) of 20 sequences" in output
