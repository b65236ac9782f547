"""All campaigns with many tries: ``python -m tests.attack``; the table goes to ``bench/results/attack.md``."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from pathlib import Path

from tests.attack import damage, fuzz, kills

TRIES = {"fuzz": 3_000, "damage": 500, "kills": 100}
SLICE = 50  # tries until the next line of progress
TABLE = Path(__file__).parents[2] / "bench" / "results" / "attack.md"


def damaged_files(tries: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Damage files; count them by what came of it."""
    tried: Counter[str] = Counter()
    rows = damage.campaign(tries, seed)
    for row in rows:
        for outcome in damage.OUTCOMES:
            tried[f"damaged {row['file']}: {outcome}"] += row[outcome]
    return tried, [f"damage, seed {seed}: {example}" for row in rows for example in row["examples"]]


CAMPAIGNS = {"fuzz": fuzz.campaign, "damage": damaged_files, "kills": kills.campaign}


def main() -> int:
    """Run the campaigns named, or all; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=f"{', '.join(CAMPAIGNS)}; by default all")
    parser.add_argument("--tries", type=int, help=f"of each; by default {TRIES}")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines, failed = ["| attack | tries |", "|---|---|"], False
    for name in args.campaigns or CAMPAIGNS:
        started, wanted, done = time.perf_counter(), args.tries or TRIES[name], 0
        tried, broken = Counter[str](), list[str]()
        while done < wanted:
            new, wrong = CAMPAIGNS[name](min(SLICE, wanted - done), args.seed + done)
            tried, broken, done = tried + new, broken + wrong, done + SLICE
            sys.stdout.writelines(f"{each}\n" for each in wrong)
            sys.stdout.write(f"{name}: {done} of {wanted}, {len(broken)} broken\n")
            sys.stdout.flush()
        failed = failed or bool(broken)
        lines += [f"| {what} | {count} |" for what, count in sorted(tried.items())]
        lines.append(f"| **{name}: promises broken** | **{len(broken)}** ({time.perf_counter() - started:.0f} s) |")
    sys.stdout.write("\n".join(lines) + "\n")
    if not args.campaigns and args.tries is None:
        about = (
            f"Made by `make attack`, seed {args.seed}, with Python {platform.python_version()}. A damaged file must be"
        )
        rules = "read unharmed, read with the damage named, or refused with an error that says so."
        TABLE.write_text("\n".join(["# Attacks", "", about, rules, "", *lines, ""]), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
