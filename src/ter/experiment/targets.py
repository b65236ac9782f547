"""Problems and algorithms by name: those of the catalogues, and the user's own as ``module:attribute``."""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ter.core.errors import InvalidArgument, UnknownName

if TYPE_CHECKING:
    from ter.algorithms import Algorithm
    from ter.core.problem import Problem

__all__ = ["algorithm_named", "is_target", "module_of", "problem_named", "target"]


def is_target(name: str) -> bool:
    """Tell whether a name means something of the user's.

    Examples
    --------
    >>> is_target("wing:drag"), is_target("lso13/f4")
    (True, False)
    """
    return ":" in name


def target(name: str, folder: str = ".") -> Any:
    """Return what ``module:attribute`` or ``path/to/file.py:attribute`` names.

    Parameters
    ----------
    name : str
        The text.
    folder : str
        Where modules and files are looked for, besides Python's own path.

    Raises
    ------
    InvalidArgument
        If the module cannot be imported, or has no such attribute.
    """
    place, _, attribute = name.rpartition(":")
    module = _imported(place, folder)
    if not hasattr(module, attribute):
        raise UnknownName.among(f"attribute of {place}", attribute, [n for n in vars(module) if not n.startswith("_")])
    return getattr(module, attribute)


def module_of(name: str) -> str:
    """Return the name under which the module of ``module:attribute`` is imported.

    Examples
    --------
    >>> module_of("shapes/wing.py:drag"), module_of("shapes.wing:drag")
    ('wing', 'shapes.wing')
    """
    place = name.rpartition(":")[0]
    return Path(place).stem if place.endswith(".py") else place


def problem_named(name: str, dimension: int | None = None, folder: str = ".") -> Problem:
    """Make the problem of a plan.

    Parameters
    ----------
    name : str
        A name of :func:`ter.problem`, or ``module:attribute`` of a :class:`ter.Problem` or of a function that makes
        one, which is called with the dimension if it takes an argument and the plan names one.
    dimension : int, optional
        Number of variables.
    folder : str
        Where modules are looked for.

    Examples
    --------
    >>> problem_named("lso08/f1", 50).dimension
    50
    """
    from ter.core.problem import Problem
    from ter.problems import problem

    if not is_target(name):
        return problem(name, dimension=dimension)
    found = target(name, folder)
    if not isinstance(found, Problem) and callable(found):
        sized = dimension is not None and bool(signature(found).parameters)
        found = found(dimension) if sized else found()
    if not isinstance(found, Problem):
        raise InvalidArgument(f"{name!r} must be a ter.Problem or a function that makes one, got {found!r}")
    if dimension not in (None, found.dimension):
        raise InvalidArgument(
            f"dimensions must agree with the problem {name!r}, got {dimension} and {found.dimension}; leave them out"
        )
    return found


def algorithm_named(name: str, folder: str = ".") -> Algorithm:
    """Return the algorithm of a plan.

    Parameters
    ----------
    name : str
        A name of :func:`ter.algorithm`, or ``module:attribute`` of an algorithm or of a function that makes a profile
        for a dimension and a budget.
    folder : str
        Where modules are looked for.

    Examples
    --------
    >>> algorithm_named("ls").about
    "LS1 alone, the paper's profile"
    """
    from ter.algorithms import Algorithm, algorithm

    if not is_target(name):
        return algorithm(name)
    found = target(name, folder)
    if isinstance(found, Algorithm):
        return found
    if not callable(found):
        raise InvalidArgument(f"{name!r} must be an algorithm or a function that makes a profile, got {found!r}")
    return Algorithm(name, "", found)


def _imported(place: str, folder: str) -> ModuleType:
    home, path = Path(folder).resolve(), None
    if place.endswith(".py"):
        path = (home / place).resolve()
        if not path.is_file():
            raise InvalidArgument(f"a plan must name files that exist, got {place!r}, looked for in {home}")
        home, place = path.parent, path.stem
    if str(home) not in sys.path:
        sys.path.insert(0, str(home))  # not loaded by hand: workers import the module by its name
    try:
        module = import_module(place)
    except Exception as error:  # the user's module may raise anything
        raise InvalidArgument(
            f"a plan must name modules that can be imported, got {place!r}: {type(error).__name__}: {error}"
        ) from error
    if path is not None and Path(module.__file__ or "").resolve() != path:
        raise InvalidArgument(f"a module called {place!r} is there already, got {str(path)!r}; rename the file")
    return module
