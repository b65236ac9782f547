"""Instructions of LLVM that Python has no word for, and their Python twins for when nothing is compiled."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from ter._jit import instruction

__all__ = ["float_of_bits", "fma", "fused", "nearest", "shifted_by_52", "to_bits"]

ALL_BITS = 2**64 - 1


def _reinterpret(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return builder.bitcast(values[0], context.get_value_type(signature.return_type))


def _fma(typing: Any, a: Any, b: Any, c: Any) -> Any:
    signature = types.float64(types.float64, types.float64, types.float64)
    return signature, lambda context, builder, signature, values: builder.fma(*values)


def _nearest(typing: Any, x: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.rint", [values[0].type]), values)

    return types.float64(types.float64), emit


def _to_bits(typing: Any, x: Any) -> Any:
    return types.int64(types.float64), _reinterpret


def _float_of_bits(typing: Any, bits: Any) -> Any:
    return types.float64(types.int64), _reinterpret


def _shifted_by_52(typing: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.lshr(values[0], context.get_constant(types.int64, 52))

    return types.int64(types.int64), emit


def fused(a: float, b: float, c: float) -> float:
    """The Python twin of `fma`.

    Examples
    --------
    >>> fused(0.1, 10.0, -1.0), 0.1 * 10.0 - 1.0
    (5.551115123125783e-17, 0.0)
    """
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    (a_up, a_down), (b_up, b_down), (c_up, c_down) = (number.as_integer_ratio() for number in (a, b, c))
    up = a_up * b_up * c_down + c_up * a_down * b_down
    try:
        return up / (a_down * b_down * c_down) if up else a * b + c  # a zero has a sign
    except OverflowError:
        return math.inf if up > 0 else -math.inf


def _bits_python(x: float) -> int:
    (bits,) = struct.unpack("<q", struct.pack("<d", x))
    return int(bits)


def _float_python(bits: int) -> float:
    (x,) = struct.unpack("<d", struct.pack("<Q", bits & ALL_BITS))
    return float(x)


# a * b + c rounded once; the integer next to x, ties to even; the pattern of a float64 as an int64, and back; an int64
# shifted right with zeros coming in, since AVX2 has no shift that keeps the sign.
fma: Callable[[float, float, float], float] = instruction(_fma, fused)
nearest: Callable[[float], float] = instruction(_nearest, np.rint)
to_bits: Callable[[float], int] = instruction(_to_bits, _bits_python)
float_of_bits: Callable[[int], float] = instruction(_float_of_bits, _float_python)
shifted_by_52: Callable[[int], int] = instruction(_shifted_by_52, lambda bits: (bits & ALL_BITS) >> 52)
