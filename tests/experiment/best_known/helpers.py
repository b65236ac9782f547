"""Small searches, an engine that makes values up, and what a file holds."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

from ter.core.action import Action
from ter.experiment.best_known.search import Search
from ter.experiment.parameters import from_text
from ter.experiment.pool import Lost
from tests.experiment.helpers import record


def small_search(**changes: Any) -> Search:
    """Sequences of 11 to 31 decisions on a small problem; a run takes milliseconds."""
    settings: dict[str, Any] = {
        "problem": "lso08/f1",
        "dimension": 4,
        "budget": 3_150,
        "runs": 2,
        "first": 6,
        "generation": 4,
        "keep": 3,
    }
    return Search(**(settings | changes))


def sequence_of(spec: Any) -> list[str]:
    """The decisions that a run is to follow."""
    found: list[str] = from_text(spec.key.parameters)["sequence"]
    return found


def made_up(spec: Any) -> float:
    """A value in which the order matters: cc is good early, gs late; the seed matters a little."""
    sequence = sequence_of(spec)
    half = len(sequence) // 2
    wrong = sum(name != "cc" for name in sequence[:half]) + sum(name != "gs" for name in sequence[half:])
    return wrong / len(sequence) + (spec.key.seed % 1000) * 1e-6


class FakeEngine:
    """Gives back made-up runs, as many at a time as it has slots, in an order of its own."""

    ready = True

    def __init__(self, slots=2, stop_after=None, trouble=lambda spec, attempt: None, last_first=False):
        self.slots, self._left, self._trouble, self._last_first = slots, stop_after, trouble, last_first
        self.submitted, self.under_way, self.most, self.closed, self.prepared = [], [], 0, 0, []

    def prepare(self, specs):
        self.prepared += specs

    def submit(self, spec):
        self.submitted.append(spec)
        self.under_way.append(spec)
        self.most = max(self.most, len(self.under_way))

    def wait(self, seconds):
        if self._left == 0:
            raise KeyboardInterrupt
        if self._left is not None:
            self._left -= 1
        spec = self.under_way.pop(-1 if self._last_first else 0)
        trouble = self._trouble(spec, self.submitted.count(spec))
        if isinstance(trouble, BaseException):
            raise trouble
        if isinstance(trouble, Lost):
            return [(spec, trouble)]
        actions = tuple(Action(i, name, 1.0, 1, 1.0, 0.5) for i, name in enumerate(sequence_of(spec)))
        ended = replace(record(), key=spec.key, label=spec.label, run=spec.run, fun=made_up(spec), actions=actions)
        return [(spec, trouble or ended)]

    def close(self):
        self.closed += 1


def content(path: Path) -> tuple[list[Any], list[Any]]:
    """Everything in a file that must not depend on workers and interruptions."""
    connection = sqlite3.connect(path)
    try:
        ask = connection.execute
        candidates = ask("SELECT number, generation, origin, sequence FROM candidates ORDER BY number").fetchall()
        runs = ask("SELECT number, fresh, run, seed, fun, decisions FROM runs ORDER BY number, fresh, run").fetchall()
        return candidates, runs
    finally:
        connection.close()
