"""What every algorithm promises: the budget to the evaluation, the box, the same bits, failures, any dimension."""

from __future__ import annotations

import numpy as np
import pytest

import ter
from ter.algorithms.catalogue import ALGORITHMS
from tests.spies import CompiledSpy, RowsSpy, same_run, spy_on

EVERY = pytest.mark.parametrize("name", ALGORITHMS)


def run(name: str, engine: str, box: ter.Box, budget: int, **limits: float) -> tuple[ter.Result, object]:
    spy = spy_on(engine, box, **limits)
    fun = spy.objective if isinstance(spy, CompiledSpy) else spy
    problem = ter.Problem(fun, box, vectorized=isinstance(spy, RowsSpy))
    return ter.algorithm(name).minimize(problem, budget=budget, rng=3), spy


@EVERY
@pytest.mark.parametrize("dimension", [1, 2, 7, 40])
def test_engines_agree_to_the_bit_and_the_budget_is_met_to_the_evaluation(name, dimension):
    box = ter.box(-5, 5, dimension=dimension)
    results = []
    for engine in ("python", "vectorized", "moving", "compiled", "compiled moving"):
        result, spy = run(name, engine, box, 2_500)
        assert result.nfev == spy.calls <= 2_500 and not spy.outside
        assert result.fun == spy.lowest
        results.append(result)
    assert all(same_run(results[0], other) for other in results[1:])
    assert results[0].nfev == 2_500 or results[0].status is ter.StopReason.IDLE


@EVERY
def test_uneven_boxes_with_fixed_variables(name):
    box = ter.Box.read([(-5.0, 5.0), (1.0, 1.0), (0.0, 1e-3), (-1e6, 1e6), (7.0, 700.0), (-2.0, -0.0)])
    result, spy = run(name, "python", box, 1_500)
    assert not spy.outside and box.contains(result.x) and result.nfev == spy.calls


@EVERY
def test_nan_and_exceptions_are_survived(name):
    box = ter.box(-5, 5, dimension=6)
    result, _ = run(name, "compiled", box, 2_000, nan_above=1.0)
    assert np.isfinite(result.fun) and result.x[0] <= 1.0
    spy = spy_on("python", box, raise_below=-1.0)
    result = ter.minimize(
        spy, box, budget=2_000, rng=3, on_error="worst", max_failures=2_000,
        heuristics=[ter.algorithm(name).as_heuristic()],
    )  # fmt: skip
    assert np.isfinite(result.fun) and result.nfail > 0
    with pytest.raises(ValueError, match="the simulator broke") as error:
        run(name, "python", box, 100_000, raise_below=-1.0)
    assert error.value.ter_result.nfev >= 1


@EVERY
def test_an_algorithm_is_a_heuristic_beside_others(name):
    box = ter.box(-5, 5, dimension=8)
    arms = [ter.algorithm(name).as_heuristic(evaluations=10), ter.heuristics.LS1(evaluations=5, name="other")]
    first, second = (ter.minimize(spy_on("python", box), box, budget=3_000, rng=1, heuristics=arms) for _ in range(2))
    assert same_run(first, second) and first.nfev == 3_000
    assert set(first.sequence) == {name, "other"}


@EVERY
def test_a_run_on_a_suite_gets_better(name):
    problem = ter.problem("lso08/f1", dimension=30)
    short, long = (ter.algorithm(name).minimize(problem, budget=budget, rng=1) for budget in (800, 30_000))
    assert long.nfev == 30_000 and long.fun - problem.f_opt < 0.5 * (short.fun - problem.f_opt)
