"""The coordinator: hands out runs, collects them, does those of dead workers again, and stops on Ctrl-C."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any, Generic

from ter.experiment.forecast import Forecast
from ter.experiment.pool import Ended, Lost, Pool
from ter.experiment.pools import choose_pool
from ter.experiment.record import Record
from ter.experiment.rehearsal import kinds_of
from ter.experiment.spec import RunSpec
from ter.experiment.watch import Progress, Watch, Workload
from ter.experiment.work import failed_record
from ter.run.interrupts import Interrupts

__all__ = ["Coordinator"]

ATTEMPTS = 3  # a run whose worker died so often has failed
PAUSE = 0.2  # seconds between looks at the clock and at Ctrl-C


class Coordinator(Generic[Progress]):
    """Does runs for somebody, in the pool that `workers` names; nothing is started before there is something to do.

    Parameters
    ----------
    keep : callable
        Gets each run and its record when it ends, and keeps it for good before returning. What a failed record means
        is decided there: an exception ends everything.
    progress : callable
        Says how far everything is, for the watch.
    workers : int, str, distributed.Client or Pool
        As :func:`ter.experiment.run_plan` takes it.
    watch : Watch
        Is told what happens.

    Examples
    --------
    >>> from ter.experiment.plan import Plan
    >>> plan = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ls"], runs=2, budget=500)
    >>> kept = []
    >>> with Coordinator(lambda spec, record: kept.append(record.run), lambda: len(kept), 1, Watch()) as coordinator:
    ...     coordinator.do(plan.specs())
    >>> kept
    [1, 2]
    """

    def __init__(
        self,
        keep: Callable[[RunSpec, Record], None],
        progress: Callable[[], Progress],
        workers: Any,
        watch: Watch[Progress],
    ) -> None:
        self._keep, self._progress, self._workers, self._watch = keep, progress, workers, watch
        self._todo: deque[RunSpec] = deque()
        self._under_way: dict[RunSpec, None] = {}  # in the order they began
        self._attempts: Counter[RunSpec] = Counter()
        self._pool: Pool | None = None
        self._stopping = False
        self._stack = ExitStack()
        self.forecast = Forecast()

    def __enter__(self) -> Coordinator[Progress]:
        self._stack.enter_context(Interrupts(self._stop))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def do(self, specs: Sequence[RunSpec], later: int = 0) -> None:
        """Do runs, and return when all have ended.

        Parameters
        ----------
        specs : sequence of RunSpec
            The runs.
        later : int
            How many others will be asked for afterwards, as far as is known.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C or SIGTERM, when everything that has ended is kept.
        """
        if not specs:
            return
        self._todo.extend(specs)
        self.forecast.wait_for(spec.key for spec in specs)
        self.forecast.expect(specs[0].key, later)
        pool = self._opened(specs)
        while self._todo or self._under_way:
            if self._stopping:
                self._collect(pool.wait(0))
                raise KeyboardInterrupt
            self._hand_out(pool)
            self._show(pool)
            self._collect(pool.wait(PAUSE))
        self._show(pool)

    def _opened(self, specs: Sequence[RunSpec]) -> Pool:
        if self._pool is None:
            self._pool = choose_pool(self._workers)
            self._stack.callback(self._pool.close)
            self._watch.open(self._progress(), self.forecast)
            self._stack.callback(self._watch.close)
            self._pool.prepare(kinds_of(specs))
        return self._pool

    def _hand_out(self, pool: Pool) -> None:
        while self._todo and len(self._under_way) < pool.slots:
            spec = self._todo.popleft()
            self._under_way[spec] = None
            self.forecast.begin(spec.key)
            pool.submit(spec)

    def _collect(self, ended: Iterable[Ended]) -> None:
        for spec, outcome in ended:
            del self._under_way[spec]
            self.forecast.end(spec.key)
            if isinstance(outcome, Lost):
                self._lost(spec, outcome)
            else:
                self._ended(spec, outcome)

    def _lost(self, spec: RunSpec, lost: Lost) -> None:
        self._attempts[spec] += 1
        self._watch.lost(spec, lost.reason)
        if lost.final or self._attempts[spec] >= ATTEMPTS:
            text = f"The run was given up, its worker died {self._attempts[spec]} times.\n{lost.reason}\n"
            self._ended(spec, failed_record(spec, text))
        else:
            self.forecast.wait_for([spec.key])
            self._todo.appendleft(spec)

    def _ended(self, spec: RunSpec, record: Record) -> None:
        self._keep(spec, record)
        if not record.failed:
            self.forecast.add(record.key, record.wall)
        self._watch.ended(record)

    def _show(self, pool: Pool) -> None:
        workload = Workload(tuple(self._under_way), pool.slots, compiling=not pool.ready)
        self._watch.update(self._progress(), workload)

    def _stop(self) -> None:
        self._stopping = True
