"""Things of the user's, named as ``module:attribute`` or ``path/to/file.py:attribute``."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import ter
from ter.core.errors import InvalidArgument, TerError, UnknownName

__all__ = ["BrokenModule", "attribute_named", "is_user_code", "module_of", "user_traceback"]


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
    place, _, attribute = name.rpartition(":")
    module = _imported(place, folder)
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            public = [each for each in vars(module) if not each.startswith("_") and callable(getattr(module, each))]
            raise UnknownName.among(f"attribute of {place}", attribute, public)
        found = getattr(found, part)
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


def user_traceback(error: BaseException) -> str:
    """Return the traceback of an exception in the user's code, without the frames that lead there."""
    frames: TracebackType | None = error.__traceback__
    while frames is not None and _leads_there(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def _leads_there(filename: str) -> bool:
    ours = (Path(ter.__file__).parent, Path(importlib.__file__).parent)
    return filename.startswith("<frozen importlib") or any(Path(filename).is_relative_to(folder) for folder in ours)


def _imported(place: str, folder: str) -> ModuleType:
    home, path, name = Path(folder).resolve(), None, place
    if place.endswith(".py"):
        path = (home / place).resolve()
        if not path.is_file():
            raise InvalidArgument(f"user code must be in a file that exists, got {place!r}, looked for in {home}")
        home, name = path.parent, path.stem
    if str(home) not in sys.path:
        sys.path.insert(0, str(home))  # not loaded by hand: workers import the module by its name
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise BrokenModule(f"importing {place} failed\n{user_traceback(error)}") from error
        raise InvalidArgument(f"user code must be in a module that can be imported, got no module {name!r}") from error
    except Exception as error:
        raise BrokenModule(f"importing {place} failed\n{user_traceback(error)}") from error
    if path is not None and Path(module.__file__ or "").resolve() != path:
        raise InvalidArgument(f"a module called {name!r} is there already, got {str(path)!r}; rename the file")
    return module
