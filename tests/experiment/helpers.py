"""Small experiments, made-up records, and what it means that two records are the same."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ter.core.action import Action
from ter.experiment.plan import Plan
from ter.experiment.record import Record, RunKey

NOT_RESULTS = ("wall", "cpu", "started", "facts")  # differ from machine to machine


def small_plan(**changes: Any) -> Plan:
    """Two algorithms on a small problem, two runs each; a run takes milliseconds."""
    settings: dict[str, Any] = {
        "problems": ["lso08/f1"],
        "dimensions": [10],
        "algorithms": ["ter", "ls"],
        "runs": 2,
        "budget": 1_000,
    }
    return Plan(**(settings | changes))


def record(seed: int = 1, fun: float = 1.0, **changes: Any) -> Record:
    """A made-up record; fields of the key may be changed too."""
    key = {"problem": "lso13/f1", "dimension": 1000, "algorithm": "ter", "parameters": "{}", "budget": "3000"}
    key |= {"seed": seed, "code": "abc"}
    key |= {name: changes.pop(name) for name in list(changes) if name in key}
    settings: dict[str, Any] = {
        "label": "ter",
        "run": seed,
        "fun": fun,
        "f_opt": 0.0,
        "nfev": 3000,
        "milestones": {1000: 2.0, 3000: fun},
        "curve": np.array([[1.0, 9.0], [50.0, 2.0], [2_900.0, fun]]),
        "heuristics": ("ls1", "cc"),
        "actions": (Action(0, "ls1", 2950.0, 2950, 9.0, fun, 0.1, (1.0, 0.0)),),
        "wall": 0.5,
        "cpu": 0.4,
        "started": f"2030-01-01T00:00:{seed % 60:02d}.000+00:00",
        "facts": {"host": "here"},
    }
    return Record(RunKey(**key), **(settings | changes))  # type: ignore[arg-type]


def failed(seed: int = 1, **changes: Any) -> Record:
    """A made-up record of a run that failed."""
    nothing = {
        "fun": math.nan,
        "milestones": {},
        "curve": np.empty((0, 2)),
        "actions": (),
        "traceback": "Boom: it did\n",
    }
    return record(seed, **(nothing | changes))


def bits(value: Any) -> Any:
    """Something that is equal for values with the same bits only; all NaN are one."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, [bits(float(number)) for number in value.ravel()]
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value.hex()
    if isinstance(value, dict):
        return {key: bits(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value).__name__, [bits(inner) for inner in value]
    return value


def whole(record: Record) -> Any:
    """All of a record, comparable bit for bit."""
    return {field.name: bits(getattr(record, field.name)) for field in fields(Record) if field.name != "actions"} | {
        "actions": [bits(asdict(action)) for action in record.actions]
    }


def results(records: Iterable[Record]) -> dict[RunKey, Any]:
    """What is the same on every machine, by key; a key that is there twice is an error."""
    found: dict[RunKey, Any] = {}
    for each in records:
        assert each.key not in found
        timeless = replace(each, actions=tuple(replace(action, seconds=0.0) for action in each.actions))
        found[each.key] = {name: value for name, value in whole(timeless).items() if name not in NOT_RESULTS}
    return found


def _curve(points: list[tuple[int, float]]) -> np.ndarray:
    return np.array(sorted(points, key=lambda point: point[0]), dtype=np.float64).reshape(-1, 2)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
floats = st.floats(allow_nan=True, allow_infinity=True)
counts = st.integers(0, 2**53)
actions = st.builds(
    Action,
    *(counts, texts, floats, counts, floats, floats, floats),
    probabilities=st.lists(floats, max_size=3).map(tuple),
    seconds=floats,
    own=st.none() | st.tuples(floats, floats),
)
keys = st.builds(RunKey, texts, st.integers(1, 2**40), texts, texts, texts, st.integers(0, 2**63 - 1), texts)
records = st.builds(
    Record,
    key=keys,
    label=texts,
    run=st.integers(1, 10**6),
    fun=floats,
    f_opt=st.none() | floats,
    nfev=counts,
    milestones=st.dictionaries(counts, floats, max_size=3),
    curve=st.lists(st.tuples(counts, floats), max_size=5).map(_curve),
    heuristics=st.lists(texts, max_size=3).map(tuple),
    actions=st.lists(actions, max_size=3).map(tuple),
    wall=floats.filter(lambda number: not math.isnan(number)),
    cpu=floats.filter(lambda number: not math.isnan(number)),
    started=texts,
    facts=st.dictionaries(texts, texts, max_size=2),
    traceback=st.none() | texts,
)
