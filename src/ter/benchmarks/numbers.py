"""The official numbers of the suites, read from the package."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Numbers"]


class Numbers:
    """The arrays of one function, by name; each is read once and cannot be written.

    Examples
    --------
    >>> Numbers("lso13", 4)["sizes"]
    array([ 50,  25,  25, 100,  50,  25,  25], dtype=int16)
    """

    def __init__(self, suite: str, number: int) -> None:
        self._suite = suite
        self._number = number

    def __getitem__(self, name: str) -> NDArray[Any]:
        return _read(self._suite, f"f{self._number}_{name}")


@lru_cache(maxsize=256)
def _read(suite: str, name: str) -> NDArray[Any]:
    with (files("ter.benchmarks") / "data" / f"{suite}.npz").open("rb") as file, np.load(file) as arrays:
        array: NDArray[Any] = arrays[name]
    array.flags.writeable = False
    return array
