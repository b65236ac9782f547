"""Every heuristic keeps the contract that is shipped to authors."""

import scipy.optimize

import ter
from ter.heuristics import CC, LS1, SHADE
from ter.testing import HeuristicContract


def lbfgs(fun, x0, bounds):
    scipy.optimize.minimize(fun, x0, bounds=bounds, method="L-BFGS-B")


def random_walk(fun, x0, bounds, rng):
    while True:
        fun(x0 + 0.05 * (bounds.ub - bounds.lb) * rng.standard_normal(x0.size))


class TestLS1(HeuristicContract):
    make = staticmethod(LS1)


class TestLS1WithOneStep(HeuristicContract):
    make = staticmethod(lambda: LS1(scalar=True))


class TestCC(HeuristicContract):
    make = staticmethod(CC)


class TestCCWithSaNSDE(HeuristicContract):
    make = staticmethod(lambda: CC(inner="sansde"))


class TestSHADE(HeuristicContract):
    make = staticmethod(SHADE)


class TestSHADEThatKeepsItsPopulation(HeuristicContract):
    make = staticmethod(lambda: SHADE(keep=True))


class TestWrappedLBFGS(HeuristicContract):
    make = staticmethod(lambda: ter.wrap(lbfgs))


class TestWrappedRandomWalk(HeuristicContract):
    make = staticmethod(lambda: ter.wrap(random_walk))


def test_every_heuristic_of_the_catalogue_is_checked_here():
    checked = {
        type(contract.make()) for contract in HeuristicContract.__subclasses__() if contract.__module__ == __name__
    }
    assert {type(make()) for make in ter.heuristics.HEURISTICS.values()} <= checked
