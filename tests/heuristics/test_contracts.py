"""Every heuristic keeps the contract that is shipped to authors: those of the catalogue, and variants of them."""

import pytest
import scipy.optimize

import ter
from ter.heuristics import CC, CSO, DECCDG2, LS1, SHADE
from ter.heuristics.catalogue import HEURISTICS
from ter.heuristics.ga import GA
from ter.heuristics.mts_searches import LS2, LS3
from ter.heuristics.solis_wets import SolisWets
from ter.testing import HeuristicContract
from tests.spies import minimize_spied, spy_on


def lbfgs(fun, x0, bounds):
    scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B")


def random_walk(fun, x0, bounds, rng):
    while True:
        fun(x0 + 0.05 * (bounds.ub - bounds.lb) * rng.standard_normal(x0.size))


VARIANTS = {
    "ls1 with one step": lambda: LS1(scalar=True),
    "ls1 in the order of mts": lambda: LS1(order="index", scalar=True, sweeps=5),
    "ls1 greedily": lambda: LS1(order="greedy"),
    "ls1 reduced": lambda: LS1(order="reduced", scalar=True),
    "ls2": LS2,
    "ls3": LS3,
    "solis-wets in shares of the ranges": lambda: SolisWets(0.2, scaled=True),
    "ga": GA,
    "cc with sansde": lambda: CC(inner="sansde"),
    "cso with an odd swarm": lambda: CSO(swarm=7),
    "decc on groups that are found": DECCDG2,
    "gs that keeps its population": lambda: SHADE(keep=True),
    "gs of SHADE-ILS": lambda: SHADE(
        population=100, memory=100, greed="drawn", archive=1, keep=True, initial="uniform"
    ),
    "wrapped L-BFGS-B": lambda: ter.wrap(lbfgs),
    "wrapped random walk": lambda: ter.wrap(random_walk),
}
CHECKED = HEURISTICS | VARIANTS


class TestEveryHeuristic(HeuristicContract):
    @pytest.fixture(autouse=True, params=CHECKED.values(), ids=CHECKED)
    def chosen(self, request):
        self.make = request.param


def test_the_catalogue_is_checked_with_the_settings_it_ships():
    assert CHECKED["gs"]() == SHADE() and set(HEURISTICS) < set(CHECKED)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("make", CHECKED.values(), ids=CHECKED)
def test_points_that_fail_do_not_end_the_search(make, engine):
    box = ter.box(-5, 5, dimension=12)
    spy = spy_on(engine, box, raise_below=-4.0)  # a tenth of the box
    result = minimize_spied(spy, box, budget=3_000, rng=1, heuristics=[make()], on_error="worst", max_failures=3_000)
    assert result.nfev == spy.calls
    assert result.nfev == 3_000 or result.status == ter.StopReason.IDLE  # L-BFGS-B has an end of its own


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_generation_that_fails_in_its_last_call_is_followed_by_another(engine):
    box = ter.box(-5, 5, dimension=12)
    spy = spy_on(engine, box, raise_below=0.0)
    result = minimize_spied(spy, box, budget=300, rng=1, heuristics=[GA(4)], on_error="worst", max_failures=300)
    assert result.nfev == spy.calls == 300
