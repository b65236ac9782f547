"""Wrapped solvers: exact costs, reproducible, and no way around the allowance."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.optimize

import ter
from ter.core.heuristic import Heuristic
from ter.core.profile import Profile
from ter.heuristics.wrapped import FAILED, Wrapped
from ter.run.run import run_profile
from ter.run.settings import Settings
from ter.schedulers import RoundRobin
from ter.testing.rehearsal import Rehearsal

GLOBAL = np.random  # NumPy's global generator, used on purpose


def sphere(x):
    return float(((x - 0.5) ** 2).sum())


def lbfgs(fun, x0, bounds):
    # maxfun is no limit for SciPy: it is looked at between gradients, each of which costs D + 1 evaluations.
    scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B", options={"maxfun": 10})


def random_walk(fun, x0, bounds, rng):
    while True:
        fun(x0 + rng.normal(scale=0.1, size=x0.size))


def legacy_walk(fun, x0, bounds):
    while True:
        fun(x0 + GLOBAL.standard_normal(x0.size))


def cmaes(fun, x0, bounds):
    import cma

    options = {"bounds": [bounds.lb, bounds.ub], "seed": math.nan, "verbose": -9}
    cma.fmin2(fun, x0, 0.1 * float((bounds.ub - bounds.lb).mean()), options)


def run(solver, *, fun=sphere, dimension=5, budget=200, rng=1, cost=50, on_error="raise"):
    """Run one wrapped solver alone from a known point, with its full cost per initiation."""
    profile = Profile((ter.wrap(solver, name="solver", cost=cost),), RoundRobin())
    problem = ter.Problem(fun, ter.box(-5, 5, dimension=dimension))
    settings = Settings(on_error=on_error)
    return run_profile(problem, profile, ter.Budget(budget), settings, x0=np.full(dimension, 3.0), rng=rng)


class Recorder:
    """The sphere, with a record of what it was asked."""

    def __init__(self):
        self.points = []

    def __call__(self, x):
        self.points.append(x.copy())
        return sphere(x)


# Allowance


def test_lbfgs_in_1000_variables_keeps_exactly_to_its_cost_and_the_budget():
    fun = Recorder()
    result = run(lbfgs, fun=fun, dimension=1000, cost=1_500, budget=4_000)
    assert [action.nfev for action in result.actions] == [1_500, 1_500, 3, 996]  # it returned, and began anew
    assert result.nfev == len(fun.points) == 4_000


def test_scipy_itself_oversteps_its_maxfun_tenfold_in_1000_variables():
    count = 0

    def counted(x):
        nonlocal count
        count += 1
        return sphere(x)

    lbfgs(counted, np.zeros(1000), scipy.optimize.Bounds(np.full(1000, -5.0), np.full(1000, 5.0)))
    assert count > 100


def test_a_solver_that_swallows_every_exception_cannot_go_on():
    survived = []

    def stubborn(fun, x0, bounds):
        for _ in range(1_000):
            try:
                fun(x0)
            except Exception:
                survived.append("swallowed")

    result = run(stubborn, budget=120, cost=50)
    assert result.nfev == 120
    assert not survived


def test_a_solver_that_returns_early_leaves_the_rest_of_its_allowance():
    def brief(fun, x0, bounds):
        for _ in range(3):
            fun(x0)

    result = run(brief, budget=31, cost=50)
    assert [action.nfev for action in result.actions] == [3] * 10
    assert result.nfev == 31


def test_a_solver_that_never_evaluates_ends_the_run_as_idle():
    assert run(lambda fun, x0, bounds: None).status is ter.StopReason.IDLE


def test_cost_is_a_number_or_a_function_of_the_dimension():
    assert ter.wrap(lbfgs, cost=99.9).cost(10) == 99
    assert ter.wrap(lbfgs, cost=lambda D: 3 * D).cost(10) == 30
    assert ter.wrap(lbfgs).cost(10) == 250


# Pauses


def test_a_solver_goes_on_where_it_was_paused():
    alone, asked = [], []

    def noted(points):
        def fun(x):
            points.append(x.copy())
            return chain(x)

        return fun

    lbfgs_once(noted(alone), np.full(6, 3.0), scipy.optimize.Bounds(np.full(6, -5.0), np.full(6, 5.0)))
    run(lbfgs_once, fun=noted(asked), dimension=6, cost=10, budget=101)
    assert np.array_equal(asked[1:101], alone[:100])  # the first point is the run's own


def chain(x):
    """Rosenbrock's function."""
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def lbfgs_once(fun, x0, bounds):
    scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B")


def test_pauses_change_nothing_for_a_solver_alone():
    ends = [run(lbfgs_once, fun=chain, cost=cost, budget=301) for cost in (1, 7, 300)]
    assert len({end.fun for end in ends}) == 1 and len({end.x.tobytes() for end in ends}) == 1


def one_jump(starts):
    """A solver that notes where it starts, jumps once, and then only waits."""

    def solver(fun, x0, bounds):
        starts.append(x0.copy())
        fun(x0 - 0.5)
        while True:
            fun(x0)

    return solver


@pytest.mark.parametrize(("lead", "restarted"), [(0.6, True), (0.4, False)])
def test_a_solver_that_was_left_behind_by_more_than_its_last_gain_starts_anew(lead, restarted):
    starts = []
    rehearsal = Rehearsal(ter.wrap(one_jump(starts)), lambda x: float(x[0]), ter.box(0, 10, dimension=1))
    assert rehearsal.evaluator.y == 7.5
    rehearsal.act(1)  # gains 0.5
    rehearsal.evaluator.lend(1).evaluate([[7.0 - lead]])
    rehearsal.act(1)
    assert len(starts) == (2 if restarted else 1)
    assert not restarted or starts[1].tolist() == [7.0 - lead]


def test_a_solver_that_has_returned_starts_anew_at_the_incumbent():
    starts = []

    def brief(fun, x0, bounds):
        starts.append(float(x0[0]))
        fun(x0 - 1.0)

    rehearsal = Rehearsal(ter.wrap(brief), lambda x: float(x[0]), ter.box(0, 10, dimension=1))
    for _ in range(3):
        assert rehearsal.act(10) == 1
    assert starts == [7.5, 6.5, 5.5]


def test_paused_solvers_are_ended_with_the_run():
    ended = []

    def patient(fun, x0, bounds):
        try:
            while True:
                fun(x0)
        finally:
            ended.append("ended")

    run(patient, budget=101)
    assert ended == ["ended"]


def test_a_solver_that_will_not_end_is_left_alone():
    def stubborn(fun, x0, bounds):
        while True:
            try:
                fun(x0)
            except BaseException:
                continue

    assert run(stubborn, budget=51).nfev == 51


def test_several_runs_in_threads_have_solvers_of_their_own():
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda seed: run(random_walk, rng=seed), [1, 2, 1, 2]))
    assert results[0].fun == results[2].fun != results[1].fun == results[3].fun


def test_a_solver_that_evaluates_from_other_threads_is_refused():
    def threaded(fun, x0, bounds):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(fun, [x0, x0]))

    calls = []
    with pytest.raises(ter.InvalidArgument, match=r"must call fun from the thread in which it was started.*workers="):
        run(threaded, fun=lambda x: calls.append(1) or sphere(x))
    assert len(calls) == 1  # the run's own first point


# What the solver gets and what comes back


def test_the_solver_starts_at_a_copy_of_the_incumbent_and_gets_scipy_bounds():
    starts = []

    def vandal(fun, x0, bounds):
        starts.append(x0.copy())
        fun(x0)
        x0[:] = 99.0
        bounds.lb[:] = 99.0

    result = run(vandal, budget=4)
    assert np.array_equal(starts, np.full((3, 5), 3.0))
    assert np.array_equal(result.x, np.full(5, 3.0))


def test_an_improvement_counts_even_if_the_solver_returns_nothing():
    result = run(lambda fun, x0, bounds: [fun(x0 * 0.5), None][1], budget=2)
    assert result.fun == sphere(np.full(5, 1.5))


def test_points_outside_the_box_or_with_nan_are_moved_inside():
    def wild(fun, x0, bounds):
        fun(np.full(5, 1e9))
        fun(np.full(5, -np.inf))
        fun([np.nan, 0.0, 0.0, 0.0, 0.0])
        fun(x0[None, :] - 1)  # a row is as good as a vector

    fun = Recorder()
    run(wild, fun=fun, budget=5)
    assert [p.tolist() for p in fun.points[1:]] == [[5.0] * 5, [-5.0] * 5, [3.0, 0, 0, 0, 0], [2.0] * 5]


def test_a_point_of_the_wrong_size_is_the_solvers_mistake():
    with pytest.raises(ter.InvalidArgument, match="fun takes a point of 5 variables, got 2") as caught:
        run(lambda fun, x0, bounds: fun([1.0, 2.0]))
    assert "wrapped as 'solver'" in caught.value.__notes__[0]


def test_a_failed_evaluation_reads_the_worst_finite_value_of_the_initiation():
    read = []

    def look(fun, x0, bounds):
        read.extend(fun(np.full(5, v)) for v in (0.0, 5.0, 1.0, 5.0, 4.0))

    def fails_at_five_and_one(x):
        return math.nan if x[0] == 5.0 else math.inf if x[0] == 1.0 else sphere(x)

    result = run(look, fun=fails_at_five_and_one, budget=6)
    start, worst = sphere(np.full(5, 3.0)), sphere(np.full(5, 4.0))
    assert read == [sphere(np.zeros(5)), start, start, start, worst]
    assert result.nonfinite == 3


def test_without_any_finite_value_a_failed_evaluation_reads_a_large_one():
    read = []
    run(lambda fun, x0, bounds: read.append(fun(x0)), fun=lambda x: math.nan, budget=2)
    assert read == [FAILED]


def test_lbfgs_makes_progress_beside_a_region_that_fails():
    result = run(lbfgs, fun=lambda x: math.nan if x[0] > 3.1 else sphere(x), budget=400, cost=200)
    assert result.fun < 1e-6


# Exceptions


def test_an_exception_of_the_solver_comes_out_with_a_note():
    def broken(fun, x0, bounds):
        fun(x0)
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost") as caught:
        run(broken)
    assert caught.value.__notes__ == ["raised by the solver wrapped as 'solver', not by the objective"]
    assert caught.value.ter_result.nfev == 2


def swallows(fun, x0, bounds):
    for _ in range(10):
        try:
            fun(x0 * 0.5)
        except Exception:
            continue


def swallows_and_returns(fun, x0, bounds):
    try:
        fun(x0 * 0.5)
    except ZeroDivisionError:
        return


def replaces(fun, x0, bounds):
    try:
        fun(x0 * 0.5)
    except ZeroDivisionError as error:
        raise RuntimeError("the solver's own words") from error


@pytest.mark.parametrize("solver", [lambda fun, x0, bounds: fun(x0 * 0.5), swallows, swallows_and_returns, replaces])
def test_an_exception_of_the_objective_comes_out_whatever_the_solver_does_with_it(solver):
    def fails_later(x):
        return 1.0 if x[0] == 3.0 else 1 / 0

    with pytest.raises(ZeroDivisionError) as caught:
        run(solver, fun=fails_later)
    assert not hasattr(caught.value, "__notes__")
    assert caught.value.ter_result.fun == 1.0


def test_exceptions_that_count_as_worst_do_not_reach_the_solver():
    def fails_later(x):
        return 1.0 if x[0] == 3.0 else 1 / 0

    result = run(lambda fun, x0, bounds: fun(x0 * 0.5), fun=fails_later, on_error="worst", budget=11)
    assert (result.nfev, result.nfail, result.fun) == (11, 10, 1.0)


# Randomness


@pytest.mark.parametrize("solver", [random_walk, legacy_walk])
def test_the_same_seed_gives_the_same_run_and_another_seed_another(solver):
    GLOBAL.seed(1)
    first = run(solver)
    GLOBAL.seed(2)
    again, other = run(solver), run(solver, rng=2)
    assert np.array_equal(first.x, again.x)
    assert not np.array_equal(first.x, other.x)


@pytest.mark.parametrize("bit_generator", [np.random.MT19937, np.random.PCG64])
def test_numpys_global_generator_is_given_back_as_it_was(bit_generator):
    before = GLOBAL.get_bit_generator()
    try:
        GLOBAL.set_bit_generator(bit_generator(5))
        GLOBAL.standard_normal()  # the second of a pair is kept for the next call
        expected = np.random.RandomState(bit_generator(5)).standard_normal(6)[1:]
        run(legacy_walk)
        assert np.array_equal(GLOBAL.standard_normal(5), expected)
    finally:
        GLOBAL.set_bit_generator(before)


def test_an_objective_that_uses_the_global_generator_draws_from_its_own_stream():
    seen = []

    def noisy(x):
        seen.append(GLOBAL.random())
        return sphere(x)

    GLOBAL.seed(7)
    run(legacy_walk, fun=noisy, budget=20)
    assert np.array_equal(seen, np.random.RandomState(7).random(20))


def test_pycma_in_a_portfolio_improves_and_leaves_the_global_generator_alone():
    GLOBAL.seed(11)
    expected = np.random.RandomState(11).random(3)

    def rotated(x):
        return float((np.cumsum(x - 0.5) ** 2).sum())

    def minimized():
        heuristics = ["ls1", ter.wrap(cmaes, name="cma-es", cost=300)]
        return ter.minimize(rotated, ter.box(-5, 5, dimension=8), budget=3_000, rng=3, heuristics=heuristics)

    result = minimized()
    assert any(action.after < action.before for action in result.actions if action.heuristic == "cma-es")
    assert result.nfev == 3_000
    assert np.array_equal(GLOBAL.random(3), expected)
    assert np.array_equal(minimized().x, result.x)


# Arguments


def test_a_wrapped_solver_is_a_heuristic_with_a_name():
    assert isinstance(ter.wrap(lbfgs), Heuristic)
    assert ter.wrap(lbfgs).name == "lbfgs"
    assert ter.wrap(lambda fun, x0, bounds: None).name == "wrapped"
    assert ter.wrap(lbfgs, name="mine") == Wrapped(lbfgs, "mine")


def test_built_in_functions_without_a_signature_are_taken_as_they_are():
    assert ter.wrap(max).name == "max"


@pytest.mark.parametrize("cost", [0, -1, 0.5, math.nan, math.inf, "many", True, None])
def test_a_cost_that_is_not_positive_is_refused(cost):
    with pytest.raises(ter.InvalidArgument, match=r"cost must be a number of evaluations >= 1.*got"):
        ter.wrap(lbfgs, cost=cost)


def test_a_cost_function_that_returns_nonsense_is_refused_when_it_is_asked():
    with pytest.raises(ter.InvalidArgument, match=r"cost must be a number of evaluations >= 1.*got 0"):
        ter.wrap(lbfgs, cost=lambda D: 0).cost(5)


@pytest.mark.parametrize("name", ["", 3])
def test_an_empty_name_is_refused(name):
    with pytest.raises(ter.InvalidArgument, match="name must be a text that is not empty"):
        ter.wrap(lbfgs, name=name)


def test_a_solver_that_is_not_callable_is_refused():
    with pytest.raises(ter.InvalidArgument, match=r"solver must be callable as solver.*got str"):
        ter.wrap("L-BFGS-B")


def test_a_solver_with_too_few_parameters_is_refused_at_once():
    with pytest.raises(ter.InvalidArgument, match=r"solver must be callable as solver.*got the signature \(fun, x0\)"):
        ter.wrap(lambda fun, x0: None)
