"""Ranks over problems: Friedman's test, the critical distance of Nemenyi, and which algorithms it cannot tell apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ter.analysis.samples import Matrix, check_level, table_of
from ter.core.box import Vector
from ter.core.errors import InvalidArgument

__all__ = ["Friedman", "friedman", "indistinct", "nemenyi_distance", "rank_rows"]


@dataclass(frozen=True)
class Friedman:
    """Result of Friedman's test.

    Attributes
    ----------
    statistic : float
        Chi-square, corrected for ties unless the test was asked not to.
    p : float
        Probability of a statistic at least as large if the algorithms do not differ.
    mean_ranks : tuple of float
        One per algorithm; 1 is the smallest value on every problem.
    problems : int
        Number of problems.
    agreement : float
        Kendall's W in [0, 1]: 1 if all problems rank the algorithms alike. The effect size of the test.
    """

    statistic: float
    p: float
    mean_ranks: tuple[float, ...]
    problems: int
    agreement: float

    @property
    def degrees(self) -> int:
        """Degrees of freedom: algorithms less one."""
        return len(self.mean_ranks) - 1


def rank_rows(table: ArrayLike) -> Matrix:
    """Rank the algorithms on each problem: 1 for the smallest value, the mean rank for equal ones, NaN like +inf.

    Examples
    --------
    >>> rank_rows([[0.1, 0.3, 0.2], [5.0, 5.0, float("nan")]])
    array([[1. , 3. , 2. ],
           [1.5, 1.5, 3. ]])
    """
    values = table_of("table", table)
    smaller = (values[:, None, :] < values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    return np.asarray(smaller + 0.5 * (equal + 1))


def friedman(table: ArrayLike, *, ties: bool = True) -> Friedman:
    """Test whether algorithms differ over problems, by their ranks on each problem.

    Parameters
    ----------
    table : array_like of shape (problems, algorithms)
        One number per problem and algorithm, usually the mean error. NaN and +inf are worst, and equal.
    ties : bool
        Correct the statistic for equal values, as SciPy and MATLAB do. Without ties it makes no difference.

    Raises
    ------
    InvalidArgument
        If there are fewer than two algorithms, or no problem.

    Examples
    --------
    >>> test = friedman([[1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 3, 2]])
    >>> test.mean_ranks, round(test.statistic, 3), round(test.p, 3)
    ((1.25, 2.0, 2.75), 4.5, 0.105)
    """
    from scipy.special import chdtrc

    ranks = rank_rows(table)
    problems, algorithms = ranks.shape
    mean_ranks = ranks.mean(axis=0)
    between = 12 * problems / (algorithms * (algorithms + 1)) * np.square(mean_ranks - (algorithms + 1) / 2).sum()
    spread = _untied_share(ranks) if ties else 1.0
    # All values equal on all problems: nothing to tell apart.
    statistic = float(between / spread) if spread > 0 else 0.0
    return Friedman(
        statistic=statistic,
        p=float(chdtrc(algorithms - 1, statistic)),
        mean_ranks=tuple(mean_ranks.tolist()),
        problems=problems,
        agreement=min(1.0, statistic / (problems * (algorithms - 1))),
    )


def _untied_share(ranks: Matrix) -> float:
    """The variance of the ranks relative to that of ranks without ties, 1 if there are none and 0 if all are equal."""
    problems, algorithms = ranks.shape
    most = problems * algorithms * (algorithms**2 - 1) / 12
    return float(np.square(ranks - (algorithms + 1) / 2).sum() / most)


def nemenyi_distance(algorithms: int, problems: int, alpha: float = 0.05) -> float:
    """Return how far apart two mean ranks must be for Nemenyi's test to call two of the algorithms different.

    Parameters
    ----------
    algorithms, problems : int
        How many were ranked (>= 2), and on how many problems (>= 1).
    alpha : float
        Level for all pairs together.

    Examples
    --------
    >>> round(nemenyi_distance(7, 15), 3)
    2.326
    """
    from scipy.stats import studentized_range

    if algorithms < 2 or problems < 1:
        raise InvalidArgument(
            f"algorithms must be >= 2 and problems >= 1, got {algorithms!r} and {problems!r}; "
            "a distance needs two ranks, and a rank needs a problem"
        )
    check_level(alpha)
    quantile = float(studentized_range.ppf(1 - alpha, algorithms, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(algorithms * (algorithms + 1) / (6 * problems))


def indistinct(mean_ranks: Sequence[float] | Vector, distance: float) -> tuple[tuple[int, ...], ...]:
    """Return the largest groups of algorithms whose mean ranks lie within `distance`: the bars of a diagram.

    Parameters
    ----------
    mean_ranks : sequence of float
        One per algorithm.
    distance : float
        The critical distance.

    Returns
    -------
    tuple of tuples
        Positions of algorithms, best first within a group and between groups. Groups of one are left out.

    Examples
    --------
    >>> indistinct([1.2, 4.0, 2.0, 2.8], distance=1.0)
    ((0, 2), (2, 3))
    """
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    order = np.argsort(ranks, kind="stable")
    groups: list[tuple[int, ...]] = []
    reached = 0  # how many of the ordered algorithms the groups so far extend over
    for first in range(len(order)):
        last = int(np.sum(ranks[order] <= ranks[order[first]] + distance))
        if last - first > 1 and last > reached:
            groups.append(tuple(int(position) for position in order[first:last]))
            reached = last
    return tuple(groups)
