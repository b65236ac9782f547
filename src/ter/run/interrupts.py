"""Ctrl-C and SIGTERM end the run at the next evaluation; a second Ctrl-C aborts at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from ter.core.errors import Aborted

__all__ = ["Interrupts"]


class Interrupts:
    """Catch SIGINT and SIGTERM while a run is under way (in the main thread only), then restore the handlers.

    Parameters
    ----------
    notify : callable
        Called once, at the first signal.

    Examples
    --------
    >>> import signal
    >>> seen = []
    >>> with Interrupts(lambda: seen.append("stop")):
    ...     signal.raise_signal(signal.SIGTERM)
    >>> seen
    ['stop']
    """

    def __init__(self, notify: Callable[[], None]) -> None:
        self._notify = notify
        self._before: dict[int, Any] = {}
        self._seen = False

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._seen:
            raise Aborted
        self._seen = True
        self._notify()
