"""The final of a search for the best known sequence (BEK): the best few again, with more seeds.

python -m studies.paper.finals            # all functions that were searched on
python -m studies.paper.finals f3 f6

A search judges its sequences by one run each, so its winner may be lucky rather than good. Here the three best ones and
the best heuristic alone are run with four seeds each; the lowest mean wins, and is run again with ten other seeds that
have no part in any choice. Everything is kept in finals.sqlite, by the numbers of the search; it may be stopped at any
time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from studies.paper.results import BEST, FINALS
from ter.experiment.best_known import BestKnown, BestStore, Search, find_best, run_again
from ter.experiment.best_known.proposals import Candidate

BUDGET, ALGORITHM = "3000000", "ter"
BEST_ONES, SEEDS, FRESH = 3, 4, 10


def winners(path: Path) -> dict[str, BestKnown]:
    """Return the best sequences of a file by problem, those for the rules' budget; none without a file."""
    if not path.exists():
        return {}
    with BestStore(path) as store:
        return {best.problem: best for best in store.known(budget=BUDGET, algorithm=ALGORITHM)}


def best_known(searched: Path = BEST, finals: Path = FINALS) -> dict[str, BestKnown]:
    """Return the best known sequences by problem: the winner of the final, before it that of the search."""
    found = winners(searched)
    finished = {problem: best for problem, best in winners(finals).items() if best.fresh_values}
    return found | {problem: replace(best, tried=found[problem].tried) for problem, best in finished.items()}


def finalists(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return the best ones of a search and the best heuristic alone, the best first."""
    singles = [candidate for candidate in ranked if candidate.only]
    chosen = {candidate.number for candidate in (*ranked[:BEST_ONES], *singles[:1])}
    return [candidate for candidate in ranked if candidate.number in chosen]


def final_of(problem: str) -> Search:
    """Return the final on a problem: a search that is given all its sequences."""
    return Search(problem, algorithm=ALGORITHM, runs=SEEDS, first=1)


def hold(problem: str, chosen: Sequence[Candidate], path: Path, workers: int) -> BestKnown:
    """Run a final, or the rest of it, and its winner again."""
    final = final_of(problem)
    with BestStore(path, write=True) as store:
        number = store.begin(final)
        if not store.trials(number).candidates:
            store.plan(number, chosen)
        find_best(final, store, sequences=len(chosen), workers=workers, progress=True)
        return run_again(final, store, runs=FRESH, workers=workers, progress=True)


def main(words: Sequence[str] | None = None) -> None:
    """Hold the finals on the functions that were named, or on all that were searched on."""
    parser = argparse.ArgumentParser(description="Run the best sequences of the searches again, with more seeds.")
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="such as f12; all by default")
    parser.add_argument("--workers", type=int, default=-1, help="processes; one per core by default")
    parser.add_argument("--store", type=Path, default=FINALS, help="where everything is kept")
    options = parser.parse_args(words)
    searched: Mapping[str, BestKnown] = winners(BEST)
    for problem, best in searched.items():
        function = problem.partition("/")[2]
        if best.fresh_values and function in (options.functions or [function]):  # otherwise the search goes on
            with BestStore(BEST) as store:
                chosen = finalists(store.ranked(best))
            winner = hold(problem, chosen, options.store, options.workers)
            sys.stdout.write(f"{problem}: no. {winner.number} ({winner.origin}), {winner.value:.6g}\n")


if __name__ == "__main__":
    main()
