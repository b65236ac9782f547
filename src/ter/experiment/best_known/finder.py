"""Search for the best sequence: plan a generation, do its runs, keep what comes back, and so on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from os import PathLike
from typing import Any

from ter.core.errors import InvalidArgument, TerError
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.proposals import Candidate, next_candidates
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.store import BestStore
from ter.experiment.best_known.trials import SearchProgress, Trials
from ter.experiment.checks import whole_number
from ter.experiment.coordinator import Coordinator
from ter.experiment.record import Record, RunKey
from ter.experiment.spec import RunSpec
from ter.experiment.watch import Watch, watch_of

__all__ = ["SearchError", "find_best", "run_again"]


class SearchError(TerError):
    """A run of a search failed; what had ended before is kept, and starting again tries it again."""


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
    with _Session(search, store, workers, progress) as session:
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
    with _Session(search, store, workers, progress) as session:
        return session.again(total)


class _Session:
    """One call of :func:`find_best` or :func:`run_again`."""

    def __init__(
        self,
        search: Search,
        store: str | PathLike[str] | BestStore,
        workers: Any,
        progress: bool | Watch[SearchProgress],
    ) -> None:
        self._search = search
        self._id, self._trials, self._total = 0, Trials(search.runs, search.statistic), 0
        self._jobs: dict[RunSpec, Candidate] = {}
        self._fresh = False
        self._coordinator = Coordinator(self._keep, self._progress, workers, watch_of(progress, _display))
        self._stack = ExitStack()
        self._store = store if isinstance(store, BestStore) else self._stack.enter_context(BestStore(store, write=True))

    def __enter__(self) -> _Session:
        self._stack.enter_context(self._coordinator)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def find(self, sequences: int, given: list[Sequence[str]]) -> BestKnown:
        """Try sequences until there are so many."""
        self._begin(self._store.begin(self._search))
        trials, self._total = self._trials, sequences
        given += self._store.earlier(self._search)
        while True:
            planned = trials.candidates[:sequences]
            jobs = {self._spec(each, run): each for each in planned for run in trials.missing(each.number)}
            self._do(jobs, later=(sequences - len(planned)) * self._search.runs)
            if len(trials.candidates) >= sequences:
                break
            new = next_candidates(self._search, trials.candidates, trials.ranked(), given)
            if not new:  # there are no more
                break
            self._store.plan(self._id, new)
            trials.candidates += new
        return self._best()

    def again(self, runs: int) -> BestKnown:
        """Run the best one again."""
        found = self._store.find(self._search)
        if found is not None:
            self._begin(found)
        ranked = self._trials.ranked()
        if not ranked:
            task = self._search.task
            raise InvalidArgument(
                f"there must be a sequence that this version of the code has found, got none for {task.problem} with "
                f"{task.dimension} variables and {task.budget} evaluations in {str(self._store.path)!r}; search first: "
                "what other versions have found is tried before anything else"
            )
        self._total, self._fresh = len(ranked), True
        done = self._store.fresh(self._id, ranked[0].number)
        self._do({self._spec(ranked[0], run): ranked[0] for run in range(1, runs + 1) if run not in done})
        return self._best()

    def _begin(self, number: int) -> None:
        self._id, self._trials = number, self._store.trials(number)
        task = self._search.task
        for wall in self._store.walls(number):
            key = RunKey(task.problem, task.dimension, "", "", task.budget, 0, "")  # of any sequence
            self._coordinator.forecast.add(key, wall)

    def _spec(self, candidate: Candidate, run: int) -> RunSpec:
        return self._search.spec(candidate.sequence, run, label=f"no. {candidate.number}", fresh=self._fresh)

    def _do(self, jobs: dict[RunSpec, Candidate], later: int = 0) -> None:
        self._jobs = jobs
        self._coordinator.do(list(jobs), later)

    def _keep(self, spec: RunSpec, record: Record) -> None:
        candidate = self._jobs[spec]
        if record.failed:
            reason = (record.traceback or "").strip()
            raise SearchError(
                f"every run of a search must end well, got a failure in run {record.run} of no. {candidate.number} of "
                f"{record.key.problem}; what ended before is kept, and starting again tries it again. It was:\n{reason}"
            )
        self._store.add(self._id, candidate.number, record, fresh=self._fresh)
        if not self._fresh:
            self._trials.note(candidate.number, record.run, record.fun)

    def _progress(self) -> SearchProgress:
        task = self._search.task
        title = f"{task.problem}, {task.dimension} variables, {task.budget} evaluations"
        return self._trials.progress(f"{title}, {self._search.runs} runs per sequence", self._total)

    def _best(self) -> BestKnown:
        task = self._search.task
        found = self._store.known(task.problem, dimension=task.dimension, budget=task.budget, algorithm=task.algorithm)
        return next(best for best in found if best.parameters == task.parameters)


def _display() -> Watch[SearchProgress]:
    from ter.experiment.best_known.display import SearchDisplay

    return SearchDisplay()
