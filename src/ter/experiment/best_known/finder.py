"""Search for the best sequence, or run it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any

from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.session import SearchSession
from ter.experiment.best_known.store import BestStore
from ter.experiment.best_known.trials import SearchProgress
from ter.experiment.checks import whole_number
from ter.experiment.watch import Watch

__all__ = ["find_best", "run_again"]


def find_best(
    search: Search,
    store: str | PathLike[str] | BestStore,
    *,
    sequences: int = 200,
    given: Iterable[Sequence[str]] = (),
    workers: Any = -1,
    progress: bool | Watch[SearchProgress] = False,
) -> BestKnown:
    """Search for the best sequence of decisions, or go on searching.

    Every run is in the file when it ends, so that nothing is lost but what is under way when everything is killed. To
    go on, or to try more sequences, call this again. The result does not depend on the number or the kind of workers,
    nor on interruptions, nor on whether `sequences` was reached in one call or in several.

    Parameters
    ----------
    search : Search
        What to look for, and how.
    store : path or BestStore
        Where to keep it; a path is opened for writing, and closed.
    sequences : int
        How many sequences are to be tried in all, those that are in the file included.
    given : iterable of sequences
        Sequences to try first, such as those of recorded runs; see :func:`recorded_sequences`. The best ones that
        other versions of the code have found for the same task, in the same file, are added.
    workers : int, str or distributed.Client
        So many processes, -1 for one per core, 1 for none beside this one; or a Dask cluster, by the address of its
        scheduler (``"tcp://host:8786"``) or by a client, which stays open.
    progress : bool or Watch
        Show a live display, or tell somebody.

    Returns
    -------
    BestKnown
        The best of all that were tried.

    Raises
    ------
    SearchError
        If a run fails.
    KeyboardInterrupt
        On Ctrl-C or SIGTERM, when everything that has ended is in the file.

    Examples
    --------
    >>> import tempfile
    >>> search = Search("lso08/f1", dimension=10, budget=2_000, runs=1, first=5)
    >>> best = find_best(search, tempfile.mkdtemp() + "/best.sqlite", sequences=8, workers=1)
    >>> best.tried, best.value <= min(best.alone.values())
    (8, True)
    """
    total = whole_number("sequences", sequences, low=1)
    with SearchSession(search, store, workers, progress) as session:
        return session.find(total, list(given))


def run_again(
    search: Search,
    store: str | PathLike[str] | BestStore,
    *,
    runs: int = 20,
    workers: Any = -1,
    progress: bool | Watch[SearchProgress] = False,
) -> BestKnown:
    """Run the best known sequence with seeds that had no part in its choice, and keep the values.

    The seeds are those of the runs of a plan with the same `seed`, so that the values can be compared in pairs.

    Parameters
    ----------
    search : Search
        A search in the file.
    store, workers, progress
        As in :func:`find_best`.
    runs : int
        How many runs there are to be, those in the file included.

    Returns
    -------
    BestKnown
        With `fresh_seeds` and `fresh_values`.
    """
    total = whole_number("runs", runs, low=1)
    with SearchSession(search, store, workers, progress) as session:
        return session.again(total)
