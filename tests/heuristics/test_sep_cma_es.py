"""sep-CMA-ES: its rates, and where scales help. What it shares with Rm-ES is tested in test_descents."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics import RmES, SepCMAES
from ter.heuristics.evolution_strategy import SCALES
from ter.heuristics.sep_cma_es import recombination
from ter.testing.rehearsal import Rehearsal

WEIGHTS = 1e4 ** np.linspace(0, 1, 40)


def separable(x):
    return float(WEIGHTS @ (x - 1) ** 2)


def descended(kind):
    rehearsal = Rehearsal(kind, separable, ter.box(-5, 5, dimension=40))
    rehearsal.act(8000)
    return rehearsal


@pytest.mark.slow
def test_scales_are_those_of_the_function_and_help():
    rehearsal = descended(SepCMAES())
    assert rehearsal.evaluator.y < 1e-2 * descended(RmES(scales=False)).evaluator.y
    learnt = np.polyfit(np.log(WEIGHTS), np.log(rehearsal.state.strategy.memory[SCALES]), 1)[0]
    assert learnt == pytest.approx(-0.5, abs=0.15)


def test_weights_sum_to_one_and_fall():
    weights, mu_eff = recombination(21)
    assert weights.sum() == pytest.approx(1) and len(weights) == 10 and (np.diff(weights) < 0).all()
    assert 1 < mu_eff < 10


def test_the_population_doubles_up_to_its_limits():
    assert [SepCMAES().size(1000, k) for k in range(7)] == [24, 48, 96, 192, 384, 384, 384]
    assert SepCMAES().size(10**6, 5) == 45  # memory
