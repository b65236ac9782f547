"""The contracts without pytest."""

import numpy as np
import pytest

import ter
from ter.testing import HeuristicContract, check
from ter.testing.promise import same


class Idle:
    name = "idle"

    def cost(self, dimension):
        return 10

    def start(self, box, rng):
        return None

    def act(self, state, allowance, rng):
        return state


def test_a_broken_heuristic_gets_a_list_of_what_is_wrong():
    checks = check(Idle())
    failed = {name: message for name, passed, message in checks if not passed}
    assert failed.keys() == {"test_is_not_idle", "test_improves_the_sphere"}
    assert failed["test_is_not_idle"].startswith(
        "broken promise: an initiation with its full cost evaluates something: nothing was evaluated"
    )
    assert [name for name, _, _ in checks] == [name for name in vars(HeuristicContract) if name.startswith("test_")]
    assert all((message == "") == passed for _, passed, message in checks)


def test_a_scheduler_is_checked_by_its_own_contract():
    assert {name for name, _, _ in check(ter.schedulers.RandomChoice())} >= {"test_choices_are_valid"}


def test_something_else_is_refused():
    with pytest.raises(ter.InvalidArgument, match="a heuristic must have name, cost, start and act"):
        check(3)


def test_a_class_is_refused():
    with pytest.raises(ter.InvalidArgument, match="got the class LS1; call it first"):
        check(ter.heuristics.LS1)


class Holder:
    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0]), np.array([1]), False),
        (float("nan"), float("nan"), True),
        ({"a": [1, (2,)]}, {"a": [1, (2,)]}, True),
        ({"a": 1}, {"b": 1}, False),
        (1, 1.0, False),
        (Holder(np.zeros(2)), Holder(np.zeros(2)), True),
        (Holder(np.zeros(2)), Holder(np.ones(2)), False),
        (np.random.default_rng(1), np.random.default_rng(1), True),
        (np.random.default_rng(1), np.random.default_rng(2), False),
    ],
)
def test_values_are_compared_in_depth(a, b, expected):
    assert same(a, b) is expected
