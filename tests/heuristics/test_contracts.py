"""Every heuristic keeps the contract that is shipped to authors: those of the catalogue, and variants of them."""

import pytest
import scipy.optimize

import ter
from ter.heuristics import CC, CSO, LS1, SHADE, GroupedDECC
from ter.heuristics.catalogue import HEURISTICS
from ter.testing import HeuristicContract


def lbfgs(fun, x0, bounds):
    scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B")


def random_walk(fun, x0, bounds, rng):
    while True:
        fun(x0 + 0.05 * (bounds.ub - bounds.lb) * rng.standard_normal(x0.size))


def neighbours(allowance):
    """Groups of three variables beside each other."""
    return [range(first, min(first + 3, allowance.dimension)) for first in range(0, allowance.dimension, 3)]


VARIANTS = {
    "ls1 with one step": lambda: LS1(scalar=True),
    "cc with sansde": lambda: CC(inner="sansde"),
    "cso with an odd swarm": lambda: CSO(swarm=7),
    "decc on groups that are found": lambda: GroupedDECC(neighbours),
    "gs that keeps its population": lambda: SHADE(keep=True),
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
