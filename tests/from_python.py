"""Functions that only kernels call, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

__all__ = ["from_python"]


def from_python(function: Any) -> Callable[..., Any]:
    """Return a function that Python can call, too."""

    @numba.njit(error_model="numpy")
    def call(*args):
        return function(*args)

    return call
