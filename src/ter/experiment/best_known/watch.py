"""Whom a search tells how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ter.experiment.best_known.space import Decisions

__all__ = ["Silent", "Standing", "Watch"]


@dataclass(frozen=True)
class Standing:
    """How far a search is.

    Attributes
    ----------
    title : str
        What it is about.
    total, tried : int
        Sequences that are to be tried, and those that are done.
    best : float or None
        The best value so far.
    number, sequence : int, tuple of str
        Of the best one.
    runs : int
        Runs that are still to be done, those under way included.
    seconds : float or None
        Mean time of a run.
    """

    title: str
    total: int
    tried: int = 0
    best: float | None = None
    number: int = 0
    sequence: Decisions = ()
    runs: int = 0
    seconds: float | None = None


class Watch(Protocol):
    """Sees a search."""

    def open(self, standing: Standing) -> None:
        """Begin."""
        ...

    def update(self, standing: Standing, slots: int, *, compiling: bool) -> None:
        """Something may have changed; called several times a second."""
        ...

    def tell(self, text: str) -> None:
        """Something else happened, such as the death of a worker."""
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

    def open(self, standing: Standing) -> None:
        """Show nothing."""

    def update(self, standing: Standing, slots: int, *, compiling: bool) -> None:
        """Show nothing."""

    def tell(self, text: str) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Show nothing."""
