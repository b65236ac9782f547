from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.core.errors import InvalidArgument, UnknownName
from ter.report.study import Study, common
from tests.report.made import made_record


def test_problems_algorithms_and_runs(records):
    study = Study.of(reversed(records))
    assert [case.problem for case in study.cases] == ["lso13/f1", "lso13/f2"]
    assert study.labels == ("ter", "ran", "ls") and study.reference == "ter"
    assert study.suite == "lso13" and study.knows_optima and study.heuristics == ("ls1", "cc", "gs")
    group = study.group(study.cases[0], "ran")
    assert group.errors.tolist() == [10.0, 21.0, 32.0]
    assert group.by_seed == {101: 10.0, 102: 21.0, 103: 32.0}
    assert study.count("ran") == (6, 0, 0)


def test_another_reference_comes_first_and_the_others_keep_their_order(records):
    assert Study.of(records, against="ls").labels == ("ls", "ter", "ran")
    with pytest.raises(UnknownName, match=r"'lss'; did you mean 'ls'\? Valid names: ls, ran, ter"):
        Study.of(records, against="lss")


def test_no_record_is_an_error_that_says_so():
    with pytest.raises(InvalidArgument, match="at least one run, got none"):
        Study.of([])


def test_failed_and_missing_runs_are_counted_and_failed_ones_are_infinitely_bad():
    ter = [made_record(run=run) for run in (1, 2, 3)]
    ls = [made_record(run=1, label="ls"), made_record(run=3, label="ls", traceback="Boom\n")]
    study = Study.of([*ter, *ls])
    group = study.group(study.cases[0], "ls")
    assert (len(group.finished), len(group.failed), group.missing) == (1, 1, 1)
    assert group.by_seed == {101: 1.0, 103: np.inf}
    assert study.count("ls") == (1, 1, 1) and study.count("ter") == (3, 0, 0)


def test_an_algorithm_without_any_run_on_a_problem_lacks_all_of_them():
    study = Study.of([made_record(run=run) for run in (1, 2)] + [made_record(problem="lso13/f2", label="ls")])
    assert study.group(study.cases[0], "ls").missing == 2 and study.group(study.cases[1], "ter").missing == 1


def test_errors_are_distances_to_the_optimum():
    study = Study.of([made_record(3.0, f_opt=-450.0)])
    assert study.group(study.cases[0], "ter").errors.tolist() == [3.0]


def test_a_run_done_again_by_other_code_replaces_the_older_result():
    old, new = made_record(5.0, code="old", started=1), made_record(6.0, code="new", started=2)
    study = Study.of([new, old])
    assert study.group(study.cases[0], "ter").errors.tolist() == [6.0]
    assert study.superseded == 1 and study.codes == ("new",)


def test_a_result_is_kept_rather_than_a_later_failure():
    study = Study.of([made_record(5.0, started=1), made_record(code="new", started=2, traceback="Boom\n")])
    assert study.count("ter") == (1, 0, 0)


def test_a_label_with_two_meanings_becomes_two_labels():
    study = Study.of([made_record(1.0), made_record(2.0, parameters='{"window": 3}')])
    assert study.labels == ("ter (ter {})", 'ter (ter {"window": 3})')


def test_only_runs_with_different_heuristics_decide(records):
    assert Study.of(records).deciding() == ("ter", "ran")
    assert Study.of([made_record(decisions="LLL")]).deciding() == ()


tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1)
)


@given(tables)
def test_what_is_compared_is_there_and_as_much_as_possible(there):
    rows, columns = common(there)
    assert all(there[i][j] for i in rows for j in columns)
    full = [i for i, row in enumerate(there) if all(row)]
    if full:
        assert (rows, columns) == (full, list(range(len(there[0]))))
    assert bool(rows) == any(any(row) for row in there)
    # No further row would do for these columns.
    assert all(not all(there[i][j] for j in columns) for i in range(len(there)) if i not in rows) or not columns
