"""The wide strategy: where it wins, what it waits for, and how its descents end."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics import RmES, SepCMAES, WideES
from ter.heuristics.evolution_strategy import SIGMA
from ter.heuristics.sep_cma_es import path_rates
from ter.testing.rehearsal import Rehearsal

N = 40
ROTATION = np.linalg.qr(np.random.default_rng(5).standard_normal((N, N)))[0]
BOX = ter.box(-5, 5, dimension=N)


def ripples(x):
    z = ROTATION @ (x - 1)
    return float((z**2 + 10 - 10 * np.cos(2 * np.pi * z)).sum())


@pytest.mark.slow
def test_it_looks_farther_than_strategies_that_go_by_success():
    def best(heuristic, seed):
        rehearsal = Rehearsal(heuristic, ripples, BOX, seed=seed)
        rehearsal.act(300 * N)
        return rehearsal.evaluator.y

    wide, narrow = (np.median([best(kind, seed) for seed in range(5)]) for kind in (WideES(population=40), RmES()))
    assert wide < 0.8 * narrow


def test_the_step_size_goes_by_the_path_twice_as_fast_as_in_sep_cma_es_and_begins_wide():
    rates, sep = (kind.rates(100, 34, ladder=True) for kind in (WideES(), SepCMAES()))
    assert not rates.by_success and not rates.ladder and sep.ladder
    assert (rates.c_sigma, 2 * rates.damping) == (sep.c_sigma, sep.damping) == path_rates(100, sep.mu_eff)
    rehearsal = Rehearsal(WideES(), ripples, BOX)
    rehearsal.act(WideES().size(N))  # a generation; with a ladder the step size would be that of its best point
    assert 0.2 < rehearsal.state.strategy.floats[SIGMA] < 0.4


def test_what_others_find_does_not_move_it_in_its_first_descent():
    rehearsal = Rehearsal(WideES(), ripples, BOX)
    rehearsal.act(200)
    before = rehearsal.state.strategy.mean.copy()
    rehearsal.evaluator.lend(1).evaluate(np.ones((1, N)))  # the optimum
    assert rehearsal.evaluator.y < 1e-9
    rehearsal.act(WideES().size(N))
    assert rehearsal.state.investing and np.linalg.norm(before - 1.0) > 3.0
    assert np.linalg.norm(rehearsal.state.strategy.mean - before) < 0.5 * np.linalg.norm(before - 1.0)


def test_after_a_descent_it_is_idle_once_and_begins_anew_with_more_points():
    rehearsal = Rehearsal(WideES(), lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4))
    while not rehearsal.state or not rehearsal.state.restarts:
        assert rehearsal.act(500) == 500
    assert not rehearsal.state.investing
    assert rehearsal.act(500) == 0
    assert rehearsal.act(500) == 500 and len(rehearsal.state.points) > WideES().size(4)


def test_alone_it_goes_on_to_the_end_of_the_budget():
    result = ter.minimize(lambda x: float((x**2).sum()), ter.box(-1, 1, dimension=4), budget=20_000, rng=1,
                          heuristics=["wide-es"])  # fmt: skip
    assert result.nfev == 20_000 and any("restart" in action.remark for action in result.actions)
