"""Contracts that authors of heuristics and schedulers can run: in pytest by subclassing, elsewhere with `check`.

And a simulator that misbehaves, for those who want to see what a run does about theirs.

>>> import ter
>>> class TestMine(ter.testing.HeuristicContract):
...     make = staticmethod(ter.heuristics.LS1)
"""

from ter.testing.check import Check, check
from ter.testing.flaky import FlakySimulator, SimulatedCrash
from ter.testing.heuristic import HeuristicContract
from ter.testing.scheduler import SchedulerContract

__all__ = ["Check", "FlakySimulator", "HeuristicContract", "SchedulerContract", "SimulatedCrash", "check"]
