"""Every scheduler keeps the contract that is shipped to authors: those of the catalogue, and variants of them."""

from pathlib import Path

import pytest

from ter.core.budget import Budget
from ter.schedulers import SCHEDULERS, TER, Halving, Metered, Only, Opening, Plunge, Replay, RoundRobin
from ter.testing import SchedulerContract


def metered(least):
    budget = Budget(cost=10_000, unit="cost")
    return Metered(budget, 10, opening=50, least=least, racing=("ls1",), ready=(("ls1", 1),))


VARIANTS = {
    # These five must be told what to start.
    "metered": lambda: metered(least=500),
    "opening": lambda: Opening(RoundRobin(), 100),
    "plunge": lambda: Plunge(Halving(race=50), "ls1", 50, opening=50, racers=("ls1",)),
    "metered, without time for a race": lambda: metered(least=10**9),
    "only": lambda: Only("ls1"),
    "replay": lambda: Replay(["ls1", "ls1"]),
    "replay in cycles": lambda: Replay(["ls1"], cycle=True),
    "ter with relative rewards": lambda: TER(reward="relative"),
    "ter with logarithmic rewards": lambda: TER(reward="log", window=1),
    "very greedy ter": lambda: TER(temperature=1e-300, window=100),
    "very hot ter": lambda: TER(temperature=1e300, window=2),
}
CHECKED = SCHEDULERS | VARIANTS


class TestEveryScheduler(SchedulerContract):
    @pytest.fixture(autouse=True, params=CHECKED.values(), ids=CHECKED)
    def chosen(self, request):
        self.make = request.param


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_scheduler_has_a_test_beside_its_contract(name):
    module = SCHEDULERS[name].__module__.rsplit(".", 1)[1]
    assert (Path(__file__).parent / f"test_{module}.py").is_file()
