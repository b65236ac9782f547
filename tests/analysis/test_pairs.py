"""Tests between two algorithms, and effect sizes, against SciPy, R's examples and counting by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ter.analysis import (
    a12,
    cliffs_delta,
    compare,
    holm,
    magnitude,
    paired_t,
    rank_biserial,
    summary,
    welch_t,
    wilcoxon,
    wilcoxon_holm,
)
from ter.core.errors import InvalidArgument

# The data of Student (1908), R's `sleep`: hours gained with two drugs by ten patients.
FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
# Hollander and Wolfe (1973), depression of nine patients before and after: the example of R's wilcox.test.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

FEW = st.integers(0, 5).map(float)
PAIRS = st.lists(st.tuples(FEW, FEW), min_size=2, max_size=9)
FLIP = {"<": ">", "≈": "≈", ">": "<"}


def test_t_tests_agree_with_r():
    paired = paired_t(FIRST, SECOND)
    assert (paired.sign, round(paired.statistic, 4), round(paired.p, 6)) == ("<", -4.0621, 0.002833)
    a, b = summary(FIRST), summary(SECOND)
    welch = welch_t(a.mean, a.std, a.n, b.mean, b.std, b.n)
    assert (welch.sign, round(welch.statistic, 4), round(welch.p, 5)) == ("≈", -1.8608, 0.07939)


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)), min_size=3, max_size=20))
def test_the_paired_t_test_agrees_with_scipy(pairs):
    a, b = np.array(pairs).T
    gaps = a - b
    if np.ptp(gaps) < 1e-6 * np.abs(gaps).max(initial=1e-300):
        return  # SciPy refuses differences that are almost equal
    ours, other = paired_t(a, b), stats.ttest_rel(a, b)
    assert ours.statistic == pytest.approx(other.statistic, rel=1e-6, abs=1e-9)
    assert ours.p == pytest.approx(other.pvalue, rel=1e-6)


@given(PAIRS)
def test_swapping_the_algorithms_swaps_the_sign(pairs):
    a, b = zip(*pairs, strict=True)
    for test in (paired_t, wilcoxon):
        one, two = test(a, b), test(b, a)
        assert two.sign == FLIP[one.sign] and two.p == pytest.approx(one.p)
    assert cliffs_delta(a, b) == -cliffs_delta(b, a)
    assert rank_biserial(a, b) == pytest.approx(-rank_biserial(b, a))


def test_equal_runs_do_not_differ_and_a_constant_difference_is_certain():
    assert (paired_t([0.0] * 20, [0.0] * 20).sign, paired_t([0.0] * 20, [0.0] * 20).p) == ("≈", 1.0)
    assert (paired_t([0.0] * 20, [1e-9] * 20).sign, paired_t([0.0] * 20, [1e-9] * 20).p) == ("<", 0.0)
    assert welch_t(0.0, 0.0, 20, 0.0, 0.0, 20).sign == "≈"
    assert welch_t(1.0, 0.0, 20, 0.0, 0.0, 20).sign == ">"


def test_huge_and_tiny_errors_are_compared_alike():
    a, b = np.array([1.0, 2.0, 1.5, 1.7]), np.array([2.5, 3.1, 2.9, 2.2])
    expected = paired_t(a, b)
    for scale in (1e-300, 1e300):
        assert paired_t(scale * a, scale * b).p == pytest.approx(expected.p)
        x, y = summary(scale * a), summary(scale * b)
        z, w = summary(a), summary(b)
        assert welch_t(x.mean, x.std, 4, y.mean, y.std, 4).p == pytest.approx(
            welch_t(z.mean, z.std, 4, w.mean, w.std, 4).p
        )


def test_infinite_differences_are_the_limit_of_large_ones():
    a, b = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, math.inf, math.nan, math.inf]
    limit = paired_t(a, [2.0, 1.0, 1e30, 1e30, 1e30])
    assert paired_t(a, b).p == pytest.approx(limit.p) and paired_t(a, b).statistic == pytest.approx(limit.statistic)
    assert paired_t([math.inf] * 3, [math.nan] * 3).sign == "≈"
    assert paired_t([1.0] * 3, [math.nan] * 3).sign == "<"


def test_a_tally_counts_problems():
    better, same, worse = [1.0, 1.1, 0.9], [5.0, 5.0, 5.0], [9.0, 9.2, 9.1]
    counts, outcomes = compare([better, same, worse], [worse, same, better])
    assert (str(counts), counts.less) == ("1/1/1", 1)
    assert [outcome.sign for outcome in outcomes] == ["<", "≈", ">"]


def test_wilcoxon_agrees_with_r():
    test = wilcoxon(BEFORE, AFTER)
    assert (test.sign, test.statistic, round(test.p, 5)) == (">", 40.0, 0.03906)


@given(PAIRS)
def test_wilcoxon_is_exact_with_equal_ranks_and_zeros(pairs):
    gaps = [a - b for a, b in pairs if a != b]
    ranks = stats.rankdata(np.abs(gaps)) if gaps else []
    observed = sum(rank for rank, gap in zip(ranks, gaps, strict=True) if gap > 0)
    middle = sum(ranks) / 2
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((0, 1), repeat=len(gaps))]
    p = sum(abs(total - middle) >= abs(observed - middle) for total in sums) / len(sums)
    test = wilcoxon(*zip(*pairs, strict=True))
    assert (test.statistic, test.p) == (observed, pytest.approx(p))


@pytest.mark.parametrize("n", [20, 50, 51, 200])
def test_wilcoxon_agrees_with_scipy(n, rng):
    a, b = rng.random(n), rng.random(n) + 0.1
    other = stats.wilcoxon(a, b, method="exact" if n <= 50 else "asymptotic")
    assert wilcoxon(a, b).p == pytest.approx(other.pvalue, rel=1e-9)


def test_many_equal_ranks_are_allowed_for_beyond_fifty_pairs(rng):
    a, b = rng.integers(0, 4, 120).astype(float), rng.integers(0, 5, 120).astype(float)
    assert wilcoxon(a, b).p == pytest.approx(stats.wilcoxon(a, b, method="asymptotic").pvalue, rel=1e-9)


def test_wilcoxon_ranks_a_missing_result_last():
    assert wilcoxon([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0, 4.0, 6.0, 8.0, math.inf, math.nan]).sign == "<"
    assert wilcoxon([math.nan], [math.inf]).p == 1.0


def test_holm_agrees_with_r():
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.04, 0.01, 0.9, 0.5]) == pytest.approx([0.12, 0.04, 1.0, 1.0])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_holm_lies_between_no_correction_and_bonferroni(p_values):
    p = np.array(p_values)
    assert np.all(p <= holm(p)) and np.all(holm(p) <= np.minimum(1, p * p.size) + 1e-15)
    # Rejecting by the corrected values is Holm's procedure: stop at the first that is too large.
    alpha, kept = 0.05, 0
    for k, value in enumerate(sorted(p_values)):
        if value * (len(p_values) - k) >= alpha:
            break
        kept += 1
    assert int((holm(p) < alpha).sum()) == kept


def test_the_correction_can_take_a_significance_away():
    control = np.arange(6.0)
    alone = wilcoxon_holm(control, {"x": control + np.arange(1, 7)})
    among = wilcoxon_holm(control, {"x": control + np.arange(1, 7), "y": control[::-1]})
    assert (alone["x"].sign, alone["x"].p) == ("<", 0.03125)
    assert (among["x"].sign, among["x"].p) == ("≈", 0.0625)


@given(st.lists(FEW, min_size=1, max_size=8), st.lists(FEW, min_size=1, max_size=8))
def test_effect_sizes_count_pairs(a, b):
    better = sum(x < y for x in a for y in b)
    equal = sum(x == y for x in a for y in b)
    assert a12(a, b) == pytest.approx((better + 0.5 * equal) / (len(a) * len(b)))
    assert cliffs_delta(a, b) == pytest.approx(2 * a12(a, b) - 1)


def test_effect_sizes_at_their_ends():
    assert (a12([1, 2], [3, 4]), a12([3, 4], [1, 2]), a12([1, 1], [1, 1])) == (1.0, 0.0, 0.5)
    assert (rank_biserial([1, 2], [3, 5]), rank_biserial([3, 5], [1, 2]), rank_biserial([1], [1])) == (1.0, -1.0, 0.0)
    assert cliffs_delta([1.0, math.nan], [2.0, math.inf]) == 0.25


def test_the_rank_biserial_correlation_belongs_to_wilcoxon():
    total = 9 * 10 / 2
    assert rank_biserial(BEFORE, AFTER) == pytest.approx((total - 2 * 40) / total)


def test_effects_have_names():
    assert [magnitude(d) for d in (0.0, 0.147, -0.32, 0.34, -0.473, 0.474, 1.0)] == [
        "negligible", "small", "small", "medium", "medium", "large", "large",
    ]  # fmt: skip


@pytest.mark.parametrize("test", [paired_t, wilcoxon, rank_biserial])
def test_runs_that_do_not_pair_up_are_refused(test):
    with pytest.raises(InvalidArgument, match="a and b must hold the same runs, got 2 and 3"):
        test([1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan])
@pytest.mark.parametrize("test", [paired_t, wilcoxon])
def test_levels_outside_0_and_1_are_refused(test, alpha):
    with pytest.raises(InvalidArgument, match=r"alpha must lie in \(0, 1\)"):
        test([1.0, 2.0], [1.0, 3.0], alpha)


def test_other_wrong_arguments_are_refused():
    with pytest.raises(InvalidArgument, match="at least 2 numbers"):
        paired_t([1.0], [2.0])
    with pytest.raises(InvalidArgument, match="same problems, got 1 and 2"):
        compare([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(InvalidArgument, match="standard deviations finite and >= 0"):
        welch_t(1.0, -1.0, 20, 1.0, 1.0, 20)
    with pytest.raises(InvalidArgument, match="n_a and n_b must be >= 2"):
        welch_t(1.0, 1.0, 1, 1.0, 1.0, 20)
    with pytest.raises(InvalidArgument, match=r"numbers in \[0, 1\]"):
        holm([0.5, 1.5])
