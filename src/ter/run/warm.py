"""Compile what a run will need before its clock starts.

Compiling takes seconds the first time; a budget in seconds is for the search. Nothing here calls the objective.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ter.core.heuristic import Heuristic
from ter.core.ledger import Books, charge, inside, settle_rows
from ter.engines.engine import Engine

__all__ = ["warm_up"]


def warm_up(engine: Engine, heuristics: Sequence[Heuristic]) -> None:
    """Compile the objective, the loops around it, the kernels of the books, and those of heuristics that offer
    ``warm_up(compiled=...)``.
    """
    if engine.compiled is not None:
        engine.compiled.compile()
    ledger, marks, curve = Books.open(target=-math.inf, patience=None)
    settle_rows(ledger, marks, curve, np.array([1.0]), 0)
    charge(ledger, marks, 1.0)
    point = np.zeros(1)
    point.flags.writeable = False  # as the bounds of a box are
    for rows in (np.zeros((1, 1)), point[None, :]):
        inside(rows, point, point)
    for heuristic in heuristics:
        prepare = getattr(heuristic, "warm_up", None)
        if prepare is not None:
            prepare(compiled=engine.compiled is not None)
