"""CSO, CC-CMA-ES and DECC-D: algorithms of one heuristic."""

from __future__ import annotations

import pytest

import ter
from ter.algorithms.cc_cma_es import cc_cma_es
from ter.algorithms.cso import cso
from ter.algorithms.decc_d import decc_d
from ter.heuristics import CCCMAES, CSO, DECCD


def test_they_have_the_published_parameters():
    assert cso().heuristics == (CSO(swarm=None, phi=None),)
    assert cc_cma_es().heuristics == (CCCMAES(group=50, population=50, depth=500, spread=0.5, window=5),)
    assert decc_d().heuristics == (DECCD(population=50, group=100, generations=1),)
    assert [make().start_points for make in (cso, cc_cma_es, decc_d)] == [1, 200, 1]


def test_they_take_others():
    profile = cso(CSO(phi=0.15, name="cso-15"))
    assert profile.heuristics[0].phi == 0.15 and profile.scheduler == ter.schedulers.Only("cso-15")


@pytest.mark.parametrize("name", ["cso", "cc-cma-es", "decc-d"])
def test_a_run_on_a_suite_spends_its_budget_and_gets_better(name):
    problem = ter.problem("lso08/f1", dimension=40)
    short, long = (ter.algorithm(name).minimize(problem, budget=budget, rng=1) for budget in (1_000, 20_000))
    assert long.nfev == 20_000 and set(long.sequence) == {name}
    assert long.fun - problem.f_opt < 0.1 * (short.fun - problem.f_opt)
