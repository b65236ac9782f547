"""All campaigns with many tries: ``python -m tests.chaos``; the table goes to ``bench/results/chaos.md``."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from pathlib import Path

from tests.chaos import damage, kills, workers

TRIES = {"kills": 320, "damage": 320, "disks": 40, "workers": 100}
SLICE = 20  # tries until the next line of progress
TABLE = Path(__file__).parents[2] / "bench" / "results" / "chaos.md"
CAMPAIGNS = {"kills": kills.campaign, "damage": damage.campaign, "disks": kills.full_disks, "workers": workers.campaign}
ABOUT = """Runs with a checkpoint on five engines, each with several algorithms, are killed with SIGKILL at random
moments and started again until they come to their end; checkpoints of killed runs are damaged; files reach a limit as
on a full disk; worker processes are killed, and now and then their coordinator. A run that goes on must come to the
result of the undisturbed one, bit for bit, or be refused with a message."""


def main() -> int:
    """Run the campaigns named, or all; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=f"{', '.join(CAMPAIGNS)}; by default all")
    parser.add_argument("--tries", type=int, help=f"of each; by default {TRIES}")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines, failed = ["| what | tries |", "|---|---|"], False
    for name in args.campaigns or CAMPAIGNS:
        started, wanted, done = time.perf_counter(), args.tries or TRIES[name], 0
        tried, broken = Counter[str](), list[str]()
        while done < wanted:
            new, wrong = CAMPAIGNS[name](min(SLICE, wanted - done), args.seed + done)
            tried, broken, done = tried + new, broken + wrong, done + SLICE
            sys.stdout.writelines(f"{each}\n" for each in wrong)
            sys.stdout.write(f"{name}: {done} of {wanted}, {dict(tried)}\n")
            sys.stdout.flush()
        failed = failed or bool(broken)
        lines += [f"| {what} | {count} |" for what, count in sorted(tried.items())]
        lines.append(f"| **{name}: promises broken** | **{len(broken)}** ({time.perf_counter() - started:.0f} s) |")
        sys.stdout.write("\n".join(lines) + "\n")
    if not args.campaigns and args.tries is None:
        about = f"Made by `make chaos`, seed {args.seed}, with Python {platform.python_version()}."
        TABLE.write_text("\n".join(["# Chaos", "", about, "", ABOUT, "", *lines, ""]), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
