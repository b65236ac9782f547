"""The decorators that compile kernels.

A kernel is written once. Called as it is, it runs compiled; ``kernel.py_func`` is the same source as ordinary
Python. There is no fast-math (tests for NaN must work), division follows NumPy, and the machine code is cached on
disk, so a kernel is compiled once per machine. Where it cannot be kept or read, it is compiled again, and a warning
says why.

With ``NUMBA_DISABLE_JIT=1`` nothing is compiled: everything runs as Python, for a debugger or a coverage tool. Then an
instruction is replaced by its Python twin, and the address of a function is that of the Python object.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numba.extending import intrinsic

__all__ = ["COMPILING", "Kernel", "compiled", "entry_of", "function_at", "inner", "instruction", "kernel", "merged"]

COMPILING = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is made when Numba is imported

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
    return compiled(function, cache=True, no_cfunc_wrapper=True)


def inner(function: Callable[P, R_co]) -> Kernel[P, R_co]:
    """Do the same for a function that only kernels call.

    It cannot be called from Python. Without what that takes, compiling the benchmarks is faster by a sixth.

    Examples
    --------
    >>> inner.__name__
    'inner'
    """
    return compiled(function, cache=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)


def merged(function: Callable[P, R_co]) -> Kernel[P, R_co]:
    """Do the same for a function with one caller: it is compiled as a part of that one, and not by itself before.

    Examples
    --------
    >>> merged.__name__
    'merged'
    """
    return compiled(function, inline="always")


def compiled(function: Callable[P, R_co], *, cache: bool = False, **options: Any) -> Kernel[P, R_co]:
    """Compile `function` with these options of Numba's beside those that all kernels have."""
    if COMPILING:
        dispatcher = numba.njit(error_model="numpy", nogil=True, **options)(function)
        if cache:
            _keep(dispatcher)
        return cast("Kernel[P, R_co]", dispatcher)

    @wraps(function)
    def python(*args: P.args, **kwargs: P.kwargs) -> R_co:
        with np.errstate(all="ignore"):  # compiled code does not warn either
            return function(*args, **kwargs)

    python.py_func = function  # type: ignore[attr-defined]
    return cast("Kernel[P, R_co]", python)


def _keep(dispatcher: Any) -> None:
    """Cache the machine code of a function as Numba does, if there is a folder for it."""
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func)  # type: ignore[no-untyped-call]
    except (RuntimeError, OSError) as error:
        _tell(
            "kept",
            f"machine code cannot be kept, so every process compiles it again ({error}); "
            "name a folder that can be written to in NUMBA_CACHE_DIR",
        )


class KernelCache(FunctionCache):
    """Numba's cache as a help that may fail: what cannot be read is compiled, and what cannot be kept is not."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Read machine code; None if there is none that can be read."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001 - unpickling a damaged file raises anything
            _tell(
                "read",
                f"machine code in {self.cache_path} cannot be read ({error!r}), so it is compiled and written again; "
                "if this comes back, empty that folder or name another one in NUMBA_CACHE_DIR",
            )
        self._write(self.flush)  # else the damage would be met again when the new code is written
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write machine code, if that is possible."""
        save: Callable[[Any, Any], None] = super().save_overload
        self._write(lambda: save(sig, data))

    def _write(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception as error:  # noqa: BLE001 - a full disk, a folder that is gone, another process's damage
            _tell(
                "kept",
                f"machine code cannot be kept in {self.cache_path} ({error!r}), so every process compiles it again; "
                "make room there, or name a folder with room in NUMBA_CACHE_DIR",
            )


_TOLD: set[str] = set()  # kinds of warnings: one is enough, not one for each kernel


def _tell(kind: str, text: str) -> None:
    """Warn once in the process that the user started; workers meet the same folder."""
    if kind not in _TOLD and multiprocessing.parent_process() is None:
        _TOLD.add(kind)
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def instruction(emit: Callable[..., Any], python: Callable[..., Any]) -> Any:
    """Make an instruction of compiled code of what emits it; `python` is its twin for when nothing is compiled.

    Examples
    --------
    >>> instruction.__name__
    'instruction'
    """
    return intrinsic(emit) if COMPILING else python


def entry_of(function: Any, signature: tuple[Any, ...]) -> Callable[..., Any]:
    """Compile a kernel for arguments of these types and return its entry.

    A call of the kernel itself begins with a look at the types of all arguments, 3 microseconds if one is a walk.
    """
    if not COMPILING:
        return _python_entry(function, signature)
    if signature not in function.overloads:
        function.compile(signature)
    entry: Callable[..., Any] = function.overloads[signature].entry_point
    return entry


def _python_entry(function: Any, signature: tuple[Any, ...]) -> Callable[..., Any]:
    """Return `function` with the addresses among its arguments replaced by the functions there."""
    is_function = [isinstance(kind, numba.types.FunctionType) for kind in signature]

    def entry(*args: Any) -> Any:
        return function(*(function_at(a) if f else a for a, f in zip(args, is_function, strict=True)))

    return entry


def function_at(address: int) -> Callable[..., Any]:
    """Return the Python function at an address that `id` gave; it must be alive.

    Examples
    --------
    >>> function_at(id(sorted)) is sorted
    True
    """
    function: Callable[..., Any] = ctypes.cast(int(address), ctypes.py_object).value
    return function
