from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.analysis import published_table, wilcoxon, wilcoxon_holm
from ter.report import Board, Study
from ter.report.ranking import ranking_of, scale_free
from tests.report.made import made_record

BASELINES = ["paper", "paper-ran", "paper-ls", "paper-cc", "paper-gs"]
FUNCTIONS = [f"lso13-raw/f{k}" for k in range(1, 16)]


def board_of(means):
    """A study with the given mean errors: one run of each algorithm on each problem."""
    records = [
        made_record(float(mean), problem=problem, label=label, budget=3_000_000, started=i)
        for problem, row in zip(FUNCTIONS, means, strict=False)
        for i, (label, mean) in enumerate(zip("abcdefgh", row, strict=False))
        if not np.isnan(mean)
    ]
    return Board.of(Study.of(records))


def test_from_the_papers_means_come_the_papers_ranks_and_p_value():
    board = board_of(published_table(BASELINES, FUNCTIONS))
    ranking = ranking_of(board, board.own)
    assert f"{ranking.test.p:.2e}" == "7.38e-06"
    # The paper prints 4.67 for CC, a misprint: its own means give 4.467, and ranks of five add up to 15.
    assert [f"{rank:.2f}" for rank in ranking.test.mean_ranks] == ["1.63", "2.53", "3.70", "4.47", "2.67"]
    assert ranking.unused == () and ranking.unranked == ()
    assert sum(ranking.firsts) >= 15


def test_published_columns_are_ranked_where_all_can_be_compared():
    board = board_of(published_table(["paper"], FUNCTIONS))
    beside = Board.of(board.study, ["paper-ls", "shade-ils"])
    ranking = ranking_of(beside, beside.columns)
    assert [case.name for case in ranking.unused] == ["f3", "f6", "f10"]
    assert [column.name for column in ranking.columns] == ["a", "paper-ls", "shade-ils"]


def test_what_has_no_result_is_left_out_and_named():
    means = published_table(BASELINES, FUNCTIONS)
    means[3, 1] = np.nan
    board = board_of(means)
    assert [case.name for case in ranking_of(board, board.own).unused] == ["f4"]
    means[:, 1] = np.nan
    means[0, 1] = 1.0
    means[0, 2] = np.nan
    board = board_of(means)
    ranking = ranking_of(board, board.own)
    assert [column.name for column in ranking.unranked] == ["b"] and len(ranking.cases) == 14


def test_one_algorithm_has_no_rank():
    board = board_of(published_table(["paper"], FUNCTIONS))
    assert ranking_of(board, board.own) is None


positive = st.floats(1e-9, 1e9)


@given(st.lists(st.tuples(positive, positive), min_size=1, max_size=12))
def test_the_test_over_problems_is_that_of_the_logarithms(pairs):
    a, b = np.array(pairs).T
    gaps = np.abs(np.log(a / b))
    ordered = np.sort(gaps)
    # Ratios that rounding cannot keep apart are ties in one of the two only.
    if np.any(np.diff(ordered) < 1e-9) or ordered[-1] > 25 or ordered[0] < 1e-9:
        return
    plain, free = wilcoxon(np.log(a), np.log(b)), wilcoxon(*scale_free(a, b))
    assert (plain.sign, plain.p) == (free.sign, pytest.approx(free.p))


def test_holm_s_correction_is_that_of_the_statistics():
    means = published_table(BASELINES, FUNCTIONS[3:5] + FUNCTIONS[6:9] + FUNCTIONS[10:])
    board = board_of(means)
    found = ranking_of(board, board.own).wilcoxon
    logs = np.log10(means)
    expected = wilcoxon_holm(logs[:, 0], {name: logs[:, i] for i, name in enumerate("abcde") if i})
    assert {name: outcome.sign for name, outcome in found.items()} == {n: o.sign for n, o in expected.items()}
    assert [outcome.p for outcome in found.values()] == pytest.approx([o.p for o in expected.values()])


def test_zeros_and_infinite_errors_have_ranks():
    a, b = scale_free(np.array([0.0, 0.0, np.inf, np.inf, -4.0]), np.array([0.0, 2.0, 1.0, np.inf, 2.0]))
    assert a.tolist() == [0.0, 0.0, 1.0, 1.0, -1.0] and b.tolist() == [0.0, 1.0, 0.0, 1.0, 0.5]
