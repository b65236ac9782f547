from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ter.core.budget import Budget
from ter.core.errors import InvalidArgument
from ter.core.ledger import end_of_cell
from ter.experiment.budgets import BudgetPlan, budget_key, is_exact, milestones_within, read_milestones
from ter.problems import problem


@given(
    st.none() | st.integers(1, 10**15),
    st.none() | st.floats(1e-3, 1e9),
    st.none() | st.floats(1e-3, 1e9),
)
def test_a_budget_is_read_back_as_it_was(evaluations, seconds, cost):
    if (evaluations, seconds, cost) == (None, None, None):
        return
    unit = "evaluations" if evaluations else "seconds" if seconds else "cost"
    budget = Budget(evaluations=evaluations, seconds=seconds, cost=cost, unit=unit)
    assert Budget.read(budget_key(budget)) == budget


def test_a_budget_that_no_text_can_say_is_refused():
    with pytest.raises(InvalidArgument, match="one that a text can say"):
        budget_key(Budget(evaluations=10, seconds=1.0, unit="seconds"))


@pytest.mark.parametrize(
    ("budget", "per_variable", "name", "dimension", "expected"),
    [
        ("official", None, "lso13/f13", None, "3000000"),
        (None, None, "lso08/f1", 100, "500000"),
        ("official", None, "lso08/f1", 2500, "12500000"),
        (None, 5000, "lso13/f13", None, "4525000"),
        (None, 0.5, "lso08/f1", 3, "2"),
        (3e5, None, "lso13/f1", None, "300000"),
        ("1e4 evaluations, 1min", None, "lso13/f1", None, "10000 evaluations, 60.0 seconds"),
    ],
)
def test_budgets(budget, per_variable, name, dimension, expected):
    assert BudgetPlan.read(budget, per_variable).of(problem(name, dimension=dimension), name) == expected


@pytest.mark.parametrize(
    ("budget", "per_variable", "message"),
    [
        (3e6, 5000, "must have budget or budget_per_variable, got both"),
        (None, -1, "budget_per_variable must be a number > 0, got -1"),
        (None, "many", "budget_per_variable must be a number > 0, got 'many'"),
        ("a lot", None, "budget must read like"),
    ],
)
def test_bad_budgets_are_refused(budget, per_variable, message):
    with pytest.raises(InvalidArgument, match=message):
        BudgetPlan.read(budget, per_variable)


def test_a_problem_without_rules_needs_a_budget():
    with pytest.raises(InvalidArgument, match="a budget must be named for 'trajectory'"):
        BudgetPlan.read("official").of(problem("trajectory"), "trajectory")


@given(st.integers(1, 10**9))
def test_exact_counts_are_those_where_a_cell_of_the_curve_ends(count):
    assert is_exact(count) == (end_of_cell(count) == count)


@pytest.mark.parametrize("milestones", [[1234], [1e6, 1.5], [0], ["many"], "many", [float("inf")], [True]])
def test_bad_milestones_are_refused(milestones):
    with pytest.raises(InvalidArgument, match="milestones must be"):
        read_milestones(milestones)


@pytest.mark.parametrize(
    ("budget", "chosen", "expected"),
    [
        ("3000000", None, (120_000, 600_000, 3_000_000)),
        ("700000", None, (120_000, 600_000, 700_000)),
        ("7001", None, (7001,)),
        ("3000", (1000, 2000, 4000), (1000, 2000, 3000)),
        ("60.0 seconds", (1000, 2000), (1000, 2000)),
    ],
)
def test_milestones_lie_within_the_budget_and_end_with_it(budget, chosen, expected):
    assert milestones_within(budget, chosen, problem("lso13/f1")) == expected


def test_milestones_of_the_rules_that_no_curve_knows_are_left_out():
    odd = problem("lso08/f1", dimension=12_345)
    assert odd.facts["milestones"] == (617_250, 6_172_500, 61_725_000)
    assert milestones_within("61725000", None, odd) == (61_725_000,)
