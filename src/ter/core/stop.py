"""Why a run ended, as data."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["StopReason"]


class StopReason(IntEnum):
    """Why a run ended; the number is ``result.status``.

    Examples
    --------
    >>> StopReason.TARGET.value, StopReason.BUDGET.message
    (1, 'the budget is used up')
    """

    RUNNING = -1
    BUDGET = 0
    TARGET = 1
    STAGNATION = 2
    CALLBACK = 3
    INTERRUPTED = 4
    FAILURES = 5
    IDLE = 6
    SEQUENCE = 7
    ERROR = 8
    WRONG_MOVES = 9

    @property
    def message(self) -> str:
        """One sentence for people."""
        return _MESSAGES[self]

    @property
    def success(self) -> bool:
        """Whether the run ended as planned."""
        return self not in _UNPLANNED


_MESSAGES = {
    StopReason.RUNNING: "the run is under way",
    StopReason.BUDGET: "the budget is used up",
    StopReason.TARGET: "the target was reached",
    StopReason.STAGNATION: "no improvement within the stagnation limit",
    StopReason.CALLBACK: "the callback asked to stop",
    StopReason.INTERRUPTED: "interrupted; the best point so far is returned",
    StopReason.FAILURES: "too many evaluations failed in a row",
    StopReason.IDLE: "no heuristic had anything left to evaluate",
    StopReason.SEQUENCE: "the sequence to replay is used up",
    StopReason.ERROR: "the objective raised an exception",
    StopReason.WRONG_MOVES: "the moves of the objective are wrong",
}
_UNPLANNED = (StopReason.INTERRUPTED, StopReason.FAILURES, StopReason.ERROR, StopReason.WRONG_MOVES)
