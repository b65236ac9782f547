"""Compiled objectives: how a Numba function, with or without incremental moves, is run inside compiled loops.

The functions built here are small wrappers around the objective. Kernels receive them as first-class functions of
one fixed type, so a heuristic's kernel is compiled once and cached, not once per objective.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import ArrayLike, NDArray

from ter._jit import Kernel, kernel
from ter.core.box import Vector
from ter.core.errors import InvalidArgument, ObjectiveError
from ter.core.ledger import (
    COUNT,
    LIMIT,
    PAUSE,
    RAISED,
    RAISED_AT,
    RAISED_VALUE,
    RAISED_WHERE,
    RAISING,
    Integers,
    Walk,
    charge,
    improve,
)

__all__ = ["ACCEPT", "PROBE", "CompiledObjective", "Kit", "compile_sequential", "is_compiled", "objective_of"]

_VECTOR = types.Array(types.float64, 1, "C")
_INTEGERS = types.Array(types.int64, 1, "C")
_MATRIX = types.Array(types.float64, 2, "C")
_WALK = types.NamedTuple(  # type: ignore[no-untyped-call]
    (_VECTOR, _VECTOR, _INTEGERS, _VECTOR, _INTEGERS, _VECTOR, _INTEGERS, _VECTOR, _MATRIX, _VECTOR), Walk
)
PROBE = types.FunctionType(types.float64(_WALK, types.int64, types.float64))
ACCEPT = types.FunctionType(types.void(_WALK, types.int64, types.float64, types.float64))


class Kit(NamedTuple):
    """An objective's wrappers, all compiled."""

    rows: Callable[..., None]  # rows(walk, X, out): values of the rows of X
    moves: Callable[..., None]  # moves(walk, coordinates, V, out): values of the incumbent with replaced coordinates
    probe: Callable[..., float]  # probe(walk, i, v): count and evaluate one coordinate's move
    accept: Callable[..., None]  # accept(walk, i, v, y): make it the incumbent and book the improvement
    commit: Callable[..., None]  # commit(walk, coordinates, values): make a group's move the incumbent
    start: Callable[..., None]  # start(walk): fill the objective's memory at the incumbent


@dataclass(frozen=True, eq=False)
class CompiledObjective:
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
        It may write `x` but must leave `x` and `memory` as they were.
    commit : Numba function ``commit(x, memory, floats, ints, coordinates, values)``, optional
        Updates `memory` for that move; `x` still holds the old coordinates and is written afterwards.
    memory : int
        Length of `memory`.

    Notes
    -----
    `start`, `move` and `commit` come together. Each move counts as one evaluation, however cheap it is.

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
    _data: tuple[Vector, Integers] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        given = [part is not None for part in (self.start, self.move, self.commit)]
        if any(given) and not all(given):
            raise InvalidArgument("start, move and commit must be given together; give all three or none")
        for name in ("value", "start", "move", "commit"):
            part = getattr(self, name)
            if part is not None and not is_compiled(part):
                raise InvalidArgument(f"{name} must be a Numba function, got {type(part).__name__}; use @numba.njit")
        floats = np.array(self.floats, dtype=np.float64).ravel()
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
        return float(self.value(np.array(x, dtype=np.float64), *self._data))

    @cached_property
    def kit(self) -> Kit:
        """The compiled wrappers, built on first use."""
        try:
            if self.move is None:
                return _plain_kit(self.value)
            return _moving_kit(self.value, self.start, self.move, self.commit)
        except numba.core.errors.NumbaError as error:
            raise ObjectiveError(
                f"a compiled objective must take a float64 array and return one number; Numba refuses it: {error}"
            ) from error

    def __getstate__(self) -> dict[str, Any]:
        """Leave the wrappers behind: workers build their own."""
        return {name: part for name, part in self.__dict__.items() if name != "kit"}


def is_compiled(fun: object) -> bool:
    """Tell whether `fun` is a Numba function or a compiled objective."""
    return isinstance(fun, (numba.core.dispatcher.Dispatcher, CompiledObjective))


@lru_cache(maxsize=64)
def objective_of(fun: Any) -> CompiledObjective:
    """Dress a plain Numba function ``f(x)`` as a compiled objective; its wrappers are compiled once per process."""
    if isinstance(fun, CompiledObjective):
        return fun

    @numba.njit(error_model="numpy", nogil=True)
    def value(x: Vector, floats: Vector, ints: Integers) -> float:
        return float(fun(x.copy()))  # it may write to its argument, as any Python function may

    return CompiledObjective(value)


def compile_sequential(function: Kernel[..., Any], args: tuple[Any, ...]) -> None:
    """Compile a sequential kernel for first-class functions of the one fixed type.

    Left to itself, Numba would specialise it for each objective's own functions, compile it once per objective, and
    compile all of these anew whenever it reads its cache.
    """
    dispatcher: Any = function
    signature = (PROBE, ACCEPT, _WALK, *(numba.typeof(argument) for argument in args))  # type: ignore[no-untyped-call]
    if signature not in dispatcher.overloads:
        dispatcher.disable_compile(False)
        dispatcher.compile(signature)
        dispatcher.disable_compile(True)


def _jit(signature: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return numba.njit(signature, error_model="numpy", nogil=True)  # type: ignore[no-any-return]


@kernel
def begin_probe(walk: Walk, i: int, v: float) -> None:
    """Count before the call, and note the move for whoever looks into a failure."""
    walk.ledger[COUNT] += 1
    walk.coordinate[0] = i
    walk.value[0] = v


@kernel
def end_probe(walk: Walk, y: float, raised: bool) -> float:
    """Read the value, write it on the tape, and note an exception."""
    if raised:
        walk.ledger[RAISED] += 1
        walk.ledger[RAISED_AT] = walk.ledger[COUNT]
        walk.ledger[RAISED_WHERE] = walk.coordinate[0]
        walk.marks[RAISED_VALUE] = walk.value[0]
        walk.ledger[PAUSE] = walk.ledger[COUNT]  # the evaluator looks into it at the next break
        if walk.ledger[RAISING]:
            walk.ledger[LIMIT] = walk.ledger[COUNT]
    if walk.tape.shape[0] > 0:
        walk.tape[(walk.ledger[COUNT] - 1) % walk.tape.shape[0]] = y
    return charge(walk.ledger, walk.marks, y)


@kernel
def accept_plain(walk: Walk, i: int, v: float, y: float) -> None:
    """Make one coordinate's move the incumbent."""
    walk.x[i] = v
    improve(walk.ledger, walk.marks, walk.curve, walk.ledger[COUNT], y)


@kernel
def commit_plain(walk: Walk, coordinates: Integers, values: Vector) -> None:
    """Make a group's move the incumbent."""
    for k in range(coordinates.shape[0]):
        walk.x[coordinates[k]] = values[k]


@kernel
def start_plain(walk: Walk) -> None:
    """Prepare nothing: there is no memory."""


def _rows_of(value: Callable[..., float]) -> Callable[..., None]:
    @_jit(types.void(_WALK, _MATRIX, _VECTOR))
    def rows(walk: Walk, X: NDArray[np.float64], out: Vector) -> None:
        for r in range(out.shape[0]):
            try:
                out[r] = value(X[r], walk.floats, walk.ints)
            except Exception:  # noqa: BLE001 - the evaluator calls again from Python to see what it was
                out[r] = math.nan
                walk.ledger[RAISED] += 1

    return rows


def _plain_kit(value: Callable[..., float]) -> Kit:
    """Wrap an objective that evaluates whole points only: a move is written into the incumbent and taken back."""

    @_jit(types.void(_WALK, _INTEGERS, _MATRIX, _VECTOR))
    def moves(walk: Walk, coordinates: Integers, V: NDArray[np.float64], out: Vector) -> None:
        base = walk.x[coordinates]
        for r in range(out.shape[0]):
            commit_plain(walk, coordinates, V[r])
            try:
                out[r] = value(walk.x, walk.floats, walk.ints)
            except Exception:  # noqa: BLE001
                out[r] = math.nan
                walk.ledger[RAISED] += 1
        commit_plain(walk, coordinates, base)

    @_jit(types.float64(_WALK, types.int64, types.float64))
    def probe(walk: Walk, i: int, v: float) -> float:
        begin_probe(walk, i, v)
        before = walk.x[i]
        walk.x[i] = v
        y, raised = math.nan, False
        try:
            y = value(walk.x, walk.floats, walk.ints)
        except Exception:  # noqa: BLE001
            raised = True
        walk.x[i] = before
        return end_probe(walk, y, raised)

    accept: Any = accept_plain
    accept.compile(ACCEPT.signature.args)
    return Kit(_rows_of(value), moves, probe, accept, commit_plain, start_plain)


def _moving_kit(value: Any, start: Any, move: Any, commit: Any) -> Kit:
    """Wrap an objective that evaluates moves at the cost of the touched parts."""

    @_jit(types.void(_WALK, _INTEGERS, _MATRIX, _VECTOR))
    def moves(walk: Walk, coordinates: Integers, V: NDArray[np.float64], out: Vector) -> None:
        for r in range(out.shape[0]):
            try:
                out[r] = move(walk.x, walk.memory, walk.floats, walk.ints, coordinates, V[r])
            except Exception:  # noqa: BLE001
                out[r] = math.nan
                walk.ledger[RAISED] += 1

    @_jit(types.float64(_WALK, types.int64, types.float64))
    def probe(walk: Walk, i: int, v: float) -> float:
        begin_probe(walk, i, v)
        y, raised = math.nan, False
        try:
            y = move(walk.x, walk.memory, walk.floats, walk.ints, walk.coordinate, walk.value)
        except Exception:  # noqa: BLE001
            raised = True
        return end_probe(walk, y, raised)

    @_jit(types.void(_WALK, types.int64, types.float64, types.float64))
    def accept(walk: Walk, i: int, v: float, y: float) -> None:
        walk.coordinate[0] = i
        walk.value[0] = v
        commit(walk.x, walk.memory, walk.floats, walk.ints, walk.coordinate, walk.value)
        accept_plain(walk, i, v, y)

    # These two are called once per batch at most: plain Python around the objective's own cached functions saves the
    # seconds of compiling wrappers in each process.
    def commit_group(walk: Walk, coordinates: Integers, values: Vector) -> None:
        commit(walk.x, walk.memory, walk.floats, walk.ints, coordinates, values)
        commit_plain(walk, coordinates, values)

    def begin(walk: Walk) -> None:
        start(walk.x, walk.memory, walk.floats, walk.ints)

    return Kit(_rows_of(value), moves, probe, accept, commit_group, begin)
