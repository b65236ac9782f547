"""Run a plan: hand out what is missing, keep what comes back."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import Any

from ter.benchmarks.catalogue import FUNCTIONS
from ter.core.errors import InvalidArgument
from ter.experiment.estimate import Estimate
from ter.experiment.plan import Plan
from ter.experiment.pool import Engine, Lost, Outcome
from ter.experiment.pools import choose_engine
from ter.experiment.record import Record, RunKey
from ter.experiment.spec import RunSpec
from ter.experiment.store import Line, Store
from ter.experiment.watch import Silent, Tally, Watch
from ter.experiment.work import failed_record
from ter.run.interrupts import Interrupts

__all__ = ["Progress", "missing", "progress_of", "run_plan"]

ATTEMPTS = 3  # a run whose worker died so often is recorded as failed
PAUSE = 0.2  # seconds between looks at the clock and at Ctrl-C
PREPARED = 50  # kinds of runs compiled beforehand at most

Progress = bool | Watch


def run_plan(
    plan: Plan,
    store: str | PathLike[str] | Store,
    *,
    workers: Any = -1,
    retry_failed: bool = False,
    any_code: bool = False,
    progress: Progress = False,
) -> Tally:
    """Do the runs of a plan that are not in the store yet.

    Each record is in the store when its run ends, so that nothing is lost but what is under way when everything is
    killed. To go on, call this again. Results do not depend on the number or the kind of workers.

    Parameters
    ----------
    plan : Plan
        What to run.
    store : path or Store
        Where to keep it; a path is opened for writing, and closed.
    workers : int, str or distributed.Client
        So many processes, -1 for one per core, 1 for none beside this one; or a Dask cluster, by the address of its
        scheduler (``"tcp://host:8786"``) or by a client, which stays open.
    retry_failed : bool
        Do failed runs again.
    any_code : bool
        Accept runs in the store that other versions of the code have done.
    progress : bool or Watch
        Show a live display, or tell somebody.

    Returns
    -------
    Tally
        How many runs there are, finished and failed.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C or SIGTERM, when everything that has ended is in the store.

    Examples
    --------
    >>> import tempfile
    >>> plan = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ter", "ls"], runs=2, budget=1_000)
    >>> path = tempfile.mkdtemp() + "/results.sqlite"
    >>> run_plan(plan, path, workers=1)
    Tally(total=4, finished=4, failed=0, new=4)
    >>> run_plan(plan, path, workers=1)
    Tally(total=4, finished=4, failed=0, new=0)
    """
    with ExitStack() as stack:
        if not isinstance(store, Store):
            store = stack.enter_context(Store(store, write=True))
        specs = plan.specs()
        _label(specs, store)
        lines = store.lines()
        tally = progress_of(specs, lines, any_code=any_code)
        todo = missing(specs, lines, retry_failed=retry_failed, any_code=any_code)
        if not todo:
            return tally
        again = replace(tally, failed=0) if retry_failed else tally
        return _Session(todo, store, again, _watch(progress)).go(choose_engine(workers))


def missing(
    specs: Iterable[RunSpec], lines: Iterable[Line], *, retry_failed: bool = False, any_code: bool = False
) -> list[RunSpec]:
    """Return the runs of a plan that a store with these lines does not have yet."""
    there = {_counting(line.key, any_code) for line in lines if not (line.failed and retry_failed)}
    return [spec for spec in specs if _counting(spec.key, any_code) not in there]


def progress_of(specs: Sequence[RunSpec], lines: Iterable[Line], *, any_code: bool = False) -> Tally:
    """Return how far a plan is in a store with these lines."""
    lines = list(lines)
    finished = {_counting(line.key, any_code) for line in lines if not line.failed}
    failed = {_counting(line.key, any_code) for line in lines if line.failed} - finished
    keys = [_counting(spec.key, any_code) for spec in specs]
    return Tally(len(keys), sum(key in finished for key in keys), sum(key in failed for key in keys))


def _counting(key: RunKey, any_code: bool) -> RunKey:
    return replace(key, code="") if any_code else key


def _label(specs: Sequence[RunSpec], store: Store) -> None:
    """Give the plan's labels to the runs that are there, and refuse a label that means something else there."""
    labels = {(spec.key.algorithm, spec.key.parameters): spec.label for spec in specs}
    meanings = store.labels()
    for meaning, label in labels.items():
        others = [other for other in meanings.get(label, ()) if other != meaning and other not in labels]
        if others:
            algorithm, parameters = others[0]
            raise InvalidArgument(
                f"a label must mean one thing in a store, got {label!r}, which stands for {algorithm} {parameters} in "
                f"{str(store.path)!r}; add another label = ... to the plan"
            )
    store.relabel(labels)


def _watch(progress: Progress) -> Watch:
    if progress is True:
        from ter.experiment.display import Display

        return Display()
    return Silent() if progress is False else progress


class _Session:
    """One call of :func:`run_plan` that has something to do."""

    def __init__(self, todo: Sequence[RunSpec], store: Store, tally: Tally, watch: Watch) -> None:
        self._todo = deque(todo)
        self._store = store
        self._tally = tally
        self._watch = watch
        self._under_way: dict[RunKey, RunSpec] = {}
        self._attempts: Counter[RunKey] = Counter()
        self._stopping = False
        self._estimate = Estimate()
        self._estimate.wait_for(spec.key for spec in todo)
        for line in store.lines():
            if not line.failed:
                self._estimate.add(line.key, line.wall)

    def go(self, engine: Engine) -> Tally:
        """Do the runs."""
        with ExitStack() as stack:
            stack.callback(engine.close)
            self._watch.open(self._tally, self._estimate)
            stack.callback(self._watch.close)
            stack.enter_context(Interrupts(self._stop))
            engine.prepare(_kinds(self._todo))
            while self._todo or self._under_way:
                self._hand_out(engine)
                self._show(engine)
                self._collect(engine.wait(PAUSE))
                if self._stopping and (self._todo or self._under_way):
                    self._collect(engine.wait(0))
                    raise KeyboardInterrupt
            self._show(engine)
        return self._tally

    def _show(self, engine: Engine) -> None:
        under_way = list(self._under_way.values())
        self._watch.update(self._tally, under_way, engine.slots, compiling=not engine.ready)

    def _stop(self) -> None:
        self._stopping = True

    def _hand_out(self, engine: Engine) -> None:
        while self._todo and len(self._under_way) < engine.slots:
            spec = self._todo.popleft()
            self._under_way[spec.key] = spec
            self._estimate.begin(spec.key)
            engine.submit(spec)

    def _collect(self, outcomes: Iterable[Outcome]) -> None:
        for spec, outcome in outcomes:
            del self._under_way[spec.key]
            self._estimate.end(spec.key)
            if isinstance(outcome, Lost):
                self._again(spec, outcome)
            else:
                self._keep(outcome)

    def _again(self, spec: RunSpec, lost: Lost) -> None:
        self._attempts[spec.key] += 1
        self._watch.lost(spec, lost.reason)
        if lost.final or self._attempts[spec.key] >= ATTEMPTS:
            self._keep(failed_record(spec, f"The run was given up.\n{lost.reason}\n"))
        else:
            self._estimate.wait_for([spec.key])
            self._todo.appendleft(spec)

    def _keep(self, record: Record) -> None:
        self._store.add(record)
        before = self._tally
        self._tally = replace(
            before,
            finished=before.finished + (not record.failed),
            failed=before.failed + record.failed,
            new=before.new + 1,
        )
        if not record.failed:
            self._estimate.add(record.key, record.wall)
        self._watch.ended(record)


def _kinds(specs: Iterable[RunSpec]) -> list[RunSpec]:
    """Return one run of each algorithm, and of each problem outside the suites: they compile different things."""
    kinds: dict[tuple[str, str, str], RunSpec] = {}
    for spec in specs:
        kind = "" if spec.key.problem in FUNCTIONS else spec.key.problem
        kinds.setdefault((kind, spec.key.algorithm, spec.key.parameters), spec)
    return list(kinds.values())[:PREPARED]
