"""Find what to minimise: a built-in problem, or the user's function in a module or a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ter.cli.files import read_bounds
from ter.core.errors import InvalidArgument, UnknownName
from ter.user_code import attribute_named, meant_by

if TYPE_CHECKING:
    from ter.core.box import Box
    from ter.core.problem import Problem

__all__ = ["load_problem", "problem_of"]


def problem_of(args: argparse.Namespace) -> Problem:
    """Return the problem that the options of a command name."""
    return load_problem(
        args.objective,
        box=tuple(args.box) if args.box else None,
        bounds=args.bounds,
        dimension=args.dimension,
        vectorized=args.vectorized,
    )


def load_problem(
    target: str,
    *,
    box: tuple[float, float] | None = None,
    bounds: Path | None = None,
    dimension: int | None = None,
    vectorized: bool = False,
) -> Problem:
    """Return the problem that `target` names.

    Parameters
    ----------
    target : str
        ``module:function``, ``path/to/file.py:function``, or the name of a built-in problem. The attribute may be a
        :class:`ter.Problem` too.
    box : (float, float), optional
        Bounds of every variable. A function needs them, and the dimension; or the file.
    bounds : path, optional
        File with the bounds of each variable.
    dimension : int, optional
        Number of variables.
    vectorized : bool
        Whether the function takes rows of points.

    Raises
    ------
    InvalidArgument
        If there is no such thing, or it cannot be minimised.
    BrokenModule
        If importing the module raised an exception.
    """
    from ter.core.problem import Problem, as_problem

    given = "--box" if box is not None else "--bounds" if bounds is not None else None
    found = attribute_named(target) if ":" in target else _built_in(target, dimension)
    if isinstance(found, Problem):
        if given is not None or vectorized:
            own = "its own" if given is not None else "its own function"
            raise InvalidArgument(
                f"{given or '--vectorized'} must be left out for the problem {target!r}, which brings {own}"
            )
        if dimension not in (None, found.dimension):
            raise InvalidArgument(
                f"--dimension must agree with the problem, got {dimension} and {found.dimension}; leave it out"
            )
        return found
    if not callable(found):
        raise InvalidArgument(f"the target must be a function or a ter.Problem, got {type(found).__name__} {target!r}")
    return as_problem(found, _box_of(target, box, bounds, dimension), vectorized=vectorized)


def _built_in(name: str, dimension: int | None) -> Problem:
    from ter.problems import problem

    try:
        return problem(name, dimension=dimension)
    except UnknownName as error:
        unknown = f"{error}; for a function of yours write module:function or file.py:function"
        raise InvalidArgument(_near_problem(name) or meant_by(name) or unknown) from error


def _near_problem(name: str) -> str:
    """Say what is wrong with a name that is almost one of a problem; nothing if it is not."""
    from ter.benchmarks import SUITES
    from ter.problems import PROBLEMS

    if name.lower() in SUITES:
        functions = SUITES[name.lower()].names
        return f"{name!r} is a suite; name one of its functions, {functions[0]} to {functions[-1]}"
    return f"unknown problem {name!r}; did you mean {name.lower()!r}?" if name.lower() in PROBLEMS else ""


def _box_of(target: str, box: tuple[float, float] | None, bounds: Path | None, dimension: int | None) -> Box:
    """Make the box of a function, which has none of its own."""
    from ter.core.box import box as make_box

    if bounds is not None:
        read = read_bounds(bounds)
        if dimension not in (None, read.dimension):
            raise InvalidArgument(
                f"--dimension must agree with --bounds, got {dimension} and {read.dimension} pairs; leave it out"
            )
        return read
    if box is None or dimension is None:
        raise InvalidArgument(
            f"--box and --dimension must be given for the function {target!r}, which has no box of its own; "
            "write for example --box -5 5 --dimension 1000, or --bounds FILE"
        )
    return make_box(*box, dimension=dimension)
