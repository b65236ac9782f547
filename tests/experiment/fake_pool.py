"""A pool without workers: it makes records up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ter.experiment.record import Record
from ter.experiment.spec import RunSpec
from tests.experiment.helpers import record


def made(spec: RunSpec) -> Record:
    """A made-up record of a run."""
    return replace(record(), key=spec.key, label=spec.label, run=spec.run)


class FakePool:
    """Ends one run each time it is asked, after whatever `trouble` does; a signal may come after so many."""

    ready = True

    def __init__(
        self,
        slots: int = 3,
        trouble: Callable[[RunSpec, int], Any] = lambda spec, attempt: None,
        *,
        stop_after: int | None = None,
        last_first: bool = True,
        made: Callable[[RunSpec], Record] = made,
    ) -> None:
        self.slots, self._trouble, self._left, self._last_first, self._made = (
            slots,
            trouble,
            stop_after,
            last_first,
            made,
        )
        self.submitted: list[RunSpec] = []
        self.under_way: list[RunSpec] = []
        self.prepared: list[RunSpec] = []
        self.most = self.closed = 0

    def prepare(self, specs):
        self.prepared += specs

    def submit(self, spec):
        self.submitted.append(spec)
        self.under_way.append(spec)
        self.most = max(self.most, len(self.under_way))

    def wait(self, seconds):
        if self._left == 0:
            raise KeyboardInterrupt
        if not self.under_way:
            return []
        if self._left is not None:
            self._left -= 1
        spec = self.under_way.pop(-1 if self._last_first else 0)
        trouble = self._trouble(spec, self.submitted.count(spec))
        if isinstance(trouble, BaseException):
            raise trouble
        return [(spec, trouble or self._made(spec))]

    def close(self):
        self.closed += 1
