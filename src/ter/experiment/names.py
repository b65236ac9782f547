"""Problems and algorithms by name: those of the catalogues, and the user's own as ``module:attribute``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from inspect import signature
from typing import TYPE_CHECKING, Any

from ter.core.errors import InvalidArgument
from ter.experiment.sources import sources_of
from ter.user_code import attribute_named, is_user_code, module_of

if TYPE_CHECKING:
    from ter.algorithms import Algorithm
    from ter.core.problem import Problem

__all__ = ["algorithm_named", "problem_named", "require_own"]


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

    if not is_user_code(name):
        return problem(name, dimension=dimension)
    found = _imported(name, folder)
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

    if not is_user_code(name):
        return algorithm(name)
    found = _imported(name, folder)
    if isinstance(found, Algorithm):
        return found
    if not callable(found):
        raise InvalidArgument(f"{name!r} must be an algorithm or a function that makes a profile, got {found!r}")
    return Algorithm(name, "", found)


def require_own(names: Iterable[str], own: Collection[str]) -> None:
    """Refuse user code that a file names and the user does not: a file must not choose what is imported.

    Parameters
    ----------
    names : iterable of str
        Of problems and algorithms, from a file.
    own : collection of str
        What the user names.

    Examples
    --------
    >>> require_own(["lso08/f1", "wing:portfolio"], ["wing:portfolio"])
    """
    for name in names:
        if is_user_code(name) and name not in own:
            raise InvalidArgument(
                f"code that a file names must be named by you too before it is imported, got {name!r} in the file; if "
                f"you trust it, write --algorithm {name}, or own=[{name!r}] in Python"
            )


def _imported(name: str, folder: str) -> Any:
    found = attribute_named(name, folder)
    sources_of(module_of(name))  # notes what was imported, before anybody can change it
    return found
