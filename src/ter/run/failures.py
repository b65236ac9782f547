"""The failures of a run: which evaluations raised an exception, and when that is too much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ter.core.failure import Failure

__all__ = ["FailureLog", "OnError"]

OnError: TypeAlias = Literal["raise", "worst"]

KEPT = 100  # tracebacks kept in the result


class FailureLog:
    """Counts exceptions of the objective and keeps the first of them.

    Parameters
    ----------
    on_error : {"raise", "worst"}
        Let the exception out, or go on.
    most_in_a_row : int
        How many in a row end the run.

    Examples
    --------
    >>> log = FailureLog("worst", most_in_a_row=2)
    >>> failure = Failure(1, ValueError("no"), "traceback")
    >>> log.note([failure], range(1, 2)), log.note([Failure(2, ValueError("no"), "")], range(2, 3))
    (False, True)
    """

    def __init__(self, on_error: OnError, most_in_a_row: int) -> None:
        self.kept: list[Failure] = []
        self.count = 0
        self.in_a_row = 0
        self._on_error = on_error
        self._most = most_in_a_row

    @property
    def lets_out(self) -> bool:
        """Whether an exception ends the run."""
        return self._on_error == "raise"

    def note(self, failures: Sequence[Failure], evaluations: range) -> bool:
        """Note the failures among these evaluations; return whether there were too many in a row."""
        self.count += len(failures)
        self.kept += failures[: max(0, KEPT - len(self.kept))]
        failed = {failure.evaluation for failure in failures}
        too_many = False
        for evaluation in evaluations:
            self.in_a_row = self.in_a_row + 1 if evaluation in failed else 0
            too_many = too_many or self.in_a_row >= self._most
        return too_many
