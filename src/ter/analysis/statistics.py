"""What the runs of one algorithm on one problem came to: mean, median, standard deviation, best and worst."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ter.analysis.samples import sample, scaled

__all__ = ["Summary", "summary"]


@dataclass(frozen=True)
class Summary:
    """Location and spread of a sample.

    Attributes
    ----------
    mean, median : float
        The mean is +inf as soon as one run has no result; the median only if half of them have none.
    std : float
        Sample standard deviation, with ``n - 1`` in the denominator; NaN for one run, or if a run has no result.
    best, worst : float
        Smallest and largest value.
    n : int
        Number of runs.
    missing : int
        How many of them have no finite result.
    """

    mean: float
    median: float
    std: float
    best: float
    worst: float
    n: int
    missing: int = 0


def summary(values: ArrayLike) -> Summary:
    """Summarise the final errors of several runs. A run without a result (NaN) counts as +inf: it is not left out.

    Parameters
    ----------
    values : array_like of shape (n,)
        One number per run, at least one.

    Raises
    ------
    InvalidArgument
        If there is no run, or a value is -inf.

    Examples
    --------
    >>> summary([1.0, 2.0, 3.0, 6.0])
    Summary(mean=3.0, median=2.5, std=2.160246899469287, best=1.0, worst=6.0, n=4, missing=0)
    >>> failed = summary([1.0, 2.0, float("nan")])
    >>> failed.mean, failed.median, failed.missing
    (inf, 2.0, 1)
    """
    runs = np.sort(sample("values", values))
    n, missing = runs.size, int(np.isinf(runs).sum())
    mean, std = (np.inf, np.nan) if missing else _mean_and_std(runs)
    low, high = runs[(n - 1) // 2], runs[n // 2]
    return Summary(
        mean=float(mean),
        median=float(low if low == high else 0.5 * low + 0.5 * high),
        std=float(std),
        best=float(runs[0]),
        worst=float(runs[-1]),
        n=n,
        missing=missing,
    )


def _mean_and_std(runs: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    """Mean and sample standard deviation of finite values of any size."""
    small, exponent = scaled(runs)
    # Rounding must not push the mean of equal values off these values, nor give them a spread.
    mean = min(max(small.mean(), small[0]), small[-1])
    std = np.sqrt(np.square(small - mean).sum() / (runs.size - 1)) if runs.size > 1 else np.nan
    return float(np.ldexp(mean, exponent)), float(np.ldexp(std, exponent))
