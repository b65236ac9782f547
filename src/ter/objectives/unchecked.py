"""Reading and writing numbers in memory without the price of an array.

In compiled code ``a[at + i]`` asks first whether the index is negative, which keeps a loop from vectorising, and a view
``a[at : at + n]`` costs two atomic operations (about 10 ns). Inside an evaluator, where every offset comes from a
layout, both matter: matrix times vector took three times as long. `peek` and `poke` do neither.

A pointer is an array of which only the place in memory is left. ``p[i]`` reads and writes without questions, and
``p + n`` begins `n` numbers later. Handed to a function it is one number instead of the seven of an array, and a third
of the code to compile. It does not keep its array alive: `hold` does, where the array is one's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol

from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from ter._jit import instruction

__all__ = ["FLOATS", "INTS", "Floats", "Ints", "as_ints", "hold", "peek", "pointer", "poke"]


class Floats(Protocol):
    """A pointer to 64-bit floats, as the type checker sees it."""

    def __getitem__(self, index: int) -> float: ...
    def __setitem__(self, index: int, value: float) -> None: ...
    def __add__(self, numbers: int) -> Floats: ...


class Ints(Protocol):
    """A pointer to 64-bit integers, as the type checker sees it."""

    def __getitem__(self, index: int) -> int: ...
    def __setitem__(self, index: int, value: int) -> None: ...
    def __add__(self, numbers: int) -> Ints: ...


class PythonPointer:
    """A pointer for when nothing is compiled: an array, and where in it.

    Examples
    --------
    >>> import numpy as np
    >>> there = PythonPointer(np.arange(5.0)) + 2
    >>> there[1]
    np.float64(3.0)
    """

    def __init__(self, array: Any, at: int = 0) -> None:
        self._array, self._at = array, at

    def __getitem__(self, index: int) -> Any:
        return self._array[self._at + index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._array[self._at + index] = value

    def __add__(self, numbers: int) -> PythonPointer:
        return PythonPointer(self._array, self._at + int(numbers))

    def as_ints(self) -> PythonPointer:
        """Read the same bits as integers."""
        return PythonPointer(self._array.view("<i8"), self._at)


class Pointer(types.Type):
    """Numba's type of a pointer to numbers."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(name=f"ter.Pointer({dtype})")
        self.dtype = dtype


@register_model(Pointer)
class _PointerModel(models.PointerModel):
    """As LLVM knows it."""


FLOATS, INTS = Pointer(types.float64), Pointer(types.int64)


def _is_pointer_and_number(pointer: Any, number: Any) -> bool:
    return isinstance(pointer, Pointer) and isinstance(number, types.Integer)


@type_callable(operator.getitem)
def _type_of_item(context: Any) -> Any:
    return lambda pointer, index: pointer.dtype if _is_pointer_and_number(pointer, index) else None


@type_callable(operator.setitem)
def _type_of_writing(context: Any) -> Any:
    return lambda pointer, index, value: types.none if _is_pointer_and_number(pointer, index) else None


@type_callable(operator.add)
def _type_of_sum(context: Any) -> Any:
    return lambda pointer, number: pointer if _is_pointer_and_number(pointer, number) else None


def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    index = context.cast(builder, values[1], signature.args[1], types.intp)
    return builder.gep(values[0], [index], inbounds=True)


def _read(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return builder.load(_place(context, builder, signature, values))


def _write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    value = context.cast(builder, values[2], signature.args[2], signature.args[0].dtype)
    builder.store(value, _place(context, builder, signature, values))
    return context.get_dummy_value()


_lower: Any = lower_builtin
_lower(operator.getitem, Pointer, types.Integer)(_read)
_lower(operator.setitem, Pointer, types.Integer, types.Number)(_write)
_lower(operator.add, Pointer, types.Integer)(_place)


def _pointer(typing: Any, array: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, values[0]).data

    return Pointer(array.dtype)(array), emit


def _as_ints(typing: Any, floats: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], context.get_value_type(INTS))

    return INTS(floats), emit


def _hold(typing: Any, array: Any) -> Any:
    return types.none(array), lambda context, builder, signature, values: context.get_dummy_value()


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index], inbounds=True)


def _peek(typing: Any, array: Any, index: Any) -> Any:
    if isinstance(array, Pointer):
        return array.dtype(array, types.intp), _read

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        return context.unpack_value(builder, kind.dtype, _address(context, builder, kind, *values))

    return array.dtype(array, types.intp), emit


def _poke(typing: Any, array: Any, index: Any, value: Any) -> Any:
    if isinstance(array, Pointer):
        return types.void(array, types.intp, array.dtype), _write

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        context.pack_value(builder, kind.dtype, values[2], _address(context, builder, kind, *values[:2]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), emit


# peek(array, index) is array[index], and poke(array, index, value) writes it, for an index that is known to be inside.
# Both take pointers as well.
peek: Callable[[Any, int], Any] = instruction(_peek, operator.getitem)
poke: Callable[[Any, int, float], None] = instruction(_poke, operator.setitem)
# pointer(array) points to its first number; the rows of a matrix follow each other. hold(array) does nothing, after
# whatever used a pointer to it.
pointer: Callable[[Any], Any] = instruction(_pointer, lambda array: PythonPointer(array.reshape(-1)))
hold: Callable[[Any], None] = instruction(_hold, lambda array: None)
as_ints: Callable[[Floats], Ints] = instruction(_as_ints, lambda floats: floats.as_ints())
