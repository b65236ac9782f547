"""Block objectives: sums of compiled terms over groups of coordinates, whose moves cost what they touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter.core.box import Vector
from ter.core.errors import InvalidArgument
from ter.objectives import block_functions
from ter.objectives.addresses import _exact, address_of
from ter.objectives.compiled import CompiledObjective, is_numba
from ter.objectives.groups import Groups, GroupsLike

__all__ = ["BlockObjective"]


class BlockObjective(CompiledObjective):
    """A sum of compiled terms over groups of coordinates, with incremental moves for free.

    The value of `x` is the sum of ``term(x[groups[k]], k, data)`` over all `k`. A move evaluates only the terms that
    have a changed coordinate, each once, and gives the same bits as evaluating the whole point.

    Parameters
    ----------
    term : Numba function ``term(z, k, data) -> float``
        One term: `z` is a fresh copy of the group's variables in the order of the group, `k` the group's number, `data`
        the constants. It must depend on nothing else, and change nothing but `z`.
    groups : sequence of sequences of int, or integer array of shape (n, m)
        The coordinates of each term. Groups may overlap and differ in size. A coordinate that is in no group has no
        influence on the value. An array is read fastest.
    data : array_like, shape (m,), optional
        Constants for all terms.

    Raises
    ------
    InvalidArgument
        If `term` is no Numba function of these arguments that returns a number, or if `groups` or `data` is not of this
        form.

    Notes
    -----
    The values of the terms are added in a fixed order, as the leaves of a binary tree. Replacing a term takes about
    ``log2(n)`` additions.

    The term is compiled when the objective is made. Everything else is compiled once for all block objectives and
    cached. Give the term ``cache=True`` as well, and nothing is compiled when a program starts again.

    Examples
    --------
    A smooth line near noisy data, robust against outliers: one term per measurement, one per bend.

    >>> import numba, numpy as np
    >>> @numba.njit
    ... def term(z, k, data):
    ...     if len(z) == 1:
    ...         return abs(z[0] - data[k])
    ...     return 10.0 * (z[0] - 2.0 * z[1] + z[2]) ** 2
    >>> data = [0.0, 1.0, 2.0, 9.0, 4.0]
    >>> groups = [[i] for i in range(5)] + [[i, i + 1, i + 2] for i in range(3)]
    >>> f = BlockObjective(term, groups, data)
    >>> f([0.0, 1.0, 2.0, 3.0, 4.0])
    6.0
    """

    def __init__(self, term: Callable[..., float], groups: GroupsLike, data: ArrayLike | None = None) -> None:
        read = Groups.read(groups)
        self.term = term
        self._exact_term = _compile(term)  # machine code lives as long as its function does
        super().__init__(
            block_functions.value,
            floats=_read_data(data),
            ints=block_functions.lay_out(address_of(self._exact_term, block_functions.TERM), read),
            start=block_functions.start,
            move=block_functions.move,
            commit=block_functions.commit,
            memory=block_functions.room(read),
        )
        object.__setattr__(self, "ints", self.data[1])  # one copy of the groups is enough
        self._span = int(self.data[1][block_functions.SPAN])

    @property
    def groups(self) -> Groups:
        """The groups as flat arrays."""
        ints = self.data[1]
        starts, members, occurs = ints[[block_functions.STARTS, block_functions.MEMBERS, block_functions.OCCURS]]
        return Groups(ints[starts:members], ints[members:occurs])

    def __call__(self, x: ArrayLike) -> float:
        """Evaluate one point, shape (D,)."""
        return super().__call__(self._checked(x, ndim=1))

    @property
    def direct(self) -> Callable[[Vector], float]:
        """This function itself: what a box says of the dimension says nothing of the groups."""
        return self

    def rows(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points, shape (n, D), in one compiled loop."""
        return super().rows(self._checked(X, ndim=2))

    def _checked(self, x: ArrayLike, *, ndim: int) -> NDArray[np.float64]:
        points = np.asarray(x, dtype=np.float64)
        if points.ndim != ndim:
            shape = "(D,); use rows() for rows of points" if ndim == 1 else "(n, D)"
            raise InvalidArgument(f"x must have shape {shape}, got {points.shape}")
        self.require_dimension(points.shape[-1])
        return points

    def require_dimension(self, dimension: int) -> None:
        """Refuse points that lack a variable of a group."""
        if dimension < self._span:
            raise InvalidArgument(
                f"x must have at least {self._span} variables, since a group has coordinate {self._span - 1}, "
                f"got {dimension}; coordinates count from 0"
            )

    def __repr__(self) -> str:
        groups = self.groups
        name = getattr(self.term, "__name__", "term")
        return f"BlockObjective({name}, {groups.count} groups of at most {groups.largest})"

    def __reduce__(self) -> Any:
        """Travel without machine code: addresses are good in this process only."""
        return BlockObjective, (self.term, self.groups, self.data[0])


def _compile(term: Any) -> Any:
    if not is_numba(term):
        raise InvalidArgument(f"term must be a Numba function, got {type(term).__name__}; use @numba.njit")
    try:
        return _exact(term, block_functions.TERM)
    except (numba.core.errors.NumbaError, TypeError) as error:  # the latter for another number of arguments
        raise InvalidArgument(
            f"term must take (z, k, data) and return one number; Numba refuses {term.py_func.__name__}: {error}"
        ) from error


def _read_data(data: ArrayLike | None) -> Vector:
    try:
        array = np.asarray(() if data is None else data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"data must hold numbers, got {data!r:.80}; give a one-dimensional array") from error
    if array.ndim != 1:
        raise InvalidArgument(f"data must be a one-dimensional array, got shape {array.shape}; use data.ravel()")
    return array
