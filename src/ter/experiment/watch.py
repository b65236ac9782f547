"""Whom the runner tells what happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ter.experiment.estimate import Estimate
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec

__all__ = ["Silent", "Tally", "Watch"]


@dataclass(frozen=True)
class Tally:
    """How far an experiment is.

    Attributes
    ----------
    total : int
        Runs of the plan.
    finished, failed : int
        Runs in the store that ended well, and those that did not.
    new : int
        Runs, of either kind, that were added now.
    """

    total: int
    finished: int
    failed: int
    new: int = 0

    @property
    def done(self) -> bool:
        """Whether every run of the plan ended well."""
        return self.finished == self.total


class Watch(Protocol):
    """Sees an experiment; whatever goes wrong there is not the experiment's affair."""

    def open(self, tally: Tally, estimate: Estimate) -> None:
        """Begin; the estimate is kept up to date by the runner."""
        ...

    def update(self, tally: Tally, under_way: Sequence[RunSpec], slots: int, *, compiling: bool) -> None:
        """Something may have changed; called several times a second."""
        ...

    def ended(self, record: Record) -> None:
        """A run ended."""
        ...

    def lost(self, spec: RunSpec, reason: str) -> None:
        """A worker died; the run will be done again."""
        ...

    def close(self) -> None:
        """End."""
        ...


class Silent:
    """Shows nothing.

    Examples
    --------
    >>> Silent().close()
    """

    def open(self, tally: Tally, estimate: Estimate) -> None:
        """Show nothing."""

    def update(self, tally: Tally, under_way: Sequence[RunSpec], slots: int, *, compiling: bool) -> None:
        """Show nothing."""

    def ended(self, record: Record) -> None:
        """Show nothing."""

    def lost(self, spec: RunSpec, reason: str) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Show nothing."""
