"""Search for the best sequence: plan a generation, do its runs, keep what comes back, and so on."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import Any

from ter.core.errors import InvalidArgument, TerError
from ter.experiment.best_known.best import BestKnown
from ter.experiment.best_known.board import Board
from ter.experiment.best_known.proposals import Candidate, next_candidates
from ter.experiment.best_known.search import Search
from ter.experiment.best_known.store import BestStore
from ter.experiment.best_known.watch import Silent, Standing, Watch
from ter.experiment.pool import Engine, Lost
from ter.experiment.pools import choose_engine
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec
from ter.run.interrupts import Interrupts

__all__ = ["SearchError", "find_best", "run_again"]

ATTEMPTS = 3  # a run whose worker died so often ends the search
PAUSE = 0.2  # seconds between looks at the clock and at Ctrl-C

Job = tuple[Candidate, RunSpec]


class SearchError(TerError):
    """A run of a search failed; what had ended before is kept, and starting again tries it again."""


def find_best(
    search: Search,
    store: str | PathLike[str] | BestStore,
    *,
    sequences: int = 200,
    given: Iterable[Sequence[str]] = (),
    workers: Any = -1,
    progress: bool | Watch = False,
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
    if isinstance(sequences, bool) or not isinstance(sequences, int | float) or not sequences >= 1 or sequences % 1:
        raise InvalidArgument(f"sequences must be a whole number >= 1, got {sequences!r}")
    with _Session(search, store, workers, progress) as session:
        return session.find(int(sequences), list(given))


def run_again(
    search: Search,
    store: str | PathLike[str] | BestStore,
    *,
    runs: int = 20,
    workers: Any = -1,
    progress: bool | Watch = False,
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
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise InvalidArgument(f"runs must be a whole number >= 1, got {runs!r}")
    with _Session(search, store, workers, progress) as session:
        return session.again(runs)


class _Session:
    """One call of :func:`find_best` or :func:`run_again`."""

    def __init__(self, search: Search, store: str | PathLike[str] | BestStore, workers: Any, progress: Any) -> None:
        self._search, self._workers = search, workers
        self._engine: Engine | None = None
        self._watch = _watch(progress)
        self._stack = ExitStack()
        self._store = store if isinstance(store, BestStore) else self._stack.enter_context(BestStore(store, write=True))
        self._standing = Standing(_title(search), 0)
        self._stopping = False
        self._id, self._board = 0, Board(search.runs, search.statistic)

    def __enter__(self) -> _Session:
        self._stack.enter_context(Interrupts(self._stop))
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.close()

    def find(self, sequences: int, given: list[Sequence[str]]) -> BestKnown:
        """Try sequences until there are so many."""
        self._id = self._store.begin(self._search)
        board = self._board = self._store.board(self._id)
        given += self._store.earlier(self._search)
        while True:
            jobs = [
                (candidate, self._search.spec(candidate.sequence, run))
                for candidate in board.candidates[:sequences]
                for run in board.missing(candidate.number)
            ]
            left = max(0, sequences - len(board.candidates)) * self._search.runs
            self._do(jobs, replace(self._standing, total=sequences, runs=left), fresh=False)
            if len(board.candidates) >= sequences:
                break
            new = next_candidates(self._search, board.candidates, board.ranked(), given)
            if not new:  # there are no more
                break
            self._store.plan(self._id, new)
            board.candidates += new
        return self._best()

    def again(self, runs: int) -> BestKnown:
        """Run the best one again."""
        found = self._store.find(self._search)
        if found is not None:
            self._id, self._board = found, self._store.board(found)
        ranked = self._board.ranked()
        if not ranked:
            task = self._search.task
            raise InvalidArgument(
                f"there must be a sequence that this version of the code has found, got none for {task.problem} with "
                f"{task.dimension} variables and {task.budget} evaluations in {str(self._store.path)!r}; search first: "
                "what other versions have found is tried before anything else"
            )
        done = self._store.fresh(self._id, ranked[0].number)
        todo = [run for run in range(1, runs + 1) if run not in done]
        jobs = [(ranked[0], self._search.spec(ranked[0].sequence, run, fresh=True)) for run in todo]
        self._do(jobs, replace(self._standing, total=len(ranked)), fresh=True)
        return self._best()

    def _best(self) -> BestKnown:
        task = self._search.task
        found = self._store.known(task.problem, dimension=task.dimension, budget=task.budget, algorithm=task.algorithm)
        return next(best for best in found if best.parameters == task.parameters)

    def _do(self, jobs: Iterable[Job], standing: Standing, *, fresh: bool) -> None:
        """Do runs; `standing` counts those that are to come later."""
        todo = deque(jobs)
        if not todo:
            return
        engine = self._opened(todo[0][1], standing)
        later, under_way, attempts = standing.runs, dict[RunSpec, Candidate](), Counter[RunSpec]()
        while todo or under_way:
            while todo and len(under_way) < engine.slots:
                candidate, spec = todo.popleft()
                under_way[spec] = candidate
                engine.submit(spec)
            self._show(replace(standing, runs=later + len(todo) + len(under_way)), engine)
            for spec, outcome in engine.wait(PAUSE):
                candidate = under_way.pop(spec)
                if isinstance(outcome, Lost):
                    attempts[spec] += 1
                    self._lost(candidate, outcome, attempts[spec])
                    todo.appendleft((candidate, spec))
                else:
                    self._keep(candidate, outcome, fresh=fresh)
            if self._stopping and (todo or under_way):
                raise KeyboardInterrupt
        self._show(replace(standing, runs=later), engine)

    def _opened(self, spec: RunSpec, standing: Standing) -> Engine:
        """Start the workers, when there is something to do for the first time."""
        if self._engine is None:
            self._engine = choose_engine(self._workers)
            self._stack.callback(self._engine.close)
            self._watch.open(self._filled(standing))
            self._stack.callback(self._watch.close)
            self._engine.prepare([spec])
        return self._engine

    def _keep(self, candidate: Candidate, record: Record, *, fresh: bool) -> None:
        if record.failed:
            reason = (record.traceback or "").strip()
            raise SearchError(
                f"every run of a search must end well, got a failure in run {record.run} of no. {candidate.number} of "
                f"{record.key.problem}; what ended before is kept, and starting again tries it again. It was:\n{reason}"
            )
        self._store.add(self._id, candidate.number, record, fresh=fresh)
        if not fresh:
            self._board.note(candidate.number, record.run, record.fun)

    def _lost(self, candidate: Candidate, lost: Lost, attempts: int) -> None:
        self._watch.tell(f"a run of no. {candidate.number} was lost, {lost.reason}")
        if lost.final or attempts >= ATTEMPTS:
            raise SearchError(
                f"every run of a search must end, got no. {candidate.number}, whose worker died {attempts} times: "
                f"{lost.reason}; what ended before is kept"
            )

    def _show(self, standing: Standing, engine: Engine) -> None:
        self._watch.update(self._filled(standing), engine.slots, compiling=not engine.ready)

    def _filled(self, standing: Standing) -> Standing:
        ranked = self._board.ranked()
        standing = replace(standing, tried=len(ranked), seconds=self._store.seconds(self._id))
        if not ranked:
            return standing
        best = ranked[0]
        return replace(standing, best=self._board.value(best.number), number=best.number, sequence=best.sequence)

    def _stop(self) -> None:
        self._stopping = True


def _title(search: Search) -> str:
    task = search.task
    return f"{task.problem}, {task.dimension} variables, {task.budget} evaluations, {search.runs} runs per sequence"


def _watch(progress: bool | Watch) -> Watch:
    if progress is True:
        from ter.experiment.best_known.display import Display

        return Display()
    return Silent() if progress is False else progress
