"""A few tries of each campaign; ``make chaos`` has hundreds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")]

ROOT = Path(__file__).parents[2]


def counts_of(campaign: str, tries: int) -> dict[str, int]:
    """Run a campaign in a process of its own: it forks, and this one may have threads that forks do not survive."""
    command = [sys.executable, "-m", "tests.chaos", campaign, "--tries", str(tries), "--seed", "2"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return {what: int(count) for what, count in re.findall(r"^\| ([^|*]+) \| (\d+) \|$", ran.stdout, re.MULTILINE)}


def test_killed_runs_come_to_the_undisturbed_end():
    assert counts_of("kills", 6)["kills"] >= 6


def test_damaged_checkpoints_go_on_or_are_refused():
    assert sum(counts_of("damage", 5).values()) == 5


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_killed_workers_and_coordinators_show_in_nothing():
    tried = counts_of("workers", 4)
    assert tried.get("workers killed", 0) + tried.get("coordinators killed", 0) >= 4


def test_a_full_disk_leaves_a_checkpoint_that_goes_on():
    assert counts_of("disks", 2)["disks that were full"]
