"""What every algorithm promises: the budget to the evaluation, the box, the same bits, failures, any dimension."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import ter
from ter.algorithms.catalogue import ALGORITHMS, Algorithm
from ter.algorithms.mos import mos
from ter.algorithms.mts import MTSStory, mts
from ter.algorithms.shade_ils import SHADEILSStory, shade_ils
from ter.heuristics.nested import Nested
from ter.schedulers.participation import Participation
from tests.spies import CompiledSpy, RowsSpy, same_run, spy_on

# The published turns of some are longer than a test: these come through all their heuristics.
SHORT = {
    "mos": lambda: mos(Participation(step=300)),
    "mos, comments": lambda: mos(Participation(step=300), settings="comments"),
    "mts": lambda: mts(MTSStory(tests=1, repetitions=2, for_the_best=1)),
    "shade-ils": lambda: shade_ils(SHADEILSStory(evaluations=200, patience=1)),
    "shade-ils, program": lambda: shade_ils(
        SHADEILSStory(evaluations=200, before=200, after=90, patience=1, loyal=True, renew=True), settings="program"
    ),
}
LISTED = dict(ALGORITHMS) | {
    f"short {name}": Algorithm(f"short {name}", "", lambda dimension, budget, make=make: make())
    for name, make in SHORT.items()
}
EVERY = pytest.mark.parametrize("name", LISTED)


def run(name: str, engine: str, box: ter.Box, budget: int, **limits: float) -> tuple[ter.Result, object]:
    spy = spy_on(engine, box, **limits)
    fun = spy.objective if isinstance(spy, CompiledSpy) else spy
    problem = ter.Problem(fun, box, vectorized=isinstance(spy, RowsSpy))
    return LISTED[name].minimize(problem, budget=budget, rng=3), spy


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
        heuristics=[LISTED[name].as_heuristic()],
    )  # fmt: skip
    assert np.isfinite(result.fun) and result.nfail > 0
    with pytest.raises(ValueError, match="the simulator broke") as error:
        run(name, "python", box, 100_000, raise_below=-1.0)
    assert error.value.ter_result.nfev >= 1


@EVERY
def test_an_algorithm_is_a_heuristic_beside_others(name):
    box = ter.box(-5, 5, dimension=8)
    arms = [LISTED[name].as_heuristic(evaluations=10), ter.heuristics.LS1(evaluations=5, name="other")]
    first, second = (ter.minimize(spy_on("python", box), box, budget=3_000, rng=1, heuristics=arms) for _ in range(2))
    assert same_run(first, second) and first.nfev == 3_000
    assert set(first.sequence) == {name, "other"}


@pytest.mark.slow
@EVERY
def test_a_run_on_a_suite_gets_better(name):
    problem = ter.problem("lso08/f3", dimension=30)
    short, long = (LISTED[name].minimize(problem, budget=budget, rng=1) for budget in (800, 30_000))
    assert long.nfev == 30_000 and long.fun - problem.f_opt < 0.5 * (short.fun - problem.f_opt)


@EVERY
def test_the_strip_of_decisions_tells_what_happened(name):
    problem = ter.problem("lso08/f1", dimension=30)
    result = LISTED[name].minimize(problem, budget=12_000, rng=1)
    names = {heuristic.name for heuristic in LISTED[name].make(30, ter.Budget(evaluations=12_000)).heuristics}
    assert set(result.sequence) <= names
    expected = STRIPS.get(name)
    if expected is not None:
        assert re.search(expected, strip(result)), strip(result)


STRIPS = {  # what a strip must show: heuristics, remarks and trajectories
    "mts": r"place@agent 1 .*place@agent 5 ls1@agent 1 ls1@agent 1 ls1@agent 1 ls2@agent 1 .*ls3@agent 1",
    "short mos": r"^ga solis-wets ls1-reduced ga",
    "short shade-ils": r"^centre@current shade@current mts-ls1@current .*l-bfgs-b@current .*restart@current shade",
    "short shade-ils, program": r"^centre@current mts-ls1@current shade@current mts-ls1@current l-bfgs-b@current",
    "cc-cma-es": r"cc-cma-es\((MiVD|MaVD|RaVD), group 1 of 1\)",
    "decc-d": r"decc-d\((group 1 of 1|whole points)\)",
    "decc-dg2": r"decc-dg2\(group 1 of 1\)",
}


def strip(result: ter.Result) -> str:
    return " ".join(
        action.heuristic
        + (f"({action.remark})" if action.remark else "")
        + (f"@{action.origin}" if action.origin != "incumbent" else "")
        for action in result.actions
    )


@pytest.mark.parametrize("name", ["cc-cma-es", "decc-d", "decc-dg2"])
def test_remarks_count_the_groups(name):
    box = ter.box(-5, 5, dimension=9)
    options = {"cc-cma-es": {"group": 3, "depth": 50}, "decc-d": {"group": 3}, "decc-dg2": {"generations": 2}}[name]
    profile = ALGORITHMS[name].make(9, ter.Budget(evaluations=1))
    heuristic = replace(profile.heuristics[0], **options, evaluations=7)
    fun = (lambda x: float(sum((x[k : k + 3].sum()) ** 4 for k in (0, 3, 6)))) if name == "decc-dg2" else sphere
    remarks = [action.remark for action in ter.minimize(fun, box, budget=6_000, rng=1, heuristics=[heuristic]).actions]
    seen = {int(found[1]) for remark in remarks if (found := re.search(r"group (\d+) of 3$", remark))}
    assert seen == {1, 2, 3}
    assert name != "decc-dg2" or remarks[0] == "dg2" or "group" in remarks[0]


def sphere(x: np.ndarray) -> float:
    return float((x * x).sum())


@pytest.mark.parametrize("name", ["ls", "cc", "mts", "short mos", "cc-cma-es", "decc-d", "decc-dg2", "short shade-ils"])
def test_few_coordinates_are_changed_by_moves(name):
    """An objective whose full evaluation is counted: sweeps, groups, differences and probes must not need it."""
    box = ter.box(-5, 5, dimension=40)
    spy = spy_on("moving", box)
    full: list[int] = []
    plain = type(spy).__call__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(spy), "__call__", lambda self, x: (full.append(1), plain(self, x))[1])
        result = LISTED[name].minimize(ter.Problem(spy, box), budget=6_000, rng=3)
    assert result.nfev == 6_000 == spy.calls
    assert len(full) < (0.9 if name in WHOLE else 0.3) * result.nfev


WHOLE = {"mts", "short mos", "short shade-ils", "decc-d"}  # which have parts that move everything


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_is_an_arm_by_its_name(name):
    box = ter.box(-5, 5, dimension=8)
    other = ter.heuristics.LS1(evaluations=5, name="other")
    result = ter.minimize(spy_on("python", box), box, budget=3_000, rng=1, heuristics=[name, other])
    assert set(result.sequence) == {name, "other"} and result.nfev == 3_000


def test_names_of_heuristics_come_before_those_of_algorithms():
    from ter.algorithms.profiles import paper, with_parts

    portfolio = with_parts(paper(), ["cso", "shade-ils", "gs"]).heuristics
    assert portfolio[0] == ter.heuristics.CSO() and portfolio[2] == paper().heuristics[2]
    assert portfolio[1].name == "shade-ils" and portfolio[1].cost(1000) == 25_000
    with pytest.raises(ter.UnknownName, match="unknown heuristic 'shade-isl'"):
        with_parts(paper(), ["shade-isl"])


@EVERY
def test_an_arm_that_is_paused_goes_on_with_its_own_decisions(name):
    """Cut into allowances of 37 evaluations, it starts the same heuristics in the same order as in one piece."""
    box = ter.box(-5, 5, dimension=6)
    states = []

    class Watched(Nested):
        def act(self, state, allowance, rng):
            state = super().act(state, allowance, rng)
            states.append(state)
            return state

    def sequence(length: float) -> list[str]:
        arm = Watched(name, lambda d: LISTED[name].make(d, ter.Budget(evaluations=10**18)), length)
        ter.minimize(sphere, box, budget=4_001, rng=1, heuristics=[arm], x0=[2.0] * 6)
        return [action.heuristic for action in states[-1].actions]

    whole, cut = sequence(1000), sequence(37 / 6)
    common = min(len(whole), len(cut))
    assert common >= (3 if name.startswith("short") else 0)
    assert name in CHANCE or whole[:common] == cut[:common]


# Whose choices depend on values, which depend on where random streams are cut.
CHANCE = {"ter", "default", "ran", "mts", "short mts", "short shade-ils", "short shade-ils, program"}
