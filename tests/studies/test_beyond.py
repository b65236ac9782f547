"""The studies beyond the paper: functions for tuning, and all schedulers over the same heuristics."""

import math

import numpy as np
import pytest

from studies.beyond import all_schedulers, basin_functions, choices
from studies.beyond.verdict_ours import Row
from ter.core.scheduler import Scheduler


def test_basin_functions_are_the_same_whenever_they_are_asked_for():
    for number in (1, 2, 3, 4, 35):
        one, other = basin_functions.made(number), basin_functions.made(number)
        x = np.random.default_rng(number).uniform(one.lower, one.upper)
        assert 90 <= one.dimension <= 500 and one(x) == other(x)
        assert one.f_opt is None or one(x) > one.f_opt == 0.0
    assert not set(basin_functions.BASINS) & set(basin_functions.BASINS_HELD_OUT)
    assert len(basin_functions.BASINS) == len(basin_functions.BASINS_HELD_OUT) == 24


def test_basin_functions_have_many_minima_where_it_matters():
    """Along a variable of the ripples there are several; along one of a bowl there would be one."""
    values = [basin_functions.ripples(np.array([z]), 2.5, 1.0) for z in np.linspace(-5.0, 5.0, 201)]
    turns = np.diff(np.sign(np.diff(values)))
    assert (turns > 0).sum() == 5


def test_of_some_basins_nobody_knows_the_least_value():
    known = [choices.is_unknown(name, made()) for name, made in list(choices.SETS["basins"]().items())[:8]]
    assert set(known) == {True, False}
    assert choices.is_unknown("huber", basin_functions.made(1))


def row(who, errors, *, problem="lso10/f1", budget=100_000):
    return Row(problem, 1000, who, 1, budget, "code", budget, errors[-1], 1.0, tuple(errors))


def test_schedulers_are_judged_by_regret_and_by_final_values():
    rows = [
        row("alone: volleys", [4.0]),
        row("alone: lines", [3.0]),
        row("default", [9.0, 3.0]),
        row("EXP3.S", [9.0, 300.0]),
        row("random", [9.0, 3e9]),
        row("default", [9.0, 1.0], budget=1_000_000),
    ]
    assert all_schedulers.summaries(rows, 100_000) == [
        ("default", 1, 1, 0.0),
        ("EXP3.S", 0, 1, pytest.approx(2.0)),
        ("random", 0, 1, 4.0),
    ]
    lines = all_schedulers.table(rows).splitlines()
    assert lines[2] == "| default | 1 of 1 | 0.00 | – | – |"
    assert "| duels (D2) | – | – | – | – |" in lines and len(lines) == 3 + len(all_schedulers.OTHERS)


@pytest.mark.parametrize("who", all_schedulers.OTHERS)
def test_every_scheduler_can_be_made_for_every_budget(who):
    for n in all_schedulers.PER_VARIABLE:
        assert isinstance(all_schedulers.OTHERS[who](n * 1000), Scheduler)


@pytest.mark.parametrize(("who", "evaluations", "shares"), [("alone: volleys", 50_000, 1), ("EXP3.S", 100_000, 50)])
def test_a_run_of_a_scheduler(who, evaluations, shares):
    run = all_schedulers.run("lso10/f1", who, 100_000)
    assert (run.evaluations, len(run.errors), run.budget) == (evaluations, shares, 100_000)
    assert math.isfinite(run.value) and run.errors[-1] == pytest.approx(run.value)
