"""A few tries of each campaign; ``make chaos`` has hundreds."""

from __future__ import annotations

import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")]


def test_killed_runs_come_to_the_undisturbed_end():
    from tests.chaos import kills

    tried, broken = kills.campaign(6, seed=2)
    assert tried["kills"] >= 6 and not broken


def test_damaged_checkpoints_go_on_or_are_refused():
    from tests.chaos import damage

    tried, broken = damage.campaign(5, seed=2)
    assert tried.total() == 5 and not broken


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_killed_workers_and_coordinators_show_in_nothing():
    from tests.chaos import workers

    tried, broken = workers.campaign(4, seed=2)
    assert tried["workers killed"] + tried["coordinators killed"] >= 4 and not broken


def test_a_full_disk_leaves_a_checkpoint_that_goes_on():
    from tests.chaos import kills

    tried, broken = kills.full_disks(2, seed=2)
    assert tried["disks that were full"] and not broken
