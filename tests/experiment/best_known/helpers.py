"""Small searches, a pool that makes values up, and what a file holds."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

from ter.core.action import Action
from ter.experiment.best_known import BestKnown
from ter.experiment.best_known.search import Search
from ter.experiment.parameters import from_text
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec
from tests.experiment.fake_pool import FakePool
from tests.experiment.helpers import record


def known(**changes: Any) -> BestKnown:
    """A sequence that might have been found."""
    facts: dict[str, Any] = {
        "problem": "lso08/f1",
        "dimension": 4,
        "budget": "3150",
        "algorithm": "ter",
        "parameters": "{}",
        "heuristics": ("ls1", "cc", "gs"),
        "sequence": ("cc", "gs", "gs", "ls1"),
        "value": 0.5,
        "statistic": "mean",
        "seeds": (3, 4),
        "values": (0.25, 0.75),
        "number": 7,
        "origin": "swap in no. 3",
        "tried": 9,
        "seed": 1,
        "code": "abc",
    }
    return BestKnown(**(facts | changes))


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


def sequence_of(spec: RunSpec) -> list[str]:
    """The decisions that a run is to follow."""
    found: list[str] = from_text(spec.key.parameters)["sequence"]
    return found


def made_up(spec: RunSpec) -> float:
    """A value in which the order matters: cc is good early, gs late; the seed matters a little."""
    sequence = sequence_of(spec)
    half = len(sequence) // 2
    wrong = sum(name != "cc" for name in sequence[:half]) + sum(name != "gs" for name in sequence[half:])
    return wrong / len(sequence) + (spec.key.seed % 1000) * 1e-6


def searching_pool(slots: int = 2, **settings: Any) -> FakePool:
    """A pool that makes values up, the oldest run first."""
    return FakePool(slots, **({"made": _made, "last_first": False} | settings))


def _made(spec: RunSpec) -> Record:
    actions = tuple(Action(i, name, 1.0, 1, 1.0, 0.5) for i, name in enumerate(sequence_of(spec)))
    return replace(record(), key=spec.key, label=spec.label, run=spec.run, fun=made_up(spec), actions=actions)


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
