"""Whom the coordinator tells what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ter.experiment.forecast import Forecast
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec

__all__ = ["Watch", "Workload", "watch_of"]

Progress = TypeVar("Progress")


@dataclass(frozen=True)
class Workload:
    """What a pool is busy with.

    Attributes
    ----------
    under_way : tuple of RunSpec
        Runs.
    slots : int
        How many there may be.
    compiling : bool
        Whether the pool is still getting ready.
    """

    under_way: tuple[RunSpec, ...] = ()
    slots: int = 0
    compiling: bool = False

    @property
    def idle(self) -> bool:
        """Whether there are no workers."""
        return self.slots == 0 and not self.under_way and not self.compiling


class Watch(Generic[Progress]):
    """Sees what a coordinator does; this one shows nothing, and others do more.

    How far everything is, it is told in the terms of those who want the runs.

    Examples
    --------
    >>> Watch().close()
    """

    def open(self, progress: Progress, forecast: Forecast) -> None:
        """Begin; the forecast is kept up to date by the coordinator."""

    def update(self, progress: Progress, workload: Workload) -> None:
        """Something may have changed; called several times a second."""

    def ended(self, record: Record) -> None:
        """A run ended."""

    def lost(self, spec: RunSpec, reason: str) -> None:
        """A worker died; the run will be done again."""

    def close(self) -> None:
        """End."""


def watch_of(asked: bool | Watch[Progress], display: Callable[[], Watch[Progress]]) -> Watch[Progress]:
    """Return what the user passed as ``progress``: a display, nothing, or somebody of the user's.

    Examples
    --------
    >>> type(watch_of(False, Watch)).__name__
    'Watch'
    """
    if isinstance(asked, bool):
        return display() if asked else Watch()
    return asked
