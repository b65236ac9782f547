"""What sequential kernels call when they run as Python: the twins of the compiled ``probe`` and ``accept``.

A plain Python objective of a microsecond is common, so `probe` is written for speed: the books are read through
memoryviews, whose items are Python's own numbers, and what nearly always holds is tested before anything is called.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from ter.core.errors import Aborted, AllowanceSpent
from ter.core.failure import Failure
from ter.core.ledger import BEST, COUNT, IMPROVED_AT, LIMIT, PATIENCE, Walk, charge, improve
from ter.core.sending import traceback_of
from ter.core.values import read_costed
from ter.engines.calls import Mistake
from ter.engines.engine import Position

if TYPE_CHECKING:
    from ter.run.evaluator import Evaluator

__all__ = ["Probes"]


class Probes:
    """Evaluates and accepts one move at a time.

    Parameters
    ----------
    evaluator : Evaluator
        Has the books and the engine.
    position : Position
        Of the walk.
    """

    def __init__(self, evaluator: Evaluator, position: Position) -> None:
        self._evaluator, self._position = evaluator, position
        walk = position.walk
        self._ledger, self._marks = walk.ledger.data, walk.marks.data
        self._lower, self._upper = walk.lower.data, walk.upper.data
        self._go_on = evaluator.go_on
        self._unaccepted: tuple[int, float] | None = None  # the last probe, if it is the run's best point

    def probe(self, walk: Walk, i: int, v: float) -> float:
        """Count and evaluate one coordinate's move."""
        evaluator, ledger, marks = self._evaluator, self._ledger, self._marks
        count = ledger[COUNT] + 1
        if count > ledger[LIMIT]:  # a kernel that does not look itself
            raise AllowanceSpent
        if i < 0 or i >= len(self._lower) or not self._lower[i] <= v <= self._upper[i]:
            i, v = _placed(walk, i, v)
        ledger[COUNT] = count
        try:
            raw = evaluator.engine.probe(self._position, i, v, self._go_on)
        except (Aborted, AllowanceSpent):
            raise
        except Mistake as found:
            raise found.error from None
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is a failed evaluation
            y = charge(walk.ledger, walk.marks, math.inf)
            evaluator.write(math.nan, None)
            evaluator.fail([Failure(count, error, traceback_of(error))], range(count, count + 1))
            return y
        evaluator.failures.in_a_row = 0
        y, costs = (raw, None) if type(raw) is float else read_costed(raw)
        if costs is not None or evaluator.budget.cost is not None:
            evaluator.charge_cost(costs, 1)
        if evaluator.sink is not None:
            evaluator.write(y, costs)
        if time.perf_counter() >= evaluator.clock.alarm:
            evaluator.go_on()
        if not math.isfinite(y) or (y >= marks[BEST] and count - ledger[IMPROVED_AT] >= ledger[PATIENCE]):
            y = charge(walk.ledger, walk.marks, y)
        if y < marks[BEST]:
            improve(walk.ledger, walk.marks, walk.curve, count, y)
            self._unaccepted = (i, v)
        return y

    def accept(self, walk: Walk, i: int, v: float, y: float) -> None:
        """Move to where one coordinate is another."""
        i, v = _placed(walk, i, v)
        best = self._unaccepted == (i, v)
        if best:
            self._unaccepted = None
        else:
            self.write_unaccepted()
            self._evaluator.leave(walk)
        self._evaluator.engine.commit(self._position, np.array([i]), np.array([v]))
        walk.y[0] = y
        if best:
            self._evaluator.leader = walk

    def write_unaccepted(self) -> None:
        """Write the run's best point down, if it is a probe that nobody has accepted."""
        if self._unaccepted is not None:
            i, v = self._unaccepted
            self._unaccepted = None
            self._evaluator.best[:] = self._position.walk.x
            self._evaluator.best[i] = v
            self._evaluator.leader = None


def _placed(walk: Walk, i: int, v: float) -> tuple[int, float]:
    """Return a coordinate that the point has and its new value in the box, as the compiled twin does."""
    dimension = walk.x.size
    if not 0 <= i < dimension:
        if not -dimension <= i < dimension:
            raise IndexError("a kernel must move a coordinate that the point has")
        i += dimension
    if walk.lower[i] <= v <= walk.upper[i]:
        return i, v
    if math.isnan(v):
        return i, float(walk.x[i])
    return i, float(walk.lower[i] if v < walk.lower[i] else walk.upper[i])
