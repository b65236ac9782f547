"""Reading and writing arrays at an offset, without the price of a view.

In compiled code ``a[at + i]`` asks first whether the index is negative, which keeps a loop from vectorising, and a view
``a[at : at + n]`` costs two atomic operations (about 10 ns). Inside the evaluator, where every offset comes from a
layout, both matter: matrix times vector took three times as long. `peek` and `poke` do neither.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["peek", "poke"]


@intrinsic
def peek(typing_context: Any, array: Any, index: Any) -> Any:
    """``peek(array, index)`` is ``array[index]`` for an index that is known to be inside."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        data = context.make_array(kind)(context, builder, arguments[0]).data
        return context.unpack_value(builder, kind.dtype, cgutils.gep_inbounds(builder, data, arguments[1]))

    return array.dtype(array, types.intp), emit


@intrinsic
def poke(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """``poke(array, index, value)`` writes ``array[index]`` for an index that is known to be inside."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        data = context.make_array(kind)(context, builder, arguments[0]).data
        context.pack_value(builder, kind.dtype, arguments[2], cgutils.gep_inbounds(builder, data, arguments[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), emit
