"""Exit codes."""

from __future__ import annotations

from ter.core.stop import StopReason

__all__ = ["DONE", "ERROR", "INTERRUPTED", "MISSED", "USAGE", "exit_code"]

DONE = 0
ERROR = 1
USAGE = 2
MISSED = 3
INTERRUPTED = 4


def exit_code(status: StopReason, *, found: bool, target: float | None) -> int:
    """Return the exit code of a run.

    Parameters
    ----------
    status : StopReason
        Why it ended.
    found : bool
        Whether any value was finite.
    target : float, optional
        The target, if one was set.

    Examples
    --------
    >>> exit_code(StopReason.BUDGET, found=True, target=None), exit_code(StopReason.BUDGET, found=True, target=1e-3)
    (0, 3)
    """
    if status is StopReason.INTERRUPTED:
        return INTERRUPTED
    if not status.success or not found:
        return ERROR
    return DONE if target is None or status is StopReason.TARGET else MISSED
