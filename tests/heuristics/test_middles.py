"""Middles of plateaus, and lines that leave to them what is level."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.heuristics import GlobalLineSearch, Middles
from ter.heuristics.line_state import FLAT
from tests.spies import minimize_spied, spy_on

D = 64
BOX = ter.box(-100, 100, dimension=D)
OPTIMUM = np.random.default_rng(1).uniform(-99.9, 80, D)
WEIGHTS = 10.0 ** np.random.default_rng(2).uniform(0, 2, D)


def largest(x):
    return float(np.abs(x - OPTIMUM).max())


FUNCTIONS = {
    "largest": largest,
    "weighted": lambda x: float((WEIGHTS * np.abs(x - OPTIMUM)).max()),
    "squares": lambda x: float((WEIGHTS * (x - OPTIMUM) ** 2).max()),
    "of groups": lambda x: float(np.abs(x - OPTIMUM).reshape(-1, 4).sum(axis=1).max()),
    "steeper on one side": lambda x: float(np.maximum(x - OPTIMUM, 3 * (OPTIMUM - x)).max()),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_largest_of_many_terms_comes_down(name):
    fun, start = FUNCTIONS[name], FUNCTIONS[name](np.zeros(D))
    result = ter.minimize(fun, BOX, budget=100 * D, rng=1, heuristics=["middles"])
    assert result.fun < (0.05 if name == "steeper on one side" else 1e-4) * start
    ls1 = ter.minimize(fun, BOX, budget=100 * D, rng=1, heuristics=["ls1"])
    assert result.fun < 0.1 * ls1.fun


def test_a_wide_group_and_single_lines_find_the_same_optimum():
    wide, single = (ter.minimize(largest, BOX, budget=100 * D, rng=1, heuristics=[Middles(lines=n)]) for n in (64, 1))
    assert wide.fun < 1e-9 and single.fun < 1e-9


@pytest.mark.parametrize("pieces", [1, 7, 200])
def test_where_initiations_end_does_not_matter(pieces):
    whole = ter.minimize(largest, BOX, budget=2_000, rng=1, heuristics=[Middles(evaluations=1e6)])
    cut = ter.minimize(largest, BOX, budget=2_000, rng=1, heuristics=[Middles(evaluations=pieces / D)])
    assert (whole.x == cut.x).all() and whole.fun == cut.fun


def test_middles_that_are_worse_together_are_tried_in_halves():
    def crossed(x):  # only one of the two may be moved
        return float(
            max(5.0, abs(x[0]) - 20.0, abs(x[1]) - 20.0, 10.0 * (abs(x[0] - 50.0) < 50.0 and abs(x[1] - 50.0) < 50.0))
        )

    spy = spy_on("python", ter.box(-100, 100, dimension=2))
    assert spy is not None
    result = ter.minimize(crossed, ter.box(-100, 100, dimension=2), budget=200, rng=1, heuristics=["middles"])
    assert result.fun == 5.0


def test_points_that_others_have_found_are_where_it_goes_on():
    result = ter.minimize(
        largest, BOX, budget=60 * D, rng=1, heuristics=["ls1", Middles(evaluations=3.0)], scheduler="round-robin"
    )
    assert result.fun < 0.05 * largest(np.zeros(D)) and all(a.after <= a.before for a in result.actions)


def states_of(fun, box=BOX):
    """Let lines begin, and return what they have learned."""
    kept = []

    class Spied(GlobalLineSearch):
        def act(self, state, allowance, rng):
            kept.append(super().act(state, allowance, rng))
            return kept[-1]

    ter.minimize(fun, box, budget=20 * box.dimension, rng=1, heuristics=[Spied()])
    return kept[-1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_lines_that_are_level_are_left_to_middles(name):
    state = states_of(FUNCTIONS[name])
    assert state.lines.known[FLAT] == 1.0 and state.middles is not None and state.middles.passes >= 1
    result = ter.minimize(FUNCTIONS[name], BOX, budget=100 * D, rng=1, heuristics=["lines"])
    assert result.fun < 0.1 * FUNCTIONS[name](np.zeros(D))


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: float((x**2).sum()),
        lambda x: float((x[:8] ** 2).sum()),  # most lines are level from end to end: nothing depends on them
        lambda x: float(np.floor(np.abs(x - 0.3)).sum()),
        lambda x: 1.0,
        lambda x: float(np.abs(x).sum() + 10 * np.cos(x).sum()),
    ],
)
def test_other_lines_are_not(fun):
    state = states_of(fun)
    assert state.lines.known[FLAT] == 0.0 and state.middles is None


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_not_one_evaluation_too_much(engine):
    spy = spy_on(engine, BOX)
    result = minimize_spied(spy, BOX, budget=777, rng=1, heuristics=["middles"])
    assert result.nfev == spy.calls == 777


def test_the_default_finds_out_that_few_variables_matter():
    result = ter.minimize(largest, BOX, budget=300 * D, rng=1)
    assert result.fun < 1e-6


def test_bad_settings_are_refused():
    with pytest.raises(ter.InvalidArgument, match=r"lines must lie in \[1, inf\], got 0"):
        Middles(lines=0)
    with pytest.raises(ter.InvalidArgument, match="evaluations must lie in"):
        Middles(evaluations=0.0)
