from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult

import ter
from tests.spies import minimize_on, same_run

BOX = ter.box(-5, 5, dimension=4)


@pytest.fixture(scope="module")
def result():
    return minimize_on("python", BOX, budget=3000, rng=7, heuristics=["ls1", "cc", "gs"])


def test_a_result_is_scipys(result):
    assert isinstance(result, OptimizeResult)
    assert result["x"] is result.x and result["fun"] == result.fun
    assert {"x", "fun", "nfev", "nit", "success", "status", "message"} <= set(result)
    assert "nfev: 3000" in repr(result)
    with pytest.raises(AttributeError):
        _ = result.nonsense


def test_its_fields_agree_with_each_other(result):
    assert result.nit == len(result.actions) == len(result.sequence)
    assert result.sequence == tuple(action.heuristic for action in result.actions)
    assert set(result.sequence) <= set(result.heuristics) == {"ls1", "cc", "gs"}
    assert result.spent.evaluations == result.nfev == 3000 and result.spent.seconds > 0 and result.spent.cost == 0
    assert result.budget == ter.Budget(evaluations=3000)
    assert (result.seed, result.nfail, result.nonfinite, result.failures) == (7, 0, 0, ())
    assert result.box is BOX and result.compile_seconds >= 0
    assert result.success is True and result.status == 0 and result.message == "the budget is used up"


def test_the_best_value_is_that_of_the_best_point(result):
    again = minimize_on("python", BOX, budget=1, x0=result.x, rng=1)
    assert again.fun == result.fun


def test_actions_follow_each_other(result):
    assert [action.index for action in result.actions] == list(range(result.nit))
    for before, after in zip(result.actions, result.actions[1:], strict=False):
        assert after.before == before.after
    for action in result.actions:
        assert action.cost == action.nfev > 0
        assert action.after <= action.before and action.reward >= 0
        assert len(action.probabilities) == 3 and sum(action.probabilities) == pytest.approx(1)
        assert action.probabilities[result.heuristics.index(action.heuristic)] > 0
    assert result.actions[-1].after == result.fun


@given(st.integers(1, 2000), st.integers(0, 100))
def test_the_curve_falls_and_ends_at_the_result(budget, seed):
    curve = (run := minimize_on("compiled", BOX, budget=budget, rng=seed)).curve
    assert (np.diff(curve[:, 0]) > 0).all() and (np.diff(curve[:, 1]) < 0).all()
    assert curve[0, 0] >= 1 and curve[-1, 0] <= run.nfev and curve[-1, 1] == run.fun


def test_a_result_survives_pickling(result):
    again = pickle.loads(pickle.dumps(result))
    assert same_run(again, result) and again.sequence == result.sequence


def test_the_seed_of_a_result_repeats_the_run():
    first = minimize_on("compiled", BOX, budget=500, rng=None)
    assert same_run(first, minimize_on("compiled", BOX, budget=500, rng=first.seed))
    generator = minimize_on("compiled", BOX, budget=500, rng=np.random.default_rng(5))
    assert same_run(generator, minimize_on("compiled", BOX, budget=500, rng=generator.seed))


def test_the_summary_is_plain_json(result):
    summary = json.loads(json.dumps(result.summary()))
    assert summary["nfev"] == 3000 and summary["fun"] == result.fun and summary["status"] == "budget"
    assert summary["sequence"] == list(result.sequence)
    nothing = ter.minimize(lambda x: float("nan"), BOX, budget=3, rng=1)
    assert json.loads(json.dumps(nothing.summary()))["fun"] is None
