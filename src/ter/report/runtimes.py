"""How fast the algorithms of a study were: targets for each problem, when runs reached them, and their distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ter.analysis import expected_running_time, fraction_solved, hitting_times, targets_between
from ter.core.box import Vector
from ter.display.scale import DEPTH, WIDE
from ter.experiment.record import Record
from ter.report.case import Case
from ter.report.curves import error_curve
from ter.report.study import Study

__all__ = ["Distribution", "distribution_of", "running_time", "targets_of"]

TARGETS = 51


@dataclass(frozen=True)
class Distribution:
    """The empirical runtime distribution of several algorithms.

    Attributes
    ----------
    at : array of shape (m,)
        Evaluations, or evaluations per variable.
    per_variable : bool
        Which of the two: problems of different sizes are put together per variable.
    solved : dict from label to array of shape (m,)
        Fraction of (run, target) pairs solved; failed runs solve none.
    targets : int
        Targets per problem.
    """

    at: Vector
    per_variable: bool
    solved: dict[str, Vector]
    targets: int


def targets_of(study: Study, case: Case, count: int = TARGETS) -> Vector | None:
    """Return the targets of a problem, from what all runs have at their start to the best that any run reached.

    They are in equal steps of the logarithm, or in equal steps if the errors span little or are not positive. None if
    no run improved on its start.
    """
    curves = [error_curve(record) for label in study.labels for record in study.group(case, label).finished]
    curves = [curve for curve in curves if len(curve)]
    if not curves:
        return None
    easiest, hardest = min(float(curve[0, 1]) for curve in curves), min(float(curve[-1, 1]) for curve in curves)
    if hardest >= easiest:
        return None
    if hardest >= 0 and easiest > WIDE * hardest:
        return targets_between(easiest, max(hardest, easiest * DEPTH), count)
    return np.linspace(easiest, hardest, count)


def distribution_of(study: Study, cases: Sequence[Case] | None = None, points: int = 200) -> Distribution | None:
    """Return the fraction of (run, target) pairs solved over evaluations; None if there are no targets."""
    chosen = study.cases if cases is None else cases
    targets = {case: found for case in chosen if (found := targets_of(study, case)) is not None}
    if not targets:
        return None
    per_variable = len({case.dimension for case in targets}) > 1
    times: dict[str, list[Vector]] = {label: [] for label in study.labels}
    ends = []
    for case, goals in targets.items():
        size = case.dimension if per_variable else 1
        for label in study.labels:
            group = study.group(case, label)
            times[label] += [hitting_times(error_curve(record), goals) / size for record in group.finished]
            times[label] += [np.full(len(goals), np.inf)] * len(group.failed)
            ends += [record.nfev / size for record in group.finished]
    first = min(float(np.min(each)) for found in times.values() for each in found)
    at = np.geomspace(max(first, 1e-3), max(ends), points)
    solved = {label: fraction_solved(np.array(found), at) for label, found in times.items() if found}
    return Distribution(at, per_variable, solved, TARGETS)


def running_time(finished: Sequence[Record], failed: int, target: float) -> float:
    """Return the expected evaluations until a target; +inf if no run reached it. Failed runs count as none at all."""
    if not finished:
        return float("inf") if failed else float("nan")
    times = [float(hitting_times(error_curve(record), [target])[0]) for record in finished]
    return expected_running_time(times, [record.nfev for record in finished])
