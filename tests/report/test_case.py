from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ter.experiment.record import RunKey
from ter.report.case import cases_of, natural


def key(problem, dimension=1000, budget="600000"):
    return RunKey(problem, dimension, "ter", "{}", budget, 1, "")


def names(*keys):
    return [case.name for case in cases_of(keys)]


def test_functions_of_one_suite_are_in_order_and_without_its_name():
    assert names(*(key(f"lso13/f{k}") for k in (10, 2, 1))) == ["f1", "f2", "f10"]


def test_problems_of_several_suites_keep_their_names():
    assert names(key("lso13/f1"), key("lso08/f1"), key("deblurring")) == ["deblurring", "lso08/f1", "lso13/f1"]


def test_dimension_and_budget_are_told_only_where_they_differ():
    found = names(
        key("lso08/f1", 100), key("lso08/f1", 20), key("lso08/f2"), key("lso08/f3"), key("lso08/f3", 1000, "9")
    )
    assert found == ["f1, D = 20", "f1, D = 100", "f2", "f3, 9 evaluations", "f3, 600\xa0000 evaluations"]


def test_a_case_knows_its_evaluations_only_if_they_are_limited():
    both, time = cases_of([key("a", 1, "100 evaluations, 6.0 seconds"), key("b", 1, "600.0 seconds")])
    assert (both.evaluations, time.evaluations) == (100, None)
    assert time.limits == "10 min 00 s"


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_natural_order_is_that_of_the_numbers(numbers):
    assert sorted((f"f{n}" for n in numbers), key=natural) == [f"f{n}" for n in sorted(numbers)]


@given(st.lists(st.text(max_size=6)))
def test_any_texts_have_a_natural_order(texts):
    found = sorted(texts, key=natural)
    assert sorted(found) == sorted(texts)
