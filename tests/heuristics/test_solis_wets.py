"""Solis-Wets: the rules of the bias and of the deviation, step by step."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import ter
from ter.heuristics.solis_wets import SolisWets
from ter.testing.rehearsal import Rehearsal, sphere
from tests.spies import minimize_on, same_run

BOX = ter.box(-1e3, 1e3, dimension=300)


def test_steps_are_normal_and_tried_in_both_directions():
    rehearsal = Rehearsal(SolisWets(), lambda x: 1.0 if (x == 500).all() else 2.0, BOX)
    rehearsal.act(2)
    there, back = rehearsal.points[1:] - 500.0
    assert there == pytest.approx(-back) and stats.kstest(there / 1.2, "norm").pvalue > 1e-3


def test_scaled_steps_are_in_shares_of_each_range():
    box = ter.box(np.full(300, -1.0), np.full(300, 999.0))
    rehearsal = Rehearsal(SolisWets(0.02, scaled=True), sphere, box)
    rehearsal.act(1)
    assert stats.kstest((rehearsal.points[1] - 749) / 20, "norm").pvalue > 1e-3


def test_five_successes_double_the_deviation_and_three_failures_halve_it():
    rehearsal = Rehearsal(SolisWets(), lambda x: float(-np.abs(x - 500).sum()), BOX)  # away is always better
    for successes in range(1, 6):
        assert rehearsal.act(1) == 1
        assert rehearsal.state.floats[0] == (2.4 if successes == 5 else 1.2)
    rehearsal = Rehearsal(SolisWets(), lambda x: float(np.abs(x - 500).sum()), BOX)
    for failures in range(1, 4):
        assert rehearsal.act(2) == 2
        assert rehearsal.state.floats[0] == (0.6 if failures == 3 else 1.2)


def test_the_bias_follows_success_forwards_and_backwards_and_fades_after_failures():
    calls = []

    def fun(x):  # the start, success, failure and success backwards, two failures
        calls.append(x)
        return [0.0, -1.0, 9.0, -2.0, 9.0, 9.0][len(calls) - 1]

    rehearsal = Rehearsal(SolisWets(), fun, BOX)
    bias = np.zeros(300)
    rehearsal.act(1)
    bias = 0.2 * bias + 0.4 * rehearsal.state.step
    assert rehearsal.state.bias == pytest.approx(bias)
    rehearsal.act(2)
    bias = bias - 0.4 * rehearsal.state.step
    assert rehearsal.state.bias == pytest.approx(bias)
    assert np.corrcoef(rehearsal.state.step, bias)[0, 1] < 0
    rehearsal.act(2)
    assert rehearsal.state.bias == pytest.approx(0.5 * bias)
    assert rehearsal.state.counters.tolist() == [0, 1, 0]


def test_a_deviation_that_became_too_small_begins_anew_without_a_bias():
    rehearsal = Rehearsal(SolisWets(), lambda x: float(np.abs(x - 500).sum()), BOX)
    rehearsal.state.floats[0] = 1.3e-15
    rehearsal.state.counters[1] = 2
    rehearsal.state.bias[:] = 0.1
    rehearsal.act(2)
    assert rehearsal.state.floats[0] == 1.2 and (rehearsal.state.bias == 0).all()


@pytest.mark.parametrize("cut", [1, 3, 7])
def test_it_does_not_matter_where_it_is_cut(cut):
    ends = []
    for limit in (cut, 210):
        rehearsal = Rehearsal(SolisWets(), sphere, ter.box(-5, 5, dimension=5))
        for _ in range(210 // limit):
            assert rehearsal.act(limit) == limit
        ends.append(rehearsal.points)
    assert np.array_equal(*ends)


def test_compiled_and_plain_trials_are_the_same():
    box = ter.box(-5, [5, 1, 9, 2, 3], dimension=5)
    options = {"budget": 3000, "rng": 4, "heuristics": [SolisWets()]}
    assert same_run(minimize_on("python", box, **options), minimize_on("compiled", box, **options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delta": 0.0}, r"delta must lie in \(0, inf\], got 0.0"),
        ({"successes": 0}, "successes must lie in"),
        ({"failures": 1.5}, "failures must be a whole number"),
        ({"longer": 0.5}, r"longer must lie in \[1, inf\], got 0.5"),
        ({"shorter": 1.5}, r"shorter must lie in \(0, 1\], got 1.5"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
def test_settings_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        SolisWets(**options)
