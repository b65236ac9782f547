"""How fast, not only how good: evaluations until a target, their distribution, and the expected running time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ter.core.box import Vector
from ter.core.errors import InvalidArgument

__all__ = ["expected_running_time", "fraction_solved", "hitting_times", "targets_between"]


def hitting_times(curve: ArrayLike, targets: ArrayLike) -> Vector:
    """Return after how many evaluations a run first reached each target; +inf where it never did.

    Parameters
    ----------
    curve : array_like of shape (n, 2)
        Rows (evaluations, best error so far), evaluations increasing.
    targets : array_like of shape (m,)
        Errors; a target is reached by an error at or below it.

    Examples
    --------
    >>> hitting_times([(10, 5.0), (200, 0.5), (900, 1e-3)], targets=[1.0, 0.5, 1e-8])
    array([200., 200.,  inf])
    """
    rows = np.asarray(curve, dtype=np.float64)
    if rows.size == 0:
        rows = rows.reshape(0, 2)
    if rows.ndim != 2 or rows.shape[1] != 2 or np.any(np.diff(rows[:, 0]) < 0):
        raise InvalidArgument(
            "curve must have rows (evaluations, best error) in the order of the evaluations, "
            f"got an array of shape {rows.shape}"
        )
    best = np.minimum.accumulate(np.where(np.isnan(rows[:, 1]), np.inf, rows[:, 1]))
    # The best errors fall, so their negatives are in order.
    first = np.searchsorted(-best, -_numbers("targets", targets), side="left")
    return np.append(rows[:, 0], np.inf)[first]


def fraction_solved(times: ArrayLike, evaluations: ArrayLike) -> Vector:
    """Return which fraction of (run, target) pairs was solved after so many evaluations.

    This is the empirical runtime distribution. Times of several runs, targets and problems can be put together.

    Parameters
    ----------
    times : array_like
        Hitting times, of any shape; +inf for a pair that was not solved.
    evaluations : array_like of shape (m,)
        Where to look.

    Examples
    --------
    >>> fraction_solved([[200, 200, float("inf")], [50, 300, 800]], evaluations=[100, 200, 1000])
    array([0.16666667, 0.5       , 0.83333333])
    """
    ordered = np.sort(np.asarray(times, dtype=np.float64), axis=None)
    if ordered.size == 0 or np.isnan(ordered).any():
        raise InvalidArgument("times must hold at least one hitting time and no NaN; a target never reached is +inf")
    return np.searchsorted(ordered, _numbers("evaluations", evaluations), side="right") / ordered.size


def expected_running_time(times: ArrayLike, spent: ArrayLike) -> float:
    """Return the evaluations that all runs used for a target, per run that reached it (ERT); +inf if none did.

    It estimates how long one would wait, on average, if unsuccessful runs were started anew.

    Parameters
    ----------
    times : array_like of shape (runs,)
        When each run reached the target; +inf if it did not.
    spent : array_like of shape (runs,)
        Evaluations of each run altogether.

    Examples
    --------
    >>> expected_running_time([200, float("inf"), 400], spent=[1000, 1000, 1000])
    800.0
    """
    reached, total = _numbers("times", times), _numbers("spent", spent)
    if reached.shape != total.shape or reached.size == 0:
        raise InvalidArgument(f"times and spent must hold one number per run, got {reached.size} and {total.size}")
    successes = int(np.isfinite(reached).sum())
    if successes == 0:
        return np.inf
    return float(np.where(np.isfinite(reached), reached, total).sum() / successes)


def targets_between(easiest: float, hardest: float, count: int = 51) -> Vector:
    """Return targets in equal steps of their logarithm, the easiest first.

    Examples
    --------
    >>> targets_between(1e2, 1e-2, count=5)
    array([1.e+02, 1.e+01, 1.e+00, 1.e-01, 1.e-02])
    """
    if not (np.isfinite(easiest) and easiest >= hardest > 0) or count < 1:
        raise InvalidArgument(
            f"targets need easiest >= hardest > 0 and count >= 1, got {easiest!r}, {hardest!r} and {count!r}; "
            "an error of 0 has no logarithm, choose the smallest error that matters"
        )
    return np.geomspace(easiest, hardest, count)


def _numbers(name: str, values: ArrayLike | Sequence[float]) -> Vector:
    read = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if read.ndim != 1 or np.isnan(read).any():
        raise InvalidArgument(f"{name} must be a flat list of numbers without NaN, got {values!r}")
    return read
