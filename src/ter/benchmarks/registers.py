"""Four numbers in one vector register, for the innermost loop of a matrix times a vector.

LLVM vectorises loops over arrays by itself, but it keeps running sums of several rows in memory instead of in
registers: the product with a 50 x 50 matrix took 480 ns that way and takes 220 ns with these instructions. They work on
any processor; where registers are shorter, LLVM splits them.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import models, register_model

from ter._jit import instruction
from ter.benchmarks.instructions import fused
from ter.objectives.unchecked import FLOATS

__all__ = ["Four", "add4", "fma4", "load4", "mul4", "splat4", "store4", "sum4"]

LANES = 4
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_UNDEFINED = ir.Constant(_VECTOR, ir.Undefined)
_FIRST_LANE = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)

Four = Any  # what the type checker sees


class _FourType(types.Type):
    """Numba's type of four float64 in a register."""

    def __init__(self) -> None:
        super().__init__(name="ter.Four")


@register_model(_FourType)
class _FourModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


_four = _FourType()


def _place(builder: Any, pointer: Any, index: Any) -> Any:
    return builder.bitcast(builder.gep(pointer, [index], inbounds=True), _VECTOR.as_pointer())


def _load4(typing: Any, pointer: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_place(builder, *values), align=8)

    return _four(FLOATS, types.intp), emit


def _store4(typing: Any, pointer: Any, index: Any, value: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.store(values[2], _place(builder, *values[:2]), align=8)
        return context.get_dummy_value()

    return types.void(FLOATS, types.intp, _four), emit


def _splat4(typing: Any, x: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        first = builder.insert_element(_UNDEFINED, values[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, _UNDEFINED, _FIRST_LANE)

    return _four(types.float64), emit


def _mul4(typing: Any, a: Any, b: Any) -> Any:
    return _four(_four, _four), lambda context, builder, signature, values: builder.fmul(*values)


def _add4(typing: Any, a: Any, b: Any) -> Any:
    return _four(_four, _four), lambda context, builder, signature, values: builder.fadd(*values)


def _fma4(typing: Any, a: Any, b: Any, c: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        return builder.call(builder.module.declare_intrinsic("llvm.fma.v4f64", (), kind), values)

    return _four(_four, _four, _four), emit


def _sum4(typing: Any, a: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lanes = [builder.extract_element(values[0], ir.IntType(32)(lane)) for lane in range(LANES)]
        return builder.fadd(builder.fadd(lanes[0], lanes[2]), builder.fadd(lanes[1], lanes[3]))

    return types.float64(_four), emit


def _load4_python(pointer: Any, index: int) -> Any:
    return np.array([pointer[index + lane] for lane in range(LANES)])


def _store4_python(pointer: Any, index: int, four: Any) -> None:
    for lane in range(LANES):
        pointer[index + lane] = four[lane]


# In Python, four numbers are an array.
load4 = instruction(_load4, _load4_python)  # load4(pointer, index): four neighbours
store4 = instruction(_store4, _store4_python)  # store4(pointer, index, four)
splat4 = instruction(_splat4, lambda x: np.full(LANES, x))  # splat4(x): four times x
mul4 = instruction(_mul4, operator.mul)
add4 = instruction(_add4, operator.add)
fma4 = instruction(_fma4, np.vectorize(fused, otypes=[float]))  # fma4(a, b, c): a * b + c, rounded once
sum4 = instruction(_sum4, lambda a: (a[0] + a[2]) + (a[1] + a[3]))
