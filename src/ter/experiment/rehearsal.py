"""Getting ready for runs: make what a run needs from its names, and compile it before the clocks start."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ter.benchmarks.catalogue import FUNCTIONS
from ter.core.budget import Budget
from ter.core.errors import Aborted, TerError
from ter.core.stop import StopReason
from ter.experiment.names import algorithm_named, problem_named
from ter.experiment.parameters import as_text, from_text, tuned
from ter.experiment.spec import RunSpec
from ter.user_code import is_user_code

if TYPE_CHECKING:
    from ter.core.problem import Problem
    from ter.core.profile import Profile
    from ter.display.result import Result

__all__ = ["RunInterrupted", "compile_for", "kinds_of", "parts_of", "rehearse", "uninterrupted"]

TRIED = 100  # evaluations of each heuristic before the first run of a kind
PREPARED = 50  # kinds of runs compiled beforehand at most


class RunInterrupted(TerError):
    """A signal ended the run before its budget did, so there is nothing to keep."""


def parts_of(spec: RunSpec) -> tuple[Problem, Profile]:
    """Make the problem and the algorithm's profile of a run."""
    key = spec.key
    problem = problem_named(key.problem, key.dimension, spec.folder)
    profile = algorithm_named(key.algorithm, spec.folder).make(problem.dimension, Budget.read(key.budget))
    return problem, tuned(profile, from_text(key.parameters), key.algorithm)


def kinds_of(specs: Iterable[RunSpec]) -> list[RunSpec]:
    """Return one run of each kind that compiles other things than the others.

    That is one for each algorithm and each problem outside the suites. Of the parameters those of heuristics count;
    schedulers are not compiled.

    Examples
    --------
    >>> from ter.experiment.plan import Plan
    >>> algorithms = ["ter", {"name": "ter", "window": 7}, {"name": "ter", "cc": {"group": 7}}]
    >>> plan = Plan(problems=["lso08/f1", "lso08/f2"], dimensions=[10], algorithms=algorithms, budget=500)
    >>> [spec.label for spec in kinds_of(plan.specs())]
    ['ter', 'ter cc.group=7']
    """
    kinds: dict[tuple[str, str, str], RunSpec] = {}
    for spec in specs:
        problem = "" if spec.key.problem in FUNCTIONS else spec.key.problem
        parameters = from_text(spec.key.parameters)
        compiled = {
            name: value for name, value in parameters.items() if name == "heuristics" or isinstance(value, dict)
        }
        kinds.setdefault((problem, spec.key.algorithm, as_text(compiled)), spec)
    return list(kinds.values())[:PREPARED]


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
            compile_for(spec, *parts_of(spec))
        except Aborted:
            raise
        except BaseException:  # noqa: BLE001 - the run itself will tell, with a record
            continue
    return os.getpid()


def compile_for(spec: RunSpec, problem: Problem, profile: Profile) -> None:
    """Compile, or read from the cache, what a run will need."""
    from ter.engines.choose import choose_engine
    from ter.run.warm import warm_up

    warm_up(choose_engine(problem, stop_at_failure=True), profile.heuristics)
    if not is_user_code(spec.key.problem):  # the user's own objective is called by real runs only
        _try_heuristics(replace(spec, label="", run=0, key=replace(spec.key, seed=0)))


def uninterrupted(result: Result) -> Result:
    """Return a result, unless a signal ended its run."""
    if result.status is StopReason.INTERRUPTED:
        raise RunInterrupted("the run was interrupted by a signal")
    return result


@lru_cache
def _try_heuristics(spec: RunSpec) -> None:
    """Let each heuristic do a few evaluations, once per process: some loops are compiled when they are entered."""
    from ter.run.run import run_profile
    from ter.run.settings import Settings
    from ter.schedulers.fixed import Only

    problem, profile = parts_of(spec)
    budget = Budget(evaluations=profile.start_points + TRIED)
    for heuristic in profile.heuristics:
        alone = replace(profile, scheduler=Only(heuristic.name))
        uninterrupted(run_profile(problem, alone, budget, Settings(), rng=0))
