"""A part of an allowance: what is lent to another ends there, and the rest is left."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.core.budget import Budget
from ter.core.errors import AllowanceSpent
from ter.core.stop import StopReason
from ter.engines.choose import choose_engine
from ter.run.evaluator import Evaluator
from ter.run.settings import Settings


def made(budget: int = 1_000, **settings) -> Evaluator:
    problem = ter.Problem(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=3))
    evaluator = Evaluator(
        problem.box, choose_engine(problem, stop_at_failure=True), Budget(evaluations=budget), Settings(**settings)
    )
    evaluator.lend(1).evaluate(np.full((1, 3), 0.5))
    return evaluator


def spend(allowance) -> None:
    while True:
        allowance.evaluate(np.full((7, 3), 0.25))


def test_a_part_is_spent_to_the_evaluation_and_the_rest_is_left():
    evaluator = made()
    allowance = evaluator.lend(100)
    with allowance.part(30):
        assert allowance.remaining == 30
        spend(allowance)
    assert allowance.count == 31 and allowance.remaining == 70


def test_what_a_part_does_not_spend_is_left():
    allowance = made().lend(100)
    with allowance.part(30):
        allowance.evaluate(np.zeros((4, 3)))
    assert allowance.remaining == 96


def test_parts_of_parts():
    allowance = made().lend(100)
    with allowance.part(50):
        with allowance.part(20):
            spend(allowance)
        assert allowance.remaining == 30
        with allowance.part(99):
            assert allowance.remaining == 30
    assert allowance.remaining == 80


def test_the_end_of_the_whole_comes_through():
    allowance = made().lend(25)
    with pytest.raises(AllowanceSpent), allowance.part(30):
        spend(allowance)
    assert allowance.remaining == 0 and allowance.count == 26


def test_the_end_of_the_run_comes_through_and_nothing_is_left():
    evaluator = made(target=0.2)
    allowance = evaluator.lend(100)
    with pytest.raises(AllowanceSpent), allowance.part(30):
        spend(allowance)
    assert evaluator.stopped is StopReason.TARGET
    assert allowance.remaining == 0 and allowance.count == 8  # the batch was whole


def test_other_exceptions_come_through_and_the_rest_is_left():
    allowance = made().lend(100)
    with pytest.raises(KeyError), allowance.part(30):
        allowance.evaluate(np.zeros((4, 3)))
        raise KeyError
    assert allowance.remaining == 96


def test_a_branch_lends_parts_too():
    allowance = made().lend(100)
    branch = allowance.branch(np.ones(3))
    with branch.part(10):
        spend(branch)
    assert allowance.remaining == 89
