"""All campaigns with many tries: ``python -m tests.attack``; the table goes to ``bench/results/attack.md``."""

from __future__ import annotations

import sys
from collections import Counter

from tests.attack import damage, fuzz, kills
from tests.campaigns import Campaign, run_campaigns

ABOUT = """Runs with settings drawn at random must keep every promise. A damaged file must be read unharmed, read with
the damage named, or refused with an error that says so. Experiments are killed inside of transactions."""


def damaged_files(tries: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Damage files; count them by what came of it."""
    tried: Counter[str] = Counter()
    rows = damage.campaign(tries, seed)
    for row in rows:
        for outcome in damage.OUTCOMES:
            tried[f"damaged {row['file']}: {outcome}"] += row[outcome]
    return tried, [f"damage, seed {seed}: {example}" for row in rows for example in row["examples"]]


CAMPAIGNS = {
    "fuzz": Campaign(fuzz.campaign, 3_000),
    "damage": Campaign(damaged_files, 500),
    "kills": Campaign(kills.campaign, 100),
}

if __name__ == "__main__":
    sys.exit(run_campaigns("attack", ABOUT, CAMPAIGNS))
