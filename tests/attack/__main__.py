"""All campaigns with many tries: ``python -m tests.attack``; the table goes to ``bench/results/attack.md``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.attack import damage, fuzz, kills

CAMPAIGNS = {"fuzz": (fuzz.campaign, 3_000), "damage": (damage.campaign, 500), "kills": (kills.campaign, 100)}
TABLE = Path(__file__).parents[2] / "bench" / "results" / "attack.md"


def main() -> int:
    """Run the campaigns named, or all; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("campaigns", nargs="*", choices=[*CAMPAIGNS, []], help="by default all")
    parser.add_argument("--tries", type=int, help="of each; by default 3000 fuzzed runs, 500 damages, 100 kills")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines = ["| attack | tries | broken promises | seconds |", "|---|---|---|---|"]
    failed = False
    for name in args.campaigns or CAMPAIGNS:
        run, tries = CAMPAIGNS[name]
        started = time.perf_counter()
        tried, broken = run(args.tries or tries, args.seed)
        seconds = time.perf_counter() - started
        sys.stdout.writelines(f"{each}\n" for each in broken)
        failed = failed or bool(broken)
        for k, (what, count) in enumerate(sorted(tried.items())):
            lines.append(
                f"| {what} | {count} | {len(broken) if k == 0 else ''} | {f'{seconds:.0f}' if k == 0 else ''} |"
            )
    sys.stdout.write("\n".join(lines) + "\n")
    if not args.campaigns and args.tries is None:
        text = "# Attacks\n\nMade by `make attack`.\n\n" + "\n".join(lines) + "\n"
        TABLE.write_text(text, encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
