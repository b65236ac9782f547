"""How far a plan is: which of its runs are there, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ter.experiment.record import Record, RunKey
from ter.experiment.spec import RunSpec
from ter.experiment.store import Line

__all__ = ["PlanProgress", "missing", "progress_of"]


@dataclass(frozen=True)
class PlanProgress:
    """How far a plan is.

    Attributes
    ----------
    total : int
        Runs of the plan.
    finished, failed : int
        Runs in the store that ended well, and those that did not.
    new : int
        Runs, of either kind, that were added now.

    Examples
    --------
    >>> PlanProgress(total=4, finished=3, failed=1).done
    False
    """

    total: int
    finished: int
    failed: int
    new: int = 0

    @property
    def done(self) -> bool:
        """Whether every run of the plan ended well."""
        return self.finished == self.total

    def after(self, record: Record) -> PlanProgress:
        """Return how far it is when a run was added."""
        finished, failed = self.finished + (not record.failed), self.failed + record.failed
        return replace(self, finished=finished, failed=failed, new=self.new + 1)


def missing(
    specs: Iterable[RunSpec], lines: Iterable[Line], *, retry_failed: bool = False, any_code: bool = False
) -> list[RunSpec]:
    """Return the runs of a plan that a store with these lines does not have yet."""
    there = {_counting(line.key, any_code) for line in lines if not (line.failed and retry_failed)}
    return [spec for spec in specs if _counting(spec.key, any_code) not in there]


def progress_of(specs: Sequence[RunSpec], lines: Sequence[Line], *, any_code: bool = False) -> PlanProgress:
    """Return how far a plan is in a store with these lines."""
    finished = {_counting(line.key, any_code) for line in lines if not line.failed}
    failed = {_counting(line.key, any_code) for line in lines if line.failed} - finished
    keys = [_counting(spec.key, any_code) for spec in specs]
    return PlanProgress(len(keys), sum(key in finished for key in keys), sum(key in failed for key in keys))


def _counting(key: RunKey, any_code: bool) -> RunKey:
    return key.without_code if any_code else key
