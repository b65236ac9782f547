"""The books of a run, as three small arrays that Python and compiled kernels both write.

There is one truth about how much was spent and what is best, and it lives here: the evaluator keeps it for batches,
and lends the very same arrays to compiled sweeps. Fields of `ledger` (integers) and `marks` (floats) are named by
the constants below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ter._jit import kernel, merged
from ter.core.box import Box, Vector

__all__ = ["Books", "ObjectiveData", "Walk", "charge", "improve", "note_raised", "settle_rows", "take_raised"]

Integers = NDArray[np.int64]

COUNT = 0  # evaluations so far
LIMIT = 1  # the action under way ends when COUNT reaches it
PAUSE = 2  # a kernel returns to Python at its next natural break once COUNT reaches it
IMPROVED_AT = 3  # COUNT at the last improvement
PATIENCE = 4  # evaluations without improvement that end the run
NONFINITE = 5  # values that were NaN or infinite
RAISED = 6  # exceptions inside a compiled objective, not yet looked at; noted behind the fields
STOP = 7  # why the run ends (a StopReason), -1 while it goes on
CURVE_SIZE = 8  # rows in use of the curve
RAISING = 9  # whether an exception ends the action at once
BATCHED = 10  # rows of the last batch that was evaluated and booked in one compiled call
FOLLOWS = 11  # whether the walk moves to what a batch finds better than its own point
LEADS = 12  # whether the run's best point is that of the walk, and not written down yet; one of the three below
REPLACED = 13  # whether the walk's whole point was replaced, so that the objective's memory is not that of the point
INTEGER_FIELDS = 14

NOTES = 4096  # exceptions that can be noted: two integers each, the evaluation (or the row of a batch) and the address

WRITTEN = 0  # no: the best point is in `best`
AT_POINT = 1  # it is the walk's point
AT_MOVE = 2  # it is the last probe, which nobody has accepted

BEST = 0  # value of the incumbent
TARGET = 1  # the run ends when BEST reaches it
NEXT_MARK = 2  # an improvement before this count replaces the last row of the curve
FLOAT_FIELDS = 3

CACHE_LINE = 64  # bytes; vector registers read arrays that begin at one up to twice as fast

RUNNING = -1
TARGET_REACHED = 1  # StopReason.TARGET
STAGNATED = 2  # StopReason.STAGNATION

# The curve keeps the last improvement up to each count of three digits: it is exact at such counts, like the milestones
# of the suites, and its size is logarithmic in the length of a run. CURVE_ROWS rows are enough for 10**12 evaluations.
CELLS = 1_000
CURVE_ROWS = CELLS + 9 * (CELLS - CELLS // 10)


@dataclass(frozen=True, eq=False)
class Walk:
    """What a kernel sees of a run: a point to walk around, the objective's data and the books.

    All objectives share this one type, so a kernel is compiled once for all of them. To compiled code a walk is the
    address of its `places`; see :mod:`ter.engines.walk_type`.
    """

    functions: Integers  # addresses of the objective's functions; see ter.objectives.addresses
    x: Vector  # the point, moving: the incumbent, or one of the heuristic's own
    y: Vector  # one slot: its value
    best: Vector  # the best point of the run, unless `ledger[LEADS]` says that it is this walk's
    lower: Vector  # the box
    upper: Vector
    floats: Vector  # constants of the objective
    ints: Integers
    memory: Vector  # the objective's cache at x
    coordinate: Integers  # one slot: the coordinate being moved
    value: Vector  # one slot: its new value
    ledger: Integers
    marks: Vector
    curve: NDArray[np.float64]
    tape: Vector  # the values in order, for the sink; empty if nobody listens
    places: Integers = field(init=False, repr=False)  # address and length of each of these arrays
    address: int = field(init=False, repr=False)  # of the places

    def __post_init__(self) -> None:
        arrays = [getattr(self, name) for name in WALK_FIELDS]
        if not all(array.flags.carray for array in arrays):  # compiled code reads and writes them without a look
            raise ValueError("the arrays of a walk must be contiguous and writable")
        places = np.array([number for array in arrays for number in (array.ctypes.data, len(array))], dtype=np.int64)
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "address", places.ctypes.data)

    def __reduce__(self) -> tuple[type[Walk], tuple[NDArray[Any], ...]]:
        """Make a copy anew: its arrays are elsewhere."""
        return Walk, tuple(getattr(self, name) for name in WALK_FIELDS)


WALK_FIELDS = tuple(one.name for one in fields(Walk) if one.init)


class ObjectiveData(NamedTuple):
    """What kernels know of an objective; a Python objective leaves it empty."""

    functions: Integers = np.empty(0, dtype=np.int64)
    floats: Vector = np.empty(0)
    ints: Integers = np.empty(0, dtype=np.int64)
    memory: int = 0


class Books(NamedTuple):
    """The three arrays of the ledger."""

    ledger: Integers
    marks: Vector
    curve: NDArray[np.float64]

    @classmethod
    def open(cls, *, target: float | None, patience: int | None, raising: bool = True) -> Books:
        """Start new books."""
        ledger = np.zeros(INTEGER_FIELDS + 2 * NOTES, dtype=np.int64)
        ledger[PATIENCE] = np.iinfo(np.int64).max if patience is None else patience
        ledger[STOP] = RUNNING
        ledger[RAISING] = raising
        marks = np.zeros(FLOAT_FIELDS)
        marks[BEST], marks[TARGET] = math.inf, -math.inf if target is None else target
        return cls(ledger, marks, np.zeros((CURVE_ROWS, 2)))

    def walk(self, box: Box, objective: ObjectiveData, best: Vector, tape: Vector) -> Walk:
        """Begin a walk that is booked here; `best` is where the run's best point is written."""
        return Walk(
            functions=objective.functions,
            x=np.array(box.lower),
            y=np.full(1, math.inf),
            best=best,
            lower=np.array(box.lower),
            upper=np.array(box.upper),
            floats=objective.floats,
            ints=objective.ints,
            memory=aligned_zeros(objective.memory),
            coordinate=np.zeros(1, dtype=np.int64),
            value=np.zeros(1),
            ledger=self.ledger,
            marks=self.marks,
            curve=self.curve,
            tape=tape,
        )


@merged
def halt(ledger: Integers, reason: int) -> None:
    """End the run: nothing is left of any allowance. Python calls ``halt.py_func``."""
    if ledger[STOP] == RUNNING:  # the first reason stands
        ledger[STOP] = reason
    ledger[LIMIT] = ledger[COUNT]


@kernel
def note_raised(ledger: Integers, number: int, address: int) -> None:
    """Note an exception of a compiled objective: at which evaluation or row, and where it is described."""
    at = INTEGER_FIELDS + 2 * ledger[RAISED]
    ledger[at], ledger[at + 1] = number, address
    ledger[RAISED] += 1


def take_raised(ledger: Integers) -> list[tuple[int, int]]:
    """Return what was noted, and forget it.

    Examples
    --------
    >>> ledger = Books.open(target=None, patience=None).ledger
    >>> note_raised(ledger, 7, 4096)
    >>> take_raised(ledger), take_raised(ledger)
    ([(7, 4096)], [])
    """
    n = int(ledger[RAISED])
    if n == 0:
        return []
    ledger[RAISED] = 0
    return [(int(number), int(address)) for number, address in ledger[INTEGER_FIELDS:].reshape(-1, 2)[:n]]


@kernel
def charge(ledger: Integers, marks: Vector, y: float) -> float:
    """Read the value of the evaluation just counted: a finite number, or +inf for a failure."""
    if not math.isfinite(y):
        ledger[NONFINITE] += 1
        y = math.inf
    if y >= marks[BEST] and ledger[COUNT] - ledger[IMPROVED_AT] >= ledger[PATIENCE]:
        halt(ledger, STAGNATED)
    return y


@kernel
def improve(ledger: Integers, marks: Vector, curve: NDArray[np.float64], count: int, y: float) -> None:
    """Book a new best value `y`, found at evaluation number `count`."""
    marks[BEST] = y
    ledger[IMPROVED_AT] = count
    size = ledger[CURVE_SIZE]
    if size == 0 or count >= marks[NEXT_MARK]:
        if size < curve.shape[0]:
            size += 1
            ledger[CURVE_SIZE] = size
        marks[NEXT_MARK] = end_of_cell(count) + 1
    curve[size - 1, 0] = count
    curve[size - 1, 1] = y
    if y <= marks[TARGET]:
        halt(ledger, TARGET_REACHED)


@kernel
def end_of_cell(count: int) -> int:
    """Round a count up to three digits.

    Examples
    --------
    >>> end_of_cell(999), end_of_cell(120_000), end_of_cell(120_001)
    (999, 120000, 121000)
    """
    step = 1
    while count > CELLS * step:
        step *= 10
    return -(-count // step) * step


@kernel
def settle_rows(ledger: Integers, marks: Vector, curve: NDArray[np.float64], values: Vector, first: int) -> int:
    """Book a batch whose rows were evaluations ``first + 1, first + 2, ...``; return the row that is best, or -1.

    Failures among `values` are replaced by +inf.
    """
    best_row = -1
    for row in range(values.shape[0]):
        y = values[row]
        if not math.isfinite(y):
            ledger[NONFINITE] += 1
            values[row] = math.inf
        elif y < marks[BEST]:
            improve(ledger, marks, curve, first + row + 1, y)
            best_row = row
    if ledger[COUNT] - ledger[IMPROVED_AT] >= ledger[PATIENCE]:
        halt(ledger, STAGNATED)
    return best_row


@kernel
def inside(rows: NDArray[np.float64], lower: Vector, upper: Vector) -> bool:
    """Tell whether every row lies in the box; NaN does not."""
    for r in range(rows.shape[0]):
        outside = 0
        for i in range(rows.shape[1]):  # counted without a branch, so that it vectorises
            outside += 0 if (lower[i] <= rows[r, i]) & (rows[r, i] <= upper[i]) else 1
        if outside:
            return False
    return True


def aligned_zeros(n: int) -> Vector:
    """Return `n` zeros that begin at a cache line.

    Examples
    --------
    >>> aligned_zeros(3).ctypes.data % 64
    0
    """
    room = np.zeros(n + CACHE_LINE // 8)
    first = -room.ctypes.data % CACHE_LINE // 8
    return room[first : first + n]


def aligned(values: Vector) -> Vector:
    """Return a copy that begins at a cache line.

    Examples
    --------
    >>> aligned(np.array([1.0, 2.0]))
    array([1., 2.])
    """
    copy = aligned_zeros(values.size)
    copy[:] = values
    return copy
