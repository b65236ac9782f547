"""What sep-CMA-ES and Rm-ES have in common: their plain twins, restarts, and when they follow others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import ter
from ter._jit import kernel
from ter.heuristics import RmES, SepCMAES
from ter.heuristics.evolution_strategy import (
    FLAT_FOR,
    FLOATS,
    GENERATION,
    LOWEST,
    SCALES,
    SIGMA,
    STALLED,
    adapt,
    draw,
    make_strategy,
)
from ter.heuristics.splitmix import fill_bell
from ter.objectives.unchecked import pointer
from ter.testing.rehearsal import Rehearsal, sphere, stairs
from tests.naive.evolution_strategy import NaiveStrategy, bell
from tests.naive.splitmix import SplitMix
from tests.spies import minimize_on, same_run

KINDS = {
    "sep-CMA-ES": SepCMAES(),
    "Rm-ES": RmES(),
    "R1-ES": RmES(directions=1, scales=False),
    "three": RmES(directions=3),
}
BOTH = pytest.mark.parametrize("kind", [SepCMAES, RmES])


@kernel
def filled(random, out):
    fill_bell(random, pointer(out), out.shape[0])


def test_bell_numbers_are_nearly_normal_and_those_of_the_twin():
    random, out = np.array([5], dtype=np.uint64), np.empty(100_001)
    filled(random, out)
    twin = SplitMix(5)
    assert np.allclose(out[:100], bell(twin, 100), rtol=1e-14) and np.abs(out).max() < 2 * math.sqrt(3)
    assert abs(out.mean()) < 0.01 and abs(out.var() - 1) < 0.01 and abs(stats.kurtosis(out) + 0.3) < 0.05
    assert abs(np.corrcoef(out[1:], out[:-1])[0, 1]) < 0.01


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@given(seed=st.integers(0, 2**63), n=st.integers(1, 7), size=st.integers(4, 9))
def test_generations_agree_with_those_of_the_twin(kind, seed, n, size):
    rng = np.random.default_rng(seed)
    lower, upper = np.full(n, -1.0), np.linspace(-1.0, 2.0, n) if n > 1 else np.ones(1)
    mean = rng.uniform(lower, upper)
    rates = kind.rates(n, size, ladder=False)
    box = lower, upper, upper - lower
    strategy = make_strategy(size, kind.kept_directions, mean, 0.2, box, np.array([seed], dtype=np.uint64))
    strategy.counters[GENERATION] = 1
    zero = np.zeros(n)
    twin = NaiveStrategy(SplitMix(seed), mean, 0.2, lower, upper, np.ones(n), zero, zero)
    points, width = np.empty((size, n)), upper - lower
    for generation in range(6):
        values = rng.choice([0.0, 1.0, 2.0, 3.5, math.inf], size) + rng.random(size)
        values[0] = 0.5
        draw(strategy, rates, points)
        steps, expected = twin.draw(size, rates.mixing)
        np.testing.assert_allclose(points, expected, rtol=1e-8, atol=1e-8)
        assert ((points >= lower) & (points <= upper)).all()
        if not generation:  # nothing to compare with yet
            twin.before = strategy.floats[FLOATS : FLOATS + size // 2] = np.sort(values)[: size // 2]
            strategy.counters[GENERATION] = twin.generation = 2
        before = twin.mean, twin.sigma * width * twin.scales
        adapt(strategy, rates, values)
        generation_before = twin.generation
        twin.adapt(steps, values, rates)
        if kind.kept_directions:
            twin.generation = generation_before
            moved = rates.weights @ steps[np.argsort(values, kind="stable")[: size // 2]]
            twin.remember(kind.kept_directions, n, moved, rates)
            twin.generation += 1
        np.testing.assert_allclose(strategy.floats[SIGMA], twin.sigma, rtol=1e-9)
        np.testing.assert_allclose(strategy.memory[SCALES], twin.scales, rtol=1e-9)
        # Means far outside are the same points after whole numbers of double widths.
        turned = (strategy.mean - twin.mean)[width > 0] / (2 * width[width > 0])
        assert np.allclose(turned, np.round(turned), atol=1e-7)
        twin.mean = strategy.mean.copy()
        assert before[0].shape == twin.mean.shape


def test_the_first_generation_is_a_ladder_and_the_best_rung_is_taken():
    kind = SepCMAES(population=7)
    rates = kind.rates(50, 7, ladder=True)
    zero, one = np.zeros(50), np.ones(50)
    strategy = make_strategy(7, 0, zero, 0.1, (-9e9 * one, 9e9 * one, one), np.ones(1, dtype=np.uint64))
    points = np.empty((7, 50))
    draw(strategy, rates, points)
    assert np.log10(points.std(axis=1)) == pytest.approx(np.arange(-1, -8, -1), abs=0.2)
    adapt(strategy, rates, np.array([5.0, 4, 3, 1, 2, 2, 2]))
    assert strategy.floats[SIGMA] == pytest.approx(0.1 * 3e-3) and (strategy.mean == 0).all()


@BOTH
@pytest.mark.parametrize("cut", [1, 3, 7, 50])
def test_where_initiations_end_does_not_matter_even_across_restarts(kind, cut):
    ends = []
    for limit in (cut, 1050):
        rehearsal = Rehearsal(
            kind(population=6, spread=0.05), lambda x: 9 + float(np.floor(stairs(x))), ter.box(-5, 5, dimension=4)
        )
        for _ in range(1050 // limit):
            assert rehearsal.act(limit) == limit
        ends.append(rehearsal.points)
    assert np.array_equal(*ends) and rehearsal.state.restarts > 0


@BOTH
@pytest.mark.parametrize("engine", ["vectorized", "moving", "compiled", "compiled moving"])
def test_every_engine_gives_the_same_run(kind, engine):
    def on(engine):
        box = ter.box(-5, [5, 1, 9, 2, 3], dimension=5)
        return minimize_on(engine, box, budget=800, rng=3, heuristics=[kind(evaluations=30)])

    assert same_run(on(engine), on("python"))


@BOTH
def test_a_restart_doubles_the_population_and_begins_with_the_first_step_at_its_own_mean(kind):
    rehearsal = Rehearsal(kind(population=6, largest=24), lambda x: 7.0, ter.box(-5, 5, dimension=3))
    sizes = []
    for _ in range(60):
        rehearsal.act(24)
        state = rehearsal.state
        sizes.append(len(state.points))
        if len(sizes) > 1 and sizes[-1] > sizes[-2]:
            assert state.strategy.floats[SIGMA] > 0.1
    assert sorted(set(sizes)) == [6, 12, 24] and rehearsal.state.restarts > 2


@BOTH
def test_it_goes_to_an_incumbent_that_left_it_behind_and_takes_a_fitting_step(kind):
    rehearsal = Rehearsal(kind(), sphere, ter.box(-5, 5, dimension=30))
    for _ in range(6):
        rehearsal.act(60)
    rehearsal.evaluator.lend(1).evaluate_point(np.full(30, 1e-4))
    rehearsal.act(100)
    assert np.abs(rehearsal.state.strategy.mean).max() < 0.01 and rehearsal.state.strategy.floats[SIGMA] < 1e-3
    rehearsal.act(3000)
    assert rehearsal.evaluator.y < 30e-8 / 10


@BOTH
def test_an_incumbent_that_is_a_little_better_does_not_disturb_it(kind):
    alone, disturbed = (Rehearsal(kind(), sphere, ter.box(-5, 5, dimension=10)) for _ in range(2))
    for rehearsal in (alone, disturbed):
        rehearsal.act(200)
        if rehearsal is disturbed:
            rehearsal.evaluator.lend(1).evaluate_point(rehearsal.evaluator.x * (1 - 1e-9))
        rehearsal.act(200)
    assert np.array_equal(alone.points[-200:], disturbed.points[-200:])


@BOTH
def test_a_restart_is_left_alone_until_it_beats_the_incumbent(kind):
    rehearsal = Rehearsal(kind(population=6), lambda x: 9 + stairs(x), ter.box(-5, 5, dimension=3))
    while rehearsal.state.restarts == 0:
        rehearsal.act(6)
    rehearsal.act(12)
    assert rehearsal.state.strategy.floats[LOWEST] > rehearsal.state.best and rehearsal.state.remark == "restart 1"
    mean = rehearsal.state.strategy.mean.copy()
    rehearsal.evaluator.lend(1).evaluate_point(np.full(3, 0.2501))
    rehearsal.act(1)
    assert np.abs(rehearsal.state.strategy.mean - mean).max() < 5 and rehearsal.state.restarts == 1


@BOTH
def test_values_may_be_shifted_and_scaled(kind):
    asked = []
    for scale, shift in ((1.0, 0.0), (4.0, 1000.0)):
        rehearsal = Rehearsal(kind(), lambda x, a=scale, b=shift: a * stairs(x) + b, ter.box(-5, 5, dimension=6))
        rehearsal.act(400)
        asked.append(rehearsal.points)
    assert np.array_equal(*asked)


@BOTH
def test_nothing_is_learnt_where_everything_fails(kind):
    rehearsal = Rehearsal(kind(), lambda x: math.nan, ter.box(-5, 5, dimension=6))
    rehearsal.act(300)
    strategy = rehearsal.state.strategy
    assert strategy.floats[SIGMA] == 0.3 and strategy.counters[[FLAT_FOR, STALLED]].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": 3}, r"population must lie in \[4, inf\], got 3"),
        ({"largest": 0}, "largest must lie in"),
        ({"spread": 0.0}, r"spread must lie in \(0, 10\], got 0.0"),
        ({"evaluations": 0}, "evaluations must lie in"),
    ],
)
@BOTH
def test_settings_outside_their_range_are_refused(kind, options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        kind(**options)
