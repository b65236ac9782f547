"""What a heuristic must keep to, as checks that authors run."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ter.core.box import box
from ter.core.heuristic import Heuristic, State
from ter.core.problem import Problem
from ter.testing.promise import global_state, promise, require, same, seeded_globals
from ter.testing.rehearsal import (
    Rehearsal,
    patchy,
    sphere,
    stairs,
    stairs_compiled,
    stairs_rows,
    uneven_box,
)

__all__ = ["HeuristicContract"]


class HeuristicContract:
    """Checks of a heuristic. Subclass it in a test module, with a name that begins with ``Test``.

    Attributes
    ----------
    make : callable
        Returns the heuristic; give it as a static method.
    dimensions : tuple of int
        Numbers of variables it must work for.
    limits : tuple of int
        Allowances it must keep to.

    Examples
    --------
    >>> import ter
    >>> class TestMyLocalSearch(ter.testing.HeuristicContract):
    ...     make = staticmethod(lambda: ter.heuristics.LS1(scalar=True))
    >>> TestMyLocalSearch().test_same_seed_gives_the_same_points()
    """

    dimensions: ClassVar[tuple[int, ...]] = (1, 2, 1000)
    limits: ClassVar[tuple[int, ...]] = (1, 2, 7, 100)

    @staticmethod
    def make() -> Heuristic:
        """Return the heuristic to be checked."""
        raise NotImplementedError("a contract needs a heuristic; write make = staticmethod(MyHeuristic)")

    @promise("a heuristic has a name, and a whole cost >= 1 for every dimension")
    def test_name_and_cost_are_valid(self) -> None:
        """Look at the parts that portfolios and the loop read."""
        heuristic = self.make()
        require(isinstance(heuristic, Heuristic), f"{heuristic!r} lacks one of name, cost, start and act")
        name = heuristic.name
        require(isinstance(name, str) and bool(name), f"the name must be a text that is not empty, got {name!r}")
        for dimension in self.dimensions:
            cost = heuristic.cost(dimension)
            whole = isinstance(cost, int | np.integer) and not isinstance(cost, bool) and cost >= 1
            require(whole, f"cost({dimension}) must be a whole number >= 1, got {cost!r}")

    @promise("the same seed gives the same points")
    def test_same_seed_gives_the_same_points(self) -> None:
        """Run twice with objects made anew."""
        first, second = (self._rehearsed(100, 60) for _ in range(2))
        require(same(first.points, second.points), "two runs with the same rng asked for different points")

    @promise("an initiation uses at most its allowance, however small it is")
    def test_keeps_to_its_allowance(self) -> None:
        """Lend allowances of several sizes."""
        rehearsal = Rehearsal(self.make(), sphere, box(-5, 5, dimension=5))
        for limit in (*self.limits, *reversed(self.limits)):
            used = rehearsal.act(limit)
            require(used <= limit, f"an allowance of {limit} was lent and {used} were used")

    @promise("an initiation with its full cost evaluates something")
    def test_is_not_idle(self) -> None:
        """Lend what it asks for."""
        heuristic = self.make()
        used = Rehearsal(heuristic, sphere, box(-5, 5, dimension=5)).act(heuristic.cost(5))
        require(used > 0, "nothing was evaluated; a heuristic that is idle wastes turns and can end the run")

    @promise("every point lies in the box, with unequal sides and fixed variables, too")
    def test_stays_in_the_box(self) -> None:
        """Look at each point the objective was asked for."""
        bounds = uneven_box()
        rehearsal = Rehearsal(self.make(), sphere, bounds)
        for _ in range(3):
            rehearsal.act(100)
        outside = [x for x in rehearsal.points if not bounds.contains(x)]
        require(not outside, f"{len(outside)} points were outside, the first is {outside[:1]}")

    @promise("a box in which every variable is fixed ends the action instead of the program")
    def test_survives_a_box_that_is_one_point(self) -> None:
        """Nothing can be improved here."""
        rehearsal = Rehearsal(self.make(), sphere, box([1.0, 2.0], [1.0, 2.0]))
        rehearsal.act(50)
        require(rehearsal.evaluator.y == 5.0, f"the only value is 5, the best is {rehearsal.evaluator.y}")

    @promise("NaN and infinite values never become the best, and the best value is that of the best point")
    def test_failed_evaluations_never_become_the_best(self) -> None:
        """Compare the incumbent with all that was evaluated."""
        rehearsal = Rehearsal(self.make(), patchy, box(-5, 5, dimension=3))
        for _ in range(3):
            rehearsal.act(100)
        evaluator = rehearsal.evaluator
        values = np.array([patchy(x) for x in rehearsal.points])
        best = float(values[np.isfinite(values)].min(initial=np.inf))
        require(evaluator.y == best, f"the smallest finite value was {best}, the best is {evaluator.y}")
        y = patchy(evaluator.x)
        require(y == best or np.isinf(best), f"the best point has the value {y}, the best value is {best}")

    @promise("the action ends when every evaluation fails")
    def test_survives_an_objective_that_always_fails(self) -> None:
        """NaN everywhere."""
        rehearsal = Rehearsal(self.make(), lambda x: np.nan, box(-5, 5, dimension=3))
        for limit in (100, 7):
            rehearsal.act(limit)
        require(np.isinf(rehearsal.evaluator.y), f"no value was finite, the best is {rehearsal.evaluator.y}")

    @promise("a heuristic holds settings only: acting changes nothing in it")
    def test_is_not_changed_by_acting(self) -> None:
        """Compare its fields before and after."""
        heuristic = self.make()
        before = copy.deepcopy(getattr(heuristic, "__dict__", {}))
        rehearsal = Rehearsal(heuristic, sphere, box(-5, 5, dimension=3))
        for _ in range(2):
            rehearsal.act(60)
        changed = [name for name, value in before.items() if not same(getattr(heuristic, name, None), value)]
        require(not changed, f"these fields changed: {', '.join(changed)}; keep in the state what changes")

    @promise("two runs with the same object do not influence each other")
    def test_runs_share_nothing(self) -> None:
        """Take turns, and compare with a run alone."""
        heuristic = self.make()
        alone = self._rehearsed(60, 60)
        one, other = (Rehearsal(heuristic, sphere, box(-5, 5, dimension=3), seed=seed) for seed in (1, 2))
        for _ in range(2):
            one.act(60)
            other.act(60)
        require(same(one.points, alone.points), "another run in between changed the points; keep all in the state")

    @promise("the state survives copy.deepcopy and goes on identically")
    def test_state_survives_a_copy(self) -> None:
        """Exchange the state for its copy between two initiations."""
        self._goes_on_after(copy.deepcopy)

    @promise("the state survives pickle and goes on identically")
    def test_state_survives_pickle(self) -> None:
        """Exchange the state for what comes back from bytes between two initiations."""
        self._goes_on_after(lambda state: pickle.loads(pickle.dumps(state)))  # noqa: S301 - of our own making

    @promise("it works in one, two and many variables")
    def test_works_in_every_dimension(self) -> None:
        """Run in each of `dimensions`."""
        for dimension in self.dimensions:
            try:
                Rehearsal(self.make(), sphere, box(-5, 5, dimension=dimension)).act(100)
            except Exception as error:
                raise AssertionError(f"D = {dimension}: {type(error).__name__}: {error}") from error

    @promise("the global generators of NumPy and Python are neither used nor changed")
    def test_leaves_global_generators_alone(self) -> None:
        """Run under two different global seeds."""
        traces = []
        for seed in (1, 2):
            with seeded_globals(seed):
                before = global_state()
                traces.append(self._rehearsed(100).points)
                require(same(global_state(), before), "the state of a global generator changed; draw from rng")
        require(same(*traces), "the points depend on the seed of a global generator; draw from rng")

    @promise("Python, vectorized and compiled objectives with the same values give the same run")
    def test_engines_agree(self) -> None:
        """Compare the incumbents, the counts and the curves of three engines."""
        bounds = box(-5, 5, dimension=6)
        problems = {
            "Python": Problem(stairs, bounds),
            "vectorized": Problem(stairs_rows, bounds, vectorized=True),
            "compiled": Problem(stairs_compiled(), bounds),
        }
        outcomes = {}
        for kind, problem in problems.items():
            rehearsal = Rehearsal(self.make(), problem)
            used = [rehearsal.act(150), rehearsal.act(80)]
            outcomes[kind] = (used, rehearsal.evaluator.x, rehearsal.evaluator.curve)
        for kind in ("vectorized", "compiled"):
            require(same(outcomes[kind], outcomes["Python"]), f"the {kind} run differs from the Python run")

    @promise("it improves the sum of squares within ten initiations")
    def test_improves_the_sphere(self) -> None:
        """Lend its full cost in five variables."""
        heuristic = self.make()
        rehearsal = Rehearsal(heuristic, sphere, box(-5, 5, dimension=5))
        before = rehearsal.evaluator.y
        for _ in range(10):
            rehearsal.act(heuristic.cost(5))
        require(rehearsal.evaluator.y < before, f"the value stayed at {before}")

    @promise("it runs in ter.minimize within the budget")
    def test_runs_in_a_portfolio(self) -> None:
        """Run beside LS1 with an odd budget."""
        from ter.heuristics.ls1 import LS1
        from ter.interface.minimize import minimize

        heuristic = self.make()
        result = minimize(sphere, box(-5, 5, dimension=3), budget=307, rng=1, heuristics=[LS1(name="other"), heuristic])
        require(result.nfev == 307, f"the budget was 307, the evaluations {result.nfev}")
        require(heuristic.name in result.sequence, f"it was never started: {result.sequence}")

    def _rehearsed(self, *limits: int) -> Rehearsal:
        rehearsal = Rehearsal(self.make(), sphere, box(-5, 5, dimension=3))
        for limit in limits:
            rehearsal.act(limit)
        return rehearsal

    def _goes_on_after(self, exchange: Callable[[State], State]) -> None:
        exchanged = Rehearsal(self.make(), sphere, box(-5, 5, dimension=3))
        exchanged.state = exchange(exchanged.state)
        exchanged.act(60)
        exchanged.state = exchange(exchanged.state)
        exchanged.act(60)
        uninterrupted = self._rehearsed(60, 60)
        require(same(exchanged.points, uninterrupted.points), "the points differ from those of an uninterrupted run")
