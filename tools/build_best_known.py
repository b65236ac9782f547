"""Put what searches have found into the package: the best known sequences that ``ter best show`` finds without a file.

python -m tools.build_best_known best.sqlite
python -m tools.build_best_known finals.sqlite --searched best.sqlite

For each problem, size, budget and portfolio the file's sequence takes the place of the one in the package if its mean
is lower, by seeds that had no part in the choice where both have them; one found by other code always does. Sequences
that were not run again with other seeds are of searches under way, and are left out. Where the file holds finals
between the best of a wider search, `--searched` tells of how many sequences they are the best.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import ter
from ter.experiment.best_known import BestKnown, BestStore, packaged_sequences
from ter.experiment.best_known.packaged import FILE, written_sequences
from ter.report.case import natural

PLACE = Path(ter.__file__).parent / "experiment" / "best_known" / "data" / FILE

Task = tuple[str, int, str, str, str]


def task_of(best: BestKnown) -> Task:
    """Return what a sequence is the best one for."""
    return best.problem, best.dimension, best.budget, best.algorithm, best.parameters


def better(new: BestKnown, old: BestKnown) -> bool:
    """Whether a sequence takes the place of another one."""
    if new.code != old.code:
        return True  # the values of the old one may not come out any more
    if new.fresh_values and old.fresh_values:
        return fmean(new.fresh_values) <= fmean(old.fresh_values)
    return new.value <= old.value


def merged(packaged: list[BestKnown], found: list[BestKnown]) -> list[BestKnown]:
    """Return the best of both, in natural order."""
    best = {task_of(each): each for each in packaged}
    for each in found:
        old = best.get(task_of(each))
        if old is None or better(each, old):
            best[task_of(each)] = each
    return sorted(best.values(), key=lambda each: (natural(each.problem), each.dimension, natural(each.budget)))


def main() -> None:
    """Write the file of the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--searched", type=Path, metavar="FILE")
    options = parser.parse_args()
    with BestStore(options.store) as store, BestStore(options.searched or options.store) as searched:
        tried = {task_of(best): best.tried for best in searched.known()}
        complete = [replace(best, tried=tried[task_of(best)]) for best in store.known() if best.fresh_values]
        found = merged(packaged_sequences(), complete)
    PLACE.write_text(written_sequences(found), encoding="utf-8")
    sys.stdout.write(f"{len(found)} sequences are in {PLACE}\n")


if __name__ == "__main__":
    main()
