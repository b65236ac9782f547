"""LSO13: the 15 functions of the CEC'2013 competition on large-scale global optimisation.

References
----------
.. [1] X. Li, K. Tang, M. N. Omidvar, Z. Yang, K. Qin, "Benchmark functions for the CEC'2013 special session and
   competition on large-scale global optimization", technical report, RMIT University, 2013.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ter.benchmarks.layout import Base, Layout, Part, Transform
from ter.benchmarks.numbers import Numbers
from ter.core.box import Vector
from ter.core.ledger import Integers

__all__ = ["layout"]

OVERLAP = 5  # variables that neighbouring groups of f13 and f14 share
CONDITION = 1e6  # of the elliptic function
SKEW = 0.2  # T_asy's exponent
SCALE = 10.0  # Lambda's condition

Ackley = Literal["official", "raw"]

WHOLE = {1: Base.ELLIPTIC, 2: Base.RASTRIGIN, 3: Base.ACKLEY, 12: Base.ROSENBROCK, 15: Base.SCHWEFEL}
GROUPED = {
    4: Base.ELLIPTIC,
    5: Base.RASTRIGIN,
    6: Base.ACKLEY,
    7: Base.SCHWEFEL,
    8: Base.ELLIPTIC,
    9: Base.RASTRIGIN,
    10: Base.ACKLEY,
    11: Base.SCHWEFEL,
    13: Base.SCHWEFEL,
    14: Base.SCHWEFEL,
}
OVERLAPPING = (13, 14)
CONFLICTING = 14  # each group has a shift of its own


def layout(number: int, *, ackley: Ackley = "official") -> Layout:
    """Describe function `number`."""
    data = Numbers("lso13", number)
    shift = data["shift"]
    if number in WHOLE:
        return Layout(len(shift), [part(WHOLE[number], np.arange(len(shift)), shift, ackley=ackley)])
    base, order = GROUPED[number], data["permutation"].astype(np.int64)
    parts = []
    begin = told = 0  # in the permutation, and in the shifts of f14
    for size, weight in zip(data["sizes"].tolist(), data["weights"].tolist(), strict=True):
        group = order[begin : begin + size]
        own = shift[told : told + size] if number == CONFLICTING else shift[group]
        parts.append(part(base, group, own, rotation=data[f"r{size}"], weight=weight, ackley=ackley))
        begin += size - OVERLAP if number in OVERLAPPING else size
        told += size
    alone = order[begin:] if number not in OVERLAPPING else order[:0]
    if alone.size:
        parts.append(part(None if base is Base.SCHWEFEL else base, alone, shift[alone], ackley=ackley))
    return Layout(len(order), parts)


def part(
    base: Base | None,
    group: Integers,
    shift: Vector,
    *,
    rotation: NDArray[np.float64] | None = None,
    weight: float = 1.0,
    ackley: Ackley = "official",
) -> Part:
    """Describe a base function with the transformations that belong to it; None is the sphere."""
    n = len(group)
    t = np.arange(n) / max(n - 1, 1)
    transform, constants, factors = Transform.NONE, None, None
    if base is Base.ELLIPTIC:
        transform, constants = Transform.OSCILLATED, CONDITION**t
    elif base in (Base.RASTRIGIN, Base.SCHWEFEL) or (base is Base.ACKLEY and ackley == "official"):
        transform, constants = Transform.SKEWED, SKEW * t
        factors = None if base is Base.SCHWEFEL else SCALE ** (t / 2)
    return Part(Base.ELLIPTIC if base is None else base, group, shift, transform, constants, factors, rotation, weight)
