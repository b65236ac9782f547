"""The points at which the reference values in `tests/data/reference` were taken.

The points are not stored; this recipe makes them again, bit for bit. All randomness comes from
`Generator(PCG64([year, function, purpose])).random()`, and the arithmetic is a few separate NumPy operations, which
round the same everywhere. `points.json` beside the values holds checksums of the points, in case the generator changes.

For every function there are, as rows,

* `random`: points uniform in the box (1000 for CEC'2013, 100 for the others), purpose 0;
* `near`: 60 points, 20 for each radius r of 0.1, 0.01, 0.001, namely centre + r * width of the box * uniform(-1, 1),
  cut off at the box, purpose 1. The centre is the optimum; for f14 of CEC'2013, whose optimum is unknown, the first
  shift that belongs to each variable;
* `zero`: the origin.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

Data = Mapping[str, np.ndarray]

YEAR = {"lso08": 2008, "lso10": 2010, "lso13": 2013}
FUNCTIONS = {"lso08": range(1, 7), "lso10": range(1, 21), "lso13": range(1, 16)}
RANDOM_POINTS = {"lso08": 100, "lso10": 100, "lso13": 1000}
NEAR_POINTS = 20
RADII = (0.1, 0.01, 0.001)
KINDS = ("random", "near", "zero")

# Half the width of the box, where it is not 100.
HALF_WIDTH = {
    "lso08": {4: 5.0, 5: 600.0, 6: 32.0},
    "lso10": {2: 5.0, 3: 32.0, 5: 5.0, 6: 32.0, 10: 5.0, 11: 32.0, 15: 5.0, 16: 32.0},
    "lso13": {2: 5.0, 3: 32.0, 5: 5.0, 6: 32.0, 9: 5.0, 10: 32.0},
}

# Variables with the optimum at shift + 1, counted from the start of the permutation.
ROSENBROCK_VARIABLES = {"lso08": {}, "lso10": {8: 50, 13: 500, 18: 1000, 20: 1000}, "lso13": {12: 1000}}


def half_width(suite: str, n: int) -> float:
    return HALF_WIDTH[suite].get(n, 100.0)


def dimension(suite: str, n: int) -> int:
    return 905 if suite == "lso13" and n in (13, 14) else 1000


def centre(suite: str, n: int, data: Data) -> np.ndarray:
    """The optimum, or for f14 of CEC'2013 the point described above."""
    shift = data[f"f{n}_shift"]
    if suite == "lso13" and n == 14:
        return first_shifts(data)
    optimum = shift.copy()
    order = data.get(f"f{n}_permutation", np.arange(len(shift)))
    optimum[order[: ROSENBROCK_VARIABLES[suite].get(n, 0)]] += 1.0
    return optimum


def first_shifts(data: Data) -> np.ndarray:
    """For every variable of f14 the shift in the first group that it belongs to."""
    order, shift = data["f14_permutation"], data["f14_shift"]
    result = np.full(len(order), np.nan)
    members = 0
    for i, size in enumerate(data["f14_sizes"]):
        start = members - 5 * i
        group = order[start : start + size]
        result[group] = np.where(np.isnan(result[group]), shift[members : members + size], result[group])
        members += size
    return result


def draw(suite: str, n: int, purpose: int, rows: int) -> np.ndarray:
    """Numbers uniform in [-1, 1)."""
    generator = np.random.Generator(np.random.PCG64([YEAR[suite], n, purpose]))
    return 2.0 * generator.random((rows, dimension(suite, n))) - 1.0


def points(suite: str, n: int, data: Data) -> dict[str, np.ndarray]:
    """The points of one function, by kind."""
    half = half_width(suite, n)
    radius = np.repeat(RADII, NEAR_POINTS)[:, np.newaxis]
    steps = radius * (2.0 * half) * draw(suite, n, 1, len(radius))
    return {
        "random": half * draw(suite, n, 0, RANDOM_POINTS[suite]),
        "near": np.clip(centre(suite, n, data) + steps, -half, half),
        "zero": np.zeros((1, dimension(suite, n))),
    }


def checksum(array: np.ndarray) -> str:
    """The sha256 of the bytes of the numbers, as little-endian float64."""
    return hashlib.sha256(np.ascontiguousarray(array, dtype="<f8").tobytes()).hexdigest()
