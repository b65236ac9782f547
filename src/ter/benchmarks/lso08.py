"""LSO08: functions 1 to 6 of the CEC'2008 competition on large-scale global optimisation, in any dimension.

The official shifts are 1000 numbers per function; a problem of fewer variables uses the first ones. Beyond 1000 there
are none, and ter draws them, always the same: variable i of function n, counted from 0, is shifted by
``low + (high - low) * u``, where ``u`` is the i-th number of the SplitMix64 sequence of seed 2008 * 100 + n, its upper
53 bits divided by 2**53, and (low, high) is the interval that the official shifts fill. So a problem of 2500 variables
is the beginning of the one of 10 000.

Function 7 depends on a Java program and is left out.

References
----------
.. [1] K. Tang, X. Yao, P. N. Suganthan, C. MacNish, Y.-P. Chen, C.-M. Chen, Z. Yang, "Benchmark functions for the
   CEC'2008 special session and competition on large scale global optimization", technical report, University of
   Science and Technology of China, 2007.
.. [2] G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from ter.benchmarks.layout import Base, Layout, Part
from ter.benchmarks.numbers import Numbers
from ter.core.box import Vector

__all__ = ["layout", "shift"]

OFFICIAL = 1000  # official shifts per function
BASES = {1: None, 2: Base.MAXIMUM, 3: Base.ROSENBROCK, 4: Base.RASTRIGIN, 5: Base.GRIEWANK, 6: Base.ACKLEY}
BIASES = {1: -450.0, 2: -450.0, 3: 390.0, 4: -330.0, 5: -180.0, 6: -140.0}
INTERVALS = {1: (-100, 100), 2: (-100, 0), 3: (-90, 90), 4: (-5, 5), 5: (-600, 600), 6: (-30, 30)}


def layout(number: int, dimension: int, *, biased: bool = True) -> Layout:
    """Describe function `number` of `dimension` variables."""
    base = BASES[number]
    constants = 1.0 / np.sqrt(np.arange(1, dimension + 1)) if base is Base.GRIEWANK else None
    origin = shift(number, dimension)
    if base is Base.ROSENBROCK:
        origin = origin - 1.0  # so that its optimum, all ones, comes to lie at the shift
    part = Part(Base.ELLIPTIC if base is None else base, np.arange(dimension), origin, constants=constants)
    return Layout(dimension, [part], BIASES[number] if biased else 0.0)


def shift(number: int, dimension: int) -> Vector:
    """Return the position of the optimum.

    Examples
    --------
    >>> shift(1, 10_000)[[0, 999, 1000, 9999]].round(6).tolist()
    [97.249936, -52.372533, -27.453033, -32.927458]
    """
    official: Vector = Numbers("lso08", number)["shift"][:dimension]
    if dimension <= OFFICIAL:
        return official
    low, high = INTERVALS[number]
    drawn = low + (high - low) * _uniform(2008 * 100 + number, np.arange(OFFICIAL, dimension, dtype=np.uint64))
    return np.concatenate([official, drawn])


def _uniform(seed: int, index: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> Vector:
    """Return numbers of a SplitMix64 sequence, in [0, 1)."""
    z = np.uint64(seed) + (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray((z ^ (z >> np.uint64(31))) >> np.uint64(11), dtype=np.float64) * 2.0**-53
