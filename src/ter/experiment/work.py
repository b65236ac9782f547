"""What a worker does: one run, from its spec to its record.

The record depends on the spec alone, but for the times and the facts about the machine.
"""

from __future__ import annotations

import math
import os
import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ter.core.budget import Budget
from ter.core.errors import TerError
from ter.core.stop import StopReason
from ter.experiment.facts import machine_facts
from ter.experiment.fingerprint import code_of
from ter.experiment.parameters import from_text, tuned
from ter.experiment.record import Curve, Record
from ter.experiment.spec import RunSpec
from ter.experiment.targets import algorithm_named, is_target, problem_named
from ter.user_code import module_of

if TYPE_CHECKING:
    from ter.core.problem import Problem
    from ter.core.profile import Profile
    from ter.display.result import Result

__all__ = ["OneThread", "OtherCode", "RunInterrupted", "failed_record", "rehearse", "run_one", "work"]

TRIED = 100  # evaluations of each heuristic before the first run of a kind


class OtherCode(TerError):
    """A worker runs other code than the plan was made with."""


class RunInterrupted(TerError):
    """A signal ended the run before its budget did, so there is nothing to keep."""


def run_one(spec: RunSpec) -> Record:
    """Do one run.

    An exception inside makes a failed record.

    Raises
    ------
    OtherCode
        If this process runs other code than the spec was made with.
    RunInterrupted
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
        problem, profile = _parts(spec)
        _require_code(spec)
        with OneThread():
            _compile(spec, problem, profile)
            started, clock, cpu_clock = _now(), time.perf_counter(), _cpu_seconds()  # compiling does not count
            result = _uninterrupted(run_profile(problem, profile, budget, Settings(), rng=spec.key.seed))
            wall, cpu = time.perf_counter() - clock, _cpu_seconds() - cpu_clock
    except (OtherCode, RunInterrupted):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is belongs into the record
        text = "".join(traceback.format_exception(error))
        return failed_record(spec, text, started, time.perf_counter() - clock, _cpu_seconds() - cpu_clock)
    return Record(
        key=spec.key,
        label=spec.label,
        run=spec.run,
        fun=float(result.fun),
        f_opt=problem.f_opt,
        nfev=int(result.nfev),
        milestones={count: _best_after(result.curve, count) for count in spec.milestones},
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


def rehearse(specs: Sequence[RunSpec]) -> int:
    """Import and compile what some runs need, so that other processes find it in the cache.

    Returns
    -------
    int
        The number of this process.
    """
    import ter.algorithms
    import ter.interface.minimize
    import ter.problems  # noqa: F401

    for spec in specs:
        try:
            _compile(spec, *_parts(spec))
        except Exception:  # noqa: BLE001 - the run itself will tell, with a record
            continue
    return os.getpid()


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


def _parts(spec: RunSpec) -> tuple[Problem, Profile]:
    key = spec.key
    problem = problem_named(key.problem, key.dimension, spec.folder)
    profile = algorithm_named(key.algorithm, spec.folder).make(problem.dimension, Budget.read(key.budget))
    return problem, tuned(profile, from_text(key.parameters), key.algorithm)


def _require_code(spec: RunSpec) -> None:
    code = code_of(module_of(name) for name in (spec.key.problem, spec.key.algorithm) if is_target(name))
    if code != spec.key.code:
        facts = machine_facts()
        raise OtherCode(
            f"all workers must run the code that the plan was read with, {spec.key.code}, got {code} in process "
            f"{facts['process']} on {facts['host']}; install the same version there, or start again if it was changed"
        )


def _compile(spec: RunSpec, problem: Problem, profile: Profile) -> None:
    """Compile, or read from the cache, what a run will need."""
    from ter.engines.choose import choose_engine
    from ter.run.warm import warm_up

    warm_up(choose_engine(problem, stop_at_failure=True), profile.heuristics)
    if not is_target(spec.key.problem):  # the user's own objective is called by real runs only
        _try_heuristics(replace(spec, label="", run=0, key=replace(spec.key, seed=0)))


@lru_cache
def _try_heuristics(spec: RunSpec) -> None:
    """Let each heuristic do a few evaluations, once per process: some loops are compiled when they are entered."""
    from ter.run.run import run_profile
    from ter.run.settings import Settings
    from ter.schedulers.fixed import Only

    problem, profile = _parts(spec)
    budget = Budget(evaluations=profile.start_points + TRIED)
    for heuristic in profile.heuristics:
        alone = replace(profile, scheduler=Only(heuristic.name))
        _uninterrupted(run_profile(problem, alone, budget, Settings(), rng=0))


def _uninterrupted(result: Result) -> Result:
    if result.status is StopReason.INTERRUPTED:
        raise RunInterrupted("the run was interrupted by a signal")
    return result


def _best_after(curve: Curve, evaluations: int) -> float:
    row = int(np.searchsorted(curve[:, 0], evaluations, side="right")) - 1
    return float(curve[row, 1]) if row >= 0 else math.inf


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _cpu_seconds() -> float:
    """CPU time of the run: of the process, or of this thread if others may be busy with runs of their own."""
    alone = threading.current_thread() is threading.main_thread()
    return time.process_time() if alone else time.thread_time()
