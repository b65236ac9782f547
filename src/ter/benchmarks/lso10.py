"""LSO10: the 20 functions of the CEC'2010 competition on large-scale global optimisation.

References
----------
.. [1] K. Tang, X. Li, P. N. Suganthan, Z. Yang, T. Weise, "Benchmark functions for the CEC'2010 special session and
   competition on large-scale global optimization", technical report, University of Science and Technology of China,
   2009.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ter.benchmarks.layout import Base, Layout, Part
from ter.benchmarks.numbers import Numbers
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["layout"]

DIMENSION = 1000
GROUP = 50
CONDITION = 1e6  # of the elliptic function
WEIGHT = 1e6  # of the group where there is only one

WHOLE = {1: Base.ELLIPTIC, 2: Base.RASTRIGIN, 3: Base.ACKLEY, 19: Base.SCHWEFEL, 20: Base.ROSENBROCK}
GROUPED = {  # base function in the groups, and how many groups there are
    4: (Base.ELLIPTIC, 1),
    5: (Base.RASTRIGIN, 1),
    6: (Base.ACKLEY, 1),
    7: (Base.SCHWEFEL, 1),
    8: (Base.ROSENBROCK, 1),
    9: (Base.ELLIPTIC, 10),
    10: (Base.RASTRIGIN, 10),
    11: (Base.ACKLEY, 10),
    12: (Base.SCHWEFEL, 10),
    13: (Base.ROSENBROCK, 10),
    14: (Base.ELLIPTIC, 20),
    15: (Base.RASTRIGIN, 20),
    16: (Base.ACKLEY, 20),
    17: (Base.SCHWEFEL, 20),
    18: (Base.ROSENBROCK, 20),
}


def layout(number: int) -> Layout:
    """Describe function `number`."""
    data = Numbers("lso10", number)
    shift = data["shift"]
    if number in WHOLE:
        return Layout(DIMENSION, [_part(WHOLE[number], np.arange(DIMENSION), shift)])
    base, groups = GROUPED[number]
    order = data["permutation"].astype(np.int64)
    # The other two are not rotated. A row times the matrix is the transposed matrix times the column.
    rotation = data["rotation"].T if base in (Base.ELLIPTIC, Base.RASTRIGIN, Base.ACKLEY) else None
    weight = WEIGHT if groups == 1 else 1.0
    cut = order[: groups * GROUP].reshape(groups, GROUP)
    parts = [_part(base, group, shift[group], rotation, weight) for group in cut]
    rest = order[groups * GROUP :]
    if rest.size:
        parts.append(_part(base if rotation is not None else None, rest, shift[rest]))
    return Layout(DIMENSION, parts)


def _part(
    base: Base | None,
    group: Integers,
    shift: Vector,
    rotation: NDArray[np.float64] | None = None,
    weight: float = 1.0,
) -> Part:
    """Describe a base function; None is the sphere."""
    constants = CONDITION ** (np.arange(len(group)) / (len(group) - 1)) if base is Base.ELLIPTIC else None
    return Part(
        Base.ELLIPTIC if base is None else base, group, shift, constants=constants, rotation=rotation, weight=weight
    )
