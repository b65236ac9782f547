"""Reading and writing arrays at an offset, without the price of a view.

In compiled code ``a[at + i]`` asks first whether the index is negative, which keeps a loop from vectorising, and a view
``a[at : at + n]`` costs two atomic operations (about 10 ns). Inside the evaluator, where every offset comes from a
layout, both matter: matrix times vector took three times as long. `peek` and `poke` do neither.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import types

from ter._jit import instruction

__all__ = ["peek", "poke"]


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index], inbounds=True)


def _peek(typing: Any, array: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        return context.unpack_value(builder, kind.dtype, _address(context, builder, kind, *values))

    return array.dtype(array, types.intp), emit


def _poke(typing: Any, array: Any, index: Any, value: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        context.pack_value(builder, kind.dtype, values[2], _address(context, builder, kind, *values[:2]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), emit


# peek(array, index) is array[index], and poke(array, index, value) writes it, for an index that is known to be inside.
peek: Callable[[Any, int], Any] = instruction(_peek, operator.getitem)
poke: Callable[[Any, int, float], None] = instruction(_poke, operator.setitem)
