"""The official numbers of the suites, read from the package."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ter.benchmarks.definitions import Function

__all__ = ["OfficialNumbers"]


class OfficialNumbers:
    """The arrays of one function, by name; each is read once and cannot be written.

    Examples
    --------
    >>> from ter.benchmarks.definitions import LSO13
    >>> OfficialNumbers(LSO13[3])["sizes"]
    array([ 50,  25,  25, 100,  50,  25,  25], dtype=int16)
    """

    def __init__(self, function: Function) -> None:
        self._file = f"{function.competition}.npz"
        self._prefix = f"f{function.number}_"

    def __getitem__(self, name: str) -> NDArray[Any]:
        return _read(self._file, self._prefix + name)


@lru_cache(maxsize=256)
def _read(file: str, name: str) -> NDArray[Any]:
    with (files("ter.benchmarks") / "data" / file).open("rb") as opened, np.load(opened) as arrays:
        array: NDArray[Any] = arrays[name]
    array.flags.writeable = False
    return array
