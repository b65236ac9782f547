"""The decorators that compile kernels.

A kernel is written once. Called as it is, it runs compiled; ``kernel.py_func`` is the same source as ordinary
Python. There is no fast-math (tests for NaN must work), division follows NumPy, and the machine code is cached on
disk, so a kernel is compiled once per machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

import numba

__all__ = ["Kernel", "entry_of", "inner", "kernel", "merged"]

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Kernel(Protocol, Generic[P, R_co]):
    """A compiled function that remembers its Python source in `py_func`."""

    py_func: Callable[..., Any]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Run compiled."""
        ...


def kernel(function: Callable[P, R_co]) -> Kernel[P, R_co]:
    """Compile `function` on first use and cache the machine code.

    Examples
    --------
    >>> from ter._jit import kernel
    >>> kernel.__name__
    'kernel'
    """
    return _compile(function, from_python=True)


def inner(function: Callable[P, R_co]) -> Kernel[P, R_co]:
    """Do the same for a function that only kernels call.

    It cannot be called from Python. Without what that takes, compiling the benchmarks is faster by a sixth.

    Examples
    --------
    >>> inner.__name__
    'inner'
    """
    return _compile(function, from_python=False)


def merged(function: Callable[P, R_co]) -> Kernel[P, R_co]:
    """Do the same for a function with one caller: it is compiled as a part of that one, and not by itself before.

    Examples
    --------
    >>> merged.__name__
    'merged'
    """
    return cast("Kernel[P, R_co]", numba.njit(error_model="numpy", nogil=True, inline="always")(function))


def _compile(function: Callable[P, R_co], *, from_python: bool) -> Kernel[P, R_co]:
    compiled = numba.njit(  # type: ignore[call-overload]  # its types leave the last two options out
        cache=True, error_model="numpy", nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=not from_python
    )(function)
    return cast("Kernel[P, R_co]", compiled)


def entry_of(function: Any, signature: tuple[Any, ...]) -> Callable[..., Any]:
    """Compile a kernel for arguments of these types and return its entry.

    A call of the kernel itself begins with a look at the types of all arguments, 3 microseconds if one is a walk.
    """
    if signature not in function.overloads:
        function.compile(signature)
    entry: Callable[..., Any] = function.overloads[signature].entry_point
    return entry
