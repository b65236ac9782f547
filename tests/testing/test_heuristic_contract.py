"""The contract of heuristics can fail: each mistake is caught by the check that is about it."""

import itertools
import random
from typing import ClassVar

import numpy as np
import pytest

from ter.core.ledger import BEST, COUNT, LIMIT
from ter.testing import HeuristicContract

GLOBAL = np.random  # NumPy's global generator, misused on purpose


class Sound:
    """A random local search that keeps every promise; the base of the broken ones."""

    name = "sound"

    def cost(self, dimension):
        return 20 * dimension

    def start(self, box, rng):
        return {"step": 0.2 + 0.1 * rng.random()}

    def act(self, state, allowance, rng):
        while allowance.remaining:
            step = state["step"] * allowance.box.width
            allowance.evaluate_point(allowance.x + step * rng.uniform(-1, 1, allowance.dimension))
            state["step"] = max(0.01, 0.99 * state["step"])
        return state


class Nameless(Sound):
    name = ""


class FractionalCost(Sound):
    def cost(self, dimension):
        return 2.5 * dimension


class IgnoresTheGenerator(Sound):
    def act(self, state, allowance, rng):
        return super().act(state, allowance, np.random.default_rng())


class UsesNumpysGlobalGenerator(Sound):
    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.evaluate_point(allowance.x + GLOBAL.uniform(-1, 1, allowance.dimension))
        return state


class SeedsNumpysGlobalGenerator(Sound):
    """Repeats itself, at everybody else's expense."""

    def act(self, state, allowance, rng):
        GLOBAL.seed(int(rng.integers(1000)))
        while allowance.remaining:
            allowance.evaluate_point(allowance.x + GLOBAL.uniform(-1, 1, allowance.dimension))
        return state


class UsesPythonsGlobalGenerator(Sound):
    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.evaluate_point(allowance.x + random.uniform(-1, 1))
        return state


class KeepsStateInItself(Sound):
    def __init__(self):
        self.steps = [0.2]

    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.evaluate_point(allowance.x + self.steps[-1] * rng.uniform(-1, 1, allowance.dimension))
        self.steps.append(0.5 * self.steps[-1])
        return state


class KeepsStateInItsClass(Sound):
    """Invisible in the object's fields, and shared by all runs."""

    shared: ClassVar = {"step": 1.0}

    def act(self, state, allowance, rng):
        self.shared["step"] *= 0.9
        return super().act(self.shared, allowance, rng)


class StateIsAGenerator(Sound):
    """Can be neither copied nor saved."""

    def start(self, box, rng):
        return (0.2 for _ in itertools.count())

    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.evaluate_point(allowance.x + next(state) * rng.uniform(-1, 1, allowance.dimension))
        return state


class ForgetsItsStateInPickle(Sound):
    """A state whose bytes do not hold all of it."""

    class State:
        def __init__(self, step=1.0):
            self.step = step

        def __reduce__(self):
            return (type(self), ())

    def start(self, box, rng):
        return self.State(0.3)

    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.evaluate_point(allowance.x + state.step * rng.uniform(-1, 1, allowance.dimension))
        return state


class CrashesInOneVariable(Sound):
    def act(self, state, allowance, rng):
        i, j = rng.choice(allowance.dimension, size=2, replace=False)
        while allowance.remaining:
            x = allowance.x
            x[[i, j]] += rng.uniform(-1, 1, 2)
            allowance.evaluate_point(x)
        return state


class CrashesWithFixedVariables(Sound):
    def act(self, state, allowance, rng):
        if (allowance.box.width == 0).any():
            raise ZeroDivisionError("a side of length 0")
        return super().act(state, allowance, rng)


class CrashesInAPoint(Sound):
    def act(self, state, allowance, rng):
        widths = allowance.box.width[allowance.box.width > 0]
        widths.min()  # of nothing
        return super().act(state, allowance, rng)


class CrashesWithoutAFiniteValue(Sound):
    def act(self, state, allowance, rng):
        int(allowance.y)
        return super().act(state, allowance, rng)


class NeedsTenEvaluations(Sound):
    def act(self, state, allowance, rng):
        values = allowance.evaluate(
            allowance.x + rng.uniform(-1, 1, (min(10, allowance.remaining), allowance.dimension))
        )
        allowance.evaluate_point(allowance.x + values[9])
        return super().act(state, allowance, rng)


class Idle(Sound):
    def act(self, state, allowance, rng):
        return state


class NeverMoves(Sound):
    def act(self, state, allowance, rng):
        while allowance.remaining:
            allowance.evaluate_point(allowance.x)
        return state


class PeeksAtTheEngine(Sound):
    """Behaves otherwise when the objective is compiled."""

    def act(self, state, allowance, rng):
        if allowance._evaluator.engine.compiled is not None:
            rng.random()
        return super().act(state, allowance, rng)


class EndsTheRun(Sound):
    """Reaches behind its allowance."""

    def act(self, state, allowance, rng):
        allowance._evaluator.interrupt()
        return state


class ForgesTheBooks(Sound):
    """Reaches behind its allowance for a better value."""

    def act(self, state, allowance, rng):
        state = super().act(state, allowance, rng)
        allowance._evaluator.books.marks[BEST] -= 1.0
        return state


class Kernel:
    """A sequential kernel that runs as Python everywhere."""

    def __init__(self, function):
        self.py_func = function


def leave(probe, accept, walk, upper):
    while walk.ledger[COUNT] < walk.ledger[LIMIT]:
        probe(walk, 0, upper[0] + 1.0)


class RunsKernel(Sound):
    """A heuristic around a kernel; kernels see the books and are trusted with them."""

    kernel = staticmethod(leave)

    def act(self, state, allowance, rng):
        if allowance._evaluator.engine.compiled is None:
            allowance.run(Kernel(self.kernel), allowance.box.upper)
        return state


class LeavesTheBox(RunsKernel):
    pass


CAUGHT_BY = {
    Nameless: "test_name_and_cost_are_valid",
    FractionalCost: "test_name_and_cost_are_valid",
    IgnoresTheGenerator: "test_same_seed_gives_the_same_points",
    UsesNumpysGlobalGenerator: "test_leaves_global_generators_alone",
    SeedsNumpysGlobalGenerator: "test_leaves_global_generators_alone",
    UsesPythonsGlobalGenerator: "test_leaves_global_generators_alone",
    KeepsStateInItself: "test_is_not_changed_by_acting",
    KeepsStateInItsClass: "test_runs_share_nothing",
    StateIsAGenerator: "test_state_survives_a_copy",
    ForgetsItsStateInPickle: "test_state_survives_pickle",
    CrashesInOneVariable: "test_works_in_every_dimension",
    CrashesWithFixedVariables: "test_stays_in_the_box",
    CrashesInAPoint: "test_survives_a_box_that_is_one_point",
    CrashesWithoutAFiniteValue: "test_survives_an_objective_that_always_fails",
    NeedsTenEvaluations: "test_keeps_to_its_allowance",
    Idle: "test_is_not_idle",
    NeverMoves: "test_improves_the_sphere",
    PeeksAtTheEngine: "test_engines_agree",
    ForgesTheBooks: "test_failed_evaluations_never_become_the_best",
    EndsTheRun: "test_runs_in_a_portfolio",
}

# Mistakes that no other check may hold against the heuristic.
CAUGHT_ALONE = {
    Nameless: {"test_name_and_cost_are_valid", "test_runs_in_a_portfolio"},
    NeverMoves: {"test_improves_the_sphere"},
    PeeksAtTheEngine: {"test_engines_agree"},
    ForgetsItsStateInPickle: {"test_state_survives_pickle", "test_state_survives_a_copy"},
    CrashesInOneVariable: {"test_works_in_every_dimension"},
}


def contract_of(heuristic):
    return type("Contract", (HeuristicContract,), {"make": staticmethod(heuristic)})()


def test_a_kernel_that_leaves_the_box_is_held_back():
    contract_of(LeavesTheBox).test_stays_in_the_box()


def checks():
    return [name for name in vars(HeuristicContract) if name.startswith("test_")]


class TestSound(HeuristicContract):
    make = staticmethod(Sound)


@pytest.mark.parametrize("broken", CAUGHT_BY, ids=lambda broken: broken.__name__)
def test_a_broken_heuristic_is_caught_by_the_right_check(broken):
    check = getattr(contract_of(broken), CAUGHT_BY[broken])
    with pytest.raises(AssertionError, match=r"broken promise: \w+"):
        check()


def test_every_check_has_caught_something():
    assert set(checks()) == set(CAUGHT_BY.values())


@pytest.mark.parametrize("broken", CAUGHT_ALONE, ids=lambda broken: broken.__name__)
def test_a_mistake_is_not_held_against_a_heuristic_elsewhere(broken):
    contract, failed = contract_of(broken), set()
    for name in checks():
        try:
            getattr(contract, name)()
        except AssertionError:
            failed.add(name)
    assert failed <= CAUGHT_ALONE[broken]


def test_a_contract_without_a_heuristic_says_what_to_write():
    with pytest.raises(AssertionError, match=r"write make = staticmethod\(MyHeuristic\)"):
        HeuristicContract().test_is_not_idle()


def test_the_base_class_is_not_collected_as_a_test():
    assert not HeuristicContract.__name__.startswith("Test")
