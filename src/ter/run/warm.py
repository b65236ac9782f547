"""Compile what a run will need before its clock starts.

Compiling takes seconds the first time; a budget in seconds is for the search. Nothing here calls the objective.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ter.core.heuristic import Heuristic
from ter.core.ledger import COUNT, Books, charge, improve, inside, settle_rows
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
    improve(ledger, marks, curve, ledger[COUNT], 0.5)
    inside(np.zeros((1, 1)), np.zeros(1), np.zeros(1))
    for heuristic in heuristics:
        prepare = getattr(heuristic, "warm_up", None)
        if prepare is not None:
            prepare(compiled=engine.compiled is not None)
