"""What a worker does: one run, from its spec to its record.

The record depends on the spec alone, but for the times and the facts about the machine.
"""

from __future__ import annotations

import math
import threading
import time
from datetime import UTC, datetime

import numpy as np

from ter.core.budget import Budget
from ter.core.errors import Aborted, TerError
from ter.core.sending import traceback_of
from ter.experiment.fingerprint import code_of
from ter.experiment.machine import machine_facts
from ter.experiment.record import Record, best_after
from ter.experiment.rehearsal import RunInterrupted, compile_for, parts_of, uninterrupted
from ter.experiment.sources import ChangedCode
from ter.experiment.spec import RunSpec

__all__ = ["OneThread", "OtherCode", "failed_record", "run_one", "work"]


class OtherCode(TerError):
    """A worker runs other code than the plan was made with."""


def run_one(spec: RunSpec) -> Record:
    """Do one run.

    Whatever the objective raises, ``SystemExit`` too, makes a failed record.

    Raises
    ------
    ChangedCode
        If a file of the user's was changed after this process had imported it.
    OtherCode
        If this process runs other code than the spec was made with.
    RunInterrupted, Aborted
        If a signal ended the run.

    Examples
    --------
    >>> from ter.experiment.plan import Plan
    >>> spec = Plan(problems=["lso08/f1"], dimensions=[10], algorithms=["ls"], budget=500, milestones=[100]).specs()[0]
    >>> record = run_one(spec)
    >>> record.nfev, sorted(record.milestones), record.milestones[500] == record.fun, record.failed
    (500, [100, 500], True, False)
    """
    from ter.run.run import run_profile
    from ter.run.settings import Settings

    started, clock, cpu_clock = _now(), time.perf_counter(), _cpu_seconds()
    budget = Budget.read(spec.key.budget)
    try:
        problem, profile = parts_of(spec)
        _require_code(spec)
        with OneThread():
            compile_for(spec, problem, profile)
            started, clock, cpu_clock = _now(), time.perf_counter(), _cpu_seconds()  # compiling does not count
            result = uninterrupted(run_profile(problem, profile, budget, Settings(), rng=spec.key.seed))
            wall, cpu = time.perf_counter() - clock, _cpu_seconds() - cpu_clock
        _require_code(spec)  # what the run itself has imported counts too
    except (ChangedCode, OtherCode, RunInterrupted, Aborted):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is belongs into the record
        text = traceback_of(error)
        return failed_record(spec, text, started, time.perf_counter() - clock, _cpu_seconds() - cpu_clock)
    return Record(
        key=spec.key,
        label=spec.label,
        run=spec.run,
        fun=float(result.fun),
        f_opt=problem.f_opt,
        nfev=int(result.nfev),
        milestones={count: best_after(result.curve, count) for count in spec.milestones},
        curve=result.curve,
        heuristics=result.heuristics,
        actions=result.actions,
        wall=wall,
        cpu=cpu,
        started=started,
        facts=machine_facts(),
    )


def work(spec: RunSpec) -> Record:
    """Do one run in a worker process: like :func:`run_one`, and numerical libraries keep to one thread for good."""
    import threadpoolctl

    # A worker may have several threads with a run each; so that none of them sets the others free, nothing is restored.
    threadpoolctl.threadpool_limits(1)
    return run_one(spec)


def failed_record(spec: RunSpec, text: str, started: str = "", wall: float = 0.0, cpu: float = 0.0) -> Record:
    """Return the record of a run that failed."""
    return Record(
        key=spec.key,
        label=spec.label,
        run=spec.run,
        fun=math.nan,
        f_opt=None,
        nfev=0,
        milestones={},
        curve=np.empty((0, 2)),
        heuristics=(),
        actions=(),
        wall=wall,
        cpu=cpu,
        started=started or _now(),
        facts=machine_facts(),
        traceback=text,
    )


class OneThread:
    """Keep numerical libraries to one thread: sums come out the same on machines with any number of cores.

    Examples
    --------
    >>> with OneThread():
    ...     pass
    """

    def __enter__(self) -> None:
        import numba
        import threadpoolctl

        self._limits = threadpoolctl.threadpool_limits(1)
        self._numba = numba.get_num_threads()
        numba.set_num_threads(1)

    def __exit__(self, *error: object) -> None:
        import numba

        numba.set_num_threads(self._numba)
        self._limits.restore_original_limits()


def _require_code(spec: RunSpec) -> None:
    code = code_of(spec.key.problem, spec.key.algorithm)
    if code != spec.key.code:
        facts = machine_facts()
        raise OtherCode(
            f"all workers must run the code that the plan was read with, {spec.key.code}, got {code} in process "
            f"{facts['process']} on {facts['host']}; install the same version there, or start again if it was changed"
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _cpu_seconds() -> float:
    """CPU time of the run: of the process, or of this thread if others may be busy with runs of their own."""
    alone = threading.current_thread() is threading.main_thread()
    return time.process_time() if alone else time.thread_time()
