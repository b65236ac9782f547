"""Run a plan: do what is missing in a store, keep what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import Any

from ter.core.errors import InvalidArgument
from ter.experiment.coordinator import Coordinator
from ter.experiment.plan import Plan
from ter.experiment.progress import PlanProgress, missing, progress_of
from ter.experiment.record import Record
from ter.experiment.spec import RunSpec
from ter.experiment.store import Store
from ter.experiment.watch import Watch, watch_of

__all__ = ["run_plan"]


def run_plan(
    plan: Plan,
    store: str | PathLike[str] | Store,
    *,
    workers: Any = -1,
    retry_failed: bool = False,
    any_code: bool = False,
    progress: bool | Watch[PlanProgress] = False,
) -> PlanProgress:
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
    PlanProgress
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
    PlanProgress(total=4, finished=4, failed=0, new=4)
    >>> run_plan(plan, path, workers=1)
    PlanProgress(total=4, finished=4, failed=0, new=0)
    """
    with ExitStack() as stack:
        if not isinstance(store, Store):
            store = stack.enter_context(Store(store, write=True))
        specs = plan.specs()
        _label(specs, store)
        lines = store.lines()
        found = progress_of(specs, lines, any_code=any_code)
        keeper = _Keeper(store, replace(found, failed=0) if retry_failed else found)
        watch = watch_of(progress, _display)
        coordinator = stack.enter_context(Coordinator(keeper.keep, lambda: keeper.progress, workers, watch))
        for line in lines:
            if not line.failed:
                coordinator.forecast.add(line.key, line.wall)
        coordinator.do(missing(specs, lines, retry_failed=retry_failed, any_code=any_code))
        return keeper.progress


class _Keeper:
    """Keeps records in a store, the failed ones too, and counts them."""

    def __init__(self, store: Store, progress: PlanProgress) -> None:
        self._store = store
        self.progress = progress

    def keep(self, spec: RunSpec, record: Record) -> None:
        self._store.add(record)
        self.progress = self.progress.after(record)


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


def _display() -> Watch[PlanProgress]:
    from ter.experiment.plan_display import PlanDisplay

    return PlanDisplay()
