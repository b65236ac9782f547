"""Records as rows of a database, and back, bit for bit.

Numbers that people ask a database about are columns. A database may round them off (SQLite keeps neither NaN nor the
sign of zero), so all floats are also in `detail`, compressed JSON with all digits.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import astuple, fields
from typing import Any

import numpy as np

from ter.core.action import Action
from ter.experiment.record import Curve, Record, RunKey

__all__ = ["COLUMNS", "KEY", "record_of", "row_of"]

KEY = tuple(field.name for field in fields(RunKey))
COLUMNS = {
    "problem": "TEXT NOT NULL",
    "dimension": "INTEGER NOT NULL",
    "algorithm": "TEXT NOT NULL",
    "parameters": "TEXT NOT NULL",
    "budget": "TEXT NOT NULL",
    "seed": "INTEGER NOT NULL",
    "code": "TEXT NOT NULL",
    "label": "TEXT NOT NULL",
    "run": "INTEGER NOT NULL",
    "fun": "REAL",
    "f_opt": "REAL",
    "nfev": "INTEGER NOT NULL",
    "wall": "REAL NOT NULL",
    "cpu": "REAL NOT NULL",
    "started": "TEXT NOT NULL",
    "facts": "TEXT NOT NULL",
    "traceback": "TEXT",
    "curve": "BLOB NOT NULL",
    "detail": "BLOB NOT NULL",
}


def row_of(record: Record) -> tuple[Any, ...]:
    """Write a record as the values of `COLUMNS`."""
    detail = {
        "fun": record.fun,
        "f_opt": record.f_opt,
        "wall": record.wall,
        "cpu": record.cpu,
        "milestones": {str(count): value for count, value in record.milestones.items()},
        "heuristics": record.heuristics,
        "actions": [astuple(action) for action in record.actions],
    }
    return (
        *astuple(record.key),
        record.label,
        record.run,
        record.fun,
        record.f_opt,
        record.nfev,
        record.wall,
        record.cpu,
        record.started,
        json.dumps(record.facts, sort_keys=True),
        record.traceback,
        _packed_curve(record.curve),
        zlib.compress(json.dumps(detail).encode()),
    )


def record_of(row: Sequence[Any]) -> Record:
    """Read a record from the values of `COLUMNS`."""
    named = dict(zip(COLUMNS, row, strict=True))
    detail = json.loads(zlib.decompress(named["detail"]))
    return Record(
        key=RunKey(*row[: len(KEY)]),
        label=named["label"],
        run=named["run"],
        fun=detail["fun"],
        f_opt=detail["f_opt"],
        nfev=named["nfev"],
        milestones={int(count): value for count, value in detail["milestones"].items()},
        curve=_unpacked_curve(named["curve"]),
        heuristics=tuple(detail["heuristics"]),
        actions=tuple(_action(values) for values in detail["actions"]),
        wall=detail["wall"],
        cpu=detail["cpu"],
        started=named["started"],
        facts=json.loads(named["facts"]),
        traceback=named["traceback"],
    )


def _action(values: Sequence[Any]) -> Action:
    # Records of earlier versions have fewer fields; the others have their defaults then.
    named = dict(zip((field.name for field in fields(Action)), values, strict=False))
    named["probabilities"] = tuple(named["probabilities"])
    if named.get("own") is not None:
        named["own"] = tuple(named["own"])
    return Action(**named)


def _packed_curve(curve: Curve) -> bytes:
    # Column by column, byte by byte of the same weight: neighbouring bytes are alike, and compress to about half.
    planes = np.ascontiguousarray(curve.T, dtype="<f8").view(np.uint8).reshape(-1, 8).T
    return zlib.compress(planes.tobytes())


def _unpacked_curve(packed: bytes) -> Curve:
    planes = np.frombuffer(zlib.decompress(packed), dtype=np.uint8)
    flat = np.ascontiguousarray(planes.reshape(8, -1).T).view("<f8").ravel()
    return np.ascontiguousarray(flat.reshape(2, -1).T, dtype=np.float64)
