"""Runs in this process, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from ter.experiment.pool import Ended
from ter.experiment.rehearsal import RunInterrupted
from ter.experiment.spec import RunSpec
from ter.experiment.work import run_one

__all__ = ["SerialPool"]


class SerialPool:
    """Does a run when it is waited for.

    Examples
    --------
    >>> SerialPool().slots
    1
    """

    ready = True
    slots = 1

    def __init__(self) -> None:
        self._waiting: list[RunSpec] = []

    def prepare(self, specs: Sequence[RunSpec]) -> None:
        """Leave compiling to the first run: nobody else waits for it."""

    def submit(self, spec: RunSpec) -> None:
        """Keep the spec."""
        self._waiting.append(spec)

    def wait(self, seconds: float) -> list[Ended]:
        """Do one run, however long it takes."""
        if not self._waiting:
            return []
        spec = self._waiting.pop()
        try:
            return [(spec, run_one(spec))]
        except RunInterrupted as error:
            raise KeyboardInterrupt from error

    def close(self) -> None:
        """Forget what was not begun."""
        self._waiting.clear()
