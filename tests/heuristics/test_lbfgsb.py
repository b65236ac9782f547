"""L-BFGS-B on finite differences: paused anywhere, as good as SciPy's own, and idle when nothing is left."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import scipy.optimize

import ter
from ter.heuristics.lbfgsb import LBFGSB, Minimise
from ter.testing.rehearsal import Rehearsal, sphere
from tests.spies import minimize_on, same_run

BOX = ter.box(-5, 5, dimension=8)
BOX20 = ter.box(-5, 5, dimension=20)


def chain(x):
    """Rosenbrock's function."""
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def test_it_asks_for_the_points_that_scipy_asks_for_with_the_same_differences():
    asked = []

    def noted(x):
        asked.append(x.copy())
        return chain(x)

    rehearsal = Rehearsal(LBFGSB(pairs=10, difference=1e-8, fitted=False), noted, ter.box(0, 1, dimension=4))
    asked.clear()
    rehearsal.act(40)
    mine, start = asked[:], np.full(4, 0.75)
    asked.clear()
    scipy.optimize.minimize(noted, start, method="L-BFGS-B", bounds=[(0, 1)] * 4, options={"eps": 1e-8})
    alone = asked[1:41]  # the value at the start is known here
    assert np.allclose(mine, alone, rtol=0, atol=1e-6)
    assert np.array_equal(mine[:4], alone[:4])


@pytest.mark.parametrize("cut", [1, 3, 7, 9, 50])
def test_it_does_not_matter_where_it_is_cut(cut):
    traces = []
    for limit in (cut, 300):
        rehearsal = Rehearsal(LBFGSB(), chain, BOX)
        for _ in range(300 // limit):
            assert rehearsal.act(limit) == limit
        traces.append(rehearsal.points)
    n = min(map(len, traces))
    assert n > 290 and np.array_equal(traces[0][:n], traces[1][:n])


@pytest.mark.parametrize("exchange", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
@pytest.mark.parametrize("limits", [(64, 5, 80), (3, 8, 30)])  # the first gradient has two rounds
def test_a_copy_made_in_the_middle_of_a_gradient_goes_on_there(exchange, limits):
    alone, exchanged = Rehearsal(LBFGSB(), chain, BOX), Rehearsal(LBFGSB(), chain, BOX)
    for limit in limits:
        alone.act(limit)
        exchanged.act(limit)
        assert 0 < exchanged.state.slopes.cursor[0] < 16
        exchanged.state = exchange(exchanged.state)
    assert np.array_equal(alone.points, exchanged.points)


def test_it_is_as_good_as_scipy_at_equal_evaluations():
    rng = np.random.default_rng(1)
    turn, weights = np.linalg.qr(rng.standard_normal((60, 60)))[0], 10 ** np.linspace(0, 4, 60)
    best = math.inf

    def fun(x):
        nonlocal best
        y = float(weights @ (turn @ (x - 1)) ** 2)
        best = min(best, y)
        return y

    rehearsal = Rehearsal(LBFGSB(), fun, ter.box(-5, 5, dimension=60))
    for _ in range(4):
        rehearsal.act(1500)
    best = math.inf
    options = {"maxfun": 6_000 - 61}
    scipy.optimize.minimize(fun, np.full(60, 2.5), method="L-BFGS-B", bounds=[(-5, 5)] * 60, options=options)
    assert rehearsal.evaluator.y < 1.1 * best < 10  # 40 000 at the start


# Differences


def test_a_failed_difference_is_no_slope():
    # The first variable fails above its start: the second is minimised all the same.
    fun = lambda x: math.nan if x[0] > 2.5 else sphere(x)  # noqa: E731
    rehearsal = Rehearsal(LBFGSB(fitted=False), fun, ter.box(-5, 5, dimension=2))
    rehearsal.act(60)
    assert abs(rehearsal.evaluator.x[1]) < 1e-6 and rehearsal.evaluator.x[0] == 2.5


def test_if_one_of_two_differences_failed_the_other_one_tells():
    rehearsal = Rehearsal(LBFGSB(), lambda x: math.nan if x[0] > 2.5 else sphere(x), ter.box(-5, 5, dimension=2))
    rehearsal.act(60)
    assert np.abs(rehearsal.evaluator.x).max() < 1e-6


def test_the_first_gradient_of_a_parabola_and_its_curvature_are_exact():
    weights, asked = np.array([1e-3, 1e-2, 1e-4]), []

    def bowl(x):
        asked.append(x.copy())
        return float(weights @ (x - 1.0) ** 2)

    rehearsal = Rehearsal(LBFGSB(), bowl, ter.box(-200, 300, dimension=3))
    rehearsal.act(7)
    assert rehearsal.state.slopes.curvature == pytest.approx(2 * weights, rel=1e-3)
    step = asked[-1] - asked[0]
    slope = 2 * weights * (asked[0] - 1.0)
    assert step / np.abs(step).max() == pytest.approx(-slope / np.abs(slope).max(), rel=1e-6)


def test_differences_fit_the_curvature_so_that_steep_directions_do_not_hide_flat_ones():
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((20, 20)))[0]
    weights = 10 ** np.linspace(0, 7, 20)
    ends = []
    for fitted in (False, True):
        rehearsal = Rehearsal(LBFGSB(fitted=fitted), lambda x: float(weights @ (turn @ (x - 1)) ** 2), BOX20)
        rehearsal.act(8_000)
        ends.append(rehearsal.evaluator.y)
    assert ends[1] < 1e-12 < 1e-3 * ends[0]


def test_beyond_many_variables_there_are_fewer_pairs():
    seen = []

    class Noted(Minimise):
        def __call__(self, fun, x0, bounds):
            seen.append(self.pairs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ter.heuristics.lbfgsb.Minimise", Noted)
        for dimension in (10, 200_000, 10**6):
            Rehearsal(LBFGSB(), sphere, ter.box(-5, 5, dimension=dimension)).act(1)
    assert seen == [50, 25, 10]


def test_no_differences_are_taken_where_the_value_failed():
    seen = []

    def fun(x):
        seen.append(math.isnan(y := sphere(x) if x[0] > 2 else math.nan))
        return y

    rehearsal = Rehearsal(LBFGSB(), fun, ter.box(-5, 5, dimension=9))
    rehearsal.act(400)
    assert 0 < sum(seen) < len(seen) / 5
    assert rehearsal.evaluator.y < 40  # 56 at the start


# When to start anew


def test_it_is_idle_when_it_has_converged_until_the_incumbent_is_better():
    rehearsal = Rehearsal(LBFGSB(), lambda x: sphere(np.minimum(np.abs(x), np.abs(x - 4) + 0.5)), BOX)
    while rehearsal.act(200):
        pass
    assert rehearsal.state.converged and rehearsal.act(200) == 0
    assert rehearsal.evaluator.y == pytest.approx(8 * 0.25)  # the nearer minimum, at 4
    rehearsal.evaluator.lend(1).evaluate_point(np.full(8, 0.1))
    assert rehearsal.act(200) > 0
    assert rehearsal.evaluator.y < 1e-10


def test_a_descent_is_over_when_nothing_but_rounding_is_gained(monkeypatch):
    def run(seed):
        rng = np.random.default_rng(seed)
        rotation, shift = np.linalg.qr(rng.standard_normal((50, 50)))[0], rng.uniform(-2, 2, 50)

        def ripples(x):
            z = rotation @ (x - shift)
            return float((z**2 + 10 - 10 * np.cos(2 * np.pi * z)).sum())

        return ter.minimize(ripples, ter.box(-5, 5, dimension=50), budget=10_000, rng=1, heuristics=[LBFGSB()])

    ended = [run(seed) for seed in range(5)]
    monkeypatch.setattr("ter.heuristics.descending.STILL", 10_000)
    later = [run(seed) for seed in range(5)]
    # All had budget left, in a local minimum; where SciPy's solver itself ends at once there is nothing to be saved.
    assert sum(run.nfev for run in ended) < sum(run.nfev for run in later) < 5 * 10_000
    for soon, late in zip(ended, later, strict=True):
        assert soon.nfev <= late.nfev and soon.fun == pytest.approx(late.fun, rel=1e-11)


@pytest.fixture
def four_gradients_are_enough(monkeypatch):
    monkeypatch.setattr("ter.heuristics.descending.LEARNED", 4)


def test_it_starts_anew_at_an_incumbent_that_left_it_behind(four_gradients_are_enough):
    rehearsal = Rehearsal(LBFGSB(pairs=2, fitted=False), chain, BOX)
    for _ in range(8):
        rehearsal.act(30)
    assert rehearsal.state.trail[0] - rehearsal.state.best < rehearsal.evaluator.y - 0.5
    rehearsal.evaluator.lend(1).evaluate_point(np.full(8, 1.01))
    rehearsal.act(30)
    assert np.abs(rehearsal.points[-30:-22] - 1.01).max() < 1e-6


def test_what_it_gained_with_its_last_gradients_counts_and_not_where_its_initiations_end(four_gradients_are_enough):
    rehearsal = Rehearsal(LBFGSB(pairs=2, fitted=False), chain, BOX)
    rehearsal.act(90)
    solver, gain = rehearsal.state.solver, rehearsal.state.trail[0] - rehearsal.state.best
    assert len(rehearsal.state.trail) == 5 and gain > 0
    rehearsal.act(1)  # gains nothing: a difference of the next gradient
    x, y = rehearsal.evaluator.x, rehearsal.evaluator.y
    better = next(at for at in x + np.linspace(0, 1, 200)[1:, None] * (1 - x) if 0 < y - chain(at) < gain)
    rehearsal.evaluator.lend(1).evaluate_point(better)
    rehearsal.act(1)
    assert rehearsal.evaluator.y < y and rehearsal.state.solver is solver


def test_it_invests_for_twelve_gradients():
    rehearsal = Rehearsal(LBFGSB(), chain, BOX)
    seen = []
    while rehearsal.state is None or rehearsal.state.gradients < 15:
        rehearsal.act(3)
        seen.append((rehearsal.state.gradients, rehearsal.state.investing))
    assert seen and all(investing == (gradients < 12) for gradients, investing in seen)


def test_an_incumbent_that_is_a_little_better_does_not_disturb_it():
    alone, disturbed = Rehearsal(LBFGSB(), chain, BOX), Rehearsal(LBFGSB(), chain, BOX)
    for rehearsal in (alone, disturbed):
        rehearsal.act(60)
        x, y = rehearsal.evaluator.x, rehearsal.evaluator.y
        if rehearsal is disturbed:
            rehearsal.evaluator.lend(1).evaluate_point(np.where(np.arange(8) == 7, x - 1e-9 * np.sign(chain(x)), x))
            rehearsal.evaluator.lend(1).evaluate_point(x + 1e-9)
        assert rehearsal.evaluator.y > 0.99 * y
        rehearsal.act(60)
    assert np.array_equal(alone.points[-60:], disturbed.points[-60:])


# Engines


def on(engine):
    heuristics = [LBFGSB(evaluations=11)]
    return minimize_on(engine, ter.box(-5, 5, dimension=9), budget=1_000, rng=3, heuristics=heuristics)


@pytest.mark.parametrize("engine", ["vectorized", "moving", "compiled", "compiled moving"])
def test_every_engine_gives_the_same_run(engine):
    assert same_run(on(engine), on("python"))


def test_gradients_are_batches_where_batches_are_faster():
    sizes = []

    def rows(X):
        sizes.append(len(X))
        return (X * X).sum(axis=1)

    rehearsal = Rehearsal(LBFGSB(), ter.Problem(rows, ter.box(-5, 5, dimension=250), vectorized=True))
    sizes.clear()
    rehearsal.act(830)
    assert sizes == [500, 1, 250, 1, 78]


def test_it_moves_a_branch_on_which_it_works():
    moved = []

    class Elsewhere(LBFGSB):
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
        ({"pairs": 0}, r"pairs must lie in \[1, inf\], got 0"),
        ({"difference": 0.0}, r"difference must lie in \(0, 1\], got 0.0"),
        ({"evaluations": 0}, "evaluations must lie in"),
        ({"evaluations": "x"}, r"evaluations must lie in \(0, inf\], got 'x'"),
        ({"pairs": None}, r"pairs must lie in \[1, inf\], got None"),
    ],
)
def test_settings_outside_their_range_are_refused(options, message):
    with pytest.raises(ter.InvalidArgument, match=message):
        LBFGSB(**options)
