"""A fingerprint of the code that decides about results, so that results of different code are never mixed unseen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import ter
from ter.experiment.sources import Source, meaning_of, sources_of
from ter.user_code import is_user_code, module_of

__all__ = ["code_of", "fingerprint"]

SOURCE = Path(ter.__file__).parent
# What decides about the numbers of a run: how runs are started, watched, stored and shown does not.
DECISIVE = (
    "_jit.py",
    "algorithms",
    "benchmarks",
    "core",
    "engines",
    "experiment/parameters.py",
    "heuristics",
    "objectives",
    "problems",
    "run",
    "schedulers",
)
LENGTH = 12


@lru_cache
def fingerprint(source: Path = SOURCE) -> str:
    """Hash the sources and data that decide about a run, once per process.

    Comments, docstrings and layout do not count.

    Examples
    --------
    >>> len(fingerprint())
    12
    """
    places = [source / name for name in DECISIVE]
    files = [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("*.*")))]
    counted = [file for file in files if file.suffix in (".py", ".npz")]
    return _hash(Source(file.relative_to(source).as_posix(), meaning_of(file)) for file in counted)


def code_of(*names: str) -> str:
    """Return the fingerprint of a run: of this package, and of the user's modules that are named.

    Parameters
    ----------
    *names : str
        Of the problem and the algorithm. If one of them is ``module:attribute`` of the user's, and imported, its module
        counts as it was imported, and with it those of the user's that it imports.

    Raises
    ------
    ChangedCode
        If one of these files was changed after it was imported.

    Examples
    --------
    >>> code_of("lso13/f4", "ter") == fingerprint(), code_of("lso13/f4", "json:loads") == fingerprint()
    (True, False)
    """
    modules = {module_of(name) for name in names if is_user_code(name)}
    own = {source.name: source for module in modules for source in sources_of(module)}
    if not own:
        return fingerprint()
    return hashlib.sha256(f"{fingerprint()} {_hash(own[name] for name in sorted(own))}".encode()).hexdigest()[:LENGTH]


def _hash(sources: Iterable[Source]) -> str:
    hashed = hashlib.sha256()
    for source in sources:
        hashed.update(source.name.encode() + b"\0" + source.meaning + b"\0")
    return hashed.hexdigest()[:LENGTH]
