"""Calls of a compiled objective that note what it raised instead of raising it.

Compiled code that catches an exception does not know which one it was, and to call again from Python would be an
evaluation that nobody counted. But a compiled function that raises returns the address of a description: the pickled
class, its arguments, and the place in the source. `value_noted` and `move_noted` return that address beside the value,
and `exception_at` makes the exception of it. Where nothing is compiled, the address is that of the exception itself.
"""

from __future__ import annotations

import ctypes
import math
import traceback
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import serialize

from ter._jit import COMPILING, function_at, instruction
from ter.core.errors import Aborted
from ter.objectives.addresses import HAS_MOVE, MOVE, VALUE

__all__ = ["exception_at", "move_noted", "value_noted"]

NOTED = types.Tuple((types.float64, types.int64))  # type: ignore[no-untyped-call]
UNKNOWN = 1  # an address where nothing is: Numba has no description of what was raised


def _code(kind: types.FunctionType, place: int) -> Callable[..., Any]:
    """Return what emits the call of the function at this place among the addresses."""
    returned, arguments = kind.signature.return_type, kind.signature.args

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        addresses = context.make_array(signature.args[0])(context, builder, args[0])
        address = builder.load(builder.gep(addresses.data, [context.get_constant(types.intp, place)]))
        convention = context.call_conv
        pointer = convention.get_function_type(returned, arguments).as_pointer()
        status, y = convention.call_function(
            builder, builder.inttoptr(address, pointer), returned, arguments, list(args[1:])
        )
        integer, number = ir.IntType(64), ir.DoubleType()
        described = builder.ptrtoint(status.excinfoptr, integer)
        what = builder.select(status.is_user_exc, described, ir.Constant(integer, UNKNOWN))
        raised = builder.select(status.is_error, what, ir.Constant(integer, 0))
        y = builder.select(status.is_error, ir.Constant(number, math.nan), y)
        return context.make_tuple(builder, NOTED, [y, raised])

    return code


def _python(place: int) -> Callable[..., tuple[float, int]]:
    """Return the twin for when nothing is compiled; it holds the exception until `exception_at` takes it."""

    def noted(addresses: Any, *args: Any) -> tuple[float, int]:
        try:
            return function_at(addresses[place])(*args), 0
        except Aborted:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is noted
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(error))
            return math.nan, id(error)

    return noted


def _emit_value(typing_context: Any, addresses: Any, x: Any, floats: Any, ints: Any) -> Any:
    return NOTED(addresses, x, floats, ints), _code(VALUE, 0)


def _emit_move(
    typing_context: Any, addresses: Any, x: Any, memory: Any, floats: Any, ints: Any, coordinates: Any, values: Any
) -> Any:
    return NOTED(addresses, x, memory, floats, ints, coordinates, values), _code(MOVE, HAS_MOVE)


value_noted = instruction(_emit_value, _python(0))
move_noted = instruction(_emit_move, _python(HAS_MOVE))


class _Description(ctypes.Structure):
    """What Numba's compiled functions return the address of; see ``numba.core.callconv``."""

    _fields_ = (
        ("pickled", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("arguments", ctypes.c_void_p),  # those that were known at run time only
        ("unwrap", ctypes.c_void_p),  # makes a tuple of them
        ("n_arguments", ctypes.c_int32),
    )


def exception_at(address: int) -> tuple[BaseException, str]:
    """Make the exception that was noted, and its traceback as text.

    Examples
    --------
    >>> exception_at(1)[0]
    RuntimeError('the compiled objective raised an exception that Numba cannot tell')
    """
    if address == UNKNOWN:
        error: BaseException = RuntimeError("the compiled objective raised an exception that Numba cannot tell")
        return error, "".join(traceback.format_exception_only(error))
    if not COMPILING:
        held: Any = function_at(address)
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(held))
        return held, "".join(traceback.format_exception(held))
    described = _Description.from_address(address)
    pickled = ctypes.string_at(described.pickled, described.size)
    if described.n_arguments > 0:
        unwrap = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(described.unwrap)
        kind, args, place = serialize.runtime_build_excinfo_struct(pickled, unwrap(described.arguments))  # type: ignore[no-untyped-call]
    else:
        kind, args, place = serialize.loads(pickled)
    return _made(kind, args, place)


def _made(kind: type[BaseException] | None, args: tuple[Any, ...] | None, place: Any) -> tuple[BaseException, str]:
    try:
        error = RuntimeError("No active exception to reraise") if kind is None else kind(*(args or ()))
    except Exception as refused:  # noqa: BLE001 - a class that wants other arguments: compiled code did not look
        error = refused
    where = "" if place is None else f'  File "{place[1]}", line {place[2]}, in {place[0]}\n'
    return error, f"Traceback (most recent call last):\n{where}{''.join(traceback.format_exception_only(error))}"
