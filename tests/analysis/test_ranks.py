"""Ranks, Friedman's test and Nemenyi's distance against SciPy, R's example and Demšar's tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from ter.analysis import friedman, indistinct, nemenyi_distance, rank_rows
from ter.core.errors import InvalidArgument

# Hollander and Wolfe (1973), times of 22 players to round first base in three ways: the example of R's friedman.test.
ROUNDING = np.array(
    [
        5.40, 5.50, 5.55, 5.85, 5.70, 5.75, 5.20, 5.60, 5.50, 5.55, 5.50, 5.40, 5.90, 5.85, 5.70, 5.45, 5.55, 5.60,
        5.40, 5.40, 5.35, 5.45, 5.50, 5.35, 5.25, 5.15, 5.00, 5.85, 5.80, 5.70, 5.25, 5.20, 5.10, 5.65, 5.55, 5.45,
        5.60, 5.35, 5.45, 5.05, 5.00, 4.95, 5.50, 5.50, 5.40, 5.45, 5.55, 5.50, 5.55, 5.55, 5.35, 5.45, 5.50, 5.55,
        5.50, 5.45, 5.25, 5.65, 5.60, 5.40, 5.70, 5.65, 5.55, 6.30, 6.30, 6.25,
    ]
).reshape(22, 3)  # fmt: skip

TABLES = hnp.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(3, 7)), elements=st.integers(0, 6).map(float))


def test_friedman_agrees_with_r():
    test = friedman(ROUNDING)
    assert (round(test.statistic, 3), round(test.p, 6), test.degrees) == (11.143, 0.003805, 2)
    assert test.problems == 22


@given(TABLES)
def test_ranks_and_friedman_agree_with_scipy(table):
    ranks = stats.rankdata(table, axis=1)
    assert np.array_equal(rank_rows(table), ranks)
    test = friedman(table)
    assert test.mean_ranks == pytest.approx(ranks.mean(axis=0))
    if np.ptp(table, axis=1).any():
        other = stats.friedmanchisquare(*table.T)
        assert test.statistic == pytest.approx(other.statistic, abs=1e-9)
        assert test.p == pytest.approx(other.pvalue, rel=1e-8, abs=1e-300)
    else:
        assert (test.statistic, test.p) == (0.0, 1.0)


@given(TABLES)
def test_the_statistic_without_correction_is_the_textbook_formula(table):
    n, k = table.shape
    sums = stats.rankdata(table, axis=1).sum(axis=0)
    assert friedman(table, ties=False).statistic == pytest.approx(
        12 / (n * k * (k + 1)) * np.square(sums).sum() - 3 * n * (k + 1), abs=1e-9
    )


def test_agreement_is_1_if_all_problems_agree_and_0_if_they_cancel():
    assert friedman([[1, 2, 3], [4, 5, 6]]).agreement == pytest.approx(1.0)
    assert friedman([[1, 2, 3], [3, 2, 1]]).agreement == 0.0


def test_two_algorithms_can_be_tested():
    test = friedman([[1, 2]] * 9 + [[2, 1]])
    assert test.statistic == pytest.approx(6.4) and test.p == pytest.approx(stats.chi2.sf(6.4, 1))


def test_no_result_and_infinity_are_worst_and_equal():
    assert rank_rows([[1.0, math.nan, math.inf, 0.5]]).tolist() == [[2.0, 3.5, 3.5, 1.0]]


@pytest.mark.parametrize("wrong", [[1.0, 2.0], [[1.0], [2.0]], np.empty((0, 3)), [[1.0, -math.inf]]])
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises(InvalidArgument, match="table must"):
        friedman(wrong)


@pytest.mark.parametrize(
    ("alpha", "quantiles"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_the_critical_distance_uses_the_quantiles_of_demsars_table(alpha, quantiles):
    for algorithms, quantile in enumerate(quantiles, start=2):
        problems = algorithms * (algorithms + 1) / 6  # makes the factor of the quantile 1
        assert nemenyi_distance(algorithms, 1, alpha) / math.sqrt(problems) == pytest.approx(quantile, abs=1.1e-3)


def test_the_critical_distance_of_demsars_example():
    assert [round(nemenyi_distance(4, 14, alpha), 2) for alpha in (0.05, 0.10)] == [1.25, 1.12]


@pytest.mark.parametrize("wrong", [(1, 15, 0.05), (4, 0, 0.05), (4, 15, 0.0), (4, 15, 1.0)])
def test_impossible_distances_are_refused(wrong):
    with pytest.raises(InvalidArgument, match="must"):
        nemenyi_distance(*wrong)


@given(st.lists(st.integers(2, 14).map(lambda n: n / 2), min_size=1, max_size=8), st.integers(0, 6))
def test_groups_are_the_largest_sets_within_the_distance(ranks, distance):
    groups = [set(group) for group in indistinct(ranks, distance)]
    for group in groups:
        assert len(group) > 1 and max(ranks[i] for i in group) - min(ranks[i] for i in group) <= distance
        assert not any(group < other for other in groups)
    for i in range(len(ranks)):
        for j in range(i):
            assert any({i, j} <= group for group in groups) == (abs(ranks[i] - ranks[j]) <= distance)
