"""Best known sequences of decisions: a search for them, a file that keeps them, and their replay.

>>> import tempfile
>>> from ter.experiment.best_known import Search, find_best, replay, similarity_to
>>> search = Search("lso08/f1", dimension=10, budget=2_000, runs=2, first=4)
>>> best = find_best(search, tempfile.mkdtemp() + "/best.sqlite", sequences=6, workers=1)
>>> [replay(best, rng=seed).fun for seed in best.seeds] == list(best.values)
True
>>> similarity_to(best, [best.sequence])
100.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Nothing is imported before it is asked for: the command line must start fast.
_HOMES = {
    "BestKnown": "ter.experiment.best_known.best",
    "BestStore": "ter.experiment.best_known.store",
    "Search": "ter.experiment.best_known.search",
    "SearchError": "ter.experiment.best_known.session",
    "find_best": "ter.experiment.best_known.finder",
    "packaged_sequences": "ter.experiment.best_known.packaged",
    "recorded_sequences": "ter.experiment.best_known.recorded",
    "replay": "ter.experiment.best_known.best",
    "run_again": "ter.experiment.best_known.finder",
    "similarity_to": "ter.experiment.best_known.best",
}

__all__ = [
    "BestKnown",
    "BestStore",
    "Search",
    "SearchError",
    "find_best",
    "packaged_sequences",
    "recorded_sequences",
    "replay",
    "run_again",
    "similarity_to",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ter.experiment.best_known' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


if TYPE_CHECKING:
    from ter.experiment.best_known.best import BestKnown, replay, similarity_to
    from ter.experiment.best_known.finder import find_best, run_again
    from ter.experiment.best_known.packaged import packaged_sequences
    from ter.experiment.best_known.recorded import recorded_sequences
    from ter.experiment.best_known.search import Search
    from ter.experiment.best_known.session import SearchError
    from ter.experiment.best_known.store import BestStore
