"""The compiled functions that several others share, called by their addresses.

Numba compiles the whole of a function into each of its callers. Where many share a large one, that is most of the time
of a first start. A function called by its address is compiled once, and only if a part of the benchmark function needs
it. The addresses stand at the beginning of `ints`, where `ter.benchmarks.objective` writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numba import types
from numba.core import cgutils

from ter._jit import function_at, instruction
from ter.benchmarks.definitions import Base, Transform
from ter.objectives.unchecked import FLOATS, INTS

__all__ = [
    "SLOTS",
    "Slot",
    "call_commit_move",
    "call_commit_part",
    "call_evaluate",
    "call_evaluate_moves",
    "call_evaluate_rows",
    "call_fill_part",
    "call_fill_tree",
    "call_finish",
    "call_fold",
    "call_multiply",
    "call_new_terms",
    "call_positions_by_part",
    "call_rotate",
    "call_rotate_known",
    "call_rotate_pair",
    "call_shift",
    "call_square_sums",
    "call_sum_blocks",
    "call_term",
    "call_terms",
    "call_transform",
    "call_transform_one",
    "call_try_part",
    "call_try_rotated",
]

VOID, BOOL, INT, FLOAT = types.void, types.boolean, types.int64, types.float64
PAIR = types.UniTuple(FLOAT, 2)  # type: ignore[no-untyped-call]


class Slot(NamedTuple):
    """Where the address of a function stands in `ints`, and the types of its arguments and its result."""

    place: int
    signature: Any


EVALUATE: Final = Slot(0, FLOAT(FLOATS, FLOATS, INTS, FLOATS, FLOATS))
EVALUATE_ROWS: Final = Slot(1, VOID(FLOATS, INT, INT, FLOATS, INTS, FLOATS, FLOATS))
SHIFT: Final = Slot(2, VOID(FLOATS, FLOATS, INTS, INTS, FLOATS))
FINISH: Final = Slot(3, VOID(FLOATS, INTS, INT, INT, FLOATS, FLOATS))
FILL_PART: Final = Slot(4, FLOAT(FLOATS, FLOATS, FLOATS, INTS, INT))
COMMIT_MOVE: Final = Slot(5, VOID(FLOATS, FLOATS, FLOATS, INTS, INTS, INT, FLOATS, FLOATS, INTS))
COMMIT_PART: Final = Slot(6, FLOAT(FLOATS, FLOATS, FLOATS, INTS, INT, INTS, INT))
POSITIONS_BY_PART: Final = Slot(7, VOID(INTS, INTS, INT, INTS, INTS))
EVALUATE_MOVES: Final = Slot(8, VOID(FLOATS, INT, FLOATS, FLOATS, INTS, INTS, INT, FLOATS, INT, FLOATS, INTS, FLOATS))
# for rotated parts
ROTATE: Final = Slot(9, VOID(FLOATS, INT, FLOATS, FLOATS, INT, FLOATS))
ROTATE_PAIR: Final = Slot(10, VOID(FLOATS, INT, FLOATS, FLOATS, FLOATS, INT, FLOATS, FLOATS))
ROTATE_KNOWN: Final = Slot(11, VOID(FLOATS, FLOATS, FLOATS, INTS, INTS, INT))
MULTIPLY: Final = Slot(12, VOID(FLOATS, FLOATS, FLOATS, INTS, INTS, INT))
TRY_ROTATED: Final = Slot(13, VOID(FLOATS, FLOATS, BOOL, FLOATS, FLOATS, INTS, INTS, FLOATS, FLOATS))
# for the others
NEW_TERMS: Final = Slot(14, INT(FLOATS, FLOATS, FLOATS, INTS, INTS, INTS, INT))
TRY_PART: Final = Slot(15, FLOAT(FLOATS, FLOATS, FLOATS, INTS, INT, INTS, INT))
FOLD: Final = Slot(16, FLOAT(INT, FLOATS, INT, INT))
FILL_TREE: Final = Slot(17, VOID(INT, FLOATS, INT, INT))
# for Schwefel 1.2
SUM_BLOCKS: Final = Slot(18, VOID(FLOATS, FLOATS, INT, INT, INT))
SQUARE_SUMS: Final = Slot(19, FLOAT(INTS, FLOATS, INT, INT))
# one function for each transformation, from here on
TRANSFORM: Final = Slot(20, VOID(FLOATS, INT, FLOATS, FLOATS, FLOATS))
TRANSFORM_ONE: Final = Slot(TRANSFORM.place + len(Transform), FLOAT(FLOAT, FLOAT, FLOAT))
# one function for each base function, from here on
TERMS: Final = Slot(TRANSFORM_ONE.place + len(Transform), VOID(FLOATS, INT, FLOATS, FLOATS))
TERM: Final = Slot(TERMS.place + len(Base), PAIR(FLOAT, FLOAT))
SLOTS: Final = TERM.place + len(Base)


def _tuple_of(args: Any) -> Any:
    return types.StarArgTuple.from_types(args)  # type: ignore[no-untyped-call]


def _call(context: Any, builder: Any, address: Any, signature: Any, given: Any, values: Any) -> Any:
    """Call a function as Numba calls functions: an exception goes on to the caller."""
    convention, returned, wanted = context.call_conv, signature.return_type, signature.args
    unpacked = cgutils.unpack_tuple(builder, values)  # type: ignore[no-untyped-call]
    exact = [context.cast(builder, *own) for own in zip(unpacked, given, wanted, strict=True)]
    function = builder.inttoptr(address, convention.get_function_type(returned, wanted).as_pointer())
    status, result = convention.call_function(builder, function, returned, wanted, exact)
    with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
        convention.return_status_propagate(builder, status)
    return result


def _caller(slot: Slot) -> Any:
    """Return an instruction ``call(ints, *args)`` that calls the function of a slot from compiled code."""

    def call(typing: Any, ints: Any, *args: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            place = builder.gep(values[0], [context.get_constant(types.intp, slot.place)])
            return _call(context, builder, builder.load(place), slot.signature, args, values[1])

        return slot.signature.return_type(ints, _tuple_of(args)), emit

    return instruction(call, lambda ints, *args: function_at(ints[slot.place])(*args))


def _caller_of_kind(slot: Slot) -> Any:
    """Return an instruction ``call(ints, kind, *args)``: so many slots later stands the function of each kind."""

    def call(typing: Any, ints: Any, kind: Any, *args: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            place = builder.add(values[1], context.get_constant(types.intp, slot.place))
            address = builder.load(builder.gep(values[0], [place]))
            return _call(context, builder, address, slot.signature, args, values[2])

        return slot.signature.return_type(ints, types.intp, _tuple_of(args)), emit

    return instruction(call, lambda ints, kind, *args: function_at(ints[slot.place + kind])(*args))


call_evaluate: Callable[..., float] = _caller(EVALUATE)
call_evaluate_rows: Callable[..., None] = _caller(EVALUATE_ROWS)
call_shift: Callable[..., None] = _caller(SHIFT)
call_finish: Callable[..., None] = _caller(FINISH)
call_fill_part: Callable[..., float] = _caller(FILL_PART)
call_commit_move: Callable[..., None] = _caller(COMMIT_MOVE)
call_commit_part: Callable[..., float] = _caller(COMMIT_PART)
call_positions_by_part: Callable[..., None] = _caller(POSITIONS_BY_PART)
call_evaluate_moves: Callable[..., None] = _caller(EVALUATE_MOVES)
call_rotate: Callable[..., None] = _caller(ROTATE)
call_rotate_pair: Callable[..., None] = _caller(ROTATE_PAIR)
call_rotate_known: Callable[..., None] = _caller(ROTATE_KNOWN)
call_multiply: Callable[..., None] = _caller(MULTIPLY)
call_try_rotated: Callable[..., None] = _caller(TRY_ROTATED)
call_new_terms: Callable[..., int] = _caller(NEW_TERMS)
call_try_part: Callable[..., float] = _caller(TRY_PART)
call_fold: Callable[..., float] = _caller(FOLD)
call_fill_tree: Callable[..., None] = _caller(FILL_TREE)
call_sum_blocks: Callable[..., None] = _caller(SUM_BLOCKS)
call_square_sums: Callable[..., float] = _caller(SQUARE_SUMS)
call_transform: Callable[..., None] = _caller_of_kind(TRANSFORM)
call_transform_one: Callable[..., float] = _caller_of_kind(TRANSFORM_ONE)
call_terms: Callable[..., None] = _caller_of_kind(TERMS)
call_term: Callable[..., tuple[float, float]] = _caller_of_kind(TERM)
