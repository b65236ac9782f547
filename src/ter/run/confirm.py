"""The final value of a run with moves, confirmed by one full evaluation of the final point."""

from __future__ import annotations

import math
import warnings

from ter.core.stop import StopReason
from ter.display.result import Result
from ter.run.evaluator import Evaluator

__all__ = ["full_value", "told_the_truth"]

ROUNDING = 1e-9  # of the run's first value: running totals drift by less


def full_value(evaluator: Evaluator, reason: StopReason) -> float | None:
    """Return the best point's value by a full evaluation, if moves gave it and the budget allows to ask.

    A compiled objective is asked apart from the run, which nobody sees. A call of a Python objective is an evaluation:
    it is counted, and only made if the run ended as planned before its budget was used up.
    """
    engine, total = evaluator.engine, evaluator.budget.evaluations
    if not engine.moving or not math.isfinite(evaluator.y):
        return None
    if engine.compiled is not None:
        return engine.compiled.value_apart(evaluator.incumbent.walk, evaluator.x)
    used_up = reason is StopReason.BUDGET or (total is not None and evaluator.count >= total)
    return None if used_up or not reason.success else evaluator.full_value()


def told_the_truth(result: Result, full: float | None) -> Result:
    """Return the result; if moves gave another value than the full evaluation, it says so and is no success."""
    first = abs(float(result.curve[0, 1])) if len(result.curve) else 0.0
    if full is None or math.isclose(result.fun, full, rel_tol=ROUNDING, abs_tol=ROUNDING * first):
        return result
    truth = full if math.isfinite(full) else math.inf
    wrong = f"they gave {result.fun:g} at x, where its full value is {full:g}; see ter.check"
    result.message = f"{result.message}; but {StopReason.WRONG_MOVES.message}: {wrong}"
    result.fun, result.success, result.status = truth, False, StopReason.WRONG_MOVES
    warnings.warn(result.message, RuntimeWarning, stacklevel=2)
    return result
