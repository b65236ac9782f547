"""The compiled loops around an objective, the same for all compiled objectives and cached.

They find the objective's functions in ``walk.functions``. Compiled code knows only that there was an exception: it is
counted, and the evaluator calls again from Python to see what it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from ter._jit import Kernel, entry_of, inner, kernel
from ter.core.box import Vector
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
from ter.objectives.addresses import (
    HAS_MOVES,
    HAS_VALUES,
    INTEGERS,
    MATRIX,
    VECTOR,
    Addressed,
    address_of,
    commit_at,
    move_at,
    moves_at,
    start_at,
    value_at,
    values_at,
)
from ter.objectives.compiled import CompiledObjective

__all__ = [
    "MOVING",
    "PLAIN",
    "WALK",
    "Around",
    "Kit",
    "Loops",
    "Pace",
    "compile_around",
    "compile_sequential",
    "kit_of",
    "sequential",
]

SECONDS_PER_CHUNK = 0.05  # how long a compiled kernel may run before Python looks at the clock and at Ctrl-C

WALK = types.NamedTuple(  # type: ignore[no-untyped-call]
    (INTEGERS, VECTOR, VECTOR, VECTOR, VECTOR, INTEGERS, VECTOR, INTEGERS, VECTOR, INTEGERS, VECTOR, MATRIX, VECTOR),
    Walk,
)
_PROBE = Addressed(types.float64(WALK, types.int64, types.float64))
_ACCEPT = Addressed(types.void(WALK, types.int64, types.float64, types.float64))


class Kit(NamedTuple):
    """The loops for one kind of objective."""

    rows: Callable[..., None]  # rows(walk, X, out): values of the rows of X
    moves: Callable[..., None]  # moves(walk, coordinates, V, out): values of the incumbent with replaced coordinates
    probe: Callable[..., float]  # probe(walk, i, v): count and evaluate one coordinate's move
    accept: Callable[..., None]  # accept(walk, i, v, y): make it the incumbent and book the improvement
    commit: Callable[..., None]  # commit(walk, coordinates, values): make a group's move the incumbent
    start: Callable[..., None]  # start(walk): fill the objective's memory at the incumbent


class Loops:
    """The loops of a kit that Python calls, each compiled or read from the cache when it is first asked for."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    @cached_property
    def rows(self) -> Callable[[Walk, NDArray[np.float64], Vector], None]:
        """Values of the rows of a matrix."""
        return entry_of(self._kit.rows, (WALK, MATRIX, VECTOR))

    @cached_property
    def moves(self) -> Callable[[Walk, Integers, NDArray[np.float64], Vector], None]:
        """Values of the incumbent with replaced coordinates."""
        return entry_of(self._kit.moves, (WALK, INTEGERS, MATRIX, VECTOR))

    @cached_property
    def commit(self) -> Callable[[Walk, Integers, Vector], None]:
        """Make a group's move the incumbent."""
        return entry_of(self._kit.commit, (WALK, INTEGERS, VECTOR))

    @cached_property
    def start(self) -> Callable[[Walk], None]:
        """Fill the objective's memory at the incumbent."""
        return entry_of(self._kit.start, (WALK,))


class Pace:
    """Learns how many evaluations a compiled kernel may make before Python looks at the clock again.

    Parameters
    ----------
    first : int
        So many at first.
    cap : int or None
        Never more than this.

    Examples
    --------
    >>> pace = Pace(first=1_000, cap=None)
    >>> pace.learn(done=1_000, seconds=0.1)
    >>> pace.chunk
    500
    """

    def __init__(self, first: int, cap: int | None) -> None:
        self._cap = math.inf if cap is None else cap
        self.chunk = first

    def learn(self, done: int, seconds: float) -> None:
        """Take note of how long the last evaluations took."""
        if done:
            self.chunk = int(max(1, min(self._cap, done * min(4.0, SECONDS_PER_CHUNK / max(seconds, 1e-9)))))


class Around:
    """Kernels around the functions of a run; one that ran before is found within a microsecond.

    A kernel is called with these functions first, each of one fixed type. Left to itself, Numba would specialise it
    for each of them, and compile all of these anew whenever it reads its cache.

    Parameters
    ----------
    functions : sequence of (kernel, its type)
        Handed to every kernel.
    """

    def __init__(self, functions: Sequence[tuple[Any, Addressed]]) -> None:
        self._kinds = tuple(kind for _, kind in functions)
        self._addresses = tuple(address_of(function, kind) for function, kind in functions)
        self._known: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def compiled(self, function: Kernel[..., Any], args: tuple[Any, ...]) -> Callable[[Walk], Any]:
        """Compile ``function(*functions, walk, *args)`` and return it as a function of the walk alone."""
        key = (function, *map(_kind, args))
        entry = self._known.get(key)
        if entry is None:
            entry = self._known[key] = compile_around(self._kinds, function, args)
        return lambda walk: entry(*self._addresses, walk, *args)


def compile_around(kinds: Sequence[Addressed], function: Kernel[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """Compile a kernel that gets functions of these types, a walk, and arguments like these; return its entry."""
    types_of_args = (numba.typeof(argument) for argument in args)  # type: ignore[no-untyped-call]
    return entry_of(function, (*kinds, WALK, *types_of_args))


def sequential(kit: Kit) -> Around:
    """Return what runs sequential kernels, ``function(probe, accept, walk, *args)``, around an objective."""
    return Around([(kit.probe, _PROBE), (kit.accept, _ACCEPT)])


def compile_sequential(function: Kernel[..., Any], args: tuple[Any, ...]) -> None:
    """Compile a sequential kernel for any compiled objective."""
    compile_around((_PROBE, _ACCEPT), function, args)


def _kind(argument: Any) -> Any:
    """Return what an argument's Numba type depends on: asking Numba takes longer than a short sweep."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, bool | float):
        return type(argument)
    return numba.typeof(argument)  # type: ignore[no-untyped-call]


@kernel
def rows(walk: Walk, X: NDArray[np.float64], out: Vector) -> None:
    """Evaluate rows: all at once where the objective offers it, and one by one if that raised."""
    if walk.functions[HAS_VALUES] != 0:
        values, done = values_at(walk.functions), False
        try:
            values(X, walk.floats, walk.ints, out)
            done = True
        except Exception:  # noqa: BLE001
            done = False
        if done:
            return
    value = value_at(walk.functions)
    for r in range(out.shape[0]):
        try:
            out[r] = value(X[r], walk.floats, walk.ints)
        except Exception:  # noqa: BLE001
            out[r] = math.nan
            walk.ledger[RAISED] += 1


@inner
def begin_probe(walk: Walk, i: int, v: float) -> None:
    """Count before the call, and note the move for whoever looks into a failure."""
    walk.ledger[COUNT] += 1
    walk.coordinate[0] = i
    walk.value[0] = v


@inner
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


# An objective that evaluates whole points only: a move is written into the incumbent and taken back.


@kernel
def commit_plain(walk: Walk, coordinates: Integers, values: Vector) -> None:
    """Make a group's move the incumbent."""
    for k in range(coordinates.shape[0]):
        walk.x[coordinates[k]] = values[k]


@kernel
def moves_plain(walk: Walk, coordinates: Integers, V: NDArray[np.float64], out: Vector) -> None:
    """Evaluate moves as whole points."""
    value = value_at(walk.functions)
    base = walk.x[coordinates]
    for r in range(out.shape[0]):
        commit_plain(walk, coordinates, V[r])
        try:
            out[r] = value(walk.x, walk.floats, walk.ints)
        except Exception:  # noqa: BLE001
            out[r] = math.nan
            walk.ledger[RAISED] += 1
    commit_plain(walk, coordinates, base)


@inner
def probe_plain(walk: Walk, i: int, v: float) -> float:
    """Evaluate one coordinate's move as a whole point."""
    begin_probe(walk, i, v)
    value = value_at(walk.functions)
    before = walk.x[i]
    walk.x[i] = v
    y, raised = math.nan, False
    try:
        y = value(walk.x, walk.floats, walk.ints)
    except Exception:  # noqa: BLE001
        raised = True
    walk.x[i] = before
    return end_probe(walk, y, raised)


@inner
def accept_plain(walk: Walk, i: int, v: float, y: float) -> None:
    """Make one coordinate's move the incumbent."""
    walk.x[i] = v
    improve(walk.ledger, walk.marks, walk.curve, walk.ledger[COUNT], y)


@kernel
def start_plain(walk: Walk) -> None:
    """Prepare nothing: there is no memory."""


# An objective that evaluates moves at the cost of the touched parts.


@kernel
def moves_moving(walk: Walk, coordinates: Integers, V: NDArray[np.float64], out: Vector) -> None:
    """Ask the objective for all moves at once where it offers that, or for each one."""
    if walk.functions[HAS_MOVES] != 0:
        moves, done = moves_at(walk.functions), False
        try:
            moves(walk.x, walk.memory, walk.floats, walk.ints, coordinates, V, out)
            done = True
        except Exception:  # noqa: BLE001
            done = False
        if done:
            return
    move = move_at(walk.functions)
    for r in range(out.shape[0]):
        try:
            out[r] = move(walk.x, walk.memory, walk.floats, walk.ints, coordinates, V[r])
        except Exception:  # noqa: BLE001
            out[r] = math.nan
            walk.ledger[RAISED] += 1


@inner
def probe_moving(walk: Walk, i: int, v: float) -> float:
    """Ask the objective for one coordinate's move."""
    begin_probe(walk, i, v)
    move = move_at(walk.functions)
    y, raised = math.nan, False
    try:
        y = move(walk.x, walk.memory, walk.floats, walk.ints, walk.coordinate, walk.value)
    except Exception:  # noqa: BLE001
        raised = True
    return end_probe(walk, y, raised)


@inner
def accept_moving(walk: Walk, i: int, v: float, y: float) -> None:
    """Make one coordinate's move the incumbent; the objective's memory follows."""
    walk.coordinate[0] = i
    walk.value[0] = v
    commit = commit_at(walk.functions)
    commit(walk.x, walk.memory, walk.floats, walk.ints, walk.coordinate, walk.value)
    accept_plain(walk, i, v, y)


@kernel
def commit_moving(walk: Walk, coordinates: Integers, values: Vector) -> None:
    """Make a group's move the incumbent; the objective's memory follows."""
    commit = commit_at(walk.functions)
    commit(walk.x, walk.memory, walk.floats, walk.ints, coordinates, values)
    commit_plain(walk, coordinates, values)


@kernel
def start_moving(walk: Walk) -> None:
    """Fill the objective's memory."""
    start = start_at(walk.functions)
    start(walk.x, walk.memory, walk.floats, walk.ints)


PLAIN = Kit(rows, moves_plain, probe_plain, accept_plain, commit_plain, start_plain)
MOVING = Kit(rows, moves_moving, probe_moving, accept_moving, commit_moving, start_moving)


def kit_of(objective: CompiledObjective) -> Kit:
    """Return the loops that fit an objective."""
    return PLAIN if objective.move is None else MOVING
