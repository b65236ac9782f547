"""The numbers of a study beside published ones: one column for each algorithm, one estimate for each problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ter.analysis import Outcome, Published, Tally, paired_t, published, summary, tally, welch_t
from ter.analysis.samples import Matrix
from ter.report.case import Case
from ter.report.study import Group, Study, common

__all__ = ["BestSequence", "Board", "Column", "Estimate", "Standing"]

Standing = Literal["own", "published", "other budget", "other function", "none"]


@dataclass(frozen=True)
class Column:
    """An algorithm: one of the study's, or a published one.

    Attributes
    ----------
    name : str
        Its label, or the name of the published results.
    title : str
        What tables print.
    source : Published or None
        The published results; None for an algorithm of the study.
    """

    name: str
    title: str
    source: Published | None = None


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


@dataclass(frozen=True)
class BestSequence:
    """The best known sequence of decisions on a problem.

    Attributes
    ----------
    problem, dimension, budget : str, int, str
        What it is good for.
    sequence : tuple of str
        The decisions.
    values : tuple of float
        Final values of its runs.
    flattered : bool
        Whether it was chosen by these runs.
    """

    problem: str
    dimension: int
    budget: str
    sequence: tuple[str, ...]
    values: tuple[float, ...]
    flattered: bool = False


@dataclass(frozen=True)
class Board:
    """A study and published results, column by column.

    Parameters
    ----------
    study : Study
        The runs.
    columns : tuple of Column
        The study's algorithms, then the published ones.
    best : tuple of BestSequence
        The best known sequences of decisions, where there are any.
    """

    study: Study
    columns: tuple[Column, ...]
    best: tuple[BestSequence, ...] = ()

    @classmethod
    def of(cls, study: Study, names: Sequence[str] = (), best: Sequence[BestSequence] = ()) -> Board:
        """Put a study beside published results; see :func:`ter.analysis.published_names`."""
        own = [Column(label, label) for label in study.labels]
        quoted = [Column(name, (found := published(name)).title, found) for name in names]
        return cls(study, (*own, *quoted), tuple(best))

    def best_of(self, case: Case) -> BestSequence | None:
        """Return the best known sequence of a problem with the same budget."""
        wanted = (case.problem, case.dimension, case.budget)
        return next((best for best in self.best if (best.problem, best.dimension, best.budget) == wanted), None)

    @property
    def own(self) -> tuple[Column, ...]:
        """The columns of the study."""
        return tuple(column for column in self.columns if column.source is None)

    @property
    def sources(self) -> tuple[Published, ...]:
        """The published results."""
        return tuple(column.source for column in self.columns if column.source is not None)

    def estimate(self, case: Case, column: Column) -> Estimate:
        """Return what is known of an algorithm on a problem."""
        if column.source is None:
            return _own(self.study.group(case, column.name), case)
        return _quoted(column.source, case)

    def means(self, columns: Sequence[Column] | None = None) -> Matrix:
        """Return the mean errors that may be compared, a row per problem and a column per algorithm; NaN for none."""
        chosen = self.columns if columns is None else columns
        rows = [[self.estimate(case, column) for column in chosen] for case in self.study.cases]
        return np.array([[each.mean if each.comparable else math.nan for each in row] for row in rows]).reshape(
            len(rows), len(chosen)
        )

    def outcome(self, case: Case, column: Column) -> Outcome | None:
        """Test the reference against an algorithm on a problem; None if there are too few runs to say anything.

        Runs of the study are paired by their seeds (Student's t); published means are compared by Welch's t.
        """
        reference = self.study.group(case, self.study.reference)
        if column.source is None:
            return _paired(reference, self.study.group(case, column.name))
        mine, theirs = _own(reference, case), _quoted(column.source, case)
        numbers = (mine.mean, mine.std, theirs.mean, theirs.std)
        enough = min(mine.runs or 0, theirs.runs or 0) >= 2
        if not (theirs.comparable and enough and all(map(math.isfinite, numbers))):
            return None
        return welch_t(mine.mean, mine.std, mine.runs or 0, theirs.mean, theirs.std, theirs.runs or 0)

    def tally(self, column: Column) -> Tally:
        """Count on how many problems the reference is better than an algorithm, not different, worse."""
        outcomes = [self.outcome(case, column) for case in self.study.cases]
        return tally(outcome for outcome in outcomes if outcome is not None)

    def compared(self, columns: Sequence[Column]) -> tuple[list[int], list[int]]:
        """Return the positions of the problems and of the algorithms that can be ranked together."""
        there = ~np.isnan(self.means(columns))
        return common(there.tolist())


def _own(group: Group, case: Case) -> Estimate:
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


def _quoted(source: Published, case: Case) -> Estimate:
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


def _paired(reference: Group, other: Group) -> Outcome | None:
    first, second = reference.by_seed, other.by_seed
    seeds = [seed for seed in first if seed in second]
    if len(seeds) < 2:
        return None
    return paired_t([first[seed] for seed in seeds], [second[seed] for seed in seeds])
