"""What ``ter.minimize`` refuses, before anything is evaluated, and what it accepts."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from scipy.optimize import Bounds

import ter

BOX = ter.box(-5, 5, dimension=3)


class Counting:
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return float((x * x).sum())


def refused(match, kind=ter.InvalidArgument, fun=None, bounds=BOX, **options):
    fun = Counting() if fun is None else fun
    with pytest.raises(kind, match=match):
        ter.minimize(fun, bounds, **{"budget": 100, "rng": 1} | options)
    assert getattr(fun, "calls", 0) == 0, "nothing may be evaluated before the arguments are checked"


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"x0": [0, 0, 6]}, r"x0 must lie in the box, got x0\[2\] = 6.0 outside \[-5.0, 5.0\]"),
        ({"x0": [[0, 0, 0], [0, -6, 0]]}, r"x0\[1\] = -6.0"),
        ({"x0": [0, math.nan, 0]}, "x0 must lie in the box, got x0.1. = nan"),
        ({"x0": [0, 0]}, r"x0 must have shape \(3,\) or \(n, 3\), got \(2,\)"),
        ({"x0": np.zeros((0, 3))}, "x0 must have shape"),
        ({"x0": np.zeros((1, 1, 3))}, "x0 must have shape"),
        ({"x0": "abc"}, "x0 must hold numbers"),
        ({"budget": 0}, "evaluations must be a whole number"),
        ({"budget": "soon"}, "budget must read like"),
        ({"rng": -1}, "rng must be a non-negative integer"),
        ({"rng": "1"}, "rng must be an integer"),
        ({"heuristics": []}, "heuristics must hold at least one"),
        ({"heuristics": "ls1"}, r"heuristics must be a list, got 'ls1'; write for example \['ls1', 'cc'\]"),
        ({"heuristics": ter.heuristics.LS1()}, "heuristics must be a list, got LS1"),
        ({"heuristics": 5}, "heuristics must be a list, got 5"),
        ({"heuristics": ["ls2"]}, "unknown heuristic 'ls2'; did you mean 'ls1'"),
        ({"heuristics": ["ls1", "ls1"]}, "names in a portfolio must be unique, got 'ls1' twice"),
        ({"heuristics": ["gs", "shade"]}, "must be unique, got 'gs' twice"),
        ({"heuristics": [ter.heuristics.LS1]}, "a heuristic must have name, cost, start and act"),
        ({"heuristics": [3]}, "a heuristic must have name, cost, start and act, got 3"),
        ({"scheduler": "tre"}, "unknown scheduler 'tre'; did you mean 'ter'"),
        ({"scheduler": "only"}, "scheduler 'only' .* pass ter.schedulers.Only"),
        ({"scheduler": "replay"}, "scheduler 'replay' .* pass ter.schedulers.Replay"),
        ({"scheduler": ter.schedulers.TER}, "scheduler must be a name or have the methods choose and reward_of"),
        ({"scheduler": 3}, "scheduler must be a name"),
        ({"scheduler": ter.schedulers.Only("sade")}, "unknown heuristic in this portfolio 'sade'"),
        ({"scheduler": ter.schedulers.Replay(["cc", "nope"])}, "unknown heuristic in this portfolio 'nope'"),
        ({"workers": 0}, "workers must be >= 1, or -1 for one per core, got 0"),
        ({"workers": -2}, "workers must be >= 1"),
        ({"workers": 10**30}, "workers must be <= 10000, or -1 for one per core, got 1000"),
        ({"workers": 1.5}, "workers must be an int, a concurrent.futures.Executor or .* scheduler, got float"),
        ({"workers": True}, "workers must be an int"),
        ({"workers": "2"}, "workers must be an int"),
        ({"callback": 3}, "callback must be callable, got int"),
        ({"target": math.nan}, "target must be a number, got nan"),
        ({"target": "low"}, "target must be a number, got 'low'"),
        ({"target": 10**400}, r"target must be a number, got 100000000000\.\.\. \(401 digits\)"),
        ({"target": np.ma.masked}, "target must be a number"),
        ({"x0": [10**400, 0, 0]}, "x0 must lie in the box"),
        ({"x0": [0, 0, 0], "step": 10**400}, "step must hold numbers"),
        ({"bounds": [(0, 10**400)] * 3}, "bounds must be"),
        ({"bounds": (np.zeros(3), [10**400] * 3)}, "upper bounds must be numbers"),
        ({"target": True}, "target must be a number, got True"),
        ({"stagnation": True}, "stagnation must be a whole number of evaluations >= 1, got True"),
        ({"evaluation_timeout": True}, "evaluation_timeout must be a number of seconds > 0 .*, got True"),
        ({"checkpoint": 3}, "checkpoint must be the path of a folder, got 3"),
        ({"checkpoint": "a\0b"}, "checkpoint must be the path of a folder, got 'a.*b'"),
        ({"stagnation": 0}, "stagnation must be a whole number of evaluations >= 1, got 0"),
        ({"stagnation": 2.5}, "stagnation must be a whole number"),
        (
            {"stagnation": 1e30},
            r"stagnation must be a whole number .*, got 1e\+30; the largest that can be counted",
        ),
        ({"stagnation": 10**400}, "stagnation must be a whole number"),
        ({"max_failures": 10**400, "on_error": "worst"}, "max_failures must be a whole number"),
        ({"stagnation": math.nan}, "stagnation must be a whole number"),
        ({"stagnation": math.inf}, "stagnation must be a whole number"),
        ({"stagnation": "5"}, "stagnation must be a whole number"),
        ({"max_failures": 0}, "max_failures must be a whole number"),
        ({"max_failures": None}, "max_failures must be a whole number"),
        ({"on_error": "ignore"}, "on_error must be 'raise' or 'worst', got 'ignore'"),
        ({"bounds": None}, "bounds must be given"),
        ({"bounds": [(1, 0)]}, "lower <= upper"),
        ({"bounds": [(0, None)] * 3}, "upper bounds must be finite, got None at variable 0"),
        ({"bounds": Bounds(0, 1)}, "bounds of one number must come with x0"),
    ],
    ids=lambda value: str(value)[:50] if isinstance(value, dict) else "",
)
def test_bad_arguments_are_refused_before_anything_is_evaluated(options, match):
    refused(match, **options)


def test_names_that_no_catalogue_holds_have_their_own_error():
    refused("unknown heuristic", kind=ter.UnknownName, heuristics=["xyz"])
    refused("unknown scheduler", kind=ter.UnknownName, scheduler="xyz")


def test_the_objective_must_be_callable():
    with pytest.raises(ter.InvalidArgument, match="fun must be callable, got float"):
        ter.minimize(3.5, BOX, budget=10)


def test_a_problem_brings_its_own_bounds():
    problem = ter.Problem(Counting(), BOX, name="mine")
    refused("bounds must be left out when a problem is passed", fun=problem)
    result = ter.minimize(problem, budget=20, rng=1)
    assert result.nfev == problem.fun.calls == 20 and result.problem == "mine"


def test_bounds_of_one_number_are_for_as_many_variables_as_the_start_has():
    result = ter.minimize(Counting(), Bounds(0, 1), budget=20, rng=1, x0=np.full(100, 0.5))
    assert result.x.shape == (100,) and result.nfev == 20
    opt = ter.Optimizer(Bounds(0, 1), budget=20, rng=1, x0=np.full(100, 0.5))
    assert opt.ask().X.shape == (1, 100)
    opt.close()


def shifted(x, shift, scale=1.0):
    return scale * float(((x - shift) ** 2).sum())


@pytest.mark.parametrize("args", [(0.5,), (0.5, 2.0), 0.5])
def test_further_arguments_of_the_function(args):
    bound = args if isinstance(args, tuple) else (args,)
    result = ter.minimize(shifted, BOX, budget=300, rng=1, args=args)
    assert result.problem == "shifted"
    assert result.x.tobytes() == ter.minimize(lambda x: shifted(x, *bound), BOX, budget=300, rng=1).x.tobytes()


@pytest.mark.slow
def test_further_arguments_go_along_with_rows_workers_and_compiled_functions():
    rows = ter.minimize(
        lambda X, shift: ((X - shift) ** 2).sum(axis=1), BOX, budget=300, rng=1, vectorized=True, args=(0.5,)
    )
    workers = ter.minimize(shifted, BOX, budget=300, rng=1, workers=2, args=(0.5,))
    compiled = ter.minimize(numba.njit(lambda x, shift: ((x - shift) ** 2).sum()), BOX, budget=300, rng=1, args=(0.5,))
    assert rows.x.tobytes() == workers.x.tobytes() == compiled.x.tobytes()


def test_a_problem_takes_no_further_arguments():
    problem = ter.Problem(Counting(), BOX)
    refused(r"args must be left out when a problem is passed, got \(1,\)", fun=problem, bounds=None, args=(1,))


@pytest.mark.parametrize("raw", [None, "abc", np.zeros(3), [], {}])
@pytest.mark.parametrize("heuristic", ["ls1", "gs"])
def test_values_that_are_no_number_are_refused_wherever_they_come_up(raw, heuristic):
    calls = []

    def fun(x):
        calls.append(1)
        return raw if len(calls) == 60 else float((x * x).sum())

    with pytest.raises(ter.ObjectiveError, match="the objective must return one number per point") as caught:
        ter.minimize(fun, BOX, budget=200, x0=[1, 1, 1], rng=1, heuristics=[heuristic], on_error="worst")
    assert caught.value.ter_result.nfev == len(calls) == 60


@pytest.mark.parametrize("raw", [lambda X: 1.0, lambda X: X, lambda X: None, lambda X: X.sum(axis=0), lambda X: "abc"])
def test_vectorized_values_of_the_wrong_shape_are_refused(raw):
    with pytest.raises(ter.ObjectiveError, match="a vectorized objective must return"):
        ter.minimize(raw, ter.box(-5, 5, dimension=7), budget=200, rng=1, vectorized=True, x0=np.zeros((4, 7)))


def test_a_numba_function_that_returns_no_number_is_refused():
    @numba.njit
    def fun(x):
        return x

    with pytest.raises(ter.ObjectiveError, match="number"):
        ter.minimize(fun, BOX, budget=10, rng=1)


def test_a_numba_function_may_change_the_point_it_gets():
    @numba.njit
    def fun(x):
        x -= 1.0
        return (x * x).sum()

    result = ter.minimize(fun, BOX, budget=600, rng=1)
    assert result.fun == fun(result.x.copy())
    assert BOX.contains(result.x)


def test_several_start_points_are_all_evaluated_and_the_best_is_the_start():
    seen = []

    def fun(x):
        seen.append(x.tolist())
        return float((x * x).sum())

    x0 = np.array([[3.0, 3, 3], [1, 1, 1], [2, 2, 2]])
    result = ter.minimize(fun, BOX, budget=3, x0=x0, rng=1)
    assert seen == x0.tolist() and result.x.tolist() == [1, 1, 1] and result.nit == 0


def test_start_points_on_the_border_are_accepted_and_not_changed():
    x0 = np.array([-5.0, 5.0, -0.0])
    result = ter.minimize(lambda x: 1.0, BOX, budget=1, x0=x0, rng=1)
    assert result.x.tobytes() == x0.tobytes()


@pytest.mark.parametrize("rng", [5, np.int64(5), np.random.default_rng(5), np.random.SeedSequence(5), None, 2**70])
def test_every_kind_of_rng_is_accepted(rng):
    assert ter.minimize(Counting(), BOX, budget=20, rng=rng).nfev == 20


@pytest.mark.parametrize("workers", [np.int64(1), 1, map])
def test_every_kind_of_workers_is_accepted(workers):
    assert ter.minimize(Counting(), BOX, budget=20, rng=1, workers=workers).nfev == 20


@pytest.mark.parametrize("scheduler", ["ter", "random", "round-robin", ter.schedulers.Only("gs")])
def test_schedulers_are_accepted_by_name_and_as_objects(scheduler):
    assert ter.minimize(Counting(), BOX, budget=300, rng=1, scheduler=scheduler).nfev == 300


def test_names_mix_with_heuristics():
    result = ter.minimize(Counting(), BOX, budget=300, rng=1, heuristics=("shade", ter.heuristics.CC(group=2)))
    assert result.heuristics == ("gs", "cc")
