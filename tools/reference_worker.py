"""Evaluate one foreign benchmark function at given points; runs inside the environment of the foreign packages.

    python reference_worker.py SUITE FUNCTION POINTS.npy VALUES.npy

One process per function, because cec2013lsgo keeps a single function object for all its callers. It also writes result
files into the current directory, so the caller chooses a temporary one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

Function = Callable[[Any], float]

YEAR = {"lso08": 2008, "lso10": 2010}
OFFICIAL_BIAS_OF_LSO08_F3 = 390.0


def from_cec2013lsgo(n: int) -> Function:
    """The official C++ function, with its own data."""
    function: Function = import_module("cec2013lsgo.cec2013").Benchmark().get_function(n)
    return function


def from_opfunu(suite: str, n: int) -> Function:
    """The function of opfunu in 1000 dimensions, with its own data; the bias is set where opfunu has the wrong sign."""
    kind = getattr(import_module("opfunu.cec_based"), f"F{n}{YEAR[suite]}")
    function = kind(ndim=1000, f_bias=OFFICIAL_BIAS_OF_LSO08_F3) if (suite, n) == ("lso08", 3) else kind(ndim=1000)
    evaluate: Function = function.evaluate
    return evaluate


def main(suite: str, n: int, points: str, values: str) -> None:
    """Read the points, write their values."""
    function = from_cec2013lsgo(n) if suite == "lso13" else from_opfunu(suite, n)
    np.save(values, np.array([function(row.copy()) for row in np.load(points)], dtype=np.float64))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
