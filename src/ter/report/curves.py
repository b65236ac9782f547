"""The best error over evaluations, for all runs of an algorithm together: the median and bands around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.analysis.samples import Matrix
from ter.core.box import Vector
from ter.display.trace import curve_of
from ter.experiment.record import Record
from ter.report.case import Case
from ter.report.study import Study

__all__ = ["Bands", "bands_of", "error_curve", "grid_of"]

POINTS = 120  # in equal steps of the logarithm, and as many in equal steps
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Bands:
    """Runs of one algorithm on one problem.

    Attributes
    ----------
    evaluations : array of shape (m,)
        Where the curves are read.
    lowest, low, median, high, highest : array of shape (m,)
        The best run, quartile, median, quartile, worst run; +inf before the first finite value.
    runs : int
        Number of finished runs.
    """

    evaluations: Vector
    lowest: Vector
    low: Vector
    median: Vector
    high: Vector
    highest: Vector
    runs: int


def error_curve(record: Record) -> Matrix:
    """Return rows (evaluations, best error) of a run, drawn out to its end."""
    curve = curve_of(record, record.f_opt)
    return curve[np.isfinite(curve[:, 1])]


def grid_of(study: Study, case: Case, points: int = POINTS, *, linear: bool = True) -> Vector:
    """Return counts of evaluations for the curves on a problem, dense on a logarithmic axis and on a linear one."""
    records = [record for label in study.labels for record in study.group(case, label).finished]
    last = max((record.nfev for record in records), default=0)
    first = min((float(curve[0, 0]) for record in records if len(curve := error_curve(record))), default=1.0)
    if last < 1:
        return np.empty(0)
    first = max(1.0, min(first, float(last)))
    steps = [np.geomspace(first, last, points), *([np.linspace(first, last, points)] * linear)]
    return np.unique(np.rint(np.concatenate(steps)))


def bands_of(records: Sequence[Record], evaluations: Vector) -> Bands | None:
    """Return the quantiles of the best error over runs; None without a run.

    A run that ended early keeps its last value.
    """
    if not records or not len(evaluations):
        return None
    values = np.array([_read(error_curve(record), evaluations) for record in records])
    ordered = np.sort(values, axis=0)
    lowest, low, median, high, highest = (_quantile(ordered, share) for share in QUANTILES)
    return Bands(evaluations, lowest, low, median, high, highest, runs=len(records))


def _quantile(ordered: Matrix, share: float) -> Vector:
    """A quantile of each column, as NumPy has it; but of infinite values too."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    if place == below:
        return np.asarray(ordered[below])
    return np.asarray((1 - (place - below)) * ordered[below] + (place - below) * ordered[below + 1])


def _read(curve: Matrix, evaluations: Vector) -> Vector:
    """The best error after so many evaluations, +inf before the first finite one."""
    rows = np.searchsorted(curve[:, 0], evaluations, side="right")
    return np.concatenate([[np.inf], curve[:, 1]])[rows]
