"""The compiled loops around an objective, the same for all compiled objectives and cached.

They find the objective's functions in ``walk.functions``: a move is asked for where the objective offers moves, and
otherwise written into the point and taken back. What an objective raises is noted in the ledger, and the evaluator
makes an exception of it.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from ter._jit import inner, kernel, merged
from ter.core.box import Vector
from ter.core.ledger import (
    AT_MOVE,
    AT_POINT,
    BATCHED,
    BEST,
    COUNT,
    FOLLOWS,
    LEADS,
    LIMIT,
    NOTES,
    PAUSE,
    RAISED,
    RAISING,
    REPLACED,
    RUNNING,
    STOP,
    WRITTEN,
    Integers,
    Walk,
    charge,
    improve,
    inside,
    note_raised,
    settle_rows,
)
from ter.engines.walk_type import WALK
from ter.objectives.addresses import (
    HAS_MOVE,
    HAS_MOVES,
    HAS_VALUES,
    INTEGERS,
    MATRIX,
    VECTOR,
    Addressed,
    commit_at,
    moves_at,
    start_at,
    values_at,
)
from ter.objectives.noted import move_noted, value_noted

__all__ = [
    "ACCEPT",
    "BATCH",
    "OUTSIDE",
    "PROBE",
    "WALK",
    "Overspent",
    "accept",
    "book_batch",
    "commit",
    "evaluate_moves",
    "evaluate_rows",
    "probe",
    "start",
]

Matrix = NDArray[np.float64]

PROBE = Addressed(types.float64(WALK, types.int64, types.float64))
ACCEPT = Addressed(types.void(WALK, types.int64, types.float64, types.float64))
BATCH = Addressed(types.int64(WALK, INTEGERS, MATRIX, VECTOR))
OUTSIDE = -1  # a row lies outside the box; nothing was done


class Overspent(Exception):
    """What AllowanceSpent is in compiled code, which knows no BaseException."""


@kernel
def start(walk: Walk) -> None:
    """Fill the objective's memory at the walk's point, if it has one."""
    if walk.functions[HAS_MOVE] != 0:
        fill = start_at(walk.functions)
        fill(walk.x, walk.memory, walk.floats, walk.ints)


@kernel
def evaluate_rows(walk: Walk, X: Matrix, out: Vector) -> None:
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
    for r in range(out.shape[0]):
        out[r], raised = value_noted(walk.functions, X[r], walk.floats, walk.ints)
        if raised:
            note_raised(walk.ledger, r, raised)


@kernel
def evaluate_moves(walk: Walk, coordinates: Integers, V: Matrix, out: Vector) -> None:
    """Evaluate moves: all at once where the objective offers it, one by one, or as whole points."""
    if walk.functions[HAS_MOVES] != 0:
        moves, done = moves_at(walk.functions), False
        try:
            moves(walk.x, walk.memory, walk.floats, walk.ints, coordinates, V, out)
            done = True
        except Exception:  # noqa: BLE001
            done = False
        if done:
            return
    if walk.functions[HAS_MOVE] != 0:
        for r in range(out.shape[0]):
            out[r], raised = move_noted(walk.functions, walk.x, walk.memory, walk.floats, walk.ints, coordinates, V[r])
            if raised:
                note_raised(walk.ledger, r, raised)
        return
    before = np.empty(coordinates.shape[0])
    for k in range(coordinates.shape[0]):
        before[k] = walk.x[coordinates[k]]
    for r in range(out.shape[0]):
        write(walk.x, coordinates, V[r])
        out[r], raised = value_noted(walk.functions, walk.x, walk.floats, walk.ints)
        if raised:
            note_raised(walk.ledger, r, raised)
    write(walk.x, coordinates, before)


@inner
def write_point(target: Vector, point: Vector) -> None:
    """Copy a point; Numba's own assignment to a slice takes two seconds to compile."""
    for i in range(point.shape[0]):
        target[i] = point[i]


@merged
def write(x: Vector, coordinates: Integers, values: Vector) -> None:
    """Replace coordinates of a point."""
    for k in range(coordinates.shape[0]):
        x[coordinates[k]] = values[k]


@kernel
def commit(walk: Walk, coordinates: Integers, values: Vector) -> None:
    """Move the walk's point; the objective's memory follows."""
    if walk.functions[HAS_MOVE] != 0:
        follow = commit_at(walk.functions)
        follow(walk.x, walk.memory, walk.floats, walk.ints, coordinates, values)
    write(walk.x, coordinates, values)


# Which point is the best of the run. It is written down when the walk leaves it, not when it is found: that takes D
# steps, and a walk that improves step by step never leaves it.


@inner
def write_best(walk: Walk) -> None:
    """Write the run's best point down, if it is where this walk is, or where it has looked last."""
    if walk.ledger[LEADS] != WRITTEN:
        write_point(walk.best, walk.x)
        if walk.ledger[LEADS] == AT_MOVE:
            walk.best[walk.coordinate[0]] = walk.value[0]
        walk.ledger[LEADS] = WRITTEN


# One move at a time


@merged
def coordinate_of(walk: Walk, i: int) -> int:
    """Check a coordinate: objectives read and write their memory without a look."""
    dimension = walk.x.shape[0]
    if not -dimension <= i < dimension:
        raise IndexError("a kernel must move a coordinate that the point has")
    return i + dimension if i < 0 else i


@merged
def value_in_box(walk: Walk, i: int, v: float) -> float:
    """Move a coordinate's new value to the border of the box if it is outside; NaN becomes the old value."""
    if v < walk.lower[i]:
        v = walk.lower[i]
    if v > walk.upper[i]:
        v = walk.upper[i]
    if math.isnan(v):
        v = walk.x[i]
    return v


@inner
def probe(walk: Walk, i: int, v: float) -> float:
    """Count and evaluate one coordinate's move."""
    if walk.ledger[LEADS] == AT_MOVE:  # better, and not accepted
        write_best(walk)
    if walk.ledger[COUNT] >= walk.ledger[LIMIT]:  # a kernel that does not look itself
        raise Overspent
    i = coordinate_of(walk, i)
    v = value_in_box(walk, i, v)
    walk.ledger[COUNT] += 1
    walk.coordinate[0] = i
    walk.value[0] = v
    if walk.functions[HAS_MOVE] != 0:
        y, raised = move_noted(walk.functions, walk.x, walk.memory, walk.floats, walk.ints, walk.coordinate, walk.value)
    else:
        before = walk.x[i]
        walk.x[i] = v
        y, raised = value_noted(walk.functions, walk.x, walk.floats, walk.ints)
        walk.x[i] = before
    if raised:
        note_exception(walk, raised)
    if walk.tape.shape[0] > 0:
        walk.tape[(walk.ledger[COUNT] - 1) % walk.tape.shape[0]] = y
    y = charge(walk.ledger, walk.marks, y)
    if y < walk.marks[BEST]:
        improve(walk.ledger, walk.marks, walk.curve, walk.ledger[COUNT], y)
        walk.ledger[LEADS] = AT_MOVE
    return y


@merged
def note_exception(walk: Walk, address: int) -> None:
    """Note what a move raised; the evaluator looks into it at the next break."""
    ledger = walk.ledger
    note_raised(ledger, ledger[COUNT], address)
    ledger[PAUSE] = ledger[COUNT]
    if ledger[RAISING] or ledger[RAISED] >= NOTES:  # there is no room for more, in a kernel that does not pause
        ledger[LIMIT] = ledger[COUNT]


@inner
def accept(walk: Walk, i: int, v: float, y: float) -> None:
    """Move to where one coordinate is another; the objective's memory follows."""
    i = coordinate_of(walk, i)
    v = value_in_box(walk, i, v)
    ledger = walk.ledger
    if ledger[LEADS] == AT_MOVE and walk.coordinate[0] == i and walk.value[0] == v:
        ledger[LEADS] = AT_POINT
    else:
        write_best(walk)
        walk.coordinate[0] = i
        walk.value[0] = v
    if walk.functions[HAS_MOVE] != 0:
        follow = commit_at(walk.functions)
        follow(walk.x, walk.memory, walk.floats, walk.ints, walk.coordinate, walk.value)
    walk.x[i] = v
    walk.y[0] = y


# Batches, from the grant to the books in one call: a generation of cooperative coevolution has a dozen moves that cost
# a microsecond each, and going through Python for each of these steps cost more than the moves.


@merged
def granted(ledger: Integers, wanted: int) -> int:
    """Count what the allowance grants, before it is evaluated."""
    if ledger[STOP] != RUNNING:
        return 0
    left = ledger[LIMIT] - ledger[COUNT]
    n = int(max(0, min(wanted, left)))
    ledger[COUNT] += n
    return n


@merged
def settled(walk: Walk, values: Vector, n: int) -> int:
    """Book the first `n` values, and call the others infinite; return the row of the run's new best or -1."""
    best = settle_rows(walk.ledger, walk.marks, walk.curve, values[:n], walk.ledger[COUNT] - n)
    if walk.ledger[STOP] != RUNNING:
        walk.ledger[LIMIT] = walk.ledger[COUNT]
    for r in range(n, values.shape[0]):
        values[r] = math.inf
    return best


@kernel
def lowest(values: Vector) -> int:
    """Return the row of the lowest value, the first of equal ones; -1 if there is none."""
    row = -1
    for r in range(values.shape[0]):
        if row < 0 or values[r] < values[row]:
            row = r
    return row


@kernel
def book_batch(walk: Walk, coordinates: Integers, rows: Matrix, values: Vector) -> int:
    """Evaluate and book points, or moves of the walk's point if coordinates are named; go to the best one.

    Returns how many were evaluated, or OUTSIDE. A coordinate that does not exist counts as outside, too.
    """
    n = granted(walk.ledger, rows.shape[0])
    if not all_inside(walk, coordinates, rows[:n]):
        walk.ledger[COUNT] -= n
        return OUTSIDE
    walk.ledger[BATCHED] = n
    if coordinates.shape[0] == 0:
        evaluate_rows(walk, rows, values[:n])
    else:
        evaluate_moves(walk, coordinates, rows, values[:n])
    for r in range(n if walk.tape.shape[0] > 0 else 0):
        walk.tape[(walk.ledger[COUNT] - n + r) % walk.tape.shape[0]] = values[r]
    best = settled(walk, values, n)
    row = lowest(values[:n])
    if walk.ledger[FOLLOWS] and row >= 0 and values[row] < walk.y[0]:
        if row != best:
            write_best(walk)
        go_to(walk, coordinates, rows[row])
        walk.y[0] = values[row]
        if row == best:
            walk.ledger[LEADS] = AT_POINT
    elif best >= 0:
        write_row(walk, coordinates, rows[best])
    return n


@merged
def go_to(walk: Walk, coordinates: Integers, row: Vector) -> None:
    """Make a row of a batch the walk's point."""
    if coordinates.shape[0] == 0:
        write_point(walk.x, row)
        walk.ledger[REPLACED] = 1
    else:
        commit(walk, coordinates, row)


@merged
def write_row(walk: Walk, coordinates: Integers, row: Vector) -> None:
    """Write a row of a batch down as the run's best point."""
    if coordinates.shape[0] == 0:
        write_point(walk.best, row)
    else:
        write_point(walk.best, walk.x)
        write(walk.best, coordinates, row)
    walk.ledger[LEADS] = WRITTEN


@merged
def all_inside(walk: Walk, coordinates: Integers, rows: Matrix) -> bool:
    """Tell whether points or moves lie in the box."""
    if coordinates.shape[0] == 0:
        return inside(rows, walk.lower, walk.upper)
    dimension = walk.lower.shape[0]
    for k in range(coordinates.shape[0]):
        c = coordinates[k]
        if not 0 <= c < dimension:
            return False
        for r in range(rows.shape[0]):
            if not walk.lower[c] <= rows[r, k] <= walk.upper[c]:
                return False
    return True
