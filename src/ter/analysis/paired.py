"""Two algorithms on one problem: Student's t for runs in pairs, and Welch's t from means and deviations alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ter.analysis.outcome import Outcome, Tally, tally, verdict
from ter.analysis.samples import check_level, difference, pairs, scaled
from ter.core.errors import InvalidArgument

__all__ = ["compare", "paired_t", "welch_t"]


def paired_t(a: ArrayLike, b: ArrayLike, alpha: float = 0.05) -> Outcome:
    """Test whether the mean of the differences of paired runs is zero.

    Runs are paired by their number, so both algorithms should have used the same seeds.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Final errors, run by run; at least two. NaN counts as +inf.
    alpha : float
        Level of significance.

    Returns
    -------
    Outcome
        Differences that are all 0 give p = 1; differences that are equal but not 0 give p = 0. An infinite difference
        counts as the limit of ever larger ones: it outweighs all finite differences.

    Raises
    ------
    InvalidArgument
        If the numbers of runs differ, or there are fewer than two.

    Examples
    --------
    >>> outcome = paired_t([1.0, 2.0, 1.5, 1.2], [3.0, 3.5, 4.0, 3.3])
    >>> outcome.sign, round(outcome.p, 4)
    ('<', 0.0022)
    """
    check_level(alpha)
    gaps = difference(*pairs(a, b, least=2))
    if np.isinf(gaps).any():
        gaps = np.where(np.isinf(gaps), np.sign(gaps), 0.0)
    gaps = scaled(gaps)[0]
    mean, variance = float(gaps.mean()), float(gaps.var(ddof=1)) if np.ptp(gaps) > 0 else 0.0
    return _t_outcome(mean, variance / gaps.size, gaps.size - 1, alpha)


def welch_t(
    mean_a: float, std_a: float, n_a: int, mean_b: float, std_b: float, n_b: int, *, alpha: float = 0.05
) -> Outcome:
    """Test whether two means differ, where only means, standard deviations and numbers of runs are known.

    This is how own runs are compared with published tables. It does not use pairs, so it sees less than
    :func:`paired_t`.

    Parameters
    ----------
    mean_a, std_a, n_a, mean_b, std_b, n_b
        Mean, sample standard deviation (>= 0) and number of runs (>= 2) of either algorithm.
    alpha : float
        Level of significance.

    Examples
    --------
    >>> welch_t(6.98e8, 2.51e8, 20, 1.23e9, 3.90e8, 20).sign
    '<'
    """
    check_level(alpha)
    numbers = (mean_a, std_a, mean_b, std_b)
    if not all(math.isfinite(number) for number in numbers) or std_a < 0 or std_b < 0:
        raise InvalidArgument(f"means must be finite and standard deviations finite and >= 0, got {numbers!r}")
    if n_a < 2 or n_b < 2:
        raise InvalidArgument(f"n_a and n_b must be >= 2, got {n_a!r} and {n_b!r}; one run has no spread")
    (mean_a, std_a, mean_b, std_b), _ = scaled(np.array(numbers))
    part_a, part_b = std_a**2 / n_a, std_b**2 / n_b
    total = part_a + part_b
    degrees = 1.0 if total == 0 else 1 / ((part_a / total) ** 2 / (n_a - 1) + (part_b / total) ** 2 / (n_b - 1))
    return _t_outcome(float(mean_a - mean_b), float(total), float(degrees), alpha)


def compare(a: Sequence[ArrayLike], b: Sequence[ArrayLike], alpha: float = 0.05) -> tuple[Tally, tuple[Outcome, ...]]:
    """Compare two algorithms problem by problem with :func:`paired_t`.

    Parameters
    ----------
    a, b : sequence of array_like
        For each problem the final errors of the runs.
    alpha : float
        Level of each test; as in the paper, nothing is corrected for their number.

    Returns
    -------
    tally : Tally
        As the paper prints it: on how many problems `a` is better, not different, worse.
    outcomes : tuple of Outcome
        One per problem.

    Examples
    --------
    >>> counts, _ = compare([[1.0, 2.0, 1.5], [7.0, 7.0, 7.0]], [[9.0, 9.5, 9.9], [7.0, 7.0, 7.0]])
    >>> str(counts)
    '1/1/0'
    """
    if len(a) != len(b):
        raise InvalidArgument(f"a and b must hold the same problems, got {len(a)} and {len(b)}")
    outcomes = tuple(paired_t(first, second, alpha) for first, second in zip(a, b, strict=True))
    return tally(outcomes), outcomes


def _t_outcome(mean: float, squared_error: float, degrees: float, alpha: float) -> Outcome:
    """The outcome for a mean difference with a squared standard error, either of which may be 0."""
    from scipy.special import stdtr

    if mean == 0:
        return Outcome("≈", 1.0, 0.0)
    if squared_error == 0:
        return Outcome(verdict(mean, 0.0, alpha), 0.0, math.copysign(math.inf, mean))
    t = mean / math.sqrt(squared_error)
    p = float(2 * stdtr(degrees, -abs(t)))
    return Outcome(verdict(mean, p, alpha), p, t)
