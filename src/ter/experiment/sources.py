"""The user's own files behind a module, as they were when they were imported.

Python runs what it has imported, not what is in the file now. So the source is noted on the module when it is first
seen, which is right after its import as a rule, and a file that means something else later is refused. If somebody else
has imported the module before, what Python keeps of its compiling tells whether the file is still the same.
"""

from __future__ import annotations

import ast
import os
import struct
import sys
import sysconfig
import time
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

import ter
from ter.core.errors import TerError

__all__ = ["ChangedCode", "Source", "meaning_of", "sources_of"]

INSTALLED = (Path(ter.__file__).parent, Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("platstdlib")))
PACKAGES = ("site-packages", "dist-packages")
WORD = 0xFFFFFFFF
NOTE = "ter_meaning"  # what is noted, on the module's spec: that is a new one when the module is loaded again


class ChangedCode(TerError):
    """A file of the user's is not what was imported from it."""


class Source(NamedTuple):
    """A module with the code that counts."""

    name: str
    meaning: bytes


def sources_of(module: str) -> list[Source]:
    """Return a module and those that it imports, as far as these are the user's own, with their code as imported.

    Imports are followed as they are written, wherever in a file; what is imported by other means does not count, nor
    do the standard library, installed packages and this one.

    Raises
    ------
    ChangedCode
        If a file was changed after it was imported.

    Examples
    --------
    >>> [source.name for source in sources_of("json")]
    ['json']
    """
    found: dict[str, Source] = {}
    waiting = [(module, _file_of(module))]
    while waiting:
        name, file = waiting.pop()
        if name not in found and (name == module or _is_own(file)):
            found[name] = Source(name, _as_imported(name, file))
            waiting += [(each, _file_of(each)) for each in _imports_of(name, file)]
    return [found.pop(module), *(found[name] for name in sorted(found))]


def meaning_of(file: Path) -> bytes:
    """Return what counts of a file: of Python's, all but comments, docstrings and layout."""
    if file.suffix != ".py":
        return file.read_bytes() if file.is_file() else b""
    tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree).encode()


def _as_imported(name: str, file: Path) -> bytes:
    try:
        now = meaning_of(file)
    except (OSError, SyntaxError, ValueError) as error:
        raise ChangedCode(
            f"user code must stay as it was imported, got {file}, which cannot be read any more: {error}"
        ) from error
    spec = getattr(sys.modules.get(name), "__spec__", None)
    if spec is None:  # not imported yet, or the script itself
        return now
    noted: bytes | None = vars(spec).setdefault(NOTE, None if _is_newer(file, spec) else now)
    if noted != now:
        raise ChangedCode(
            f"user code must stay as it was imported, got {file}, which was changed after it was imported; results of "
            "the old code must not be taken for those of the new one: start a new process"
        )
    return noted


def _is_newer(file: Path, spec: ModuleSpec) -> bool:
    """Tell whether a file was changed since Python compiled it: then its time and size are not those it has noted.

    A file that is older than this process is what was imported, whatever lies beside it. Where Python keeps nothing,
    nobody knows.
    """
    try:
        facts, kept = file.stat(), Path(spec.cached or "").read_bytes()[4:16]
        by_hash, seconds, size = struct.unpack("<III", kept)
    except (OSError, struct.error):
        return False
    if sys.dont_write_bytecode or by_hash or facts.st_mtime < _began():
        return False
    return bool((seconds, size) != (int(facts.st_mtime) & WORD, facts.st_size & WORD))


def _began() -> float:
    """Return when this process began, in seconds as files have them; 0 where the system does not tell."""
    try:
        ticks = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
        up = Path("/proc/uptime").read_text().split()[0]
        return time.time() - float(up) + int(ticks) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _is_own(file: Path) -> bool:
    elsewhere = any(file.is_relative_to(folder) for folder in INSTALLED) or any(p in file.parts for p in PACKAGES)
    return file.suffix == ".py" and not elsewhere


def _file_of(module: str) -> Path:
    """Return where a module is or would be imported from, without importing anything; no file if there is none."""
    if module in sys.modules:
        return Path(getattr(sys.modules[module], "__file__", None) or "")
    spec: ModuleSpec | None = None
    parts = module.split(".")
    for i in range(len(parts)):
        path = None if spec is None else spec.submodule_search_locations
        spec = PathFinder.find_spec(".".join(parts[: i + 1]), path) if i == 0 or path is not None else None
        if spec is None:
            return Path()
    return Path((spec.origin if spec is not None else None) or "")


def _imports_of(module: str, file: Path) -> Iterator[str]:
    """Yield the names of all modules that the import statements of a file may mean."""
    if not _is_own(file):
        return
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (package or not node.level):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: i + 1]) for i in range(len(parts)))
