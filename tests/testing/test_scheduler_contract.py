"""The contract of schedulers can fail: each mistake is caught by the check that is about it."""

import numpy as np
import pytest

from ter.core.reward import improvement
from ter.core.scheduler import Choice
from ter.testing import SchedulerContract

GLOBAL = np.random  # NumPy's global generator, misused on purpose


class Sound:
    """Uniform choices that keep every promise; the base of the broken ones."""

    def reward_of(self, action):
        return improvement(action)

    def choose(self, history, names, rng):
        return Choice(int(rng.integers(len(names))), (1 / len(names),) * len(names))


class NoReward:
    choose = Sound.choose


class IndexTooLarge(Sound):
    def choose(self, history, names, rng):
        return super().choose(history, names, rng)._replace(index=len(names))


class SumsToTwo(Sound):
    def choose(self, history, names, rng):
        return Choice(0, (2.0 / len(names),) * len(names))


class Negative(Sound):
    def choose(self, history, names, rng):
        return Choice(0, (1.0,)) if len(names) == 1 else Choice(0, (1.5, -0.5, *[0.0] * (len(names) - 2)))


class DividesByTheSum(Sound):
    """NaN when all rewards are zero."""

    def choose(self, history, names, rng):
        rewards = np.ones(len(names))
        for action in history:
            rewards[list(names).index(action.heuristic)] = action.reward
        with np.errstate(all="ignore"):
            return Choice(0, tuple(rewards / rewards.sum()))


class ReturnsAnIndex(Sound):
    def choose(self, history, names, rng):
        return 0


class ChoosesTheImpossible(Sound):
    def choose(self, history, names, rng):
        return Choice(0, (1.0,)) if len(names) == 1 else Choice(0, (0.0, 1.0, *[0.0] * (len(names) - 2)))


class IgnoresTheGenerator(Sound):
    def choose(self, history, names, rng):
        return super().choose(history, names, np.random.default_rng())


class UsesTheGlobalGenerator(Sound):
    def choose(self, history, names, rng):
        return super().choose(history, names, np.random.default_rng(GLOBAL.randint(1000)))


class NamesOtherProbabilities(Sound):
    def choose(self, history, names, rng):
        first = 0.5 if len(names) > 1 else 1.0
        others = len(names) - 1
        return (
            super()
            .choose(history, names, rng)
            ._replace(probabilities=(first, *[(1 - first) / max(1, others)] * others))
        )


class SortsTheHistory(Sound):
    def choose(self, history, names, rng):
        if isinstance(history, list):
            history.sort(key=lambda action: -action.reward)
        return super().choose(history, names, rng)


class CountsItsCalls(Sound):
    def __init__(self):
        self.calls = 0

    def choose(self, history, names, rng):
        self.calls += 1
        index = self.calls % len(names)
        return Choice(index, tuple(float(i == index) for i in range(len(names))))


class PunishesFailure(Sound):
    def reward_of(self, action):
        return action.before - action.after if action.after < action.before else -1.0


class SubtractsInfinities(Sound):
    def reward_of(self, action):
        return action.before - action.after


class CrashesInARun(Sound):
    def choose(self, history, names, rng):
        if history and history[-1].nfev > 1:
            raise LookupError("lost")
        return super().choose(history, names, rng)


CAUGHT_BY = {
    NoReward: "test_has_its_methods",
    IndexTooLarge: "test_choices_are_valid",
    SumsToTwo: "test_choices_are_valid",
    Negative: "test_choices_are_valid",
    DividesByTheSum: "test_choices_are_valid",
    ReturnsAnIndex: "test_choices_are_valid",
    ChoosesTheImpossible: "test_choices_are_valid",
    IgnoresTheGenerator: "test_same_rng_gives_the_same_choice",
    UsesTheGlobalGenerator: "test_leaves_global_generators_alone",
    NamesOtherProbabilities: "test_draws_with_the_probabilities_it_names",
    SortsTheHistory: "test_leaves_the_history_alone",
    CountsItsCalls: "test_remembers_nothing",
    PunishesFailure: "test_rewards_are_never_negative_or_nan",
    SubtractsInfinities: "test_rewards_are_never_negative_or_nan",
    CrashesInARun: "test_drives_a_run",
}


class TestSound(SchedulerContract):
    make = staticmethod(Sound)


def contract_of(scheduler):
    return type("Contract", (SchedulerContract,), {"make": staticmethod(scheduler)})()


@pytest.mark.parametrize("broken", CAUGHT_BY, ids=lambda broken: broken.__name__)
def test_a_broken_scheduler_is_caught_by_the_right_check(broken):
    check = getattr(contract_of(broken), CAUGHT_BY[broken])
    with pytest.raises(AssertionError, match=r"broken promise: \w+"):
        check()


def test_every_check_has_caught_something():
    assert {name for name in vars(SchedulerContract) if name.startswith("test_")} == set(CAUGHT_BY.values())


def test_a_contract_without_a_scheduler_says_what_to_write():
    with pytest.raises(AssertionError, match=r"write make = staticmethod\(MyScheduler\)"):
        SchedulerContract().test_choices_are_valid()
