"""Wilcoxon's signed-rank test, exact for up to fifty pairs, and Holm's correction for several competitors."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ter.analysis.outcome import Outcome, verdict
from ter.analysis.samples import average_ranks, check_level, difference, pairs
from ter.core.box import Vector
from ter.core.errors import InvalidArgument

__all__ = ["holm", "wilcoxon", "wilcoxon_holm"]

EXACT = 50  # pairs up to which the distribution is counted out


def wilcoxon(a: ArrayLike, b: ArrayLike, alpha: float = 0.05) -> Outcome:
    """Test whether paired values differ, by the ranks of their differences.

    The pairs are runs on one problem, or the means of two algorithms over several problems. In the second case the
    differences must be comparable: errors that span many orders of magnitude belong into it as logarithms, otherwise
    the problem with the largest numbers always has the largest rank.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Values in pairs. NaN counts as +inf.
    alpha : float
        Level of significance.

    Returns
    -------
    Outcome
        The statistic is the rank sum of the pairs in which `a` is greater. Pairs that do not differ are left out;
        if none is left, p = 1. Up to 50 pairs p is exact, with equal ranks too; beyond, it is the normal approximation
        with the correction for equal ranks.

    Examples
    --------
    >>> wilcoxon([1, 2, 3, 4, 5, 6], [3, 5, 7, 9, 11, 13])
    Outcome(sign='<', p=0.03125, statistic=0.0)
    """
    check_level(alpha)
    gaps = difference(*pairs(a, b))
    gaps = gaps[gaps != 0]
    if gaps.size == 0:
        return Outcome("≈", 1.0, 0.0)
    ranks = average_ranks(np.abs(gaps))
    statistic = float(ranks[gaps > 0].sum())
    p = _exact_p(ranks, statistic) if gaps.size <= EXACT else _normal_p(ranks, statistic)
    return Outcome(verdict(statistic - ranks.sum() / 2, p, alpha), p, statistic)


def wilcoxon_holm(control: ArrayLike, others: Mapping[str, ArrayLike], alpha: float = 0.05) -> dict[str, Outcome]:
    """Compare one algorithm with several others by :func:`wilcoxon`, with p-values corrected by :func:`holm`.

    Parameters
    ----------
    control : array_like of shape (n,)
        Values of the algorithm that is compared with the others.
    others : mapping from name to array_like of shape (n,)
        Values of the others, in the same order.
    alpha : float
        Level for all comparisons together.

    Examples
    --------
    >>> outcomes = wilcoxon_holm([1, 2, 3, 4, 5, 6], {"x": [3, 5, 7, 9, 11, 13], "y": [2, 1, 4, 3, 6, 5]})
    >>> {name: (outcome.sign, outcome.p) for name, outcome in outcomes.items()}
    {'x': ('≈', 0.0625), 'y': ('≈', 1.0)}
    """
    check_level(alpha)
    raw = {name: wilcoxon(control, values, alpha) for name, values in others.items()}
    corrected = holm([outcome.p for outcome in raw.values()])
    return {
        name: Outcome(outcome.sign if p < alpha else "≈", float(p), outcome.statistic)
        for (name, outcome), p in zip(raw.items(), corrected, strict=True)
    }


def holm(p_values: ArrayLike) -> Vector:
    """Correct p-values for their number, step by step from the smallest, as Holm proposed.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise InvalidArgument(f"p_values must be a flat list of numbers in [0, 1], got {p_values!r}")
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)))
    corrected = np.empty_like(p)
    corrected[order] = stepped
    return corrected


def _exact_p(ranks: Vector, statistic: float) -> float:
    """Two-sided p-value from the rank sums of all choices of signs, equally probable if nothing differs."""
    # Mean ranks of equal values are whole or half numbers, so doubled ranks are whole numbers.
    doubled = np.rint(2 * ranks).astype(np.int64)
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    for rank in doubled:
        chances[rank:] = 0.5 * (chances[rank:] + chances[:-rank])
        chances[:rank] *= 0.5
    smaller = min(round(2 * statistic), int(doubled.sum()) - round(2 * statistic))
    return min(1.0, 2 * float(chances[: smaller + 1].sum()))


def _normal_p(ranks: Vector, statistic: float) -> float:
    """Two-sided p-value from the normal distribution."""
    # The variance of the sum of ranks with random signs; it needs no correction, as it uses the shared ranks.
    z = (statistic - ranks.sum() / 2) / math.sqrt(float(np.square(ranks).sum()) / 4)
    return math.erfc(abs(z) / math.sqrt(2))
