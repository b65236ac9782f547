"""Things of the user's, named as ``module:attribute`` or ``path/to/file.py:attribute``."""

from __future__ import annotations

import ast
import difflib
import importlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import ter
from ter.core.errors import InvalidArgument, TerError, UnknownName
from ter.core.sending import reason_of, traceback_of
from ter.core.words import storable

__all__ = ["BrokenModule", "attribute_named", "is_user_code", "meant_by", "module_of", "user_traceback"]

_HEAD = "Traceback (most recent call last):\n"
_FRAME = r'  File "([^"\n]*)", line \d+.*\n(?:    .*\n)*'  # and the lines of source below it
_FRAMES = re.compile(rf"{re.escape(_HEAD)}(?:{_FRAME})*")
SHOWN = 10  # names at most where there may be many


class BrokenModule(TerError):
    """The user's module raised an exception while it was imported."""


def attribute_named(name: str, folder: str = ".") -> Any:
    """Return what ``module:attribute`` or ``path/to/file.py:attribute`` names.

    Parameters
    ----------
    name : str
        The text; the attribute may have dots.
    folder : str
        Where modules and files are looked for, besides Python's own path.

    Raises
    ------
    InvalidArgument
        If there is no such module, file or attribute.
    BrokenModule
        If importing the module raised an exception.

    Examples
    --------
    >>> attribute_named("math:pi")
    3.141592653589793
    """
    if storable(name) != name:
        raise InvalidArgument(f"user code must have a name that can be stored, got {name!r}; rename the file")
    place, _, attribute = name.rpartition(":")
    if not place or not attribute:
        missing = "function behind" if place else "module before"
        raise InvalidArgument(f"user code must read module:function, got no {missing} the colon in {name!r}")
    found: Any = _imported(place, folder)
    owner = place
    for part in attribute.split("."):
        if not hasattr(found, part):
            public = [each for each in dir(found) if not each.startswith("_") and callable(getattr(found, each, None))]
            raise UnknownName.among(f"attribute of {owner}", part, public)
        found, owner = getattr(found, part), f"{owner}{':' if owner == place else '.'}{part}"
    return found


def is_user_code(name: str) -> bool:
    """Tell whether a name means something of the user's.

    Examples
    --------
    >>> is_user_code("wing:drag"), is_user_code("lso13/f4")
    (True, False)
    """
    return ":" in name


def module_of(name: str) -> str:
    """Return the name under which the module of user code is imported.

    Examples
    --------
    >>> module_of("shapes/wing.py:drag"), module_of("shapes.wing:drag")
    ('wing', 'shapes.wing')
    """
    place = name.rpartition(":")[0]
    return Path(place).stem if place.endswith(".py") else place


def meant_by(text: str, folder: str = ".") -> str:
    """Say what a text without a colon names, if it is a file, a folder or a module, and what to write; else nothing.

    Examples
    --------
    >>> meant_by(".")
    "'.' is a folder; name a function in one of its files, as in file.py:function"
    """
    path = Path(folder, text)
    if path.is_dir() and not (path / "__init__.py").is_file():
        files = sorted(each.name for each in path.glob("*.py"))
        there = f"; found there: {_some(files)}" if files else ""
        return f"{text!r} is a folder; name a function in one of its files, as in file.py:function{there}"
    module = Path(folder, *text.split("."))
    for source in (path, module.with_name(f"{module.name}.py"), module / "__init__.py"):
        if source.suffix == ".py" and source.is_file():
            kind, names = "file" if source == path else "module", _functions(source)
            there = f"; found there: {_some(names)}" if len(names) > 1 else ""
            return f"{text!r} is a {kind}; name the function in it, as in {text}:{[*names, 'function'][0]}{there}"
    return f"{text!r} is a file, but none of Python's, which end in .py" if path.is_file() else ""


def user_traceback(error: BaseException) -> str:
    """Return the traceback of an exception in the user's code, without the frames of ours that lead there.

    One that was raised in a worker has it in a note. An exception of ours needs none: its message says what to do.

    Examples
    --------
    >>> user_traceback(RuntimeError("the simulator crashed"))
    'RuntimeError: the simulator crashed\\n'
    """
    if issubclass(type(error), TerError):
        return f"{reason_of(error)}\n"
    return _FRAMES.sub(_without_ours, traceback_of(error))


def _without_ours(block: re.Match[str]) -> str:
    frames = list(re.finditer(_FRAME, block[0]))
    while frames and _leads_there(frames[0][1]):
        del frames[0]
    return "".join([_HEAD, *(frame[0] for frame in frames)]) if frames else ""


def _leads_there(filename: str) -> bool:
    ours = (Path(ter.__file__).parent, Path(importlib.__file__).parent)
    return filename.startswith("<frozen importlib") or any(Path(filename).is_relative_to(folder) for folder in ours)


def _imported(place: str, folder: str) -> ModuleType:
    home, path, name = Path(folder).resolve(), None, place
    if place.endswith(".py"):
        path = (home / place).resolve()
        if not path.is_file():
            near = _near(place, [each.relative_to(home).as_posix() for each in home.glob("*.py")])
            raise InvalidArgument(f"user code must be in a file that exists, got {place!r}, looked for in {home}{near}")
        home, name = path.parent, path.stem
    added = str(home) not in sys.path
    if added:
        sys.path.insert(0, str(home))  # not loaded by hand: workers import the module by its name
    try:
        module = _module(name, place, home)
        if path is not None and Path(module.__file__ or "").resolve() != path:
            raise InvalidArgument(f"a module called {name!r} is there already, got {str(path)!r}; rename the file")
    except BaseException:
        if added and str(home) in sys.path:
            sys.path.remove(str(home))  # or a refused json.py would be the json of every process started later
        raise
    return module


def _module(name: str, place: str, home: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise BrokenModule(f"importing {place} failed\n{user_traceback(error)}") from error
        near = _near(name, [each.stem for each in home.glob("*.py")])
        raise InvalidArgument(
            f"user code must be in a module that can be imported, got no module {name!r}, looked for in {home} and on "
            f"Python's path{near}"
        ) from error
    except (Exception, SystemExit) as error:
        raise BrokenModule(f"importing {place} failed\n{user_traceback(error)}") from error


def _near(name: str, names: Iterable[str]) -> str:
    """Say which name may have been meant, or which there are."""
    there = sorted(each for each in names if not each.startswith("_"))
    near = difflib.get_close_matches(name, there, n=1) or [each for each in there if each == Path(name).name]
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; found there: {_some(there)}" if there else ""


def _some(names: list[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


def _functions(path: Path) -> list[str]:
    """Return the names of the functions that a file defines, without importing it."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError):
        return []
    return [node.name for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
