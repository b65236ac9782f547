"""Compiled objectives: Numba functions with their data, with or without incremental moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ter._jit import COMPILING, entry_of, kernel
from ter.core.box import Vector
from ter.core.errors import InvalidArgument, ObjectiveError
from ter.core.ledger import Integers, ObjectiveData, aligned
from ter.core.problem import RowsObjective
from ter.objectives.addresses import HAS_VALUES, VALUE, Functions, value_at, values_at

__all__ = ["CompiledObjective", "data_of", "is_compiled", "is_numba", "objective_of"]

FLOAT64 = np.dtype(np.float64)
COMPILED_HERE = ("functions", "direct", "_entry")  # good in this process only


@dataclass(frozen=True, eq=False)
class CompiledObjective(RowsObjective):
    """An objective made of Numba functions, with its data, and optionally with incremental moves.

    Parameters
    ----------
    value : Numba function ``value(x, floats, ints) -> float``
        The objective. It must not change `x`.
    floats, ints : array_like
        Its constants; handed to every function.
    start : Numba function ``start(x, memory, floats, ints)``, optional
        Fills `memory` with what `move` needs to know about the point `x`.
    move : Numba function ``move(x, memory, floats, ints, coordinates, values) -> float``, optional
        Value of `x` with ``x[coordinates]`` replaced by `values`, with the same bits as `value` would give.
        It may write `x` but must leave `x` and `memory` as they were. It may use the tail of `memory` as scratch
        space, provided that no result ever depends on what the scratch space holds.
    commit : Numba function ``commit(x, memory, floats, ints, coordinates, values)``, optional
        Updates `memory` for that move; `x` still holds the old coordinates and is written afterwards.
    memory : int
        Length of `memory`.
    values : Numba function ``values(X, floats, ints, out)``, optional
        Writes the values of the rows of `X` into `out`, with the same bits as `value`, if that is faster together.
        `out` may be shorter than `X`: later rows are not asked for.
    moves : Numba function ``moves(x, memory, floats, ints, coordinates, V, out)``, optional
        Writes the values of the moves to each row of `V` into `out`, with the same bits as `move`.

    Notes
    -----
    `start`, `move` and `commit` come together. Each move counts as one evaluation, however cheap it is.

    The loops around these functions are compiled once for all objectives and cached. Give the functions ``cache=True``
    as well, and nothing is compiled when a program starts again.

    Examples
    --------
    >>> import numba, numpy as np
    >>> @numba.njit
    ... def weighted(x, floats, ints):
    ...     return (floats * x * x).sum()
    >>> f = CompiledObjective(weighted, floats=[1.0, 10.0])
    >>> f(np.array([1.0, 2.0]))
    41.0
    """

    value: Callable[..., float]
    floats: ArrayLike = ()
    ints: ArrayLike = ()
    start: Callable[..., None] | None = None
    move: Callable[..., float] | None = None
    commit: Callable[..., None] | None = None
    memory: int = 0
    values: Callable[..., None] | None = None
    moves: Callable[..., None] | None = None
    _data: tuple[Vector, Integers] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        given = [part is not None for part in (self.start, self.move, self.commit)]
        if any(given) and not all(given):
            raise InvalidArgument("start, move and commit must be given together; give all three or none")
        if self.moves is not None and self.move is None:
            raise InvalidArgument("moves must come with start, move and commit; give all four or none")
        for name in ("value", "start", "move", "commit", "values", "moves"):
            part = getattr(self, name)
            if part is not None and not is_numba(part):
                raise InvalidArgument(f"{name} must be a Numba function, got {type(part).__name__}; use @numba.njit")
        floats = aligned(np.asarray(self.floats, dtype=np.float64).ravel())
        ints = np.array(self.ints, dtype=np.int64).ravel()
        object.__setattr__(self, "_data", (floats, ints))

    @property
    def data(self) -> tuple[Vector, Integers]:
        """The constants as flat arrays."""
        return self._data

    @property
    def incremental(self) -> bool:
        """Whether moves cost less than full evaluations."""
        return self.move is not None

    def __call__(self, x: ArrayLike) -> float:
        """Evaluate one point."""
        floats, ints = self._data
        return self._entry(_as_kernels_want(x), floats, ints)

    def rows(self, X: ArrayLike) -> Vector:
        """Evaluate rows of points, shape (n, D), in one compiled loop."""
        points = _as_kernels_want(X)
        if points.ndim != 2:
            raise InvalidArgument(f"rows of points must have shape (n, D), got {points.shape}")
        values = np.empty(len(points))
        values_of_rows(self.functions.addresses, *self._data, points, values)
        return values

    def require_dimension(self, dimension: int) -> None:
        """Refuse points of so many variables, if the objective cannot evaluate them."""

    @cached_property
    def functions(self) -> Functions:
        """The functions as compiled loops call them; compiled on first use."""
        try:
            return Functions.of(self.value, self.start, self.move, self.commit, self.values, self.moves)
        except numba.core.errors.NumbaError as error:
            raise ObjectiveError(
                f"a compiled objective must take a float64 array and return one number; Numba refuses it: {error}"
            ) from error

    @cached_property
    def direct(self) -> Callable[[Vector], float]:
        """The function behind, without any check: for contiguous, writable arrays of 64-bit floats."""
        entry, (floats, ints) = self._entry, self._data
        return lambda x: entry(x, floats, ints)

    @cached_property
    def _entry(self) -> Callable[..., float]:
        return entry_of(self.functions.owners[0], VALUE.signature.args)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the compiled functions behind."""
        return {name: part for name, part in self.__dict__.items() if name not in COMPILED_HERE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Put the constants where they are read fast."""
        self.__dict__.update(state)
        floats, ints = self._data
        object.__setattr__(self, "_data", (aligned(floats), ints))


def _as_kernels_want(values: ArrayLike) -> NDArray[np.float64]:
    """Return the array itself where possible, since `value` does not change it; to Numba, read-only is another type."""
    array = np.asarray(values, FLOAT64)
    return array if array.flags.carray else np.array(array, order="C")


def data_of(objective: CompiledObjective | None) -> ObjectiveData:
    """Return what kernels know of an objective."""
    if objective is None:
        return ObjectiveData()
    return ObjectiveData(objective.functions.addresses, *objective.data, objective.memory)


def is_compiled(fun: object) -> bool:
    """Tell whether `fun` is a Numba function or a compiled objective."""
    return isinstance(fun, CompiledObjective) or (COMPILING and is_numba(fun))


def is_numba(part: object) -> bool:
    """Tell whether `part` is a Numba function; where nothing is compiled, Numba leaves functions as they are."""
    return isinstance(part, numba.core.dispatcher.Dispatcher) if COMPILING else callable(part)


@lru_cache(maxsize=64)
def objective_of(fun: Any) -> CompiledObjective:
    """Dress a plain Numba function ``f(x)`` as a compiled objective; this is compiled once per process."""
    if isinstance(fun, CompiledObjective):
        return fun

    @numba.njit(error_model="numpy", nogil=True)
    def value(x: Vector, floats: Vector, ints: Integers) -> float:
        return np.float64(fun(x.copy()))  # it may write to its argument, as any Python function may

    return CompiledObjective(value)


@kernel
def values_of_rows(functions: Integers, floats: Vector, ints: Integers, X: NDArray[np.float64], out: Vector) -> None:
    """Evaluate rows outside a run; an exception comes out as it is."""
    if functions[HAS_VALUES] != 0:
        values = values_at(functions)
        values(X, floats, ints, out)
        return
    value = value_at(functions)
    for r in range(out.shape[0]):
        out[r] = value(X[r], floats, ints)
