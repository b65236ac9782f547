"""Find what to minimise: a built-in problem, or the user's function in a module or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ter.core.errors import InvalidArgument, UnknownName
from ter.user_code import attribute_named

if TYPE_CHECKING:
    from ter.core.problem import Problem

__all__ = ["load_problem"]


def load_problem(
    target: str, *, box: tuple[float, float] | None = None, dimension: int | None = None, vectorized: bool = False
) -> Problem:
    """Return the problem that `target` names.

    Parameters
    ----------
    target : str
        ``module:function``, ``path/to/file.py:function``, or the name of a built-in problem. The attribute may be a
        :class:`ter.Problem` too.
    box : (float, float), optional
        Bounds of every variable; needed for a function.
    dimension : int, optional
        Number of variables; needed for a function.
    vectorized : bool
        Whether the function takes rows of points.

    Raises
    ------
    InvalidArgument
        If there is no such thing, or it cannot be minimised.
    BrokenModule
        If importing the module raised an exception.
    """
    if ":" not in target:
        return _built_in(target, box, dimension)
    return _checked(attribute_named(target), target, box, dimension, vectorized)


def _built_in(name: str, box: tuple[float, float] | None, dimension: int | None) -> Problem:
    from ter.problems import problem

    if box is not None:
        raise InvalidArgument(f"--box must be left out for the built-in problem {name!r}, which brings its own")
    try:
        return problem(name, dimension=dimension)
    except UnknownName as error:
        raise InvalidArgument(f"{error}; for a function of yours write module:function or file.py:function") from error


def _checked(
    found: Any, target: str, box: tuple[float, float] | None, dimension: int | None, vectorized: bool
) -> Problem:
    from ter.core.box import box as make_box
    from ter.core.problem import Problem, as_problem

    if isinstance(found, Problem):
        if dimension not in (None, found.dimension):
            raise InvalidArgument(
                f"--dimension must agree with the problem, got {dimension} and {found.dimension}; leave it out"
            )
        return as_problem(found, box, vectorized=vectorized)
    if not callable(found):
        raise InvalidArgument(f"the target must be a function or a ter.Problem, got {type(found).__name__} {target!r}")
    if box is None or dimension is None:
        raise InvalidArgument(
            f"--box and --dimension must be given for the function {target!r}, which has no box of its own; "
            "write for example --box -5 5 --dimension 1000"
        )
    return as_problem(found, make_box(*box, dimension=dimension), vectorized=vectorized)
