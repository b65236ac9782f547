"""What is known of one algorithm on one problem: from runs, or from a publication."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ter.analysis import Published, summary
from ter.report.case import Case
from ter.report.group import Group

__all__ = ["Estimate", "Standing", "own_estimate", "published_estimate"]

Standing = Literal["own", "published", "other budget", "other function", "none"]


@dataclass(frozen=True)
class Estimate:
    """What is known of an algorithm on a problem.

    Attributes
    ----------
    standing : str
        "own" and "published" numbers may be compared; those after another number of evaluations ("other budget") may
        be shown, those of another function under the same name may not.
    mean, std, median, best, worst : float
        Of the final errors; NaN if not known.
    runs : int or None
        Number of runs, the failed ones included; None if not known.
    failed, missing : int
        How many failed, and how many are not there.
    evaluations : int or None
        After how many evaluations.
    remark : str
        Why a published number is doubtful.
    """

    standing: Standing
    mean: float = math.nan
    std: float = math.nan
    median: float = math.nan
    best: float = math.nan
    worst: float = math.nan
    runs: int | None = None
    failed: int = 0
    missing: int = 0
    evaluations: int | None = None
    remark: str = ""

    @property
    def comparable(self) -> bool:
        """Whether it may be ranked and tested against the others."""
        return self.standing in ("own", "published")


def own_estimate(group: Group, case: Case) -> Estimate:
    """Sum up the runs of a study."""
    if not group.records:
        return Estimate("none", missing=group.missing)
    found = summary(group.errors)
    return Estimate(
        standing="own",
        mean=found.mean,
        std=found.std,
        median=found.median,
        best=found.best,
        worst=found.worst,
        runs=found.n,
        failed=len(group.failed),
        missing=group.missing,
        evaluations=case.evaluations,
    )


def published_estimate(source: Published, case: Case) -> Estimate:
    """Look up a published result: after the same number of evaluations, or else after the largest one."""
    if not source.comparable(case.problem):
        other = source.find(case.problem, dimension=case.dimension, across_ackley=True)
        return Estimate("none" if other is None else "other function")
    same = None
    if case.evaluations is not None:
        same = source.find(case.problem, evaluations=case.evaluations, dimension=case.dimension)
    found = same or source.find(case.problem, dimension=case.dimension)
    if found is None:
        return Estimate("none")
    return Estimate(
        standing="other budget" if same is None else "published",
        mean=found.mean,
        std=found.std,
        median=found.median,
        best=found.best,
        worst=found.worst,
        runs=found.runs,
        evaluations=found.evaluations,
        remark=found.remark,
    )
