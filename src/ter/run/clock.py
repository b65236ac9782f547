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

    Attributes
    ----------
    alarm : float
        When to look, on the clock of ``time.perf_counter``; always, while the clock stands still.

    Examples
    --------
    >>> clock = Clock(seconds=None, look_every=None)
    >>> clock.alarm
    inf
    >>> clock.freeze(7.5)
    >>> clock.elapsed, clock.alarm
    (7.5, -inf)
    """

    def __init__(self, seconds: float | None, look_every: float | None) -> None:
        self._began = time.perf_counter()
        self._frozen: float | None = None
        self._seconds = math.inf if seconds is None else seconds
        self._action_end = math.inf  # like the others, in seconds since the run began
        self._look_every = math.inf if look_every is None else look_every
        self._next_look = self._look_every
        self.reset()

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._began if self._frozen is None else self._frozen

    @property
    def frozen(self) -> bool:
        """Whether it stands still."""
        return self._frozen is not None

    def freeze(self, elapsed: float) -> None:
        """Stand still at this time, while a run repeats what it did before."""
        self._frozen, self.alarm = elapsed, -math.inf

    def thaw(self) -> None:
        """Go on from where it stood still."""
        if self._frozen is not None:
            self._began = time.perf_counter() - self._frozen
            self._next_look = self._frozen + self._look_every
            self._frozen = None
            self.reset()

    def begin_action(self, seconds: float | None) -> None:
        """Give the action that begins so much time."""
        self._action_end = math.inf if seconds is None else self.elapsed + seconds
        self.reset()

    def over(self, now: float) -> bool:
        """Tell whether the run's time is over."""
        return now - self._began >= self._seconds

    def action_over(self, now: float) -> bool:
        """Tell whether the action's time is over."""
        return now - self._began >= self._action_end

    def look_due(self, now: float) -> bool:
        """Tell whether the observer is to be called now."""
        return now - self._began >= self._next_look

    def looked(self) -> None:
        """Note that the observer was called."""
        self._next_look = self.elapsed + self._look_every

    def reset(self) -> None:
        """Set the alarm for what comes next, after it rang."""
        if self._frozen is None:
            self.alarm = self._began + min(self._seconds, self._action_end, self._next_look)
