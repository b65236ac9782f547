"""The clock of a run: when the budget's time, an action's share of it, or somebody's patience is over."""

from __future__ import annotations

import math
import time

__all__ = ["Clock"]


class Clock:
    """Knows the next moment that matters, so that looking costs one comparison.

    Parameters
    ----------
    seconds : float or None
        Time of the whole run.
    look_every : float or None
        How often an observer wants to be called.

    Examples
    --------
    >>> clock = Clock(seconds=None, look_every=None)
    >>> clock.alarm
    inf
    """

    def __init__(self, seconds: float | None, look_every: float | None) -> None:
        self._started = time.perf_counter()
        self._deadline = math.inf if seconds is None else self._started + seconds
        self._action_end = math.inf
        self._look_every = math.inf if look_every is None else look_every
        self._next_look = self._started + self._look_every
        self.alarm = min(self._deadline, self._next_look)

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._started

    def begin_action(self, seconds: float | None) -> None:
        """Give the action that begins so much time."""
        self._action_end = math.inf if seconds is None else time.perf_counter() + seconds
        self.reset()

    def over(self, now: float) -> bool:
        """Tell whether the run's time is over."""
        return now >= self._deadline

    def action_over(self, now: float) -> bool:
        """Tell whether the action's time is over."""
        return now >= self._action_end

    def look_due(self, now: float) -> bool:
        """Tell whether the observer is to be called now."""
        return now >= self._next_look

    def looked(self) -> None:
        """Note that the observer was called."""
        self._next_look = time.perf_counter() + self._look_every

    def reset(self) -> None:
        """Set the alarm for what comes next, after it rang."""
        self.alarm = min(self._deadline, self._action_end, self._next_look)
