"""What campaigns with many tries have in common: arguments, lines of progress, a table in ``bench/results``."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["Campaign", "run_campaigns"]

SLICE = 20  # tries until the next line of progress
RESULTS = Path(__file__).parents[1] / "bench" / "results"


class Campaign(NamedTuple):
    """What is tried, given how often and a seed, and how often by default; it returns counts and broken promises."""

    attempt: Callable[[int, int], tuple[Counter[str], list[str]]]
    tries: int


def run_campaigns(command: str, about: str, campaigns: Mapping[str, Campaign]) -> int:
    """Run the campaigns named on the command line, or all; return 1 if a promise was broken.

    The table of ``make {command}`` is written only if all of them ran, with as many tries as by default.
    """
    parser = argparse.ArgumentParser(description=f"Campaigns of `make {command}`.")
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=f"{', '.join(campaigns)}; by default all")
    parser.add_argument("--tries", type=int, help=f"of each; by default {[each.tries for each in campaigns.values()]}")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines, failed = ["| what | tries |", "|---|---|"], False
    for name in args.campaigns or campaigns:
        started, wanted, done = time.perf_counter(), args.tries or campaigns[name].tries, 0
        tried, broken = Counter[str](), list[str]()
        while done < wanted:
            new, wrong = campaigns[name].attempt(min(SLICE, wanted - done), args.seed + done)
            tried, broken, done = tried + new, broken + wrong, min(done + SLICE, wanted)
            sys.stdout.writelines(f"{each}\n" for each in wrong)
            sys.stdout.write(f"{name}: {done} of {wanted}, {len(broken)} broken\n")
            sys.stdout.flush()
        failed = failed or bool(broken)
        lines += [f"| {what} | {count} |" for what, count in sorted(tried.items())]
        lines.append(f"| **{name}: promises broken** | **{len(broken)}** ({time.perf_counter() - started:.0f} s) |")
    sys.stdout.write("\n".join(lines) + "\n")
    if not args.campaigns and args.tries is None:
        made = f"Made by `make {command}`, seed {args.seed}, with Python {platform.python_version()}."
        text = "\n".join([f"# {command.capitalize()}", "", made, "", about, "", *lines, ""])
        (RESULTS / f"{command}.md").write_text(text, encoding="utf-8")
    return int(failed)
