"""The manifest: what must be the same when a run goes on, as plain texts and numbers."""

from __future__ import annotations

import hashlib
import inspect
import platform
import re
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import ter
from ter.checkpoint.frames import CheckpointError
from ter.core.budget import Budget
from ter.core.problem import Problem, WithArguments
from ter.core.profile import Profile
from ter.display.texts import plain_text

__all__ = ["describe", "larger", "require_same"]

FORMAT = 1
LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")
# What decides about the numbers of a run, as in ``ter.experiment.fingerprint``, but for the sake of speed as bytes.
DECISIVE = (
    "_jit.py", "algorithms", "checkpoint", "core", "decomposition", "engines", "heuristics", "objectives", "run",
    "schedulers",
)  # fmt: skip
FREE = ("run", "budget", "begun", "built_in", "vectorized")  # may differ, or are looked at elsewhere
CURES = {
    "format": "resume with the version of ter that wrote it",
    "ter": "resume with that version of ter",
    "code": "resume with the code that began the run",
    "objective": "pass the function that began the run",
    "bounds": "pass the same bounds",
    "machine": "resume on a machine of the same kind: another one rounds differently",
}
ELSEWHERE = "leave it as it was, or begin anew in another folder"


def describe(
    problem: Problem, profile: Profile, budget: Budget, arguments: dict[str, Any], points: Any, seed: int, kind: str
) -> dict[str, Any]:
    """Write down what decides about a run."""
    return {
        "format": FORMAT,
        "kind": kind,
        "ter": ter.__version__,
        "code": code(),
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: _version(name) for name in LIBRARIES},
        "machine": f"{platform.system()} {platform.machine()}",
        "objective": signature_of(problem),
        "built_in": type(problem.fun).__module__.startswith("ter.") and not isinstance(problem.fun, WithArguments),
        "vectorized": problem.vectorized,
        "dimension": problem.dimension,
        "bounds": digest(problem.box.lower, problem.box.upper),
        "budget": asdict(budget),
        "seed": seed,
        **{name: _plain(value) for name, value in arguments.items()},
        "x0": None if points is None else digest(points),
        "names": [each.name for each in profile.heuristics],
        "heuristics": [_text(each) for each in profile.heuristics],
        "scheduler": _text(profile.scheduler),
        "start_points": profile.start_points,
        "share": profile.share,
        "looks_around": profile.looks_around,
    }


def require_same(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise if something that decides about the run has changed.

    Raises
    ------
    CheckpointError
        It names the rule, both values and the cure.
    """
    for name in (*before, *(key for key in now if key not in before)):
        if name in FREE or before.get(name) == now.get(name):
            continue
        raise CheckpointError(
            plain_text(
                f"a run must go on as it began, got {name} = {now.get(name)!r} where the checkpoint {str(folder)!r} "
                f"has {before.get(name)!r}; {CURES.get(name, ELSEWHERE)}"
            )
        )


def larger(before: Budget, now: Budget) -> bool:
    """Tell whether a budget is another one than before; it must not be smaller.

    Examples
    --------
    >>> larger(Budget(evaluations=10), Budget(evaluations=20)), larger(Budget(seconds=1), Budget(seconds=1))
    (True, False)
    """
    if before.unit != now.unit:
        raise CheckpointError(
            f"rewards must go on being measured in {before.unit}, got {now.unit}; pass ter.Budget(..., "
            f"unit={before.unit!r})"
        )
    for name in ("evaluations", "seconds", "cost"):
        old, new = getattr(before, name), getattr(now, name)
        if new is not None and old is not None and new < old:
            raise CheckpointError(
                f"a budget must not be smaller than that of the run before, got {name} = {new} after {old}; "
                "leave it out to go on with that"
            )
    return before != now


def signature_of(problem: Problem) -> str:
    """Name the objective, with the names of its arguments if it is a function."""
    fun: Any = problem.fun.fun if isinstance(problem.fun, WithArguments) else problem.fun
    name = problem.name or getattr(fun, "__name__", type(fun).__name__)
    if not inspect.isfunction(fun):
        return str(name)
    return f"{name}{inspect.signature(fun)!s}"


def digest(*arrays: Any) -> str:
    """Hash arrays."""
    hashed = hashlib.sha256()
    for each in arrays:
        array = np.ascontiguousarray(each, dtype=np.float64)
        hashed.update(str(array.shape).encode() + array.tobytes())
    return hashed.hexdigest()[:16]


@lru_cache
def code() -> str:
    """Hash the sources that decide about a run, once per process."""
    source = Path(ter.__file__).parent
    hashed = hashlib.sha256()
    for place in (source / name for name in DECISIVE):
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            hashed.update(file.relative_to(source).as_posix().encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()[:16]


@lru_cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _text(value: object) -> str:
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    return repr(float(value)) if np.ndim(value) == 0 else digest(value)
