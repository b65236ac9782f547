from __future__ import annotations

import math

import numpy as np
import pytest

import ter
from ter.core.budget import Budget, duration


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (100, Budget(evaluations=100)),
        (2e5, Budget(evaluations=200_000)),
        (np.int32(7), Budget(evaluations=7)),
        (np.float64(1e3), Budget(evaluations=1000)),
        ("250", Budget(evaluations=250)),
        ("1_000 evaluations", Budget(evaluations=1000)),
        ("3e6 FEs", Budget(evaluations=3_000_000)),
        (" 10min ", Budget(seconds=600, unit="seconds")),
        ("1.5 h", Budget(seconds=5400, unit="seconds")),
        ("250ms", Budget(seconds=0.25, unit="seconds")),
        ("2 days", Budget(seconds=172_800, unit="seconds")),
        ("10m", Budget(seconds=600, unit="seconds")),
        ("1h30m", Budget(seconds=5400, unit="seconds")),
        ("2d12h", Budget(seconds=216_000, unit="seconds")),
        ("5 min 3 s", Budget(seconds=303, unit="seconds")),
        ("1 hour 2 minutes 3.5 seconds", Budget(seconds=3723.5, unit="seconds")),
        ("1e6 evaluations, 1h30m", Budget(evaluations=1_000_000, seconds=5400)),
        ("40 cost", Budget(cost=40, unit="cost")),
        ("1e6 evaluations, 6h", Budget(evaluations=1_000_000, seconds=21_600)),
        ("6h, 1e6", Budget(evaluations=1_000_000, seconds=21_600, unit="evaluations")),
        ("5 cost, 90s", Budget(cost=5, seconds=90, unit="cost")),
        ("90s, 5 cost", Budget(cost=5, seconds=90, unit="seconds")),
        (Budget(cost=3), Budget(cost=3)),
    ],
)
def test_budgets_are_read_as_written(written, read):
    assert Budget.read(written) == read


@pytest.mark.parametrize(
    "written",
    [0, -5, 1.5, math.nan, math.inf, "0", "-3", "1.5 evaluations", "1e400", 10**400, "1e-3 fes"],
    ids=lambda v: str(v)[:12],
)
def test_evaluations_must_be_a_whole_number_of_at_least_one(written):
    with pytest.raises(ter.InvalidArgument, match=r"evaluations must be a whole number >= 1, got"):
        Budget.read(written)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "ten",
        "5 apples",
        "min",
        "30m1h",
        "1h1h",
        "1h30",
        "1h 5 cost",
        "1h-30m",
        "1hh",
        "h30m",
        "1__0",
        "1_",
        "3;4",
        ",",
        "1e6 evals,",
    ],
)
def test_texts_that_are_no_budget_are_refused(written):
    with pytest.raises(ter.InvalidArgument, match="budget must read like '1e6 evaluations', '10min', '1h30m'"):
        Budget.read(written)


@pytest.mark.parametrize("written", [True, None, [100], {"evaluations": 5}, 1j])
def test_other_types_are_refused(written):
    with pytest.raises(ter.InvalidArgument, match=r"budget must be a number of evaluations, a text .* got"):
        Budget.read(written)


@pytest.mark.parametrize("written", ["100, 200 evaluations", "5s, 2min", "1 cost, 2 cost"])
def test_a_resource_is_named_once(written):
    with pytest.raises(ter.InvalidArgument, match="each resource once"):
        Budget.read(written)


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan, "0s", "-3min"])
def test_seconds_must_be_positive_and_finite(seconds):
    with pytest.raises(ter.InvalidArgument, match="seconds must be a finite number > 0"):
        Budget(seconds=seconds)


@pytest.mark.parametrize("cost", [0, -1, math.inf, math.nan])
def test_cost_must_be_positive_and_finite(cost):
    with pytest.raises(ter.InvalidArgument, match="cost must be a finite number > 0"):
        Budget(cost=cost)


@pytest.mark.parametrize("limits", [{"cost": "much"}, {"evaluations": "many"}, {"cost": [1]}])
def test_limits_that_are_no_numbers_are_refused_by_name(limits):
    with pytest.raises(ter.InvalidArgument, match=f"{next(iter(limits))} must be"):
        Budget(**limits)


def test_a_budget_without_limits_is_refused():
    with pytest.raises(ter.InvalidArgument, match="a budget must limit something"):
        Budget()


def test_unknown_units_are_refused():
    with pytest.raises(ter.InvalidArgument, match="unit must be one of evaluations, seconds, cost, got 'money'"):
        Budget(evaluations=5, unit="money")


def test_the_unit_cost_needs_a_limit_on_cost():
    with pytest.raises(ter.InvalidArgument, match="unit='cost' needs a limit on cost"):
        Budget(evaluations=5, unit="cost")


def test_time_spans_are_read_and_refused():
    assert duration("2.5 min") == 150
    assert duration("90s") == 90
    assert duration("1h30m") == 5400
    assert duration(3) == 3
    for text in ("ten", "5", "5 evaluations", "", "-", "1h30", "30m1h"):
        with pytest.raises(ter.InvalidArgument, match="a time span must read like '90s', '10min' or '1h30m', got"):
            duration(text)
