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
