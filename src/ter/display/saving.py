"""Results as files: plain numbers and texts. Reading one never runs anything that is in it.

A file is a zip archive of ``ter-result.json`` and the arrays ``x.npy``, ``curve.npy``, ``lower.npy`` and ``upper.npy``,
so ``numpy.load`` reads the arrays too.
"""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import asdict, fields
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter import __version__
from ter.core.action import Action, read_action, read_field
from ter.core.box import Box
from ter.core.budget import Budget, Spent
from ter.core.errors import InvalidArgument
from ter.core.failure import Failure, SavedError
from ter.core.result import ResultData
from ter.core.stop import StopReason
from ter.display.archive import array_of, bytes_of, read_member, write_archive
from ter.display.result import Result

__all__ = ["load_result", "save_result"]

FACTS = "ter-result.json"  # the first member, so that a file which was cut off is known by its beginning
VERSION = 1
ARRAYS = ("x", "curve", "lower", "upper")
PLAIN = {
    "fun": float, "nfev": int, "nit": int, "success": bool, "message": str, "nonfinite": int, "nfail": int,
    "seed": int, "problem": str, "compile_seconds": float,
}  # fmt: skip
OTHERS = (
    "x",
    "curve",
    "status",
    "spent",
    "budget",
    "actions",
    "heuristics",
    "failures",
    "workers_busy",
    "workers_idle",
)
# All that comes of archives, JSON and numbers that are not as they should be.
DAMAGE = (zipfile.BadZipFile, LookupError, ValueError, TypeError, ArithmeticError, RuntimeError, OSError, EOFError)


def save_result(result: ResultData, path: str | PathLike[str]) -> None:
    """Write a result to a file; see :meth:`ter.Result.save`."""
    missing = [name for name in (*PLAIN, *OTHERS) if name not in result]
    if missing:
        raise InvalidArgument(f"a result must have all its fields to be saved, got one without {', '.join(missing)}")
    arrays = {"x": result.x, "curve": result.curve}
    if result.box is not None:
        arrays |= {"lower": result.box.lower, "upper": result.box.upper}
    facts = json.dumps(_facts(result), allow_nan=False).encode()
    write_archive(Path(path), {FACTS: facts, **{f"{name}.npy": bytes_of(array) for name, array in arrays.items()}})


def load_result(path: str | PathLike[str]) -> Result:
    """Read a result that :meth:`ter.Result.save` wrote.

    Everything comes back as it was, bit for bit, but the exceptions in `failures`: a file holds their text, and each
    comes back as an exception with the class and the message of the original as its text, beside the traceback.

    Parameters
    ----------
    path : path
        The file. Nothing in it is run, so files of others can be read.

    Raises
    ------
    InvalidArgument
        If the file is damaged, is something else, or was written by a newer version of ter.

    Examples
    --------
    >>> import tempfile, ter
    >>> result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-5, 5, dimension=4), budget=400, rng=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(f"{folder}/run.npz")
    ...     again = ter.load_result(f"{folder}/run.npz")
    >>> again.fun == result.fun, again.actions == result.actions
    (True, True)
    """
    rule = "a result must be a whole file that Result.save wrote"
    with Path(path).open("rb") as stream:
        if FACTS.encode() not in stream.read(30 + len(FACTS)):  # in a zip file, a name comes after 30 bytes
            raise InvalidArgument(f"{rule}, got something else: {path}")
        try:
            with zipfile.ZipFile(stream) as archive:
                facts = json.loads(read_member(archive, FACTS))
                newer = facts["version"] > VERSION
                result = None if newer else _result(facts, _arrays(archive))
        except DAMAGE as error:
            raise InvalidArgument(
                f"{rule}, got a damaged one: {path} ({str(error) or type(error).__name__})"
            ) from error
    if result is None:
        raise InvalidArgument(
            f"a result must be in format {VERSION}, got format {facts['version']} of a newer ter: {path}; "
            "upgrade with: pip install --upgrade ter"
        )
    return result


def _facts(result: ResultData) -> dict[str, Any]:
    """Return all that is not an array, ready for JSON."""
    return {
        "version": VERSION,
        "ter": __version__,
        **{name: _plain(kind(result[name])) for name, kind in PLAIN.items()},
        "status": int(result.status),
        "workers_busy": None if result.workers_busy is None else _plain(float(result.workers_busy)),
        "workers_idle": result.workers_idle,
        "heuristics": list(result.heuristics),
        "spent": {name: _plain(value) for name, value in asdict(result.spent).items()},
        "budget": {name: _plain(value) for name, value in asdict(result.budget).items()},
        "actions": {field.name: [_cell(action, field.name) for action in result.actions] for field in fields(Action)},
        "failures": [
            {"evaluation": int(failure.evaluation), "error": failure.reason, "traceback": failure.traceback}
            for failure in result.failures
        ],
    }


def _result(facts: dict[str, Any], arrays: dict[str, NDArray[np.float64]]) -> Result:
    x, curve = arrays["x"], arrays["curve"]
    box = Box(arrays["lower"], arrays["upper"]) if "lower" in arrays else None
    if x.ndim != 1 or curve.ndim != 2 or curve.shape[1] != 2 or (box is not None and box.dimension != x.size):
        raise ValueError("its arrays do not fit each other")
    # A field of an action that an older version did not know has its default.
    columns = {field.name: facts["actions"][field.name] for field in fields(Action) if field.name in facts["actions"]}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if len(rows) != facts["nit"]:
        raise ValueError(f"{len(rows)} actions are not {facts['nit']}")
    spent, busy = facts["spent"], facts["workers_busy"]
    return Result(
        **{name: kind(facts[name]) for name, kind in PLAIN.items()},
        x=x,
        curve=curve,
        box=box,
        status=StopReason(facts["status"]),
        workers_busy=None if busy is None else float(busy),
        workers_idle=str(facts.get("workers_idle", "")),  # older versions did not tell
        heuristics=tuple(str(name) for name in facts["heuristics"]),
        spent=Spent(int(spent["evaluations"]), float(spent["seconds"]), float(spent["cost"])),
        budget=Budget(**facts["budget"]),
        actions=tuple(map(read_action, rows)),
        failures=tuple(
            Failure(int(each["evaluation"]), SavedError(str(each["error"])), str(each["traceback"]))
            for each in facts["failures"]
        ),
    )


def _arrays(archive: zipfile.ZipFile) -> dict[str, NDArray[np.float64]]:
    there = [name for name in ARRAYS if f"{name}.npy" in archive.namelist()]
    return {name: array_of(read_member(archive, f"{name}.npy")) for name in there}


def _plain(value: Any) -> Any:
    """JSON has no infinite numbers; they become texts, which `float` reads."""
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _cell(action: Action, name: str) -> Any:
    value = read_field(name, getattr(action, name))
    return [_plain(each) for each in value] if isinstance(value, tuple) else _plain(value)
