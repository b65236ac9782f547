"""What a scheduler must keep to, as checks that authors run."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from ter.core.action import Action
from ter.core.box import box
from ter.core.scheduler import Choice, Scheduler
from ter.testing.promise import global_state, promise, require, same, seeded_globals
from ter.testing.rehearsal import sphere

__all__ = ["SchedulerContract"]

DRAWS = 2_000
DEVIATIONS = 5.0  # standard deviations by which a frequency may miss its probability


class SchedulerContract:
    """Checks of a scheduler. Subclass it in a test module, with a name that begins with ``Test``.

    Attributes
    ----------
    make : callable
        Returns the scheduler; give it as a static method.
    names : tuple of str
        Names of five heuristics; the first 1 to 5 of them form the portfolios.

    Examples
    --------
    >>> import ter
    >>> class TestMyScheduler(ter.testing.SchedulerContract):
    ...     make = staticmethod(lambda: ter.schedulers.TER(window=8))
    >>> TestMyScheduler().test_choices_are_valid()
    """

    names: ClassVar[tuple[str, ...]] = ("ls1", "cc", "gs", "fourth", "fifth")

    @staticmethod
    def make() -> Scheduler:
        """Return the scheduler to be checked."""
        raise NotImplementedError("a contract needs a scheduler; write make = staticmethod(MyScheduler)")

    @promise("a scheduler has the methods choose and reward_of")
    def test_has_its_methods(self) -> None:
        """Look at the parts that the loop calls."""
        scheduler = self.make()
        require(isinstance(scheduler, Scheduler), f"{scheduler!r} lacks choose or reward_of")

    @promise("a choice is one of the heuristics, with probabilities >= 0 that sum to 1; or None")
    def test_choices_are_valid(self) -> None:
        """Choose among 1 to 5 heuristics after all kinds of histories."""
        for names, kind, history in self._histories():
            choice = self.make().choose(history, names, np.random.default_rng(1))
            if choice is not None:
                _require_valid(choice, names, f"after {kind} rewards with {len(names)} heuristics")

    @promise("the same history and the same rng give the same choice")
    def test_same_rng_gives_the_same_choice(self) -> None:
        """Choose twice, with objects made anew."""
        for names, kind, history in self._histories():
            first, second = (self.make().choose(history, names, np.random.default_rng(3)) for _ in range(2))
            require(first == second, f"after {kind} rewards: {first} and {second}")

    @promise("the choice is drawn with the probabilities it names")
    def test_draws_with_the_probabilities_it_names(self) -> None:
        """Count choices after a history with unequal rewards."""
        names = self.names[:3]
        history = _history(names, [1.0, 3.0, 2.0, 0.0, 2.5])
        counts = np.zeros(3)
        scheduler, choice = self.make(), None
        for seed in range(DRAWS):
            choice = scheduler.choose(history, names, np.random.default_rng(seed))
            if choice is None:
                return
            counts[choice.index] += 1
        p = np.array(choice.probabilities if choice is not None else ())
        slack = DEVIATIONS * np.sqrt(p * (1 - p) / DRAWS) + 1e-9
        met = bool((np.abs(counts / DRAWS - p) <= slack).all())
        require(met, f"the probabilities are {p.round(3)}, the frequencies {(counts / DRAWS).round(3)}")

    @promise("the history is read, never changed, and any sequence will do")
    def test_leaves_the_history_alone(self) -> None:
        """Compare the history before and after, as a list and as a tuple."""
        for names, kind, history in self._histories():
            before, listed = tuple(history), list(names)
            first = self.make().choose(history, listed, np.random.default_rng(1))
            require(same(tuple(history), before), f"the history of {kind} rewards was changed")
            require(listed == list(names), "the names were changed")
            second = self.make().choose(before, tuple(names), np.random.default_rng(1))
            require(first == second, f"a tuple gave {second}, a list {first}")

    @promise("a scheduler holds settings only: all it knows is in the history")
    def test_remembers_nothing(self) -> None:
        """Choose after other choices, and compare with a fresh object."""
        scheduler = self.make()
        before = copy.deepcopy(getattr(scheduler, "__dict__", {}))
        for names, kind, history in self._histories():
            used = scheduler.choose(history, names, np.random.default_rng(1))
            fresh = self.make().choose(history, names, np.random.default_rng(1))
            require(used == fresh, f"after {kind} rewards: {used}, by a fresh object {fresh}")
        changed = [name for name, value in before.items() if not same(getattr(scheduler, name, None), value)]
        require(not changed, f"these fields changed: {', '.join(changed)}")

    @promise("a reward is a number >= 0, whatever the action brought")
    def test_rewards_are_never_negative_or_nan(self) -> None:
        """Reward actions with extreme values and costs."""
        scheduler = self.make()
        values = (math.inf, 1e308, 1.0, 1e-308, 0.0, -1e-308, -1.0, -1e308)
        pairs = [(before, after) for before in values for after in values if after <= before]
        for before, after in pairs:
            for cost in (0.0, 1e-9, 1.0, 1e9):
                action = Action(0, self.names[0], cost=cost, nfev=1, before=before, after=after)
                reward = scheduler.reward_of(action)
                require(reward >= 0, f"{action} has the reward {reward!r}")
                require(after < before or reward == 0, f"{action} brought nothing and has the reward {reward!r}")

    @promise("the global generators of NumPy and Python are neither used nor changed")
    def test_leaves_global_generators_alone(self) -> None:
        """Choose under two different global seeds."""
        choices = []
        for seed in (1, 2):
            with seeded_globals(seed):
                before = global_state()
                choices.append([self.make().choose(h, n, np.random.default_rng(1)) for n, _, h in self._histories()])
                require(same(global_state(), before), "the state of a global generator changed; draw from rng")
        require(choices[0] == choices[1], "the choices depend on the seed of a global generator; draw from rng")

    @promise("it drives ter.minimize, and the same seed gives the same sequence")
    def test_drives_a_run(self) -> None:
        """Schedule three copies of LS1."""
        from ter.heuristics.ls1 import LS1
        from ter.interface.minimize import minimize

        names = self.names[:3]
        results = [
            minimize(
                sphere,
                box(-5, 5, dimension=3),
                budget=307,
                rng=1,
                heuristics=[LS1(name=name) for name in names],
                scheduler=self.make(),
            )
            for _ in range(2)
        ]
        require(results[0].nfev <= 307, f"the budget was 307, the evaluations {results[0].nfev}")
        require(results[0].nit > 0, "nothing was started")
        require(results[0].sequence == results[1].sequence, "two runs with the same rng chose differently")

    def _histories(self) -> Iterator[tuple[Sequence[str], str, list[Action]]]:
        """Yield portfolios of 1 to 5 heuristics with histories of all kinds."""
        kinds = {
            "no": [],
            "zero": [0.0] * 12,
            "equal": [2.5] * 12,
            "infinite": [math.inf] * 12,
            "finite and infinite": [1.0, math.inf, 0.0] * 4,
            "huge and tiny": [1e308, 5e-324, 0.0, 1e-300] * 3,
            "rising": [float(i) for i in range(12)],
            "few": [1.0, 0.5],
        }
        for n in range(1, 6):
            for kind, rewards in kinds.items():
                yield self.names[:n], kind, _history(self.names[:n], rewards)


def _history(names: Sequence[str], rewards: Sequence[float]) -> list[Action]:
    return [
        Action(i, names[i % len(names)], cost=1.0, nfev=1, before=1.0, after=0.5, reward=reward)
        for i, reward in enumerate(rewards)
    ]


def _require_valid(choice: Choice, names: Sequence[str], when: str) -> None:
    require(isinstance(choice, Choice), f"{when}: {choice!r} is neither a Choice nor None")
    index, p = choice.index, np.array(choice.probabilities)
    require(isinstance(index, int | np.integer) and 0 <= index < len(names), f"{when}: the index is {index!r}")
    require(p.shape == (len(names),), f"{when}: there are {p.size} probabilities")
    require(bool(np.isfinite(p).all() and (p >= 0).all()), f"{when}: the probabilities are {choice.probabilities}")
    require(abs(float(p.sum()) - 1) < 1e-9, f"{when}: the probabilities sum to {p.sum()!r}")
    require(bool(p[index] > 0), f"{when}: the choice {index} had the probability 0")
