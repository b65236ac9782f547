"""A fingerprint of the code that decides about results, so that results of different code are never mixed unseen."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import ter
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
    return _hash((file.relative_to(source).as_posix(), file) for file in files if file.suffix in (".py", ".npz"))


def code_of(*names: str) -> str:
    """Return the fingerprint of a run: of this package, and of the user's modules that are named.

    Parameters
    ----------
    *names : str
        Of the problem and the algorithm. If one of them is ``module:attribute`` of the user's, and imported, its module
        counts; what that imports in turn is not looked at.

    Examples
    --------
    >>> code_of("lso13/f4", "ter") == fingerprint(), code_of("lso13/f4", "json:loads") == fingerprint()
    (True, False)
    """
    modules = sorted({module_of(name) for name in names if is_user_code(name)})
    own = [(name, Path(sys.modules[name].__file__ or "")) for name in modules]
    if not own:
        return fingerprint()
    return hashlib.sha256(f"{fingerprint()} {_hash(own)}".encode()).hexdigest()[:LENGTH]


def _hash(files: Iterable[tuple[str, Path]]) -> str:
    hashed = hashlib.sha256()
    for name, file in files:
        content = _meaning(file.read_text(encoding="utf-8")) if file.suffix == ".py" else file.read_bytes()
        hashed.update(name.encode() + b"\0" + content + b"\0")
    return hashed.hexdigest()[:LENGTH]


def _meaning(source: str) -> bytes:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree).encode()
