from __future__ import annotations

import math

import pytest
from scipy import stats

from ter.analysis import published
from ter.core.errors import UnknownName
from ter.report import Board, Study
from tests.report.made import made_record


def board_of(problem="lso13/f4", budget=3_000_000, names=("shade-ils", "cosacc-ls1"), finals=(1e8, 2e8, 3e8), **more):
    return Board.of(
        Study.of([made_record(f, run=i + 1, problem=problem, budget=budget, **more) for i, f in enumerate(finals)]),
        names,
    )


def first(board, name):
    column = next(column for column in board.columns if column.name == name)
    return board.estimate(board.study.cases[0], column)


def test_own_numbers():
    found = first(board_of(), "ter")
    assert (found.standing, found.mean, found.median, found.runs) == ("own", 2e8, 2e8, 3)
    assert found.std == pytest.approx(1e8)


def test_published_numbers_after_as_many_evaluations_are_compared():
    board = board_of()
    assert first(board, "shade-ils").standing == "published" and first(board, "shade-ils").mean == 1.48e8
    assert board.means().tolist() == [[2e8, 1.48e8, published("cosacc-ls1").find("lso13/f4").mean]]


def test_published_numbers_after_another_number_of_evaluations_are_shown_only():
    board = board_of(budget=600_000)
    assert first(board, "shade-ils").standing == "other budget" and first(board, "shade-ils").evaluations == 3_000_000
    assert first(board, "cosacc-ls1").standing == "published"
    assert math.isnan(board.means()[0, 1])
    assert board.outcome(board.study.cases[0], board.columns[1]) is None


def test_a_budget_in_seconds_is_no_number_of_evaluations():
    assert first(board_of(budget="60.0 seconds"), "shade-ils").standing == "other budget"


@pytest.mark.parametrize(
    ("problem", "name"), [("lso13-raw/f3", "shade-ils"), ("lso13/f6", "paper"), ("lso13/f10", "mos")]
)
def test_the_two_functions_of_ackley_are_never_compared(problem, name):
    found = first(board_of(problem, names=(name,)), name)
    assert found.standing == "other function" and math.isnan(found.mean) and not found.comparable


def test_the_dimension_counts():
    assert first(board_of("lso08/f1", dimension=100, names=("paper",)), "paper").standing == "none"
    assert (
        first(board_of("lso08/f1", dimension=2500, budget=12_500_000, names=("paper",)), "paper").standing
        == "published"
    )


def test_problems_without_published_results():
    assert first(board_of("deblurring"), "shade-ils").standing == "none"


def test_doubtful_numbers_say_why():
    found = first(board_of("lso13-raw/f5", names=("paper-w6",)), "paper-w6")
    assert found.remark


def test_unknown_names_are_refused():
    with pytest.raises(UnknownName, match="shade-ils"):
        board_of(names=("shade-isl",))


def test_runs_are_paired_by_their_seeds():
    ter, ls = [3.0, 5.0, 4.0, 7.0], [3.9, 6.1, 5.2, 7.8]
    records = [made_record(f, run=i + 1) for i, f in enumerate(ter)]
    records += [made_record(f, run=i + 1, label="ls") for i, f in reversed(list(enumerate(ls)))]
    # Runs that only one of them has are no pairs.
    board = Board.of(Study.of([*records, made_record(99.0, run=0), made_record(0.1, run=5, label="ls")]))
    outcome = board.outcome(board.study.cases[0], board.columns[1])
    assert outcome.p == pytest.approx(stats.ttest_rel(ter, ls).pvalue) and outcome.sign == "<"
    assert str(board.tally(board.columns[1])) == "1/0/0"


def test_a_published_mean_is_tested_by_welch():
    board = board_of(names=("cosacc-ls1",))
    theirs = first(board, "cosacc-ls1")
    expected = stats.ttest_ind_from_stats(2e8, 1e8, 3, theirs.mean, theirs.std, theirs.runs, equal_var=False)
    assert board.outcome(board.study.cases[0], board.columns[1]).p == pytest.approx(expected.pvalue)


def test_means_without_deviations_are_not_tested():
    board = board_of()  # SHADE-ILS published means only
    assert board.outcome(board.study.cases[0], board.columns[1]) is None
    assert sum(board.tally(board.columns[1])) == 0


def test_one_pair_of_runs_is_not_tested():
    board = Board.of(Study.of([made_record(), made_record(label="ls"), made_record(run=2)]))
    assert board.outcome(board.study.cases[0], board.columns[1]) is None
