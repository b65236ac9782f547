"""Runs that die as if they were killed: nothing that waits is written, and only the operating system cleans up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import ter
from ter.checkpoint import journal as journals
from ter.checkpoint.folder import Folder
from ter.checkpoint.journal import Journal
from ter.run import logbook as records
from ter.run.logbook import Logbook


class Killed(BaseException):
    """Stands for SIGKILL."""


@contextmanager
def killed_after(values: int, *, ends: int = 0) -> Iterator[None]:
    """Let a run die when it has written so many values, after the clock has ended so many actions."""
    with pytest.MonkeyPatch.context() as patch:
        took, begun, end, seen = Journal._took, [-1], Logbook.ended, [0]

        def take_or_die(self: Journal, *args: Any, **more: Any) -> None:
            there = self.count + len(self._values)
            begun[0] = there - 1 if begun[0] < 0 else begun[0]
            took(self, *args, **more)
            if there - begun[0] >= values and seen[0] >= ends:
                raise Killed

        def ended(self: Logbook, *args: Any) -> None:
            seen[0] += 1
            end(self, *args)

        def vanish(self: Folder) -> None:
            if self._descriptor is not None:
                os.close(self._descriptor)
            self._descriptor = None
            self._lock.release()

        patch.setattr(Journal, "_took", take_or_die)
        patch.setattr(Logbook, "ended", ended)
        patch.setattr(Folder, "close", vanish)
        patch.setattr(Logbook, "close", lambda self, ending: vanish(self.folder))
        with pytest.raises(Killed):
            yield


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every value at once, and a snapshot at every decision."""
    monkeypatch.setattr(journals, "PATIENCE", 0.0)
    monkeypatch.setattr(records, "SOONEST", 0.0)
    monkeypatch.setattr(records, "SHARE", 0.0)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # slow, and nobody pulls the plug here


def assert_same(one: ter.Result, other: ter.Result) -> None:
    """Compare all that is not about time."""
    assert (one.fun, one.nfev, one.status, one.sequence) == (other.fun, other.nfev, other.status, other.sequence)
    np.testing.assert_array_equal(one.x, other.x)
    np.testing.assert_array_equal(one.curve, other.curve)
    assert one.actions == other.actions
    assert (one.nonfinite, one.nfail) == (other.nonfinite, other.nfail)
    assert [f.evaluation for f in one.failures] == [f.evaluation for f in other.failures]
    assert one.spent.cost == other.spent.cost
