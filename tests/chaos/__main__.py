"""All campaigns with many tries: ``python -m tests.chaos``; the table goes to ``bench/results/chaos.md``."""

from __future__ import annotations

import sys

from tests.campaigns import Campaign, run_campaigns
from tests.chaos import damage, kills, workers

ABOUT = """Runs with a checkpoint on five engines, each with several algorithms, are killed with SIGKILL at random
moments and started again until they come to their end; checkpoints of killed runs are damaged; files reach a limit as
on a full disk; worker processes are killed, and now and then their coordinator. A run that goes on must come to the
result of the undisturbed one, bit for bit, or be refused with a message."""
CAMPAIGNS = {
    "kills": Campaign(kills.campaign, 320),
    "damage": Campaign(damage.campaign, 640),
    "disks": Campaign(kills.full_disks, 40),
    "workers": Campaign(workers.campaign, 100),
}

if __name__ == "__main__":
    sys.exit(run_campaigns("chaos", ABOUT, CAMPAIGNS))
