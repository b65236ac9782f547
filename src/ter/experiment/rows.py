"""Records as rows of a database, and back, bit for bit; what could not have been written is not read.

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

from ter.core.action import Action, read_action
from ter.core.words import storable
from ter.experiment.record import Curve, Record, RunKey

__all__ = ["COLUMNS", "KEY", "UNREADABLE", "record_of", "row_of"]

# All that comes of bytes, JSON and numbers that are not as they should be.
UNREADABLE = (zlib.error, LookupError, ValueError, TypeError, ArithmeticError, AttributeError, RecursionError)
# A blob is unpacked to so many times its size, so that a small file cannot fill the memory. Records pack to a fifth.
RATIO, FLOOR = 32, 1 << 20

KEY = tuple(field.name for field in fields(RunKey))
OF_ACTIONS = tuple(field.name for field in fields(Action))
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
        json.dumps({name: storable(fact) for name, fact in record.facts.items()}, sort_keys=True),
        None if record.traceback is None else storable(record.traceback),
        _packed_curve(record.curve),
        _packed(json.dumps(detail).encode()),
    )


def record_of(row: Sequence[Any]) -> Record:
    """Read a record from the values of `COLUMNS`.

    Raises
    ------
    UNREADABLE
        Any of these, if it is none.
    """
    named = dict(zip(COLUMNS, row, strict=True))
    detail = json.loads(_unpacked(named["detail"]))
    facts = json.loads(named["facts"])
    if named["dimension"] < 1 or named["nfev"] < 0:
        raise ValueError("its numbers are impossible")
    return Record(
        key=RunKey(*row[: len(KEY)]),
        label=named["label"],
        run=named["run"],
        fun=float(detail["fun"]),
        f_opt=None if detail["f_opt"] is None else float(detail["f_opt"]),
        nfev=named["nfev"],
        milestones={int(count): float(value) for count, value in detail["milestones"].items()},
        curve=_unpacked_curve(named["curve"]),
        heuristics=tuple(_text(name) for name in detail["heuristics"]),
        actions=tuple(_action(values) for values in detail["actions"]),
        wall=float(detail["wall"]),
        cpu=float(detail["cpu"]),
        started=named["started"],
        facts={_text(name): _text(value) for name, value in facts.items()},
        traceback=named["traceback"],
    )


def _action(values: Sequence[Any]) -> Action:
    # Records of earlier versions have fewer fields.
    return read_action(dict(zip(OF_ACTIONS, values, strict=False)))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} must be a text")
    return value


def _packed(content: bytes) -> bytes:
    packed = zlib.compress(content)
    return packed if len(content) <= _most(packed) else zlib.compress(content, 0)


def _unpacked(packed: bytes) -> bytes:
    stream = zlib.decompressobj()
    content = stream.decompress(packed, _most(packed) + 1)
    if len(content) > _most(packed) or not stream.eof or stream.unused_data:
        raise ValueError("it is not whole, or larger than can be")
    return content


def _most(packed: bytes) -> int:
    return max(FLOOR, RATIO * len(packed))


def _packed_curve(curve: Curve) -> bytes:
    # Column by column, byte by byte of the same weight: neighbouring bytes are alike, and compress to about half.
    planes = np.ascontiguousarray(curve.T, dtype="<f8").view(np.uint8).reshape(-1, 8).T
    return _packed(planes.tobytes())


def _unpacked_curve(packed: bytes) -> Curve:
    planes = np.frombuffer(_unpacked(packed), dtype=np.uint8)
    flat = np.ascontiguousarray(planes.reshape(8, -1).T).view("<f8").ravel()
    curve = np.ascontiguousarray(flat.reshape(2, -1).T, dtype=np.float64)
    counts = curve[:, 0]
    if not np.isfinite(counts).all() or (counts < 0).any() or (np.diff(counts) < 0).any():
        raise ValueError("its curve goes back")
    return curve
