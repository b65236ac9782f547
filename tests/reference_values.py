"""The stored data and reference values of the benchmark suites, our plain twins, and how closely they have to agree.

`tests/data/reference/README.md` describes the values, `tests/reference_points.py` makes their points.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from tests.naive import lso08, lso10, lso13
from tests.reference_points import NEAR_POINTS, RADII

Data = Mapping[str, np.ndarray]

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src" / "ter" / "benchmarks" / "data"
REFERENCE = ROOT / "tests" / "data" / "reference"

TWINS: dict[str, Callable[[int, np.ndarray, Data], float]] = {
    "lso08": lambda n, x, data: lso08.evaluate(n, x, data[f"f{n}_shift"]),
    "lso10": lso10.evaluate,
    "lso13": lso13.evaluate,
}

# Functions of opfunu that are not the official ones: its Schwefel 1.2 forgets the last partial sum, and its F17 is
# Ackley.
WRONG_IN_OPFUNU = (7, 12, 17, 19)
DIGITS_OF_OPFUNU = 9

# Relative differences between two correct programs that rounding explains, five to ten times the largest ones seen.
# Schwefel 1.2 adds up partial sums that cancel. Ackley far from the optimum of CEC'2013 takes cosines of numbers up to
# millions, so that the last bit of a rotation shows.
USUAL_TOLERANCE = {"lso08": 1e-14, "lso10": 1e-13, "lso13": 1e-13}
TOLERANCE: dict[str, dict[int, float]] = {
    "lso08": {},
    "lso10": {},
    "lso13": {3: 1e-12, 6: 3e-11, 7: 5e-13, 10: 5e-10, 11: 5e-13, 13: 5e-13, 14: 5e-13},
}

# Relative differences in CEC'2010 between values on the exact data and on the data in 9 digits, again with room. A
# digit weighs more the smaller the value is, so the one for points near the optimum grows as their distance shrinks.
DIGITS_TOLERANCE = {
    "random": np.array(3e-8),
    "near": 2e-9 / np.repeat(RADII, NEAR_POINTS),
    "zero": np.array(3e-9),
}


def tolerance(suite: str, n: int) -> float:
    """The largest relative difference that rounding explains."""
    return TOLERANCE[suite].get(n, USUAL_TOLERANCE[suite])


@cache
def arrays(path: Path) -> Data:
    """All arrays of an archive, read once and not writable."""
    with np.load(path) as archive:
        loaded = {name: archive[name] for name in archive.files}
    for array in loaded.values():
        array.setflags(write=False)
    return MappingProxyType(loaded)


def data(suite: str) -> Data:
    """The data of a suite, as shipped."""
    return arrays(DATA / f"{suite}.npz")


def reference(suite: str) -> Data:
    """The reference values of a suite."""
    return arrays(REFERENCE / f"{suite}.npz")


def rounded(given: Data, digits: int) -> Data:
    """The data with all floating-point numbers rounded to some significant digits, as a text would print them."""

    def cut(array: np.ndarray) -> np.ndarray:
        if array.dtype != np.float64:
            return array
        return np.array([float(f"{value:.{digits - 1}e}") for value in array.ravel().tolist()]).reshape(array.shape)

    return MappingProxyType({name: cut(array) for name, array in given.items()})


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def values(suite: str, n: int, rows: np.ndarray, given: Data) -> np.ndarray:
    """The values of our twin at some points."""
    return np.array([TWINS[suite](n, row, given) for row in rows])


def largest_difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, relative to the second."""
    return float(np.max(np.abs(a - b) / np.abs(b)))
