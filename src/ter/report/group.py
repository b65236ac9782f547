"""The runs of one algorithm on one problem."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ter.core.box import Vector
from ter.experiment.record import Record

__all__ = ["Group", "position_of"]


@dataclass(frozen=True)
class Group:
    """The runs of one algorithm on one problem.

    Attributes
    ----------
    finished, failed : tuple of Record
        In the order of their numbers.
    missing : int
        Runs that some other algorithm has on this problem and this one has not.
    """

    finished: tuple[Record, ...] = ()
    failed: tuple[Record, ...] = ()
    missing: int = 0

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All runs there are, in the order of their numbers."""
        return tuple(sorted((*self.finished, *self.failed), key=position_of))

    @cached_property
    def errors(self) -> Vector:
        """The final errors run by run; a failed run has +inf, since it is the worst, not left out."""
        return np.array([_final(record) for record in self.records], dtype=np.float64)

    @cached_property
    def by_seed(self) -> dict[int, float]:
        """The final errors by seed: runs of two algorithms with the same seed are a pair."""
        return {record.key.seed: _final(record) for record in self.records}

    @cached_property
    def sequences(self) -> list[tuple[str, ...]]:
        """The decisions of the finished runs that made any."""
        return [record.sequence for record in self.finished if record.sequence]

    @cached_property
    def decides(self) -> bool:
        """Whether some run started two heuristics or more: otherwise there is no decision to show."""
        return any(len(set(sequence)) > 1 for sequence in self.sequences)


def position_of(record: Record) -> tuple[int, int]:
    """Return what runs are sorted by: their number."""
    return record.run, record.key.seed


def _final(record: Record) -> float:
    return float("inf") if record.failed or np.isnan(record.error) else record.error
