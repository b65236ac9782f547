"""The functions of a compiled objective as addresses, so that one compiled loop serves all objectives.

Numba caches no function that is made at run time, so a loop built around each objective would be compiled in each
process. The loops are therefore ordinary kernels that get the objective's functions as data. Numba's own way to hand
over a function costs 35 microseconds or more per function and call. Here the address of its machine code is looked up
once, and a kernel makes a function of fixed type of it: by `value_at` and the like, or on entry, from an argument of
type `Addressed`. Exceptions come through as from any other call. Where nothing is compiled, the addresses are those of
Python functions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, unbox

from ter._jit import COMPILING, function_at, instruction
from ter.core.errors import ObjectiveError
from ter.core.ledger import Integers

__all__ = [
    "COMMIT",
    "INTEGERS",
    "MATRIX",
    "MOVE",
    "MOVES",
    "START",
    "VALUE",
    "VALUES",
    "VECTOR",
    "Addressed",
    "Functions",
    "address_of",
    "commit_at",
    "move_at",
    "moves_at",
    "start_at",
    "value_at",
    "values_at",
]

VECTOR = types.Array(types.float64, 1, "C")
INTEGERS = types.Array(types.int64, 1, "C")
MATRIX = types.Array(types.float64, 2, "C")

VALUE = types.FunctionType(types.float64(VECTOR, VECTOR, INTEGERS))
START = types.FunctionType(types.void(VECTOR, VECTOR, VECTOR, INTEGERS))
MOVE = types.FunctionType(types.float64(VECTOR, VECTOR, VECTOR, INTEGERS, INTEGERS, VECTOR))
COMMIT = types.FunctionType(types.void(VECTOR, VECTOR, VECTOR, INTEGERS, INTEGERS, VECTOR))
VALUES = types.FunctionType(types.void(MATRIX, VECTOR, INTEGERS, VECTOR))
MOVES = types.FunctionType(types.void(VECTOR, VECTOR, VECTOR, INTEGERS, INTEGERS, MATRIX, VECTOR))
KINDS = (VALUE, START, MOVE, COMMIT, VALUES, MOVES)
HAS_MOVE, HAS_VALUES, HAS_MOVES = 2, 4, 5  # places among the addresses; 0 where there is no such function


class Functions(NamedTuple):
    """An objective's functions, compiled for their fixed types."""

    addresses: Integers  # of value, start, move, commit, values, moves; 0 where there is none
    owners: tuple[Any, ...]  # machine code lives as long as its function does

    @classmethod
    def of(cls, *functions: Any) -> Functions:
        """Compile what is given, in the order of `KINDS`; what is cached is only read."""
        owners = tuple(
            None if function is None else _exact(function, kind)
            for function, kind in zip(functions, KINDS, strict=True)
        )
        addresses = [address_of(function, kind) for function, kind in zip(owners, KINDS, strict=True)]
        return cls(np.array(addresses, dtype=np.int64), owners)


def _exact(function: Any, kind: types.FunctionType) -> Any:
    """Compile a function and return it, or a twin of it if it knows other types only."""
    if not COMPILING:
        return function
    arguments, wanted = kind.signature.args, kind.signature.return_type
    compiled = _compiled(function, kind) if function._can_compile else function.overloads.get(arguments)
    returned = None if compiled is None else compiled.signature.return_type
    if returned == wanted:
        return function
    if returned is not None and wanted == types.none:
        raise ObjectiveError(
            f"start, commit, values and moves must return nothing, got {returned} from {function.__name__}"
        )
    twin: Any = numba.jit(**function.targetoptions)(function.py_func)
    twin.compile(kind.signature)  # with this type of result: a whole number becomes a float
    return twin


def address_of(function: Any, kind: types.FunctionType) -> int:
    """Return the address of a function, compiled if need be; 0 for None. It is good as long as the function lives."""
    if function is None:
        return 0
    if not COMPILING:
        return id(function)
    compiled = _compiled(function, kind)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _compiled(function: Any, kind: types.FunctionType) -> Any:
    arguments = kind.signature.args
    if arguments not in function.overloads:
        function.compile(arguments)
    return function.overloads[arguments]


def _function(context: Any, builder: Any, kind: types.FunctionType, address: Any) -> Any:
    function = cgutils.create_struct_proxy(kind)(context, builder)  # type: ignore[no-untyped-call]
    function.jit_addr = address
    return function._getvalue()


def _at(kind: types.FunctionType, place: int) -> Any:
    """Return the instruction that makes a first-class function of an address."""

    def at(typing_context: Any, addresses: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(addresses)(context, builder, args[0])
            address = builder.load(builder.gep(array.data, [context.get_constant(types.intp, place)]))
            return _function(context, builder, kind, builder.inttoptr(address, cgutils.voidptr_t))

        return kind(addresses), code

    return instruction(at, lambda addresses: function_at(addresses[place]))


value_at, start_at, move_at, commit_at, values_at, moves_at = (_at(kind, place) for place, kind in enumerate(KINDS))


class Addressed(types.FunctionType):
    """A first-class function that Python hands over as its address, a whole number."""


register_model(Addressed)(FunctionModel)


@unbox(Addressed)  # type: ignore[no-untyped-call, untyped-decorator]
def _unbox_addressed(kind: Addressed, address: Any, c: Any) -> NativeValue:
    function = _function(c.context, c.builder, kind, c.pyapi.long_as_voidptr(address))
    return NativeValue(function)  # type: ignore[no-untyped-call]
