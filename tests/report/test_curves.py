from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ter.report import Study
from ter.report.curves import bands_of, error_curve, grid_of
from tests.report.made import made_record

steps = st.lists(st.tuples(st.integers(1, 100), st.floats(0, 1e9)), min_size=1, max_size=8)


def falling(pairs):
    """A curve: counts increase, values fall."""
    counts = sorted({count for count, _ in pairs})
    values = sorted((value for _, value in pairs[: len(counts)]), reverse=True)
    return list(zip(counts, values, strict=True))


def naive_best(curve, evaluations):
    return min((value for count, value in curve if count <= evaluations), default=np.inf)


@given(st.lists(steps, min_size=1, max_size=6))
def test_bands_are_quantiles_of_what_the_runs_had(found):
    curves = [falling(pairs) for pairs in found]
    records = [made_record(curve[-1][1], curve=curve, budget=100, run=i + 1) for i, curve in enumerate(curves)]
    at = np.array([1.0, 10.0, 50.0, 100.0])
    bands = bands_of(records, at)
    values = np.array([[naive_best(curve, x) for x in at] for curve in curves])
    assert np.array_equal(bands.lowest, values.min(axis=0)) and np.array_equal(bands.highest, values.max(axis=0))
    inside = np.isfinite(values).all(axis=0)
    for band, share in ((bands.low, 0.25), (bands.median, 0.5), (bands.high, 0.75)):
        assert np.allclose(band[inside], np.quantile(values[:, inside], share, axis=0))
    assert np.all(bands.low <= bands.median) and np.all(bands.median <= bands.high)
    assert not np.isnan([bands.low, bands.median, bands.high]).any()
    assert bands.runs == len(records)


def test_curves_are_errors_and_reach_to_the_end_of_the_run():
    curve = error_curve(made_record(3.0, f_opt=-450.0, curve=[(1, 9.0), (70, 3.0)], budget=100))
    assert curve.tolist() == [[1, 9], [70, 3], [100, 3]]


def test_the_grid_is_dense_on_both_axes_and_ends_with_the_budget(records):
    study = Study.of(records)
    grid = grid_of(study, study.cases[0])
    assert (grid[0], grid[-1]) == (1, 600_000) and np.all(np.diff(grid) > 0) and len(grid) < 250
    assert np.max(np.diff(grid)) <= 600_000 / 100 and np.max(grid[1:] / grid[:-1]) <= 2.0


def test_without_a_finished_run_there_is_nothing_to_draw():
    study = Study.of([made_record(traceback="Boom\n")])
    assert len(grid_of(study, study.cases[0])) == 0 and bands_of([], np.array([1.0])) is None
