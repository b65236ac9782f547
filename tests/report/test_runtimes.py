from __future__ import annotations

import numpy as np
import pytest

from ter.report import Study
from ter.report.runtimes import distribution_of, running_time, targets_of
from tests.report.made import made_record


def study_of(*curves, label="ter", **more):
    return Study.of(
        made_record(curve[-1][1], curve=curve, run=i + 1, label=label, budget=100, **more)
        for i, curve in enumerate(curves)
    )


def test_targets_go_from_the_best_start_to_the_best_end_in_equal_ratios():
    study = study_of([(1, 1e4), (50, 1.0)], [(1, 1e3), (60, 10.0)])
    assert targets_of(study, study.cases[0], count=4).tolist() == pytest.approx([1e3, 1e2, 10, 1])


def test_an_error_of_zero_is_no_target_but_a_small_one_is():
    study = study_of([(1, 1e4), (50, 0.0)])
    targets = targets_of(study, study.cases[0])
    assert np.all(targets > 0) and targets[-1] == pytest.approx(1e-14)


def test_values_that_are_not_errors_have_targets_in_equal_steps():
    study = study_of([(1, 5.0), (50, -5.0)], f_opt=None)
    assert targets_of(study, study.cases[0], count=3).tolist() == [5, 0, -5]


def test_without_an_improvement_there_is_no_target():
    study = study_of([(1, 5.0)], [(1, 7.0)])
    assert targets_of(study, study.cases[0]) is None and distribution_of(study) is None


def test_the_distribution_is_the_fraction_of_targets_reached():
    study = study_of([(1, 100.0), (10, 10.0), (90, 1.0)], [(1, 100.0), (50, 10.0)])
    found = distribution_of(study, points=200)
    ends = found.solved["ter"]
    assert not found.per_variable and found.at[0] == 1 and found.at[-1] == 100
    # The targets at 100 are reached at once; all of them by the first run, half by the second.
    assert ends[0] == pytest.approx(1 / 51) and ends[-1] == pytest.approx((51 + 26) / 102)
    assert np.all(np.diff(ends) >= 0)


def test_failed_runs_reach_nothing():
    good = made_record(1.0, curve=[(1, 100.0), (50, 1.0)], budget=100)
    study = Study.of([good, made_record(run=2, budget=100, traceback="Boom\n")])
    assert distribution_of(study).solved["ter"][-1] == 0.5


def test_problems_of_several_sizes_are_put_together_per_variable():
    records = [
        made_record(1.0, curve=[(1, 100.0), (10 * d, 1.0)], dimension=d, budget=20 * d, problem="lso08/f1")
        for d in (10, 100)
    ]
    found = distribution_of(Study.of(records))
    assert found.per_variable and found.at[-1] == pytest.approx(20)


def test_the_expected_running_time():
    records = [made_record(f, curve=[(1, 9.0), (40, f)], budget=100, run=i) for i, f in enumerate((1.0, 5.0))]
    assert running_time(records, 0, target=2.0) == 140
    assert running_time(records, 0, target=0.5) == np.inf
    assert running_time([], 2, target=1.0) == np.inf and np.isnan(running_time([], 0, target=1.0))
