"""Effect sizes: how much better, not only whether. A positive difference always favours the first algorithm."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ter.analysis.samples import average_ranks, difference, pairs, sample

__all__ = ["a12", "cliffs_delta", "magnitude", "rank_biserial"]

# Upper ends of |Cliff's delta| for the usual words (Romano et al. 2006).
WORDS = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"))


def a12(a: ArrayLike, b: ArrayLike) -> float:
    """Return the probability that a run of `a` ends below a run of `b`, equal ones counted half (Vargha and Delaney).

    0.5 means no difference, 1 that every run of `a` is better than every run of `b`. (The original counts larger
    values as better; here smaller ones are.)

    Examples
    --------
    >>> a12([1.0, 2.0, 3.0], [2.0, 4.0, 9.0])
    0.8333333333333333
    """
    return 0.5 + 0.5 * cliffs_delta(a, b)


def cliffs_delta(a: ArrayLike, b: ArrayLike) -> float:
    """Return the share of pairs of runs in which `a` is better, less the share in which `b` is; in [-1, 1].

    Examples
    --------
    >>> cliffs_delta([1.0, 2.0], [3.0, 4.0])
    1.0
    """
    first, second = sample("a", a), np.sort(sample("b", b))
    worse = second.size - np.searchsorted(second, first, side="right")
    better = np.searchsorted(second, first, side="left")
    return float((worse.sum() - better.sum()) / (first.size * second.size))


def rank_biserial(a: ArrayLike, b: ArrayLike) -> float:
    """Return the effect size that belongs to Wilcoxon's signed-rank test, for runs in pairs; in [-1, 1].

    It is the share of the rank sum that favours `a`, less the share that favours `b`; 0 if no pair differs.

    Examples
    --------
    >>> rank_biserial([1.0, 2.0, 3.0], [2.0, 4.0, 2.5])
    0.6666666666666666
    """
    first, second = pairs(a, b)
    gaps = difference(second, first)
    gaps = gaps[gaps != 0]
    if gaps.size == 0:
        return 0.0
    ranks = average_ranks(np.abs(gaps))
    return float((ranks[gaps > 0].sum() - ranks[gaps < 0].sum()) / ranks.sum())


def magnitude(delta: float) -> str:
    """Put Cliff's delta into words: negligible, small, medium or large.

    Examples
    --------
    >>> magnitude(-0.4)
    'medium'
    """
    return next((word for end, word in WORDS if abs(delta) < end), "large")
