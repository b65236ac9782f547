"""Quasi-Newton steps: paused anywhere, better than SciPy's solver at equal evaluations, idle when nothing is left."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

import ter
from ter.heuristics import quasi_newton, secant_descent
from ter.heuristics.descending import steps_in_memory
from ter.heuristics.line_minimum import LineMinimum
from ter.heuristics.quasi_newton import QuasiNewton
from ter.heuristics.secant_descent import TriedLine
from ter.testing.rehearsal import Rehearsal, sphere
from tests.spies import minimize_on, same_run

BOX = ter.box(-5, 5, dimension=8)
BOX20 = ter.box(-5, 5, dimension=20)


def chain(x):
    """Rosenbrock's function."""
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def rotated(dimension, decades, seed=1):
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((dimension, dimension)))[0]
    weights = 10 ** np.linspace(0, decades, dimension)
    return lambda x: float(weights @ (turn @ (x - 1)) ** 2)


# Where it goes


def test_on_a_parabola_it_needs_few_gradients_if_there_are_few_curvatures():
    rehearsal = Rehearsal(QuasiNewton(), lambda x: float(np.repeat([1.0, 30.0, 500.0], 20) @ (x - 1) ** 2),
                          ter.box(-5, 5, dimension=60))  # fmt: skip
    rehearsal.act(60 * 9)  # the first gradient takes two evaluations per variable
    assert rehearsal.state.gradients <= 8 and rehearsal.evaluator.y < 1e-6  # 24 000 at the start


@pytest.mark.parametrize(("decades", "evaluations"), [(2, 2_000), (4, 6_000), (6, 12_000)])
def test_it_is_better_than_scipy_at_equal_evaluations(decades, evaluations):
    best = math.inf
    value = rotated(60, decades)

    def fun(x):
        nonlocal best
        best = min(best, y := value(x))
        return y

    rehearsal = Rehearsal(QuasiNewton(), fun, ter.box(-5, 5, dimension=60))
    for _ in range(4):
        rehearsal.act(evaluations // 4)
    best = math.inf
    options = {"maxfun": evaluations - 61, "ftol": 0.0, "gtol": 0.0}
    scipy.optimize.minimize(fun, np.full(60, 2.5), method="L-BFGS-B", bounds=[(-5, 5)] * 60, options=options)
    assert rehearsal.evaluator.y < best


def test_in_a_chain_the_variables_at_the_front_go_down_alone(monkeypatch):
    ends = []
    for gradients in (quasi_newton.CREEPING, 10**9):
        monkeypatch.setattr(quasi_newton, "CREEPING", gradients)
        rehearsal = Rehearsal(QuasiNewton(), chain, ter.box(-5, 5, dimension=256))
        rehearsal.evaluator.lend(1).evaluate_point(np.zeros(256))
        for _ in range(10):
            rehearsal.act(6_000)
        ends.append(rehearsal.evaluator.y)
    assert ends[0] < 1e-10 and ends[1] > 100.0 and 0 < rehearsal.state.spent[0] < 60_000


def test_fronts_get_no_more_evaluations_than_all_variables():
    rehearsal = Rehearsal(QuasiNewton(), chain, ter.box(-5, 5, dimension=100))
    rehearsal.evaluator.lend(1).evaluate_point(np.zeros(100))
    while rehearsal.state is None or rehearsal.state.part is None:
        rehearsal.act(1)
    members, x = rehearsal.state.part.slopes.members, rehearsal.state.branch.x.copy()
    while np.array_equal(rehearsal.state.branch.x, x):
        rehearsal.act(1)
    assert np.isin(np.flatnonzero(rehearsal.state.branch.x != x), members).all()  # the others stay where they are
    assert rehearsal.state.part is not None  # it pays
    rehearsal.state.spent[0], x = 0, rehearsal.state.branch.x.copy()
    while np.array_equal(rehearsal.state.branch.x, x):
        rehearsal.act(1)
    assert rehearsal.state.part is None


@given(seed=st.integers(0, 2**16))
def test_minima_at_bounds_are_found(seed):
    """Compared with SciPy, which knows the exact gradient."""
    rng = np.random.default_rng(seed)
    root, wanted = rng.standard_normal((8, 8)), rng.uniform(-8, 8, 8)
    hessian = root @ root.T + 0.3 * np.eye(8)
    fun = lambda x: float((x - wanted) @ hessian @ (x - wanted))  # noqa: E731
    there = scipy.optimize.minimize(
        fun, np.zeros(8), jac=lambda x: 2 * hessian @ (x - wanted), bounds=[(-5, 5)] * 8, method="L-BFGS-B",
        options={"ftol": 0.0, "gtol": 1e-10},
    )  # fmt: skip
    rehearsal = Rehearsal(QuasiNewton(), fun, BOX)
    while rehearsal.act(300):
        pass
    assert rehearsal.evaluator.y == pytest.approx(there.fun, rel=1e-5, abs=1e-6)


def weighted(x):
    """Weights over six orders of magnitude, and neighbours that interact a little."""
    return float((10 ** np.linspace(0, 6, x.size) * (x - 1) ** 2).sum() + (0.1 * x[1:] * x[:-1]).sum())


def test_variables_that_hardly_interact_may_have_any_weights(monkeypatch):
    ends = []
    for both in (quasi_newton.BOTH, 10**9):
        monkeypatch.setattr(quasi_newton, "BOTH", both)
        rehearsal = Rehearsal(QuasiNewton(), weighted, ter.box(-5, 5, dimension=100))
        rehearsal.act(1_500)
        ends.append(rehearsal.evaluator.y)
    least = scipy.optimize.minimize(weighted, np.ones(100), method="Powell", options={"ftol": 1e-14, "xtol": 1e-10}).fun
    assert ends[0] == pytest.approx(least, abs=1e-4) and ends[1] > least + 10.0


def test_where_variables_interact_or_differences_are_not_fitted_weights_are_never_tried(monkeypatch):
    def refused(curvature):
        raise AssertionError("weights were tried")

    monkeypatch.setattr(secant_descent, "inverse_of", refused)
    Rehearsal(QuasiNewton(), rotated(20, 4), BOX20).act(1_000)
    Rehearsal(QuasiNewton(fitted=False), weighted, BOX20).act(1_000)
    with pytest.raises(AssertionError, match="weights were tried"):
        Rehearsal(QuasiNewton(), weighted, BOX20).act(1_000)


@pytest.mark.parametrize(("gain", "given_up"), [(1.4, False), (1.6, True)])
def test_the_kind_of_matrix_is_given_up_if_the_other_gains_far_more(gain, given_up):
    rehearsal = Rehearsal(QuasiNewton(), weighted, ter.box(-5, 5, dimension=30))
    while not rehearsal.state.whole.lines:
        rehearsal.act(1)
    descent, lines = rehearsal.state.whole, []
    for kind, gained in ((True, 1.0), (False, gain)):
        line = LineMinimum(1e9, -1.0)
        for length in np.linspace(1, 2, 6):  # as many as are tried
            line.note(length, 1e9 - gained)
        lines.append(TriedLine(np.zeros(30), line, weighted=kind))
    descent.weighted, descent.lines, descent.tried = True, lines, 0
    rehearsal.act(1)
    assert descent.lines == [] and descent.weighted is not given_up


def test_units_of_the_variables_do_not_matter():
    units = 2.0 ** np.arange(-10, 10)
    value = rotated(20, 3)
    plain = Rehearsal(QuasiNewton(fitted=False, difference=2.0**-26), value, ter.box(0, 4, dimension=20))
    scaled = Rehearsal(
        QuasiNewton(fitted=False, difference=2.0**-26), lambda x: value(x / units), ter.box(0, 4 * units)
    )
    for rehearsal in (plain, scaled):
        rehearsal.act(800)
    assert plain.evaluator.y < 1e-2
    assert scaled.evaluator.y < 1e-2


def test_differences_fit_the_curvature_so_that_steep_directions_do_not_hide_flat_ones():
    ends = []
    for fitted in (False, True):
        rehearsal = Rehearsal(QuasiNewton(fitted=fitted), rotated(20, 7), BOX20)
        rehearsal.act(8_000)
        ends.append(rehearsal.evaluator.y)
    assert ends[1] < 1e-10 < 1e-3 * ends[0]


def test_a_failed_difference_is_no_slope():
    fun = lambda x: math.nan if x[0] > 2.5 else sphere(x)  # noqa: E731
    rehearsal = Rehearsal(QuasiNewton(fitted=False), fun, ter.box(-5, 5, dimension=2))
    rehearsal.act(60)
    assert abs(rehearsal.evaluator.x[1]) < 1e-6


def test_values_that_overflow_or_fail_end_a_descent_without_harm():
    for fun in (lambda x: 1e300 * sphere(x), lambda x: math.inf, lambda x: math.nan, lambda x: -1e307 * float(x[0])):
        rehearsal = Rehearsal(QuasiNewton(), fun, BOX)
        for _ in range(5):
            rehearsal.act(100)
        assert BOX.contains(rehearsal.evaluator.x)


# Where it is cut


@pytest.mark.parametrize("limit", [13, 101])
def test_nor_does_it_while_a_front_goes_down(limit):
    points = []
    for limits in ([limit] * (20_000 // limit), [20_000]):
        rehearsal = Rehearsal(QuasiNewton(), chain, ter.box(-5, 5, dimension=100))
        rehearsal.evaluator.lend(1).evaluate_point(np.zeros(100))
        for each in limits:
            rehearsal.act(each)
            if len(limits) > 1 and rehearsal.state.part is not None:
                rehearsal.state = copy.deepcopy(rehearsal.state)
        points.append(rehearsal.points)
    n = min(map(len, points))
    assert rehearsal.state.spent[1] > 100 and np.array_equal(points[0][:n], points[1][:n])


@pytest.mark.parametrize("cut", [1, 3, 7, 9, 50])
def test_it_does_not_matter_where_it_is_cut(cut):
    traces = []
    for limit in (cut, 300):
        rehearsal = Rehearsal(QuasiNewton(), chain, BOX)
        for _ in range(300 // limit):
            assert rehearsal.act(limit) == limit
        traces.append(rehearsal.points)
    n = min(map(len, traces))
    assert n > 290 and np.array_equal(traces[0][:n], traces[1][:n])


@pytest.mark.parametrize("exchange", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
@pytest.mark.parametrize("limits", [(64, 5, 80), (3, 8, 30), (17, 1, 1, 1, 60)])
def test_a_copy_goes_on_where_it_was_made(exchange, limits):
    alone, exchanged = Rehearsal(QuasiNewton(), chain, BOX), Rehearsal(QuasiNewton(), chain, BOX)
    for limit in limits:
        alone.act(limit)
        exchanged.act(limit)
        exchanged.state = exchange(exchanged.state)
    assert np.array_equal(alone.points, exchanged.points)


def test_beyond_many_variables_fewer_steps_are_remembered():
    assert [steps_in_memory(50, dimension) for dimension in (4, 200_000, 10**6)] == [50, 25, 10]
    rehearsal = Rehearsal(QuasiNewton(steps=3), chain, BOX)
    rehearsal.act(200)
    assert len(rehearsal.state.whole.secants.steps) == 3


# When to start anew


def test_it_is_idle_when_it_has_converged_until_the_incumbent_is_better():
    rehearsal = Rehearsal(QuasiNewton(fitted=False), lambda x: sphere(np.minimum(np.abs(x), np.abs(x - 4) + 0.5)), BOX)
    while rehearsal.act(200):
        pass
    assert rehearsal.state.converged and rehearsal.act(200) == 0
    assert rehearsal.evaluator.y == pytest.approx(8 * 0.25)  # the nearer minimum, at 4
    rehearsal.evaluator.lend(1).evaluate_point(np.full(8, 0.1))
    assert rehearsal.act(200) > 0
    assert rehearsal.evaluator.y < 1e-10


def test_a_descent_is_over_when_nothing_but_rounding_is_gained(monkeypatch):
    def used(seed):
        value = rotated(20, 5, seed)
        rehearsal = Rehearsal(QuasiNewton(), lambda x: 1.0 + value(x), BOX20)
        rehearsal.act(30_000)
        assert rehearsal.state.converged and rehearsal.evaluator.y == pytest.approx(1.0, rel=1e-9)
        return rehearsal.evaluator.count

    ended = [used(seed) for seed in range(5)]
    monkeypatch.setattr("ter.heuristics.descending.STILL", 10_000)
    assert sum(ended) < sum(used(seed) for seed in range(5))


@pytest.fixture
def four_gradients_are_enough(monkeypatch):
    monkeypatch.setattr("ter.heuristics.descending.LEARNED", 4)


def test_it_starts_anew_at_an_incumbent_that_left_it_behind(four_gradients_are_enough):
    rehearsal = Rehearsal(QuasiNewton(steps=2, fitted=False), chain, BOX)
    for _ in range(5):
        rehearsal.act(30)
    rehearsal.evaluator.lend(1).evaluate_point(np.full(8, 1.001))
    rehearsal.act(30)
    assert np.abs(rehearsal.points[-30:-22] - 1.001).max() < 1e-6


def test_an_incumbent_that_is_a_little_better_does_not_disturb_it():
    alone, disturbed = Rehearsal(QuasiNewton(), chain, BOX), Rehearsal(QuasiNewton(), chain, BOX)
    for rehearsal in (alone, disturbed):
        rehearsal.act(60)
        x, y = rehearsal.evaluator.x, rehearsal.evaluator.y
        if rehearsal is disturbed:
            rehearsal.evaluator.lend(1).evaluate_point(x - 1e-9 * np.sign(x))
            rehearsal.evaluator.lend(1).evaluate_point(x + 1e-9)
        assert rehearsal.evaluator.y > 0.99 * y
        rehearsal.act(60)
    assert np.array_equal(alone.points[-60:], disturbed.points[-60:])


def test_it_invests_for_twelve_gradients():
    rehearsal = Rehearsal(QuasiNewton(), chain, BOX)
    seen = []
    while rehearsal.state is None or rehearsal.state.gradients < 15:
        rehearsal.act(3)
        seen.append((rehearsal.state.gradients, rehearsal.state.investing))
    assert seen and all(investing == (gradients < 12) for gradients, investing in seen)


# Engines


def on(engine):
    heuristics = [QuasiNewton(evaluations=11)]
    return minimize_on(engine, ter.box(-5, 5, dimension=9), budget=700, rng=3, heuristics=heuristics)


@pytest.mark.parametrize("engine", ["vectorized", "moving", "compiled", "compiled moving"])
def test_every_engine_gives_the_same_run(engine):
    assert same_run(on(engine), on("python"))


def test_gradients_are_batches_where_batches_are_faster():
    sizes = []

    def rows(X):
        sizes.append(len(X))
        return (X * X).sum(axis=1)

    rehearsal = Rehearsal(QuasiNewton(), ter.Problem(rows, ter.box(-5, 5, dimension=250), vectorized=True))
    sizes.clear()
    rehearsal.act(1_100)
    first = sizes.index(500)
    assert [size for size in sizes[:first] if size > 1] == [24, 48]  # a look at interactions
    assert 1 <= sizes.index(250, first) - first - 1 <= 12  # one by one along the lines


def test_it_moves_a_branch_on_which_it_works():
    moved = []

    class Elsewhere(QuasiNewton):
        def act(self, state, allowance, rng):
            branch = allowance.branch(np.full(3, 4.0))
            super().act(state, branch, rng)
            moved.append((branch.x, branch.y))
            return state

    ter.minimize(lambda x: 10 + sphere(x - 3) if x[0] != 1.9 else 0.0, ter.box(-5, 5, dimension=3), budget=80,
                 rng=1, x0=[1.9, 1.0, 1.0], heuristics=[Elsewhere(evaluations=20)])  # fmt: skip
    assert moved[0][1] == pytest.approx(10) and moved[0][0] == pytest.approx(np.full(3, 3.0), abs=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, r"steps must lie in \[1, inf\], got 0"),
        ({"difference": 0.0}, r"difference must lie in \(0, 1\], got 0.0"),
        ({"evaluations": 0}, "evaluations must lie in"),
        ({"steps": None}, r"steps must lie in \[1, inf\], got None"),
    ],
)
def test_settings_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        QuasiNewton(**options)
