"""One sitting of a search: plan a generation, do its runs, keep what comes back, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from os import PathLike
from typing import Any

from ter.core.errors import InvalidArgument, TerError
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.proposals import Candidate, next_candidates
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.store import BestStore
from ter.experiment.best_known.trials import SearchProgress, Trials
from ter.experiment.coordinator import Coordinator
from ter.experiment.record import Record, RunKey
from ter.experiment.spec import RunSpec
from ter.experiment.watch import Watch, watch_of

__all__ = ["SearchError", "SearchSession"]


class SearchError(TerError):
    """A run of a search failed; what had ended before is kept, and starting again tries it again."""


class SearchSession:
    """One call of :func:`find_best` or :func:`run_again`: it keeps the runs of a search, and any failure ends it.

    Parameters
    ----------
    search, store, workers, progress
        As :func:`find_best` takes them.
    """

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

    def __enter__(self) -> SearchSession:
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
