"""The numbers of a study beside published ones: one column for each algorithm, one estimate for each problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.analysis import Outcome, Published, Tally, paired_t, published, tally, welch_t
from ter.analysis.samples import Matrix
from ter.report.best import BestSequence
from ter.report.case import Case
from ter.report.estimate import Estimate, own_estimate, published_estimate
from ter.report.group import Group
from ter.report.study import Study, common

__all__ = ["Board", "Column"]


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
            return own_estimate(self.study.group(case, column.name), case)
        return published_estimate(column.source, case)

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
        mine, theirs = own_estimate(reference, case), published_estimate(column.source, case)
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


def _paired(reference: Group, other: Group) -> Outcome | None:
    first, second = reference.by_seed, other.by_seed
    seeds = [seed for seed in first if seed in second]
    if len(seeds) < 2:
        return None
    return paired_t([first[seed] for seed in seeds], [second[seed] for seed in seeds])
