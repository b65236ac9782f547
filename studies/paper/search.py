"""Search for the best known sequences (BEK) of LSO13, or go on searching; it may be stopped at any time.

python -m studies.paper.search                          # all functions
python -m studies.paper.search f12 --sequences 24       # one, so many sequences in all

The sequences of the best recorded runs, among them RAN's ten, are tried first; then each heuristic alone, 40 random
sequences, and variations of the best. The best one is run again with other seeds. Everything is kept in best.sqlite.
(The searches on f1, f3 and f12 had 50 random sequences beside RAN's, and 20 recorded ones.)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from studies.paper.results import BEST, STORE
from ter.core.errors import InvalidArgument
from ter.experiment.best_known import Search, find_best, recorded_sequences, run_again
from ter.experiment.best_known.space import Decisions

SEQUENCES, CHEAP_SEQUENCES = 67, 91
CHEAP = ("f2", "f6", "f15")  # whose runs take less than 9 seconds, and which LS does not solve alone
RECORDED, RANDOM, FRESH = 8, 40, 10


def search_of(function: str) -> Search:
    """Return the search on a function: each heuristic alone and 40 random sequences before the best are varied."""
    return Search(f"lso13-raw/{function}", runs=1, first=3 + RANDOM)


def recorded(search: Search, store: Path) -> list[Decisions]:
    """Return the sequences of the best recorded runs; none if there are no such runs yet."""
    if not store.exists():
        return []
    try:
        return recorded_sequences(store, search, most=RECORDED)
    except InvalidArgument:
        return []


def main(words: Sequence[str] | None = None) -> None:
    """Search on the functions that were named, or on all."""
    parser = argparse.ArgumentParser(description="Search for the best known sequences of LSO13.")
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="such as f12; all by default")
    number = f"to be tried in all; {SEQUENCES}, and {CHEAP_SEQUENCES} on cheap functions"
    parser.add_argument("--sequences", type=int, help=number)
    parser.add_argument("--workers", type=int, default=-1, help="processes; one per core by default")
    parser.add_argument("--store", type=Path, default=BEST, help="where everything is kept")
    options = parser.parse_args(words)
    for function in options.functions or [f"f{k}" for k in range(1, 16)]:
        search = search_of(function)
        sequences = options.sequences or (CHEAP_SEQUENCES if function in CHEAP else SEQUENCES)
        given = recorded(search, STORE)
        find_best(search, options.store, sequences=sequences, given=given, workers=options.workers, progress=True)
        best = run_again(search, options.store, runs=FRESH, workers=options.workers, progress=True)
        sys.stdout.write(f"{best.problem}: {best.value:.6g} by the best of {best.tried} sequences\n")


if __name__ == "__main__":
    main()
