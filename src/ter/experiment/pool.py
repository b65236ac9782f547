"""Pools do runs somewhere: in this process, in others, on other machines. This is what a coordinator asks of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ter.core.errors import TerError
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec

__all__ = ["Ended", "Lost", "Pool", "PoolError"]


class PoolError(TerError):
    """Runs cannot be done there."""


@dataclass(frozen=True)
class Lost:
    """A run that ended without a record, because its worker died.

    Attributes
    ----------
    reason : str
        One sentence.
    final : bool
        Whether it was tried often enough.
    """

    reason: str
    final: bool = False


Ended = tuple[RunSpec, Record | Lost]


@runtime_checkable
class Pool(Protocol):
    """Takes specs and gives back records, in any order."""

    @property
    def ready(self) -> bool:
        """Whether everything is compiled."""
        ...

    @property
    def slots(self) -> int:
        """How many runs may be under way now; it may change, and be 0 for a while."""
        ...

    def prepare(self, specs: Sequence[RunSpec]) -> None:
        """Begin to compile what some runs need."""
        ...

    def submit(self, spec: RunSpec) -> None:
        """Begin a run."""
        ...

    def wait(self, seconds: float) -> list[Ended]:
        """Wait until a run ends, but not longer than this; return what ended."""
        ...

    def close(self) -> None:
        """Stop everything that is under way and give back what was taken."""
        ...
