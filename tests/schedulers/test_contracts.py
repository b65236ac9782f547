"""Every scheduler keeps the contract that is shipped to authors."""

import ter
from ter.schedulers import TER, Only, RandomChoice, Replay, RoundRobin
from ter.testing import SchedulerContract


class TestTER(SchedulerContract):
    make = staticmethod(TER)


class TestTERWithRelativeRewards(SchedulerContract):
    make = staticmethod(lambda: TER(reward="relative"))


class TestTERWithLogarithmicRewards(SchedulerContract):
    make = staticmethod(lambda: TER(reward="log", window=1))


class TestVeryGreedyTER(SchedulerContract):
    make = staticmethod(lambda: TER(temperature=1e-300, window=100))


class TestVeryHotTER(SchedulerContract):
    make = staticmethod(lambda: TER(temperature=1e300, window=2))


class TestRandomChoice(SchedulerContract):
    make = staticmethod(RandomChoice)


class TestRoundRobin(SchedulerContract):
    make = staticmethod(RoundRobin)


class TestOnly(SchedulerContract):
    make = staticmethod(lambda: Only("ls1"))


class TestReplay(SchedulerContract):
    make = staticmethod(lambda: Replay(["ls1", "ls1"]))


class TestReplayInCycles(SchedulerContract):
    make = staticmethod(lambda: Replay(["ls1"], cycle=True))


def test_every_scheduler_of_the_catalogue_is_checked_here():
    checked = {
        type(contract.make()) for contract in SchedulerContract.__subclasses__() if contract.__module__ == __name__
    }
    assert set(ter.schedulers.SCHEDULERS.values()) <= checked
